"""Parameters that a line counts by the sizes of weights, and totals of what has a letter each."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize(
    ("line", "printed", "bad"),
    [
        ("W₁(4×8) + b₁(8) + W₂(8×4) + b₂(4) = 32 + 8 + 32 + 4 = **76**", ["76"], []),
        ("W₁(4×8) + b₁(8) + W₂(8×4) + b₂(4) = 32 + 8 + 32 + 4 = **86**", ["86"], ["86"]),
        ("γ(64) + β(64) = **128**", ["128"], []),
        ("U: 4×3=12, V: 4×4=16, b_h: 4 → Total: **32**", ["32"], []),
        ("U: 4×3=12; V: 4×4=16; b_h: 4 → Total: **42**", ["42"], ["42"]),
        ("layers: 2, weights: 10 → Total: 12", ["12"], []),
    ],
)
def test_counted_parameters(line: str, printed: list[str], bad: list[str]) -> None:
    assert judged(f"> **A:** {line}\n")[-1][1:] == (printed, bad)


@pytest.mark.parametrize(
    "line",
    [
        "heads: 8, width: 64 → Total: 512",  # a product
        "β(2) + γ(3) = 13",  # functions
    ],
)
def test_what_may_be_no_sum(line: str) -> None:
    assert judged(line + "\n") == []


@pytest.mark.parametrize(
    ("line", "printed", "bad"),
    [
        ("d_k = 16: the dot product has a standard deviation ≈ 4.0", ["4.0"], []),
        ("d_k = 50:  produit scalaire, écart-type ≈ 7.07", ["7.07"], []),
        ("d_k = 16 → q·k 的标准差 ≈ 5.0", ["5.0"], ["5.0"]),
    ],
)
def test_the_deviation_of_a_dot_product(line: str, printed: list[str], bad: list[str]) -> None:
    assert judged(f"```\n{line}\n```\n")[-1][1:] == (printed, bad)


@pytest.mark.parametrize("words", ["the scaled dot product has a standard deviation", "the weights have an entropy"])
def test_other_measures_are_left_open(words: str) -> None:
    assert judged(f"```\nd_k = 16: {words} ≈ 1.0\n```\n") == []
