"""Printed decimals beside enclosures: what a print is worth, and how it relates to the number it stands for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from flint import arb, fmpq

from symattn.values.balls import Balls
from symattn.values.decimals import FAR, Bounds, nearest_significant
from symattn.values.enclosures import bounds, whole_of
from symattn.values.spelling import TINY, NearWhole, Spelling

Ball = arb  # what an enclosure is to those who only pass it on
_VAST = arb(2) ** 10_000
_CANCELLED, _CANCELLED_SINGLE = Fraction(1, 10**13), Fraction(1, 10**6)
FINEST = Fraction(1, 1_000_000)
_FAR_BELOW = Fraction(1, 1_000_000)  # of a unit such as T
SATURATED = Fraction(1, 1_000)  # nearer to a whole number than numbers come by chance
Relation = Literal["exact", "rounded", "truncated", "near", "far"]


def enclose(rows: Sequence[Sequence[Fraction | None]], radii: Sequence[Sequence[Fraction]] | None = None) -> Balls:
    """A matrix of printed numbers; None is −∞. With `radii` each is known only to within its own."""
    hidden = frozenset((i, j) for i, row in enumerate(rows) for j, x in enumerate(row) if x is None)
    balls = [tuple(_ball(x or 0) for x in row) for row in rows]
    if radii is not None:
        balls = [
            tuple(x + arb(0, _ball(r)) if r else x for x, r in zip(row, spread, strict=True))
            for row, spread in zip(balls, radii, strict=True)
        ]
    return Balls((len(rows), len(rows[0])), None, tuple(balls), hidden)


def _ball(x: Fraction | int) -> arb:
    return arb(x.numerator) if x.denominator == 1 else arb(fmpq(x.numerator, x.denominator))


def relation(value: arb, printed: Fraction, unit: Fraction, text: str = "") -> Relation:
    """How a print of some unit in the last place relates to the number enclosed.

    exact: the same, as far as the enclosure can tell. rounded: at most half a unit apart (any tie rule is right).
    truncated: cut off towards zero. near: less than a unit apart, so the farther neighbour, or an enclosure too wide
    to say more. far: a unit or more. The `text` of a print says whether a program may have printed it.
    """
    if unit == TINY and (spelled := Spelling.read(text)) is not None:  # 9.26 × 10^-434294483 is judged as 9.26
        printed, unit, power = spelled.scientific
        value *= arb(10) ** -power
    p, u = _ball(printed), _ball(unit)
    if value == p:
        return "exact"
    apart = abs(value - p)
    if not is_told(apart, unit):
        return "far" if apart > u else "near"
    if apart.contains(0):
        return "exact"
    if not apart > u / 2 or (_is_of_program(value, printed, unit, apart) and NearWhole.read(text) is None):
        return "rounded"
    short = abs(value) - abs(p)
    if (printed == 0 or value * p > 0) and short >= 0 and short < u:
        return "truncated"
    return "near" if apart < u else "far"


def is_told(value: arb, unit: Fraction) -> bool:
    """Whether an enclosure is narrow enough to judge a print of this unit."""
    return bool(value.rad() < _ball(unit) / 1000)


def fits_unit(value: arb, unit: Fraction) -> bool:
    """Whether a number has no digits beyond a unit, as far as the enclosure can tell.

    >>> fits_unit(arb("2.43"), Fraction(1, 100)), fits_unit(arb(2).sqrt(), Fraction(1, 100))
    (True, False)
    """
    return is_told(value, unit) and whole_of(value / _ball(unit)) is not None


def unit_of(value: arb, unit: Fraction) -> Fraction:
    """The unit of the last decimal of a number, if that is finer than `unit`; of the sixth where there are more."""
    while unit > FINEST and not fits_unit(value, unit):
        unit /= 10
    return unit


def is_manifold(printed: Fraction | None, value: arb, unit: Fraction) -> bool:
    """Whether a number is so much larger than its value that this is no slip in the last digit: 0.1 for 0.03.

    More than three times, or twice where one decimal more gives the value just so, 0.04; nine times of a whole number.

    >>> tenth, hundredth = Fraction(1, 10), Fraction(1, 100)
    >>> [is_manifold(tenth, arb(x), tenth) for x in ("0.03", "0.04", "0.041")]
    [True, True, False]
    >>> is_manifold(hundredth, arb("0.0034"), hundredth)
    False
    """
    if printed is None:
        return False
    times = abs(_ball(printed))
    if unit >= 1:
        return bool(abs(value) * 9 < times)  # 5/16 = 1 block is rounded up
    return bool(abs(value) * 3 < times) or (bool(abs(value) * 2 < times) and fits_unit(value, unit / 10))


def unit_to_tell(value: arb, printed: Fraction | None, unit: Fraction, *, lone: bool) -> Fraction:
    """The unit in which what is right is told from a wrong print: 2.4 beside 2, and beside a lone 0.01 also 0.0001.

    >>> unit_to_tell(arb("2.4"), Fraction(2), Fraction(1), lone=True)
    Fraction(1, 10)
    >>> unit_to_tell(arb("0.0001"), Fraction(1, 100), Fraction(1, 100), lone=True)
    Fraction(1, 10000)
    """
    right = bounds(value)
    if unit == 1 and printed == round_to(right, unit):
        return unit_of(value, unit)
    finer = unit
    while lone and finer > FINEST and abs(round_to(right, finer / 10)) < finer:
        finer /= 10
    return finer if round_to(right, finer) else unit


def _is_of_program(value: arb, printed: Fraction, unit: Fraction, apart: arb) -> bool:
    """Whether a print is right to a few roundings of what a program has as many digits of.

    A 53-bit double gives 16 digits or more, a number in single precision 8 or 9; whole numbers are counted exactly.
    What cancels leaves 2.8e-17 in place of 0.
    """
    if value.contains(0):
        return abs(printed) < _CANCELLED or (abs(printed) < _CANCELLED_SINGLE and abs(printed) >= 10**5 * unit)
    digits = abs(printed / unit)
    double = apart < abs(value) / 2**50 and digits >= 10**15
    single = apart < abs(value) / 2**22 and 10**7 <= digits < 10**9 and unit < 1
    return bool(double or single)


def has_one_digit(printed: Fraction, unit: Fraction) -> bool:
    """Whether a number was printed with one digit, 0.05 to hundredths: nobody rounds so, such a number is chosen.

    >>> has_one_digit(Fraction(1, 20), Fraction(1, 100)), has_one_digit(Fraction(1, 2), Fraction(1, 100))
    (True, False)
    """
    return abs(printed) < 10 * unit


def is_of_order(value: arb, power: Fraction) -> bool:
    """Whether a power of ten is the order of magnitude of a number: that of its first digit, or the nearest one.

    >>> [is_of_order(arb(89).exp(), Fraction(10**k)) for k in (37, 38, 39, 40)]  # 4.5 · 10^38
    [False, True, True, False]
    """
    ratio = value / _ball(power)
    return bool(ratio < 10) and bool(10 * ratio**2 >= 1)  # 10^k ≤ |x| < 10^(k+1), or |log10 x − k| ≤ 1/2


def stands_for(printed: Fraction, unit: Fraction, meant: Sequence[arb] = ()) -> Balls:
    """All that a number written in a calculation may stand for: what rounds to it or is cut off to it.

    A whole number stands for itself. `meant` are the values of which it is known to be the print.
    """
    ball = _ball(printed)
    if unit < 1:
        away = unit if printed >= 0 else -unit
        ball = ball.union(_ball(printed - away / 2)).union(_ball(printed + away))
    for value in meant:
        ball = ball.union(value)
    return Balls((1, 1), None, ((ball,),))


def constant_printed(value: Fraction, unit: Fraction, *, roots: bool = True) -> arb | None:
    """What a decimal is well known for as a rounded print, if it is one: a third, √2, π.

    Thirds have two decimals or more, sixths three; roots of numbers up to 10 and of powers of two, which keys are wide,
    have three digits, and so has π. Without `roots` there are those of 2 and 3 alone, which everybody knows.

    >>> [constant_printed(Fraction(n, 100), Fraction(1, 100)) for n in (67, 141, 125)]
    [[0.666666666666667 +/- 4.82e-16], [1.41421356237309 +/- 5.15e-15], None]
    """
    parts = 6 if unit <= Fraction(1, 1_000) else 3 if unit <= Fraction(1, 100) else 1
    near = Fraction(round(value * parts), parts)
    if near.denominator % 3 == 0 and abs(near - value) <= unit / 2:
        return _ball(near)
    if value < 100 * unit or unit >= 1:
        return None
    square = round(value * value)
    common = square <= MOST_ROOT or (square & (square - 1) == 0)
    known = (
        [_ball(square).sqrt()] if (roots or square in (2, 3)) and common and math.isqrt(square) ** 2 != square else []
    )
    return next((x for x in (*known, arb.pi()) if may_round_to(x, value, unit)), None)


MOST_ROOT = 10


def parts_of(number: Balls, count: int) -> list[Balls]:
    """An enclosed number as so many enclosures side by side; itself alone where it is known for certain."""
    ball = number.rows[0][0]
    if ball.is_exact():
        return [number]
    radius = ball.rad() / count
    middles = (ball.mid() + radius * (2 * k + 1 - count) for k in range(count))
    return [Balls((1, 1), None, ((middle + arb(0, radius),),)) for middle in middles]


def may_round_to(value: arb, printed: Fraction, unit: Fraction) -> bool:
    """Whether some number within the enclosure rounds to the print."""
    return not abs(value - _ball(printed)) > _ball(unit) / 2


def lies_within(value: arb, number: Fraction) -> bool:
    """Whether a number lies within an enclosure, and not at its edge."""
    return bool(abs(value.mid() - _ball(number)) < value.rad() * arb(1 - 2**-20))


def rest_of(printed: Fraction, unit: Fraction) -> Fraction | None:
    """What a print like 6 − 5.93 × 10⁻⁵ says is missing from a whole number, if it is one; nothing is missing from 0.

    >>> rest_of(Fraction("5.9999407"), Fraction(1, 10**7)), rest_of(Fraction("0.9988"), Fraction(1, 10**4))
    (Fraction(593, 10000000), None)
    """
    rest = abs(printed - round(printed))
    return rest if round(printed) and 100 * unit <= rest < SATURATED else None


def is_larger(printed: Fraction, value: arb) -> bool:
    """Whether a print is farther from nothing than the number enclosed."""
    return bool(abs(_ball(printed)) > abs(value))


def differ(a: arb, b: arb) -> bool:
    """Whether two enclosed numbers are certainly not the same."""
    return bool(a != b)


def agree(a: arb, b: arb, beside: arb | None = None) -> bool:
    """Whether two enclosures overlap, and are so narrow that this is no chance: 30 digits of the larger, or of what
    stands `beside` them, where 0 is what cancels."""
    away, largest = abs(a - b), abs(a) + abs(b) + (abs(beside) if beside is not None and a == 0 else 0)
    return away.contains(0) and away.rad() <= largest.mid() * arb(2) ** -100


def round_to(value: arb | Bounds, unit: Fraction) -> Fraction:
    """The multiple of a unit that is nearest to the middle of an enclosure."""
    middle = _middle(value)
    whole = (2 * abs(middle / unit) + 1) // 2
    return (whole if middle >= 0 else -whole) * unit


def _middle(value: arb | Bounds) -> Fraction:
    """The middle of an enclosure; 0 for e^(−10⁹) and the like, whose denominators are not written out."""
    at = _bounds(value)
    if (at.low + at.high).bit_length() + at.exponent < -FAR:
        return Fraction(0)
    return Fraction(at.low + at.high, 2) * Fraction(2) ** at.exponent


def _bounds(value: arb | Bounds) -> Bounds:
    return value if isinstance(value, Bounds) else bounds(value)


def exact_text(value: arb | Bounds) -> str:
    """The number in closed form where it is a short rational, else its first digits."""
    middle = _middle(value)
    short = middle.limit_denominator(10_000)
    if abs(middle - short) < Fraction(1, 10**30):
        return str(short)
    number = nearest_significant(_bounds(value), 15)
    return str(number) if number is not None else str(float(middle))


def print_like(text: str, value: arb | Bounds, unit: Fraction) -> str:
    """The right number in the manner of a print: as many places, the same separators, power of ten, percent sign.

    >>> print_like("0.50", arb(2) / 3, Fraction(1, 100)), print_like("6.1e-06", arb(2) / 3, Fraction(1, 10**7))
    ('0.67', '6.7e-01')
    >>> print_like("1 − 1.8 × 10⁻⁵", 1 - arb(2) / 30000, Fraction(1, 10**6)), print_like("156T", arb(156), Fraction(1))
    ('1 − 6.7 × 10⁻⁵', '156')
    """
    near = NearWhole.read(text)
    if near is not None:
        away = _bounds(value).minus(near.whole)
        number = nearest_significant(away, near.rest.significant)
        return near.write(Decimal(0) if number is None else number)
    manner = Spelling.read(text)
    if manner is not None and manner.before:
        number = nearest_significant(_bounds(value), manner.significant)
        return manner.write(Decimal(0) if number is None else number)
    scale = Fraction(1) if manner is None else manner.scale
    if manner is not None and manner.letter and 0 < abs(_middle(value)) * scale < _FAR_BELOW:
        number = nearest_significant(_bounds(value), 6)  # in so large a unit nobody would write it
        return format(Decimal(0) if number is None else number.normalize(), "f")
    right = round_to(value, unit) * scale
    places = max(0, len(str((1 / (unit * scale)).numerator)) - 1)
    number = Decimal(f"{int(right * 10**places)}E{-places}")
    return format(number, "f") if manner is None else manner.write(number)


def distance(value: arb, printed: Fraction) -> float:
    """How far a print is from the number enclosed, roughly."""
    return float(abs(value - _ball(printed)).mid())


def apart(a: arb, b: arb) -> float:
    """How far two enclosed numbers are from each other, roughly."""
    return float(abs(a - b).mid())


def size_of(value: Balls) -> float:
    """The largest magnitude of a matrix, roughly; −∞ does not count."""
    shown = (x for i, row in enumerate(value.rows) for j, x in enumerate(row) if (i, j) not in value.hidden)
    return max((float(abs(x).mid()) for x in shown), default=0.0)


def is_vast(value: Balls) -> bool:
    """Whether an entry is so large that it would not be written out: 10^3000 and beyond, or bounded by nothing."""
    return not all(abs(x) < _VAST for row in value.rows for x in row)


def cosine(value: Balls, printed: Sequence[Sequence[Fraction | None]]) -> float:
    """How far printed numbers point the way that a matrix does: 1 the same way, 0 across; −∞ counts as 0."""
    pairs = [
        (float(x.mid()), float(p or 0))
        for row, shown in zip(value.rows, printed, strict=True)
        for x, p in zip(row, shown, strict=True)
    ]
    lengths = math.hypot(*(x for x, _ in pairs)) * math.hypot(*(p for _, p in pairs))
    return sum(x * p for x, p in pairs) / lengths if lengths else 0.0


def sums_to_one(value: Balls, i: int) -> bool:
    """Whether the shown entries of row i may add up to 1, as those of a softmax do."""
    shown = [x for j, x in enumerate(value.rows[i]) if (i, j) not in value.hidden]
    return bool((sum(shown, arb(0)) - 1).contains(0))


def same_values(a: Balls, b: Balls) -> bool:
    """Whether two matrices may be the same."""
    if a.shape != b.shape or a.hidden != b.hidden:
        return False
    return not any(
        differ(x, y) for row, other in zip(a.rows, b.rows, strict=True) for x, y in zip(row, other, strict=True)
    )
