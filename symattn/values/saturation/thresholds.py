"""At which gap between the two largest scores a format loses information: closed forms in the format's parameters.

With two keys the weights are 1/(1 + e^g) and 1 − 1/(1 + e^g). p is the precision, μ the smallest positive number and
Ω the largest number of the format with half its ulp; halves round to even. Where a boundary is met exactly does not
matter: e^g is irrational for every algebraic g but 0 (Lindemann).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial

from flint import arb, fmpq

from symattn.values.decimals import nearest_significant
from symattn.values.enclosures import narrow
from symattn.values.floats.formats import FloatFormat


@dataclass(frozen=True)
class Threshold:
    """A gap or a score, ln(inside): what happens beyond it, and its closed form as text."""

    formula: str
    inside: Callable[[FloatFormat], Fraction]

    def ball(self, form: FloatFormat) -> arb:
        """It, enclosed at the precision in force."""
        x = self.inside(form)
        return arb(fmpq(x.numerator, x.denominator)).log()

    def decimal(self, form: FloatFormat, digits: int) -> Decimal:
        """It, to so many digits, each proven.

        >>> from symattn.values.floats.formats import FORMATS
        >>> THRESHOLDS["zero"].decimal(FORMATS["float16"], 5)
        Decimal('17.329')
        """
        return logarithm(self.inside(form), digits)


def logarithm(x: Fraction, digits: int) -> Decimal:
    """ln x of a rational other than 1, to so many digits, each proven."""
    nearest = partial(nearest_significant, digits=digits)
    found = narrow(lambda _: arb(fmpq(x.numerator, x.denominator)).log(), nearest, 64 + 4 * digits)
    assert found is not None  # an irrational number
    return found


THRESHOLDS: Mapping[str, Threshold] = {
    # 1/(1 + e^g) <= μ/2, a half rounding down to 0
    "zero": Threshold("ln(2/μ − 1)", lambda f: 2 / f.smallest - 1),
    # 1/(1 + e^g) <= 2^−(p+1), half the distance from 1 to the number below it
    "one": Threshold("ln(2^(p+1) − 1)", lambda f: Fraction(2) ** (f.precision + 1) - 1),
    # the sum 1 + r rounds to 1 for r <= 2^−p, and e^−g rounds to such an r up to the tie 2^−p(1 + 2^−p)
    "computed_one": Threshold(
        "p ln 2 − ln(1 + 2^−p)", lambda f: Fraction(2) ** f.precision / (1 + Fraction(1, 2**f.precision))
    ),
    # e^x itself, when no maximum is subtracted first
    "overflow": Threshold("ln Ω", lambda f: f.overflow),
}
