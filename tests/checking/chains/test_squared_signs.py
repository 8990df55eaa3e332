"""Squares of negative numbers that stand without brackets; the results were worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize(
    "text",
    [
        "-0.3² = 0.09",
        "$-1.5^2 = 2.25$",
        "(−0.5² + 0.5²)/2 = 0.25",
        r"$\frac{-0.5^2 + 0.2^2 + -0.3^2}{3} = 0.127$",
        "-0.5² = -0.25",  # as algebra has it
        "0.25 - 0.3² = 0.16",
    ],
)
def test_both_readings_are_right(text: str) -> None:
    [(_, printed, bad)] = judged(text)
    assert printed and not bad


@pytest.mark.parametrize("text", ["-0.3² = 0.06", "0.25 - 0.3² = 0.34", "(0.5)² + 0.2² - 0.3² = 0.38"])
def test_no_reading_saves_a_wrong_number(text: str) -> None:
    [(_, printed, bad)] = judged(text)
    assert bad == printed
