"""Vectors of ones and sums of columns in numbers: δ 1ᵀ spreads a column, 1ᵀ A adds up the columns of A."""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged

# A ∘ dA = [[1, 2], [1/4, 9/4]] has the sums 3 and 5/2 of rows, and 5/4 and 17/4 of columns
GIVEN = "$A = [[0.5, 0.5], [0.25, 0.75]]$, $dA = [[2, 4], [1, 3]]$, $r = [[3], [2.5]]$, $c = [[1.25, 4.25]]$\n\n"


@pytest.mark.parametrize(
    ("formula", "numbers"),
    [
        (r"dS = A \circ (dA - r\mathbf{1}^\top)", "[[-0.5, 0.5], [-0.375, 0.375]]"),
        (r"dS = \mathrm{colsum}(A \circ dA)", "[[1.25, 4.25]]"),
        (r"dS = \mathbf{1}^\top dA", "[[3, 7]]"),
    ],
)
def test_right_numbers_are_right_and_wrong_ones_are_not(formula: str, numbers: str) -> None:
    assert judged(f"{GIVEN}$${formula} = {numbers}$$")[-1][2] == []
    wrong = numbers[: numbers.rfind(".") if "." in numbers else -3] + ".111]]"
    assert judged(f"{GIVEN}$${formula} = {wrong}$$")[-1][2] != []


def test_a_row_is_taken_from_the_rows_where_tokens_are_columns() -> None:
    lines = ("A = [ 0.5  0.25 ]", "    [ 0.5  0.75 ]", "", "dA = [ 2  1 ]", "     [ 4  3 ]", "", "δ = [ 3  2.5 ]", "")
    slope = ("dS = A ∘ (dA − 1 δ) = [ −0.5  −0.375 ]", "                      [  0.5   0.375 ]")
    found = check_article("a.txt", "\n".join(f"    {x}" for x in (*lines, *slope)) + "\n")
    assert [e.verdict for e in found.findings[-1].entries] == ["exact"] * 4


def test_an_index_before_a_transpose_is_no_vector_of_ones() -> None:
    text = "    Q_1 = [ 4  2 ]\n\n    K_1 = [ 1  2 ]\n\n    S_1 = K_1ᵀ Q_1\n\n        = [ 4  2 ]\n          [ 8  {} ]"
    assert judged(text.format(4))[-1][1:] == (["4", "2", "8", "4"], [])
    assert judged(text.format(5))[-1][2] == ["5"]


def test_a_lone_product_with_ones_is_left_alone() -> None:
    assert not [c for c in judged(GIVEN + r"$$B = r\mathbf{1}^\top = [[3, 3], [2.5, 2.5]]$$") if c[2]]


def test_zeros_that_cancel_are_exact_zeros_beside_what_is_not_zero() -> None:
    """The first row of dS is 1 · (2√2 − 2√2), and with x = e^{−√3} the second is ∓x/(1 + x)²."""
    x = r"e^{-\sqrt{3}}"
    share = rf"\frac{{{x}}}{{(1+{x})^2}}"
    text = rf"$$P = \begin{{bmatrix}} 1 & 0 \\ \frac{{1}}{{1+{x}}} & \frac{{{x}}}{{1+{x}}} \end{{bmatrix}}$$" + "\n\n"
    text += r"$$dP = \begin{bmatrix} 2\sqrt{2} & 1 \\ 1 & 2 \end{bmatrix}$$" + "\n\n"
    text += r"$$dS = P \circ (dP - \mathrm{rowsum}(P \circ dP)\mathbf{1}^\top) = "
    text += rf"\begin{{bmatrix}} 0 & 0 \\ -{share} & {share} \end{{bmatrix}}$$"
    assert [(len(c[1]), c[2]) for c in judged(text)][-1:] == [(4, [])]
