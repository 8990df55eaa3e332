"""Numbers as spreadsheets show them: by their own number formats, as Excel and LibreOffice do."""

from fractions import Fraction

import pytest

from symattn.reading.spreadsheets.formats import show


@pytest.mark.parametrize(
    ("value", "code", "text", "unit"),
    [
        (0.00001234, "General", "1.234E-05", Fraction(1, 10**10)),  # five digits behind the first, zeros left out
        (123456789012.0, "General", "1.23457E+11", Fraction(10**6)),
        (0, "General", "0", None),
        (1e30, "0.00", "1" + "0" * 30 + ".00", Fraction(1, 100)),
        (0.5, "0.0##", "0.5", Fraction(1, 10**3)),
        (0.25, "0.0##", "0.25", Fraction(1, 10**3)),
        (-3, '0;"minus" 0', "-3", Fraction(1)),
        (0, '0.0;-0.0;"none" 0', "0", Fraction(1)),
        (0.125, "0.0%", "12.5%", Fraction(1, 1000)),
        (0.00012, "0.0E+00", "1.2E-04", Fraction(1, 10**5)),
        (0, "0.0E+00", "0.0E+00", Fraction(1, 10)),
        (7, "[Red]0", "7", Fraction(1)),
    ],
)
def test_a_number_in_a_format(value, code, text, unit):
    found = show(value, code)
    assert found[0] == text
    if unit is not None:
        assert found[1] == unit


@pytest.mark.parametrize(
    ("value", "code"),
    [(float("inf"), "0"), (1, "##0.0E+0"), (1, "yyyy-mm-dd"), (1, '"only words"'), (1 / 3, "0." + "0" * 100)],
)
def test_what_shows_no_plain_number(value, code):
    assert show(value, code) is None
