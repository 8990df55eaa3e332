"""S_ij = q_i · k_j has queries in its rows: S_ji = q_i · k_j is another matrix, and both are not said of one."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


@pytest.mark.parametrize("before", [r"S = \frac{QK^\top}{\sqrt{d_k}}", r"S_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}}"])
def test_scores_have_one_order_of_indices(before):
    def verdicts(formula):
        found = judge_formulas(read_article("a.md", f"The scores are\n\n$${before}$$\n\n$${formula}$$\n"))
        return [each.verdict for each in found.formulas if each.line == 5]

    assert "holds" not in verdicts(r"S_{ji} = \frac{q_i \cdot k_j}{\sqrt{d_k}}")
    assert "holds" not in verdicts(r"S_{ij} = \frac{q_j \cdot k_i}{\sqrt{d_k}}")
    assert verdicts(r"S_{ij} = \frac{q_i^\top k_j}{\sqrt{d_k}}") == ["holds"]


def test_a_text_may_have_keys_in_rows():
    found = judge_formulas(read_article("a.md", r"The scores: $S_{ji} = \frac{q_i \cdot k_j}{\sqrt{d_k}}$"))
    assert [each.verdict for each in found.formulas] == ["holds"]
