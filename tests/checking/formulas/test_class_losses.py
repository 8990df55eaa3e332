"""The cross-entropy of one example, near the words for it, and what is another formula."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def said(formula, words="The cross-entropy is"):
    return [x.verdict for x in check_article(read_article("a.md", f"{words} ${formula}$.\n")).formulas]


@pytest.mark.parametrize(
    "formula",
    [
        r"L = -\log p_c",
        r"\ell = -\ln\frac{\exp(z_{\text{true}})}{\sum_{j=1}^{N}\exp(z_j)}",
        r"L = -\log\frac{e^{z_y/\tau}}{\sum_j e^{z_j/\tau}}",
        r"L = -[y\log \hat y + (1-y)\log(1-\hat y)]",
        r"L = -y\ln\sigma(z) - (1-y)\ln(1-\sigma(z))",
    ],
)
def test_the_loss_of_one_example_holds(formula):
    assert said(formula) == ["holds"]
    assert said(formula, "One has") == []


@pytest.mark.parametrize(
    "formula",
    [
        r"L = \log p_c",
        r"L = -\log p",
        r"L = -\log\frac{e^{z_c}}{\sum_j e^{x_j}}",
        r"L = -\log\frac{e^{z_c/\tau}}{\sum_j e^{z_j}}",
        r"L = -\log\frac{e^{z_c}}{\sum_{j=2}^n e^{z_j}}",
        r"L = -\log\frac{\sum_j e^{z_j}}{e^{z_c}}",
        r"L = -[y\log \hat y + (1-y)\log(1+\hat y)]",
        r"L = -[y\log \hat y - (1-y)\log(1-\hat y)]",
    ],
)
def test_another_formula_does_not_hold(formula):
    assert "holds" not in said(formula)
