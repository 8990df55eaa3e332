"""Calculations set apart by commas, whose results are in the same order."""

import pytest
from checking.checked import judged


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("= - (1 * log(0.5)) , - (2 * log(0.25))\n\n= 0.693 , 2.9", ["2.9"]),
        ("$-(1 * log(0.5)), -(2 * log(0.25)) = 0.593, 2.8$", ["0.593"]),
        ("2 + 3, 4 + 5 = 5, 8", ["8"]),
    ],
)
def test_each_is_held_against_its_own(text: str, wrong: list[str]) -> None:
    """ln 2 = 0.6931 and 2 ln 4 = 2.7726 by hand."""
    found = judged(text)
    assert len(found) == 2
    assert [number for *_, bad in found for number in bad] == wrong


@pytest.mark.parametrize(
    "text",
    [
        "$-(1 * log(0.5)), -(2 * log(0.25)) = 0.693, 2.773$",
        "$2 + 3, 4 + 5 = 9$",
        "of 2 + 3, 4 + 5 = 9, and 5, 6",
        "$0.5, 0.3 + 0.2 = 0.5, 0.7$",
        "$a, b = 1 + 1, 2 + 2 = 2, 4$",
        "$1 + 1 = 2, 2 + 2 = 4$",
        "$1,5 + 2,5 = 4,0$",
        "$max(1, 2 + 3) = 5$",
        "$(1 + 2, 3 + 4) = (3, 7)$",
        "$1 + 1, 2 + 2 = 3 - 1, 4 = 2, 4$",
    ],
)
def test_right_texts(text: str) -> None:
    assert not any(bad for *_, bad in judged(text))
