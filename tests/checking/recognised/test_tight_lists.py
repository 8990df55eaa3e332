"""Lists as programs and hasty writers set them; the numbers are those of Python's math."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

SCORES = "Scores: [1.2,0.4,-0.3]\n\n"


def numbers(text: str) -> list[str]:
    return [number for _, printed, _ in judged(text) for number in printed]


@pytest.mark.parametrize(
    "printed",
    [
        "[3.320,1.492,0.741]",
        "3.320 + 1.492 + 0.741 is the sum of all",
        "y(a) = 3.320, y(b) = 1.492, y(c) = 0.741",
    ],
)
def test_a_list_in_any_dress(printed: str) -> None:
    assert numbers(f"{SCORES}Exponentials: {printed}") == ["3.320", "1.492", "0.741"]


def test_a_scale_may_be_a_factor() -> None:
    assert numbers("Numbers: 1.32, 0.44, 2.71\n\nScale by √4: 2.64, 0.88, 5.42")[-3:] == ["2.64", "0.88", "5.42"]


def test_of_equal_numbers_everything_is_a_multiple() -> None:
    assert not judged("Numbers: 0.25, 0.25, 0.25, 0.25\n\nOthers: 0.75, 0.75, 0.75, 0.75")


def test_a_number_that_stood_before_is_no_measure_by_chance() -> None:
    assert not judged("Rate 0.35, as said.\n\nNumbers: 0.15, 0.2\n\nThe total of 0.35")


def test_equal_factors_of_a_list_are_no_list() -> None:
    text = "- Prefill: 256 tokens x 576 dims x 2 bytes = 288 KB\n- Decode: 1 token x 576 dims x 2 bytes = 1.125 KB\n"
    text += "- Layer: 2 x 576 x 2 bytes = 2.25 KB\n- Set: ~8 tokens x 2.25 KB = 18 KB"
    assert sorted(numbers(text)) == ["1.125", "18", "2.25", "288"]
