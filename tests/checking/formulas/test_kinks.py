"""Functions that are linear on pieces are tried where arguments have either sign: ReLU(1 − 2) = 0, ReLU(1) = 1."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def verdicts(formula):
    return [each.verdict for each in judge_formulas(read_article("a.md", f"$${formula}$$\n")).formulas]


@pytest.mark.parametrize(
    "formula",
    [
        r"\mathrm{ReLU}(x + y) = \mathrm{ReLU}(x) + \mathrm{ReLU}(y)",
        r"\mathrm{ReLU}(2x + y) = 2\mathrm{ReLU}(x) + \mathrm{ReLU}(y)",
        r"\mathrm{ReLU}(W(x + y)) = \mathrm{ReLU}(Wx) + \mathrm{ReLU}(Wy)",
        r"\max(a + b, 0) = \max(a, 0) + \max(b, 0)",
        r"|a + b| = |a| + |b|",
        r"\mathrm{ReLU}(ab) = \mathrm{ReLU}(a)\,\mathrm{ReLU}(b)",
    ],
)
def test_what_is_true_of_positive_numbers_alone_does_not_hold(formula):
    assert "holds" not in verdicts(formula)


@pytest.mark.parametrize(
    "formula",
    [
        r"\mathrm{ReLU}(x) - \mathrm{ReLU}(-x) = x",
        r"\mathrm{ReLU}(2x) = 2\,\mathrm{ReLU}(x)",
    ],
)
def test_what_is_true_of_every_number_holds(formula):
    assert verdicts(formula) == ["holds"]
