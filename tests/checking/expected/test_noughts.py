"""A 0 among decimals that stands for more than they leave out."""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("$\\text{softmax}([2, 1, 0]) = [0.67, 0.33, 0]$", ["0.33", "0"]),  # 0.245, 0.090
        ("$\\text{softmax}([2, 1, 0]) = [0.67, 0.24, 0]$", ["0"]),
        ("$\\text{softmax}([8, 7, 0]) = [0.73, 0.27, 0]$", []),  # 0.0002
        ("$\\text{softmax}([2, 1, 0]) = [0.7, 0.2, 0]$", []),  # may be to one digit, or none
        ("Top-2: $\\text{softmax}([2, 1, 0]) = [0.67, 0.24, 0]$, the third is dropped", []),
        ("$[1.25, 0.75] \\cdot 0.25 = [0.3125, 0]$", []),  # 0.1875: no shares
        ("$\\text{softmax}([2, 1, -\\infty]) = [0.73, 0.27, 0]$", []),
    ],
)
def test_a_nought_beside_decimals(text: str, bad: list[str]) -> None:
    assert [number for *_, wrong in judged(text) for number in wrong] == bad


def test_the_right_value_has_the_digits_of_its_neighbours() -> None:
    found = check_article("$\\text{softmax}([2, 1, 0]) = [0.67, 0.24, 0]$\n").findings
    assert [e.decimal for claim in found for e in claim.bad] == ["0.09"]
