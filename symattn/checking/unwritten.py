"""What a formula leaves to its sentence: "on each of 5 GPUs", "with 5% overhead", "and 0.3 for the sink"."""

from __future__ import annotations

from fractions import Fraction

from symattn.patterns import regex

_NUMBER = regex(r"(?<![\w.])(?P<digits>\d{1,3}(?:,\d{3})+|\d{1,12}(?:\.\d{1,6})?)(?P<percent>\s*\\?%)?(?![\d.]*\d)")
_MOST = 24  # numbers of a sentence


def unwritten_factors(around: str) -> tuple[Fraction, ...]:
    """What the numbers around a formula may multiply it by, or divide it by.

    >>> [str(x) for x in unwritten_factors("Each of the 8 cards keeps 5% free:")]
    ['8', '1/8', '1/20', '20', '21/20', '20/21', '19/20', '20/19']
    """
    found: list[Fraction] = []
    for number, is_share in _numbers(around):
        factors = [number / 100, 1 + number / 100, 1 - number / 100] if is_share else [number]
        found += [each for factor in factors if factor > 0 for each in (factor, 1 / factor)]
    return tuple(dict.fromkeys(found))


def unwritten_terms(around: str) -> tuple[Fraction, ...]:
    """What the numbers around a sum may add to it.

    >>> [str(x) for x in unwritten_terms("the third adds 0.8")]
    ['4/5']
    """
    return tuple(dict.fromkeys(number for number, is_share in _numbers(around) if not is_share))


def _numbers(around: str) -> list[tuple[Fraction, bool]]:
    """The numbers of a text, and whether they are percents."""
    found = list(_NUMBER.finditer(around))[-_MOST:]
    return [(Fraction(match["digits"].replace(",", "")), match["percent"] is not None) for match in found]
