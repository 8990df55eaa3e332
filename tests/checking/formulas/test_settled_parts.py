"""A chain that no judge knows as a whole: what its parts say."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

FORWARD = "$S = QK^T$, $P = \\mathrm{softmax}(S)$ and $O = PV$, so\n\n"


@pytest.mark.parametrize(
    ("chain", "said"),
    [
        (r"dP = g(x) = dO V^T", [("holds", r"dO V^T")]),
        (r"dP = g(x) = dO V", [("fails", r"dO V")]),
        (r"dP = dO V^T = g(x)", [("holds", r"dP = dO V^T")]),
        (r"dP = g(x) = G", []),  # a name for what stands there
        (r"dV = P^T dO", [("holds", "dV = P^T dO")]),
    ],
)
def test_what_is_known_of_a_chain_is_said(chain: str, said: list[tuple[str, str]]) -> None:
    found = judge_formulas(read_article("a.md", f"{FORWARD}$${chain}$$\n")).formulas
    assert [(x.verdict, x.text) for x in found if x.line == 3] == said
