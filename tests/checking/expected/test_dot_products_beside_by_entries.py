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
