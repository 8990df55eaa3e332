"""Prints beside enclosures; expected relations from Fractions by hand."""

import itertools
import math
from fractions import Fraction

import pytest
from flint import arb, ctx

from symattn.values import printed as p
from symattn.values.balls import Balls
from symattn.values.decimals import FAR, Bounds
from symattn.values.printed import enclose, may_round_to, print_like, relation, round_to, stands_for
from symattn.values.spelling import TINY

HUNDREDTH = Fraction(1, 100)


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
        ("13/2", "7", "1", "rounded"),  # half a unit
        ("13/2", "6", "1", "rounded"),
        ("7", "6", "1", "far"),
        ("7", "8", "1", "far"),
        ("129/1000", "0.12", "1/100", "truncated"),
        ("-1/4", "0.2", "1/10", "far"),  # of another sign
    ],
)
def test_relation(value: str, printed: str, unit: str, expected: str) -> None:
    x = Fraction(value)
    assert relation(arb(x.numerator) / x.denominator, Fraction(printed), Fraction(unit)) == expected


def test_a_wide_enclosure_is_never_called_right() -> None:
    wide = arb(10, 3)
    assert relation(wide, Fraction(10), Fraction(1)) == "near"
    assert relation(wide, Fraction(20), Fraction(1)) == "far"
    assert relation(arb(10, 0.0001), Fraction(10), Fraction(1)) == "exact"


def test_a_percentage_is_what_it_is_worth() -> None:
    assert relation(arb(0.5), Fraction(1, 2), HUNDREDTH, "50%") == "exact"


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
        ("156T", "1234.5678", "1000000000000", "1234.57"),
        ("156T", "2e14", "1000000000000", "200T"),
        ("156T", "0", "1000000000000", "0T"),
        ("0.10", "0.0000000012", "1/100", "0.00"),
        ("½", "0.26", "1/100", "0.26"),
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


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        # what cancels: 2^-53 of something of the size of 1, and 2^-23 in single precision, which has 8 digits
        ("0", "0.00000000000000011", "rounded"),
        ("0", "0.0000000000011", "far"),
        ("0", "0.00000011920929", "rounded"),
        ("0", "0.000000119209", "rounded"),
        ("0", "0.00000011921", "far"),  # 5 digits
        ("0", "0.000000119", "far"),
        ("0", "0.0000011920929", "far"),
        # a third in single precision is 0.333333343267…, whose neighbours are 0.00000003 away
        ("1/3", "0.33333334", "rounded"),
        ("1/3", "0.33333339", "rounded"),
        ("1/3", "0.33333343", "far"),
        ("1/3", "0.3333334", "near"),  # 7 digits, by hand
        ("1/7", "0.14285715", "rounded"),
        ("1/7", "0.1428571492", "far"),  # 10, more than it has
        ("16777217", "16777216", "far"),  # a whole number
        ("3/10", "0.30000000000000021", "rounded"),  # four neighbours on
        ("3/10", "0.3000000000000004", "far"),
        ("2.0000000000000012", "2.000000000000000", "rounded"),  # three on
        ("9.000000000000007", "9.00000000000000", "truncated"),  # which has 15 digits
    ],
)  # fmt: skip
def test_what_a_program_may_have_printed(value: str, text: str, expected: str) -> None:
    number, unit = Fraction(value), Fraction(1, 10 ** len(text.partition(".")[2]))
    with ctx.workprec(160):
        assert relation(arb(number.numerator) / number.denominator, Fraction(text), unit, text) == expected


def test_nobody_has_a_program_print_how_far_from_1() -> None:
    with ctx.workprec(160):
        value, printed, unit = 1 - arb("3e-7"), 1 - Fraction(185, 10**9), Fraction(1, 10**9)
        assert relation(value, printed, unit, "0.999999815") == "rounded"
        assert relation(value, printed, unit, "1 − 1.85 × 10⁻⁷") == "far"


def test_numbers_too_small_to_be_kept() -> None:
    with ctx.workprec(160):
        ratio = arb("9.264") * arb(10) ** -434294483
        for text, expected in (("9.26", "rounded"), ("9.25", "far"), ("9.27", "near")):
            assert relation(ratio, Fraction(0), TINY, f"{text} × 10^-434294483") == expected
        assert relation(ratio, Fraction(0), TINY) == "rounded"


