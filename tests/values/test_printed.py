"""Prints beside enclosures; expected relations from Fractions by hand."""

from fractions import Fraction

import pytest
from flint import arb, ctx

from symattn.values.printed import enclose, may_round_to, print_like, relation, round_to, stands_for


@pytest.mark.parametrize(
    ("value", "printed", "unit", "expected"),
    [
        ("1/8", "0.12", "1/100", "rounded"),
        ("1/8", "0.13", "1/100", "rounded"),
        ("1/8", "0.125", "1/1000", "exact"),
        ("1/8", "0.11", "1/100", "far"),
        ("1/8", "0.115", "1/1000", "far"),
        ("129/100", "1.2", "1/10", "truncated"),
        ("-129/100", "-1.2", "1/10", "truncated"),
        ("-121/100", "-1.3", "1/10", "near"),
        ("13/10", "1.2", "1/10", "far"),  # a whole unit
        ("7/10", "0", "1", "truncated"),
        ("-7/10", "0", "1", "truncated"),
        ("0", "0", "1", "exact"),
        ("-1/5", "0.3", "1", "rounded"),
    ],
)
def test_relation(value: str, printed: str, unit: str, expected: str) -> None:
    x = Fraction(value)
    assert relation(arb(x.numerator) / x.denominator, Fraction(printed), Fraction(unit)) == expected


def test_a_wide_enclosure_is_never_called_right() -> None:
    wide = arb(10, 3)
    assert relation(wide, Fraction(10), Fraction(1)) == "near"
    assert relation(wide, Fraction(20), Fraction(1)) == "far"


def test_tiny_is_not_zero() -> None:
    with ctx.workprec(160):
        assert relation(arb(-200).exp(), Fraction(0), Fraction(1, 100)) == "rounded"


@pytest.mark.parametrize(
    ("number", "unit", "inside", "outside"),
    [
        ("1.41", "1/100", ("1.405", "1.4199"), ("1.404", "1.4201")),
        ("-1.41", "1/100", ("-1.405", "-1.4199"), ("-1.404", "-1.4201")),
        ("2", "1", ("2",), ("2.1", "1.9")),
    ],
)
def test_what_a_written_number_stands_for(
    number: str, unit: str, inside: tuple[str, ...], outside: tuple[str, ...]
) -> None:
    ball = stands_for(Fraction(number), Fraction(unit)).rows[0][0]
    assert all(ball.contains(arb(x)) for x in inside)
    assert not any(ball.overlaps(arb(x)) for x in outside)


def test_ranges() -> None:
    ball = enclose([[Fraction("0.4556")]], [[Fraction("0.00005")]]).rows[0][0] * 10
    assert may_round_to(ball, Fraction("4.5564"), Fraction("0.0001"))
    assert not may_round_to(ball, Fraction("4.5567"), Fraction("0.0001"))


def test_rounded_to() -> None:
    assert round_to(arb("0.6666"), Fraction(1, 100)) == Fraction("0.67")
    assert round_to(arb(-2.5), Fraction(1)) == -3


@pytest.mark.parametrize(
    ("text", "value", "unit", "expected"),
    [
        ("0,50", "0.666", "1/100", "0,67"),
        ("50%", "0.666", "1/100", "67%"),
        ("5.", "7", "1", "7."),
        ("-0.5", "-0.26", "1/10", "-0.3"),
        ("12", "12.6", "1", "13"),
        ("1.0e-06", "0.0000015", "1/10000000", "1.5e-06"),
        (r"-3.1\times 10^{2}", "-300", "10", r"-3.0\times 10^{2}"),
        ("156T", "156", "1", "156"),  # of T it would be 0.000000000156
    ],
)
def test_print_like(text: str, value: str, unit: str, expected: str) -> None:
    assert print_like(text, arb(value), Fraction(unit)) == expected


def test_a_double_in_full_is_right_as_a_double() -> None:
    # 0.1 + 0.2 in doubles; a digit further up is no float's dust
    with ctx.workprec(160):
        third = arb(3) / 10
        assert relation(third, Fraction("0.30000000000000004"), Fraction(1, 10**17)) == "rounded"
        assert relation(third, Fraction("0.30000000000004"), Fraction(1, 10**14)) == "far"
        assert relation(third, Fraction("0.30000000000040004"), Fraction(1, 10**17)) == "far"
