"""A sum of decimals that ends in a whole number is no rounding of it where = stands before that."""

import pytest
from checking.checked import judged, listed, report


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


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("0.42 + 0.33 + 0.34 = 1.0", "1.1"),
        ("The weights: 0.62 + 0.37 + 0.11 = 1.0 ✓", "1.1"),
        ("0.5 + 0.25 + 0.15 = 1", "0.9"),
    ],
)
def test_shares_that_do_not_add_up_to_one(text, right):
    [entry] = report(text).findings[-1].entries
    assert (entry.verdict, entry.decimal) == ("wrong", right)


@pytest.mark.parametrize(
    "text",
    [
        "0.1 + 0.2 + 0.7 = 1.0",
        "0.09 + 0.24 + 0.67 = 1.00",
        "0.665 + 0.245 + 0.09 = 1.0",
        "0.33 + 0.33 + 0.33 = 1.0",
        "0.66 + 0.24 + 0.09 = 1.0",  # rounded prints
        "0.2 + 0.2 + 0.7 = 1 (after rounding)",
        "0.1 + 0.2 + 0.6 = 1",
        "0.1667 + 0.1667 + 0.1667 + 0.5 = 1",
        r"0.2 + 0.3 + 0.4 \approx 1",
        "0.2 + 0.3 + 0.4 ≈ 1",
        "w = 1/6 ≈ 0.2, so 0.2 + 0.2 + 0.3 + 0.4 = 1",
        "softmax([0, 1, 2]) ≈ [0.1, 0.2, 0.7]\n\n0.1 + 0.2 + 0.7 = 1",
        "softmax([0, 0, 2]) ≈ [0.1, 0.1, 0.8]\n\n0.1 + 0.1 + 0.8 = 1",
        "softmax([1, 1, 2]) = [0.2, 0.2, 0.6]\n\nTogether: 0.2 + 0.2 + 0.6 = 1",
        "softmax([0, 0, 2]) = [0.1, 0.1, 0.8]\n\n0.1 + 0.8 + 0.1 = 1.0",
        "0.6 GB + 0.3 GB = 1 GB",
        "0.1 + 0.2 + ... + 0.4 = 1",
        "1 - 0.3 - 0.3 = 0.4",
        "$P = 0.2 + 0.3 + 0.5 = 1$",
        "20% + 30% + 50% = 100%",
        "33% + 33% + 33% = 100%",
    ],
)
def test_shares_that_may_add_up_to_one(text):
    assert bad(text) == []


def test_shares_printed_wrong_are_not_said_to_add_up_to_one() -> None:
    """0.665 + 0.245 + 0.090 is 1, as they should have been, and 1.094 is no 1."""
    text = "softmax([2, 1, 0]) = [0.728, 0.268, 0.098]\n\nIn all 0.728 + 0.268 + 0.098 = {}\n"
    assert judged(text.format("1.0"))[-1][1] == ["0.728", "0.268", "0.098"] and listed(text.format("1.0")) == ["1.0"]
    assert judged(text.format("1.094"))[-1][2] == ["1.094"]  # carried
