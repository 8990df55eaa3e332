"""Sines and cosines of rational angles, to twenty digits."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from symattn.values.enclosures import precision, whole_of

_BITS = 160
DIGITS = 20


def value_at(function: str, angle: Fraction, *, degrees: bool = False) -> Fraction:
    """The sine or cosine of an angle in radians or degrees, cut off behind twenty decimals.

    >>> value_at("cos", Fraction(0)), value_at("sin", Fraction(30), degrees=True).limit_denominator(10**6)
    (Fraction(1, 1), Fraction(1, 2))
    """
    with precision(_BITS):
        ball = arb(fmpq(angle.numerator, angle.denominator))
        turned = ball * arb.pi() / 180 if degrees else ball
        value = turned.sin() if function == "sin" else turned.cos()
        whole = whole_of((value.mid() * arb(10) ** DIGITS + arb(1) / 2).floor())
    return Fraction(whole or 0, 10**DIGITS)
