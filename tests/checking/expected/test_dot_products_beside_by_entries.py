"""p · g beside ⊙ is a number, as in the slope of softmax, p ⊙ (g − p · g)."""

import pytest
from checking.checked import judged

GIVEN = "Let $p = (0.2, 0.5, 0.3)$ and $g = (1, -1, 2)$.\n\n"  # p · g = 0.2 − 0.5 + 0.6 = 0.3


def wrong(text):
    claims = judged(GIVEN + text)
    return [bad for *_, bad in claims] or None


@pytest.mark.parametrize(
    "formula",
    [
        r"$p \odot (g - p\cdot g) = {}$",
        r"$p \odot (g - (p\cdot g)) = {}$",
        r"$(g - g\cdot p) \odot p = {}$",
        r"$\frac{{\partial L}}{{\partial z}} = p \odot (g - p \cdot g) = {}$",
        "$dz = p ⊙ (g − p·g) = {}$",
    ],
)
def test_it_is_taken_from_each_entry(formula):
    assert wrong(formula.format("(0.14, -0.65, 0.51)")) == [[]]  # 0.2 · 0.7, 0.5 · −1.3, 0.3 · 1.7
    assert wrong(formula.format("(0.14, -0.75, 0.51)")) == [["-0.75"]]
    assert wrong(formula.format("(0.16, -0.25, 0.42)")) == [["0.16", "-0.25", "0.42"]]  # g − p ⊙ g for g − p · g


@pytest.mark.parametrize("numbers", ["(0.7, -1.3, 1.7)", "(0.8, -0.5, 1.4)"])
def test_without_that_sign_it_may_be_either(numbers):
    assert wrong(f"$g - p \\cdot g = {numbers}$") == [[]]
    assert wrong(f"$g - p \\cdot g = {numbers.replace('.7', '.9').replace('.8', '.9')}$") not in ([[]], None)


WEIGHTS = (
    r"$P = \begin{bmatrix}0.6 & 0.4\\0.5 & 0.5\end{bmatrix}$, $G = \begin{bmatrix}1 & 0\\0 & 1\end{bmatrix}$" + "\n\n"
)


@pytest.mark.parametrize("ones", [r"\mathbf{1}", r"\mathbb{1}"])
def test_a_bold_one_behind_a_matrix_adds_up_its_rows(ones):
    text = (
        WEIGHTS + rf"$S = P \odot (G - (P \odot G){ones}) = \begin{{bmatrix}}0.24 & -0.24\\-0.25 & 0.25\end{{bmatrix}}$"
    )
    assert [bad for *_, bad in judged(text)] == [[]]  # 0.6 · 0.4, 0.4 · −0.6, 0.5 · −0.5, 0.5 · 0.5
    assert [bad for *_, bad in judged(text.replace("-0.24", "-0.14"))] == [["-0.14"]]


def test_a_bold_one_behind_a_number_is_taken_from_each_entry():
    assert wrong(r"$p \odot (g - (p\cdot g)\mathbf{1}) = (0.14, -0.65, 0.51)$") == [[]]


def test_a_bold_number_is_a_number():
    assert judged(r"$2 \cdot \mathbf{1} + \mathbf{1} = \mathbf{4}$")[-1][2] == ["4"]


def test_rows_without_a_sign_between_are_multiplied_by_entries():
    """(1, 2) and (0.5, −0.5) by entries are (0.5, −1)."""
    given = (
        r"$\gamma = [1, 2]$, $x = [0.5, -0.5]$, $b = [1, 1]$, $m = [1, 0]$"
        + "\n\n"
        + r"$x \odot m = [0.5, 0]$"
        + "\n\n"
    )
    assert [bad for *_, bad in judged(given + r"$\gamma x + b = [1.5, 0]$")] == [[], []]
    assert [bad for *_, bad in judged(given + r"$\gamma x + b = [1.5, 1]$")] == [[], ["1"]]
