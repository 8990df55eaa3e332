"""Equations between formulas whose symbols the article defines, or that hold for every shape that fits."""

from __future__ import annotations

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

ABSORBED = r"$q_t = W^{UQ} c_t^Q$ and $k_t = W^{UK} c_t$, so "


def verdicts(text: str) -> list[str]:
    return [each.verdict for each in judge_formulas(read_article("a.md", text + "\n")).formulas]


def test_definitions_are_looked_into() -> None:
    assert verdicts(ABSORBED + r"$q_t^T k_t = (c_t^Q)^T (W^{UQ})^T W^{UK} c_t$.")[2:] == ["holds"]
    assert verdicts(ABSORBED + r"$q_t^T k_t = (c_t^Q)^T W^{UQ} W^{UK} c_t$.")[2:] == ["fails"]


def test_functions_of_which_nothing_is_known() -> None:
    assert verdicts(r"$$O = (\phi(Q) \phi(K)^T) V = \phi(Q) (\phi(K)^T V)$$") == ["holds"]
    assert verdicts(r"$$O = (\phi(Q) \phi(K)^T) V = \phi(Q) (\phi(K) V^T)$$") == ["fails"]


def test_what_is_supposed_is_not_false() -> None:
    assert verdicts(r"If they commute, $ABC = CBA$.") == []
    assert verdicts(r"Suppose that $W A B = A W B$.") == []
