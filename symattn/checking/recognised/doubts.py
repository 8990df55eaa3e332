"""When the one number that does not fit a step is wrong, and not something that its author means.

It has to be a slip of the pen: the right number with another digit, or with two that changed places. The others have to
show the step beyond doubt, a step that nearly no list is by chance. What an author puts in on purpose is left alone: 0
and 1, the number that the step began with, the same with another sign, one more or less, and a list with one change.
"""

from __future__ import annotations

from collections.abc import Collection

from symattn.checking.recognised.matches import Match
from symattn.checking.recognised.prints import Print, Span
from symattn.checking.recognised.series import Series
from symattn.checking.recognised.words import says_made_up
from symattn.values.enclosures import enclose_fraction
from symattn.values.printed import Ball, round_to

_SURE = 12.0  # bits that show a step beyond doubt, when what does not fit is a slip of the pen
_FEWEST_DIGITS = 3  # of a number in which one is wrong
_THREE_DIGITS = 100


def may_be_wrong(series: Series, match: Match) -> bool:
    """Whether one number alone does not fit a step that the others show, and is nothing put there on purpose."""
    if sum(match.off) != 1 or not match.step.telling or says_made_up(series.around):
        return False
    k = match.off.index(True)
    number, value = series.numbers[k], match.exact[k]
    if not is_slip(number, value) or not _is_of_one_kind(series):
        return False
    if len(series.numbers) == 1:
        return round_to(value, number.unit) != -number.value and _is_called_sum(series, match)
    if sum(map(_tells, series.numbers, match.agree)) < 2 or match.bits < _SURE:
        return False
    return not _is_meant(series, match, k)


def _is_of_one_kind(series: Series) -> bool:
    """Whether its numbers are printed alike: no row of a table whose columns are of several kinds."""
    return len({n.unit for n in series.numbers}) == 1


def _is_called_sum(series: Series, match: Match) -> bool:
    """Whether a number of three digits or more stands below or behind those that words say it adds up."""
    number = series.numbers[0]
    told = abs(number.value / number.unit) >= _THREE_DIGITS and not number.whole
    return told and series.addends is not None and match.step.is_named(series.told)


def _is_meant(series: Series, match: Match, k: int) -> bool:
    number, value = series.numbers[k], match.exact[k]
    own = [s.numbers[k].value for s in match.sources if len(s.numbers) == len(series.numbers)]
    if number.whole or number.value in (0, 1, -1, *own, *(-v for v in own)):
        return True
    signed = any(n.value < 0 for n, a in zip(series.numbers, match.agree, strict=True) if a)
    others = [value + 1, value - 1, 1 - value, *([] if signed else [-value])]
    return any(abs(enclose_fraction(number.value) - other) < enclose_fraction(2 * number.unit) for other in others)


def is_wrong(match: Match, fits: Collection[Span]) -> bool:
    """Whether what a sum adds up is right itself; of a list its own numbers have shown it."""
    return len(match.off) > 1 or all(n.span in fits for s in match.sources for n in s.numbers)


def _tells(number: Print, agrees: bool) -> bool:
    """Whether a number agrees that is no small whole one, as so many are."""
    return agrees and not number.whole and number.finest != 1


def is_slip(number: Print, value: Ball) -> bool:
    """Whether a print differs from the right one by its sign, by a digit, or by two that changed places."""
    right = round_to(value, number.unit)
    if right == -number.value:
        return True
    printed, meant = (str(abs(int(x / number.unit))) for x in (number.value, right))
    digits = max(len(printed), len(meant))
    printed, meant = printed.zfill(digits), meant.zfill(digits)
    apart = [k for k, (a, b) in enumerate(zip(printed, meant, strict=True)) if a != b]
    swapped = len(apart) == 2 and [printed[k] for k in apart] == [meant[k] for k in reversed(apart)]
    return ((len(apart) == 1 and digits >= _FEWEST_DIGITS) or swapped) and (right < 0) == (number.value < 0)
