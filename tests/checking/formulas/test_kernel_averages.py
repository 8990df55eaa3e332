"""Averages of values by any similarity: each weight is one similarity over the sum of all of the same query."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

AVERAGE = r"o_i = \frac{{\sum_j \kappa(q_i, k_j) v_j}}{{\sum_{0} \kappa(q_i, k_{0})}}"


def said(formula):
    return [x.verdict for x in judge_formulas(read_article("a.md", f"$${formula}$$\n")).formulas]


@pytest.mark.parametrize("index", ["j", "l"])
def test_the_shares_of_similarities(index):
    assert said(AVERAGE.format(index)) == ["holds"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("v_j", "v_i"), ("q_i", "q_j"), (r"\sum_l", r"\sum_i"), ("k_l)", "k_i)"), (r"\sum_l", r"\sum_{l<i}")],
)
def test_another_form_may_be_meant(old, new):
    assert "holds" not in said(AVERAGE.format("l").replace(old, new))
