"""Floating-point formats: which numbers they hold, and how any number is rounded to the nearest of these, half to even.

Every number of these formats is a float64 too, so values of all of them are kept as float64.
Sources: IEEE 754-2019; bfloat16 (Kalamkar et al. 2019); float8 (Micikevicius et al. 2022).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from symattn.values.decimals import Bounds

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FloatFormat:
    """The numbers k·2^q with |k| < 2^precision and q >= lowest − precision + 1, as far as `largest`.

    `precision` counts the hidden bit, `lowest` is the exponent of the smallest normal number. What would round beyond
    `largest` becomes infinite, or no number where the format has no infinity.

    >>> FORMATS["float16"].nearest(Bounds(1, 1, -25)), FORMATS["float16"].nearest(Bounds(3, 3, -26)) * 2**24
    (0.0, 1.0)
    """

    name: str
    bits: int
    precision: int
    lowest: int
    largest: float
    infinite: bool = True

    @property
    def smallest(self) -> Fraction:
        """The smallest positive number."""
        return Fraction(2) ** (self.lowest - self.precision + 1)

    @property
    def overflow(self) -> Fraction:
        """From here on (or just beyond, where a half is rounded down) a number is too large: the largest
        and half its ulp."""
        return Fraction(self.largest) + self.ulp(self.largest) / 2

    def ulp(self, x: float) -> Fraction:
        """How far apart the numbers of the format are at x."""
        exponent = math.frexp(x)[1] - 1 if x else self.lowest
        return Fraction(2) ** (max(exponent, self.lowest) - self.precision + 1)

    def cast(self, values: Array) -> Array:
        """Each value rounded to the format; nan stays."""
        if self.precision == 53:
            return values
        with np.errstate(all="ignore"):
            _, exponent = np.frexp(values)
            unit = np.maximum(exponent, self.lowest + 1) - self.precision
            rounded = np.ldexp(np.rint(np.ldexp(values, -unit)), unit)
            beyond = np.copysign(np.inf if self.infinite else np.nan, values)
            return np.where(np.abs(rounded) > self.largest, beyond, rounded)

    def cast_one(self, x: float) -> float:
        """One value rounded to the format."""
        return float(self.cast(np.array([x]))[0])

    def nearest(self, bounds: Bounds) -> float | None:
        """The number of the format that every number within the bounds rounds to, if that is one: both sides of every
        tie are told apart. A single number always has one."""
        low = self._round(bounds.low, bounds.exponent)
        high = low if bounds.low == bounds.high else self._round(bounds.high, bounds.exponent)
        return low if low == high or (low != low and high != high) else None

    def of(self, x: Fraction) -> float:
        """A rational number rounded to the format."""
        shift = max(0, self.precision + 3 - abs(x.numerator).bit_length() + x.denominator.bit_length())
        whole, rest = divmod(abs(x.numerator) << shift, x.denominator)
        whole = whole << 1 | (rest != 0)  # the last bit says that more follows, so that no false tie is seen
        return self._round(-whole if x < 0 else whole, -shift - 1)

    def _round(self, m: int, exponent: int) -> float:
        size = abs(m).bit_length() + exponent  # |m|·2^exponent is from 2^(size − 1) to below 2^size
        unit = max(size - 1, self.lowest) - self.precision + 1
        sign = -1.0 if m < 0 else 1.0
        if size < unit:  # below half a unit
            return sign * 0.0
        top = math.frexp(self.largest)[1]
        if size > top:
            return self._beyond(sign)
        shift = unit - exponent
        whole = abs(m) << -shift if shift <= 0 else _half_even(abs(m), shift)
        if size == top and Fraction(whole) * Fraction(2) ** unit > Fraction(self.largest):
            return self._beyond(sign)
        return sign * math.ldexp(whole, unit)

    def _beyond(self, sign: float) -> float:
        return sign * math.inf if self.infinite else math.nan

    def decode(self, patterns: NDArray[np.unsignedinteger]) -> Array:
        """The numbers that bit patterns of the format stand for (formats of 8 and 16 bits)."""
        below = self.precision - 1
        pattern = patterns.astype(np.int64)
        fraction = pattern & ((1 << below) - 1)
        top = (1 << (self.bits - 1 - below)) - 1
        exponent = (pattern >> below) & top
        normal = exponent > 0
        whole = np.where(normal, fraction + (1 << below), fraction).astype(np.float64)
        size = np.ldexp(whole, (np.maximum(exponent, 1) - 1 + self.lowest - below).astype(np.int32))
        if self.infinite:
            size = np.where(exponent == top, np.where(fraction == 0, np.inf, np.nan), size)
        else:
            size = np.where((exponent == top) & (fraction == (1 << below) - 1), np.nan, size)
        return np.where(pattern >> (self.bits - 1) & 1, -size, size)


def _half_even(m: int, shift: int) -> int:
    whole, rest = m >> shift, m & ((1 << shift) - 1)
    half = 1 << (shift - 1)
    return whole + (rest > half or (rest == half and whole & 1))


FORMATS = {
    f.name: f
    for f in (
        FloatFormat("float64", 64, 53, -1022, float.fromhex("0x1.fffffffffffffp+1023")),
        FloatFormat("float32", 32, 24, -126, float.fromhex("0x1.fffffep+127")),
        FloatFormat("float16", 16, 11, -14, 65504.0),
        FloatFormat("bfloat16", 16, 8, -126, float.fromhex("0x1.fep+127")),
        FloatFormat("float8_e5m2", 8, 3, -14, 57344.0),
        FloatFormat("float8_e4m3fn", 8, 4, -6, 448.0, infinite=False),
    )
}