def test_units_of_what_is_right() -> None:
    assert p.fits_unit(arb(3), Fraction(1)) and not p.fits_unit(arb(3, 0.3), Fraction(1))
    assert p.unit_of(arb(2).sqrt(), HUNDREDTH) == p.FINEST == Fraction(1, 10**6)
    assert p.unit_of(arb("2.43"), Fraction(1)) == HUNDREDTH
    assert not p.is_manifold(None, arb(1), Fraction(1))
    assert [p.is_manifold(Fraction(1), arb(x), Fraction(1)) for x in ("0.1", "0.3125")] == [True, False]


@pytest.mark.parametrize(
    ("value", "printed", "unit", "lone", "expected"),
    [
        ("2.4", "3", "1", False, "1"),
        ("0.24", "0.2", "0.1", False, "0.1"),
        ("0.0001", "0.01", "0.01", False, "0.01"),  # 0.00 among numbers like 0.37
        ("0.000952", "0.01", "0.01", True, "0.001"),
        ("0.0000001", "0.01", "0.01", True, "0.01"),  # 0.000000
    ],
)
def test_a_unit_that_tells_what_is_right(value: str, printed: str, unit: str, lone: bool, expected: str) -> None:
    assert p.unit_to_tell(arb(value), Fraction(printed), Fraction(unit), lone=lone) == Fraction(expected)


def test_digits_and_orders() -> None:
    assert not p.has_one_digit(Fraction(1, 10), HUNDREDTH)
    assert [p.is_of_order(arb(1000), Fraction(10**k)) for k in (2, 3, 4)] == [False, True, False]
    assert [p.is_of_order(arb(x), Fraction(10**5)) for x in ("3.1e4", "3.2e4")] == [False, True]  # 10^4.5 is 31,623
    assert [p.is_of_order(arb("4e-5"), Fraction(1, 10**k)) for k in (4, 5, 6)] == [True, True, False]
    assert p.rest_of(Fraction("6.01"), HUNDREDTH) is None and p.rest_of(Fraction("0.0001"), Fraction(1, 10**6)) is None
    assert p.rest_of(Fraction("5.9999"), Fraction(1, 10**6)) == Fraction(1, 10**4)
    assert p.rest_of(Fraction("5.9999"), Fraction(1, 10**5)) is None  # one digit may be a slip
    meant = stands_for(Fraction(2), Fraction(1), [arb("2.4")])
    assert meant.shape == (1, 1) and meant.rows[0][0].contains(arb("2.2"))
    assert stands_for(Fraction(0), HUNDREDTH).rows[0][0].contains(arb("0.0099"))


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("0.33", 1 / 3), ("0.3", None), ("0.333", 1 / 3), ("0.332", None), ("0.167", 1 / 6), ("0.17", None),
        ("0.833", 5 / 6), ("0.500", None), ("1.00", None), ("0.3333", 1 / 3),
        ("1.41", math.sqrt(2)), ("1.42", None), ("1.4", None), ("3.16", math.sqrt(10)), ("3.46", None),
        ("5.66", math.sqrt(32)), ("2.00", None), ("3.14", math.pi), ("3.1", None), ("3.15", None), ("3", None),
        ("362", None),  # √131072
    ],
)  # fmt: skip
def test_decimals_that_are_well_known(text: str, known: float | None) -> None:
    found = p.constant_printed(Fraction(text), Fraction(1, 10 ** len(text.partition(".")[2])))
    assert (None if found is None else float(found.mid())) == (None if known is None else pytest.approx(known))


def test_roots_that_everybody_knows() -> None:
    known = {x: p.constant_printed(Fraction(x), HUNDREDTH, roots=False) for x in ("1.41", "1.73", "2.24", "3.14")}
    assert known["2.24"] is None and known["1.73"] is not None
    assert known["1.41"] is not None and known["3.14"] is not None
    assert p.constant_printed(Fraction("2.24"), HUNDREDTH) is not None


