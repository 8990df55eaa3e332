"""The thresholds are those of the literature to the printed digits, and true on both sides."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest

from symattn.values.floats.formats import FORMATS, FloatFormat
from symattn.values.saturation.thresholds import THRESHOLDS

# the gaps (half to even, two keys) that anybody measures who rounds with these formats, to the digits printed
TABLE = {
    "zero": ("745.13", "103.97", "17.329", "92.882", "11.7835", "6.9305"),
    "one": ("37.43", "17.33", "8.318", "6.236", "2.708", "3.434"),
    "computed_one": ("36.74", "16.64", "7.624", "5.541", "1.962", "2.712"),
    "overflow": ("709.78", "88.72", "11.09", "88.72", "11.03", "6.14"),
}
COLUMNS = ("float64", "float32", "float16", "bfloat16", "float8_e5m2", "float8_e4m3fn")


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("column", range(6))
def test_the_printed_table(name: str, column: int) -> None:
    printed = TABLE[name][column]
    digits = len(printed.replace(".", ""))
    assert THRESHOLDS[name].decimal(FORMATS[COLUMNS[column]], digits) == Decimal(printed)


def rounded(form: FloatFormat, x: mpmath.mpf) -> float:
    return form.of(Fraction(int(x.man), 1) * Fraction(2) ** int(x.exp))


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda f: f.name)
@pytest.mark.parametrize("name", TABLE)
def test_both_sides_of_every_threshold(name: str, form: FloatFormat) -> None:
    """The event happens a hair beyond the threshold and not a hair before, by mpmath at 700 bits."""
    context = mpmath.MPContext()
    context.prec = 1400
    at = context.mpf(str(THRESHOLDS[name].decimal(form, 60)))

    def happens(g: mpmath.mpf) -> bool:
        small = 1 / (1 + context.exp(g))
        if name == "zero":
            return rounded(form, small) == 0
        if name == "one":
            return rounded(form, 1 - small) == 1
        if name == "overflow":
            return not math.isfinite(rounded(form, context.exp(g)))
        total = form.of(1 + Fraction(rounded(form, context.exp(-g))))
        return form.of(1 / Fraction(total)) == 1

    hair = context.mpf(10) ** -50
    assert happens(at + hair)
    assert not happens(at - hair)
