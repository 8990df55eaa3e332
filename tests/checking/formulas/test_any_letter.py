"""Textbook formulas whose sums end at a letter of the author's own: none of them is false for that."""

import pytest

from symattn import check_article

pytestmark = pytest.mark.slow

FORMULAS = [
    r"\mu = \frac{1}{N}\sum_{i=1}^{N} x_i",
    r"\sigma^2 = \frac{1}{N}\sum_{i=1}^{N} (x_i - \mu)^2",
    r"\mathrm{RMS}(x) = \sqrt{\frac{1}{N}\sum_{i=1}^{N} x_i^2}",
    r"L = -\sum_{i=1}^{N} y_i \log p_i",
    r"o_i = \sum_{j=1}^{N} \alpha_{ij} v_j",
    r"\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^{N} \exp(e_{ik})}",
    r"A_{ij} = \frac{\exp(q_i^T k_j/\sqrt{d_k})}{\sum_{l=1}^{N} \exp(q_i^T k_l/\sqrt{d_k})}",
    r"q \cdot k = \sum_{i=1}^{N} q_i k_i",
    r"\mathrm{Var}(q \cdot k) = \sum_{i=1}^{N} \mathrm{Var}(q_i k_i) = N",
    r"\log p_k = z_k - \log \sum_{j=1}^{N} e^{z_j}",
    r"H(p) = -\sum_{i=1}^{N} p_i \log p_i",
    r"\|x\| = \sqrt{\sum_{i=1}^{N} x_i^2}",
    r"p_i = \frac{e^{z_i}}{\sum_{j=1}^{N} e^{z_j}}",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_letter_that_a_sum_ends_at_makes_a_right_formula_false(formula: str) -> None:
    false = [x for x in "TcLSBUwDbm" if _fails(formula.replace("N", x))]
    assert not false


def _fails(formula: str) -> bool:
    return any(found.verdict == "fails" for found in check_article("a.md", f"$${formula}$$\n").formulas)