def test_parts_and_edges_of_an_enclosure() -> None:
    whole = Balls((1, 1), None, ((arb(1, 0.5),),))
    parts = p.parts_of(whole, 3)  # which meet at 5/6 and 7/6
    places = [("0.51", "0.83"), ("0.84", "1.16"), ("1.17", "1.49")]
    for part, own in zip(parts, places, strict=True):
        assert part.shape == (1, 1)
        for place in ("0.49", "1.51", *itertools.chain(*places)):
            assert part.rows[0][0].contains(arb(place)) == (place in own)
    one = Balls((1, 1), None, ((arb(1),),))
    assert p.parts_of(one, 2) == [one]
    assert [p.lies_within(arb(1, 0.5), Fraction(x)) for x in ("1.49", "0.51", "1.5", "0.4")] == [
        True,
        True,
        False,
        False,
    ]


def test_two_enclosed_numbers() -> None:
    assert p.is_larger(Fraction(-3), arb(2)) and not p.is_larger(Fraction(1), arb(-2))
    assert not p.is_larger(Fraction(2), arb(-2)) and may_round_to(arb(6.5), Fraction(7), Fraction(1))
    assert p.differ(arb(1), arb(2)) and not p.differ(arb(1, 0.5), arb(2, 0.6))
    assert not p.agree(arb(1, 0.5), arb(1, 0.5)) and p.agree(arb(0), arb(0))  # the first are too wide
    with ctx.workprec(160):
        third, dust = arb(1) / 3, arb(0, arb(2) ** -110)
        assert p.agree(third, third) and not p.agree(third, third + 1) and p.agree(third, third + dust)
        assert not p.agree(arb(0), dust) and p.agree(arb(0), dust, arb(1)) and not p.agree(dust, arb(0), arb(1))
        assert p.distance(arb(-2), Fraction(5, 2)) == 4.5 and p.apart(arb(-2), arb(5) / 2) == 4.5


def test_texts_of_numbers() -> None:
    with ctx.workprec(160):
        assert [p.exact_text(x) for x in (arb(1) / 3, arb(-5), arb(2).sqrt())] == ["1/3", "-5", "1.41421356237310"]
        assert round_to(arb(-(10**9)).exp(), HUNDREDTH) == 0
    assert round_to(Bounds(3 << FAR, 3 << FAR, -FAR - 1), Fraction(1)) == 2  # 3/2, told by many digits


def test_matrices_of_prints() -> None:
    rows = enclose([[Fraction(3), None], [Fraction(-5), Fraction(1, 2)]])
    assert rows.shape == (2, 2) and rows.hidden == {(0, 1)} and rows.rows[1] == (arb(-5), arb(0.5))
    assert rows.rows[0][0] == 3 and enclose([[Fraction(0)]]).rows == ((arb(0),),)
    assert p.size_of(rows) == 5 and p.size_of(enclose([[None]])) == 0
    assert not p.is_vast(rows) and p.is_vast(Balls((1, 2), None, ((arb(1), arb(10) ** 4000),)))
    assert p.is_vast(Balls((1, 1), None, ((arb("nan"),),)))
    beside = enclose([[Fraction(3), Fraction(4)]])
    assert p.cosine(beside, [[Fraction(4), Fraction(3)]]) == pytest.approx(24 / 25)
    assert p.cosine(beside, [[None, Fraction(3)]]) == pytest.approx(4 / 5) and p.cosine(beside, [[None, None]]) == 0
    shares = enclose([[Fraction(1, 4), Fraction(3, 4)], [Fraction(1), Fraction(1)], [Fraction(1), None]])
    assert [p.sums_to_one(shares, i) for i in range(3)] == [True, False, True]
    beside_hidden = Balls((1, 2), None, ((arb(1), arb(9)),), frozenset({(0, 1)}))
    assert p.size_of(beside_hidden) == 1 and p.sums_to_one(beside_hidden, 0)
    ranges = enclose([[Fraction(1), Fraction(2)]], [[Fraction(1, 2), Fraction(0)]]).rows[0]
    assert ranges[0].contains(arb("1.49")) and not ranges[0].contains(arb("1.51")) and ranges[1] == 2


def test_matrices_that_may_be_the_same() -> None:
    one, other, nought, hidden = (enclose([[Fraction(1), x]]) for x in (Fraction(2), Fraction(3), Fraction(0), None))
    assert p.same_values(one, one) and not p.same_values(one, other)
    assert not p.same_values(nought, hidden) and not p.same_values(one, enclose([[Fraction(1)]]))
