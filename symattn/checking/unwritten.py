"""Factors that a formula leaves to its sentence: "on each of 5 GPUs", "in all 40 layers", "with 5% overhead"."""

from __future__ import annotations

import re
from fractions import Fraction

_NUMBER = re.compile(
    r"(?<![\w.])(?P<digits>\d{1,3}(?:,\d{3})+|\d{1,12}(?:\.\d{1,6})?)(?P<percent>\s*\\?%)?(?![\d.]*\d)"
)
_MOST = 24  # numbers of a sentence


def unwritten_factors(around: str) -> tuple[Fraction, ...]:
    """What the numbers around a formula may multiply it by, or divide it by.

    >>> [str(x) for x in unwritten_factors("Each of the 8 cards keeps 5% free:")]
    ['8', '1/8', '1/20', '20', '21/20', '20/21', '19/20', '20/19']
    """
    found: list[Fraction] = []
    for match in list(_NUMBER.finditer(around))[-_MOST:]:
        number = Fraction(match["digits"].replace(",", ""))
        share = number / 100
        factors = [number] if match["percent"] is None else [share, 1 + share, 1 - share]
        found += [each for factor in factors if factor > 0 for each in (factor, 1 / factor)]
    return tuple(dict.fromkeys(found))
