"""Decimals that are proven: the nearest one of so many digits, decided from enclosures that shrink until they agree.

A tie (exactly half a unit) cannot be decided by enclosures; the exact value decides it, away from zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol

from symattn.errors import NotSupportedError
from symattn.writing.document import Style

FAR = 100_000  # bits; beyond them a power of ten is not written out
MOST_TEN = 10**17  # what a Decimal's exponent holds
LOG10_2 = Fraction(301029995663981195213738894724493026768189881462, 10**48)


@dataclass(frozen=True)
class Bounds:
    """A proven lower and upper bound: low·2^exponent and high·2^exponent."""

    low: int
    high: int
    exponent: int

    def minus(self, whole: int) -> Bounds:
        """The bounds of the number less an integer."""
        if self.exponent >= 0:
            return Bounds((self.low << self.exponent) - whole, (self.high << self.exponent) - whole, 0)
        shift = whole << -self.exponent
        return Bounds(self.low - shift, self.high - shift, self.exponent)


def nearest_places(bounds: Bounds, places: int) -> Decimal | None:
    """The nearest decimal of so many places, if every number within the bounds has the same one.

    >>> nearest_places(Bounds(15, 16, -7), 1), nearest_places(Bounds(15, 16, -7), 2)  # 0.117 to 0.125
    (Decimal('0.1'), None)
    """
    low = _scale(bounds.low, bounds.exponent, places)
    return _decimal(low, -places) if low == _scale(bounds.high, bounds.exponent, places) else None


def nearest_significant(bounds: Bounds, digits: int) -> Decimal | None:
    """The nearest decimal of so many significant digits, if every number within the bounds has the same one.

    >>> nearest_significant(Bounds(1, 1, -3), 2)
    Decimal('0.13')
    """
    if (bounds.low > 0) != (bounds.high > 0) or not bounds.low or not bounds.high:
        return Decimal(0) if bounds.low == bounds.high == 0 else None
    if max(abs(bounds.low).bit_length(), abs(bounds.high).bit_length()) + abs(bounds.exponent) > FAR:
        return _far(bounds, digits)
    first = _significant(bounds.low, bounds.exponent, digits)
    return _decimal(*first) if first == _significant(bounds.high, bounds.exponent, digits) else None


def cut_significant(bounds: Bounds, digits: int) -> Decimal | None:
    """The first so many significant digits, cut off, if every number within the bounds has the same.

    >>> cut_significant(Bounds(2, 2, -1), 3), cut_significant(Bounds(5, 6, -3), 2)
    (Decimal('1.00'), None)
    """
    rounded = nearest_significant(bounds, digits)
    if rounded is None or not rounded:
        return rounded
    exponent = int(rounded.as_tuple().exponent)
    if abs(exponent) > FAR:
        return None
    near, far = sorted((abs(bounds.low), abs(bounds.high)))
    ends = [_cut(m, bounds.exponent, -exponent) for m in (near, far)]
    if ends[0] != ends[1]:
        return None
    if ends[0] < 10 ** (digits - 1):  # rounding carried into another digit
        exponent -= 1
        ends = [_cut(m, bounds.exponent, -exponent) for m in (near, far)]
    return _decimal(ends[0] if bounds.low > 0 else -ends[0], exponent) if ends[0] == ends[1] else None


def _cut(m: int, exponent: int, places: int) -> int:
    """⌊m·2^exponent·10^places⌋ for m >= 0."""
    above = m * 10 ** max(places, 0) << max(exponent, 0)
    return int(above // (10 ** max(-places, 0) << max(-exponent, 0)))


def _significant(m: int, exponent: int, digits: int) -> tuple[int, int]:
    """m·2^exponent as whole·10^ten, nearest, the whole of so many digits."""
    bits = abs(m).bit_length() + exponent
    ten = (bits * 30103) // 100000 - digits  # log10(2) from the bits: perhaps too small, so that there are more digits
    while abs(whole := _scale(m, exponent, -ten)) >= 10**digits:
        ten += 1
    return whole, ten


def _far(bounds: Bounds, digits: int) -> Decimal | None:
    """`nearest_significant` for e^(−10⁸) and the like, whose power of ten is enclosed instead of written out."""
    near, far = sorted((abs(bounds.low), abs(bounds.high)))
    at = far.bit_length() + bounds.exponent
    ten = at * LOG10_2.numerator // LOG10_2.denominator - digits
    work = far.bit_length() + 4 * digits + 64 + at.bit_length()
    while abs(ten) < MOST_TEN:
        below, above, by = _power_of_ten(abs(ten), work)
        if ten >= 0:
            ends = _shift(near, above, bounds.exponent - by), _shift(far, below, bounds.exponent - by)
        else:
            ends = _shift(near * below, 1, bounds.exponent + by), _shift(far * above, 1, bounds.exponent + by)
        if min(ends) >= 10**digits:
            ten += 1
        elif ends[0] != ends[1] or not 10 ** (digits - 1) <= ends[0] < 10**digits:
            return None
        else:
            return _decimal(ends[0] if bounds.low > 0 else -ends[0], ten)
    return None


def _power_of_ten(power: int, bits: int) -> tuple[int, int, int]:
    """Integers of so many bits and an exponent: low·2^e <= 10^power <= high·2^e."""
    low = high = 1
    exponent = 0
    for digit in bin(power)[2:]:
        factor = 10 if digit == "1" else 1
        low, high, exponent = low * low * factor, high * high * factor, 2 * exponent
        cut = max(0, low.bit_length() - bits)
        low, high, exponent = low >> cut, -(-high >> cut), exponent + cut
    return low, high, exponent


def _shift(above: int, below: int, exponent: int) -> int:
    """The integer nearest to above/below·2^exponent, a half upwards."""
    if exponent >= 0:
        above <<= exponent
    else:
        below <<= -exponent
    return (2 * above + below) // (2 * below)


def _scale(m: int, exponent: int, places: int) -> int:
    """The integer nearest to m·2^exponent·10^places, a half away from zero."""
    if abs(m).bit_length() + exponent + 4 * max(places, 0) < -1:
        return 0  # |m|·2^exponent·10^places is below a half; its denominator need not be written out
    above: int = abs(m) * 10 ** max(places, 0)
    below: int = 10 ** max(-places, 0)
    if exponent >= 0:
        whole = (2 * (above << exponent) + below) // (2 * below)
    elif below == 1:
        whole = (above + (1 << (-exponent - 1))) >> -exponent  # division of long integers would be slow
    else:
        below <<= -exponent
        whole = (2 * above + below) // (2 * below)
    return -whole if m < 0 else whole


def nearest_to_fraction(x: Fraction, *, digits: int) -> Decimal:
    """The nearest decimal to a rational number, of so many significant digits; 0 stays 0.

    >>> nearest_to_fraction(Fraction(1, 8), digits=2), nearest_to_fraction(Fraction(2, 3), digits=3)
    (Decimal('0.13'), Decimal('0.667'))
    """
    if x == 0:
        return Decimal(0)
    places = digits - 1 - Decimal(abs(x.numerator) // x.denominator).adjusted()
    while abs(_round(x * Fraction(10) ** places)) < 10 ** (digits - 1):
        places += 1
    while abs(_round(x * Fraction(10) ** places)) >= 10**digits:
        places -= 1
    return _decimal(_round(x * Fraction(10) ** places), -places)


def _round(x: Fraction) -> int:
    whole = (2 * abs(x.numerator) + x.denominator) // (2 * x.denominator)
    return -whole if x < 0 else whole


def _decimal(whole: int, exponent: int) -> Decimal:
    # by way of Decimal, since str() refuses integers of more than 4300 digits
    sign, digits, _ = Decimal(whole).as_tuple()
    return Decimal((sign, digits, exponent))


@dataclass(frozen=True)
class Near:
    """A number told by how far it is from an integer: 1 − 1.82·10⁻¹⁵."""

    whole: int
    distance: Decimal

    def value(self) -> Decimal:
        """The same as one decimal, every digit of which is proven."""
        exponent = int(self.distance.as_tuple().exponent)
        total = Fraction(self.whole) + Fraction(self.distance)
        return _decimal(int(total / Fraction(10) ** exponent), exponent)

    def write(self, style: Style) -> str:
        sign = style.minus if self.distance < 0 else "+"
        whole = write_decimal(Decimal(self.whole), style)
        return f"{whole} {sign} {write_decimal(self.distance.copy_abs(), style)}"


@dataclass(frozen=True)
class Shown:
    """A decimal, plain or as 3.30·10⁻³⁰."""

    number: Decimal

    def write(self, style: Style) -> str:
        return write_decimal(self.number, style)


@dataclass(frozen=True)
class Placed(Shown):
    """A decimal of as many places as were asked for, however little is left of it: 0.00, 0.00003."""

    def write(self, style: Style) -> str:
        return style.minus * (self.number < 0) + f"{self.number.copy_abs():f}"


@dataclass(frozen=True)
class Begins:
    """A number by its first digits, cut off: 1.81784348…·10⁻¹⁵. All of them are its own."""

    digits: Decimal

    def write(self, style: Style) -> str:
        mantissa, times, power = write_decimal(self.digits, style).partition(f" {style.times} ")
        return f"{mantissa}{style.name('ldots')}" + (f" {style.times} {power}" if times else "")


@dataclass(frozen=True)
class Between:
    """A number by two decimals that it lies between: [1.8178, 1.8179]·10⁻¹⁵."""

    low: Decimal
    high: Decimal

    def write(self, style: Style) -> str:
        ends = [write_decimal(x, style).partition(f" {style.times} ") for x in (self.low, self.high)]
        if ends[0][2] == ends[1][2]:
            inside = f"[{ends[0][0]},{style.space}{ends[1][0]}]"
            return inside + (f" {style.times} {ends[0][2]}" if ends[0][2] else "")
        return f"[{''.join(ends[0])},{style.space}{''.join(ends[1])}]"


def write_decimal(number: Decimal, style: Style) -> str:
    if number.is_nan():
        return style.name("NaN")
    sign, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)  # where the decimal point stands
    lead = style.minus if sign and any(digits) else ""
    if int(exponent) <= 0 and -4 < point <= max(21, len(text)):
        whole, rest = (text[:point], text[point:]) if point > 0 else ("0", "0" * -point + text)
        return lead + whole + ("." + rest if rest else "")
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return f"{lead}{mantissa} {style.times} {style.power('10', str(point - 1))}"


def plain(number: Decimal) -> str:
    """A decimal for a program: digits as they stand, with e-notation for what is tiny or huge.

    >>> plain(Decimal("3.30E-30")), plain(Decimal("0.50"))
    ('3.30e-30', '0.50')
    """
    if number.is_nan():
        return "nan"
    sign, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)
    lead = "-" if sign and any(digits) else ""
    if int(exponent) <= 0 and -5 < point <= len(text):
        return (
            lead
            + (text[:point] if point > 0 else "0")
            + ("." + "0" * -min(point, 0) + text[max(point, 0) :] if exponent else "")
        )
    return lead + text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{point - 1:+03d}"


LARGEST = 12  # numbers from 10¹² on are told by their three first digits
SMALLEST = -5  # and so are those up to 9.99·10⁻⁵, which are written with a power of ten
NEAREST = 1 << 14  # bits for what tells a number from an integer: some 4,900 digits


class Decide(Protocol):
    """Asks for bounds until a question is decided, with so many bits at the most."""

    def __call__(self, question: Callable[[Bounds], Any], most: int = ...) -> Any: ...


Cell = Shown | Near


def placed(decide: Decide, places: int) -> Cell:
    """So many places, as an author asks for them, unless the number has more digits than a reader counts."""
    number = decide(lambda b: nearest_places(b, places))
    far = not number.is_nan() and number.adjusted() >= LARGEST
    return readable(decide, places) if far or number.is_nan() else Placed(number)


def readable(decide: Decide, places: int = 2) -> Cell:
    """So many places for ordinary numbers; three significant digits for those that would vanish or look whole."""
    number = decide(lambda b: nearest_places(b, places))
    if number.is_nan():
        return Shown(number)
    if number.adjusted() >= LARGEST:
        return Shown(decide(lambda b: nearest_significant(b, 3)))
    if number != int(number):
        if number.adjusted() > SMALLEST:
            return Shown(number)
        return Shown(decide(lambda b: nearest_significant(b, 3)))
    whole = int(number)
    try:
        distance = decide(lambda b: nearest_significant(b.minus(whole), 3), most=NEAREST)
    except NotSupportedError:  # nearer to the integer than so many bits can tell: 1 − e^(−10⁶)
        return Shown(number)
    if whole == 0 or distance == 0:
        return Shown(distance if whole == 0 else number)
    if abs(distance) >= Decimal(5).scaleb(-places - 2):
        # next to 1 one more place still tells it from 1; far from it, these are enough
        return Shown(decide(lambda b: nearest_places(b, places + 1)) if abs(whole) == 1 else number)
    return Near(whole, distance)
