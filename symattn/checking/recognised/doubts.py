"""When the one number that does not fit a step is wrong, and not something that its author means.

The others have to show the step beyond doubt, a step that nearly no list is by chance; and it has to be a slip of the
pen, where no words name the step. What an author puts in on purpose is left alone: 0 and 1, the number that the step
began with, the same with another sign, one more or less, and a list with one change.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symattn.checking.recognised.matches import Match, enclosed, fits, wide_radii
from symattn.checking.recognised.prints import Span
from symattn.checking.recognised.series import Series
from symattn.checking.recognised.words import amounts_in, says_made_up, singles_out
from symattn.checking.slips import is_slip, slips_of
from symattn.values.enclosures import enclose_fraction
from symattn.values.printed import Ball, round_to
from symattn.values.rows import Row

SURE = 12.0  # bits that show a step beyond doubt, when what does not fit is a slip of the pen
_CERTAIN = 20.0  # bits that show a step that words name, so that any other number is wrong
_THREE_DIGITS, _FIVE_DIGITS = 100, 10_000
_MOST_BEFORE = 16  # numbers of a list that are tried with another digit


def may_be_wrong(series: Series, match: Match, last: Series | None = None) -> bool:
    """Whether one number alone does not fit a step that the others show, and is nothing put there on purpose.

    A number that stands alone has to be what words call it, of the list right before it, which is the `last`.
    """
    if sum(match.off) != 1 or says_made_up(series.around):
        return False
    k = match.off.index(True)
    number, value = series.numbers[k], match.exact[k]
    slip = is_slip(number.value, number.unit, value, match.spread[k])
    if len(series.numbers) == 1:
        named = match.step.is_named(series.said.rstrip(" ="))  # what stands behind = may be anything
        behind = match.sources[0] is last and abs(number.value) >= _FIVE_DIGITS * number.unit
        return slip and round_to(value, number.unit) != -number.value and named and (behind or _is_sum(series, match))
    if not match.step.telling:
        return False
    named = match.step.is_named(series.told)
    shown = count_telling(series, match) > (not named)
    if not (shown and is_of_one_kind(series) and match.bits >= (SURE if slip else _CERTAIN)):
        return False
    if _is_meant(series, match, k, named):
        return False
    if slip or not named or singles_out(series.around) or series.values.count(number.value) > 1:
        return slip
    summary = series.column and k == len(series.numbers) - 1  # of the column: its mean
    return not summary and not _is_explained(series, match, k)


def _is_explained(series: Series, match: Match, k: int) -> bool:
    """Whether what a step takes may have been rounded or changed, or have the slip itself.

    16.919 below 2.882 is e^2.828; and an amount that words mention may be what something was raised by, or multiplied.
    """
    number, value = series.numbers[k], float(match.exact[k].mid())
    if abs(value - number.about) <= wide_radii(match.step, match.sources)[k] + number.place:
        return True
    printed = {v for s in (series, *match.sources) for v in map(abs, s.values)}
    amounts = [x for x in amounts_in(series.around) if x not in printed]
    if any(
        fits(y, number) for x in map(float, amounts) for y in (x, value + x, value - x, value * x, value / (x or 1))
    ):
        return True
    given = [enclosed(s) for s in match.sources]
    for i, source in enumerate(given):
        for j, before in enumerate(source.series.numbers[:_MOST_BEFORE]):
            changed = (before.value + sign * x for x in amounts for sign in (1, -1))
            for meant in (*slips_of(before.value, before.unit), *changed):
                moved = (*source.exact[:j], enclose_fraction(meant), *source.exact[j + 1 :])
                made = _make(match, [moved if m == i else s.exact for m, s in enumerate(given)])
                if made is not None and fits(float(made[k].mid()), number):
                    return True
    return False


def _make(match: Match, given: Sequence[Row]) -> Sequence[Ball] | None:
    try:
        return match.step.make(*given)
    except (ZeroDivisionError, ValueError):
        return None


def is_of_one_kind(series: Series) -> bool:
    """Whether its numbers are printed alike: no row of a table whose columns are of several kinds."""
    return len({n.unit for n in series.numbers}) == 1


def _is_sum(series: Series, match: Match) -> bool:
    """Whether a number of three digits or more stands below or behind those that it adds up."""
    number = series.numbers[0]
    told = abs(number.value / number.unit) >= _THREE_DIGITS and not number.whole
    return told and series.addends is not None and match.step.telling


def _is_meant(series: Series, match: Match, k: int, named: bool) -> bool:
    number, value = series.numbers[k], match.exact[k]
    own = [s.numbers[k].value for s in match.sources if len(s.numbers) == len(series.numbers)]
    if number.whole or number.value in (0, 1, -1, *own, *(-v for v in own)):
        return True
    signed = named or any(n.value < 0 for n, a in zip(series.numbers, match.agree, strict=True) if a)
    others = [value + 1, value - 1, 1 - value, *([] if signed else [-value])]
    return any(abs(enclose_fraction(number.value) - other) < enclose_fraction(2 * number.unit) for other in others)


def is_wrong(match: Match, fits: Collection[Span]) -> bool:
    """Whether what a sum adds up is right itself; of a list its own numbers have shown it."""
    return len(match.off) > 1 or all(n.span in fits for s in match.sources for n in s.numbers)


def count_telling(series: Series, match: Match) -> int:
    """How many numbers agree that are no small whole ones, as so many are."""
    pairs = zip(series.numbers, match.agree, strict=True)
    return sum(agrees and not n.whole and n.finest != 1 for n, agrees in pairs)
