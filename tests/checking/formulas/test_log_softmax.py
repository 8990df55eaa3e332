"""The logarithm of softmax: log(e^{z_i}/Σ_j e^{z_j}) = z_i − log Σ_j e^{z_j}."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def said(text):
    return [(x.verdict, x.right) for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize("formula", [
    r"\log p_i = z_i - \log \sum_{j=1}^n e^{z_j}",
    r"p_i = \exp(z_i - \log \sum_j e^{z_j})",
])  # fmt: skip
def test_a_share_by_the_logarithm_of_the_sum(formula):
    assert said(f"$${formula}$$") == [("holds", None)]
    assert said(f"$${formula.replace('-', '+')}$$") == [("fails", formula)]


@pytest.mark.parametrize("formula", [
    r"\log p_i = z_i - \log \sum_j e^{y_j}",
    r"\log p_i = z_k - \log \sum_j e^{z_j}",
    r"\log p_i = -E_i - \log \sum_j e^{-E_j}",
    r"\log p_i = z_i + \log \sum_{j \ne i} e^{z_j}",
    r"\log p_i = z_i - \log \sum_{j=1}^{i} e^{z_j}",
    r"\log w_i = z_i + \log \sum_j e^{z_j}",
])  # fmt: skip
def test_what_is_made_of_other_letters_is_left_open(formula):
    assert said(f"$${formula}$$") == []


def test_the_loss_of_one_class():
    loss = r"L = -z_y + \log \sum_j e^{z_j}"
    assert said(f"The cross-entropy is $${loss}$$") == [("holds", None)]
    assert said(f"We set $${loss}$$") == []
