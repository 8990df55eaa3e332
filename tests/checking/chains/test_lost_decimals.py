"""A sum of decimals that ends in a whole number is no rounding of it where = stands before that."""

import pytest
from checking.checked import judged, report


def bad(text):
    return [number for *_, numbers in judged(text) for number in numbers]


@pytest.mark.parametrize(
    ("text", "number", "right"),
    [
        ("$0.576 + 0.284 + 0.410 = 1$", "1", "1.27"),
        ("0.7 + 0.4 = 1", "1", "1.1"),
        (r"$0.7 \cdot 2 = 1$", "1", "1.4"),
        ("12.6 + 5.9 = 18", "18", "18.5"),
    ],
)
def test_a_sum_that_is_no_whole_number(text, number, right):
    assert bad(text) == [number]
    assert [e.decimal for claim in report(text).findings for e in claim.entries] == [right]


@pytest.mark.parametrize(
    "text",
    [
        "0.33 + 0.33 + 0.33 = 1",  # thirds
        "0.3 + 0.3 + 0.3 = 1",
        "$0.576 + 0.284 + 0.141 = 1$",
        r"$0.7 + 0.4 \approx 1$",
        "0.6 + 0.4 = 1",
        "12.8 * 3 = 38",
        "$7 / 2 = 3$",
        "0.1 * 512 = 51",
    ],
)
def test_whole_numbers_that_may_be_meant(text):
    assert report(text).findings and bad(text) == []


def test_large_sums_are_rounded_to_whole_numbers() -> None:
    assert judged("HHI = 2,500+976.6+351.6 = 3,828")[-1][1:] == (["3,828"], [])
    assert judged("HHI = 2,500+976.6+351.6 = 3,928")[-1][1:] == (["3,928"], ["3,928"])
    assert judged("$0.7 + 0.4 = 1$")[-1][1:] == (["1"], ["1"])
