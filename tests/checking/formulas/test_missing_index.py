"""Scores of two places whose formula has one of them."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


@pytest.mark.parametrize(
    ("formula", "right"),
    [
        (r"e_{ij} = \frac{q_i k_i^T}{\sqrt{d}}", r"e_{ij} = \frac{q_i k_j^T}{\sqrt{d}}"),
        (r"a_{ts} = \text{softmax}(q_t^T k_t)", r"a_{ts} = \text{softmax}(q_t^T k_s)"),
        (
            r"e_{ij} = \text{softmax}(\frac{q_i k_i^T}{\sqrt{d}}) v_i",
            r"e_{ij} = \text{softmax}(\frac{q_i k_j^T}{\sqrt{d}}) v_j",
        ),
    ],
)
def test_a_score_of_i_and_j_that_has_no_j_fails(formula, right):
    found = check_article(read_article("a.md", f"Scores of each pair:\n\n$${formula}$$\n")).formulas
    assert [(each.verdict, each.right) for each in found] == [("fails", right)]


@pytest.mark.parametrize(
    "formula",
    [
        r"e_{ij} = \frac{q_i k_j^T}{\sqrt{d}}",
        r"e_{ii} = q_i k_i^T",
        r"e_{ij} = q_i^T K_j x_j",
        r"a_{ij} = \text{softmax}_j(q_i^T k_i)",
        r"e_{12} = q_1^T k_1",
    ],
)
def test_other_scores_do_not_lack_an_index(formula):
    found = check_article(read_article("a.md", f"Scores of each pair:\n\n$${formula}$$\n")).formulas
    assert not [each for each in found if each.theorem.key == "formula.missing_index"]
