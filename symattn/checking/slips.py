"""Slips of the pen: another sign, another digit, or two digits that changed places."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symattn.values.printed import Ball, round_to

_FEWEST_DIGITS = 3  # of a number in which one is another
_WIDEST = 10  # units by which rounding before may have moved what is right


def is_slip(printed: Fraction, unit: Fraction, true: Ball, spread: float = 0.0) -> bool:
    """Whether a print to this unit differs from the right one by its sign, by a digit, or by two that changed places.

    What was rounded before may have moved the right one by a `spread` of a few units.

    >>> from symattn.values.enclosures import enclose_fraction
    >>> right, hundredth = enclose_fraction(Fraction("1.732")), Fraction("0.01")
    >>> [is_slip(Fraction(x), hundredth, right) for x in ("1.73", "1.37", "1.93", "-1.73", "2.37", "7.93")]
    [False, True, True, True, False, False]
    """
    right = round_to(true, unit)
    steps = int(spread / unit) if spread < _WIDEST * unit else 0
    return any(_is_slip_of(printed, right + k * unit, unit) for k in range(-steps, steps + 1))


def _is_slip_of(printed: Fraction, right: Fraction, unit: Fraction) -> bool:
    if printed == -right != 0:
        return True
    found, meant = (str(abs(int(x / unit))) for x in (printed, right))
    digits = max(len(found), len(meant))
    found, meant = found.zfill(digits), meant.zfill(digits)
    apart = [k for k, (a, b) in enumerate(zip(found, meant, strict=True)) if a != b]
    swapped = len(apart) == 2 and [found[k] for k in apart] == [meant[k] for k in reversed(apart)]
    return ((len(apart) == 1 and digits >= _FEWEST_DIGITS) or swapped) and (right < 0) == (printed < 0)


def slips_of(printed: Fraction, unit: Fraction) -> Iterator[Fraction]:
    """What may have been meant by a print to this unit: another sign, another digit, two neighbours changed places.

    >>> found = [str(x) for x in slips_of(Fraction("1.2"), Fraction("0.1"))]
    >>> len(found), "-6/5" in found, "21/10" in found, "8/5" in found
    (20, True, True, True)
    """
    digits = str(abs(int(printed / unit)))
    sign = -1 if printed < 0 else 1
    yield -printed
    for k, digit in enumerate(digits):
        for other in "0123456789":
            if other != digit:
                yield sign * int(digits[:k] + other + digits[k + 1 :]) * unit
        if digits[k : k + 1] != digits[k + 1 : k + 2] != "":
            yield sign * int(digits[:k] + digits[k + 1] + digit + digits[k + 2 :]) * unit
