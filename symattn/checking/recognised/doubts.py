"""When the one number that does not fit a step is wrong, and not something that its author means.

The others have to show the step beyond doubt, a step that nearly no list is by chance; and it has to be a slip of the
pen, where no words name the step. What an author puts in on purpose is left alone: 0 and 1, the number that the step
began with, the same with another sign, one more or less, and a list with one change.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from symattn.checking.recognised.matches import Match, fits, wide_radii
from symattn.checking.recognised.prints import Print, Span
from symattn.checking.recognised.series import Series
from symattn.checking.recognised.words import amounts_in, singles_out
from symattn.checking.slips import is_slip, slips_of
from symattn.values.enclosures import enclose_fraction
from symattn.values.printed import Ball, round_to

SURE = 12.0  # bits that show a step beyond doubt, when what does not fit is a slip of the pen
_CERTAIN = 20.0  # bits that show a step that words name, so that any other number is wrong
_THREE_DIGITS, _FIVE_DIGITS = 100, 10_000
_MOST_BEFORE = 16  # numbers of a list that are tried with another digit


@dataclass(frozen=True)
class Doubt:
    """A series of which one number does not fit the step that the others fit."""

    series: Series
    match: Match

    @property
    def place(self) -> int:
        return self.match.off.index(True)

    @property
    def number(self) -> Print:
        return self.series.numbers[self.place]

    @property
    def exact(self) -> Ball:
        """What the step gives in its place."""
        return self.match.exact[self.place]

    @property
    def right(self) -> Fraction:
        """What the step gives in its place, as it would be printed there."""
        return round_to(self.exact, self.number.unit)

    @property
    def is_of_one_kind(self) -> bool:
        """Whether its numbers are printed alike: no row of a table whose columns are of several kinds."""
        return len({n.unit for n in self.series.numbers}) == 1

    @property
    def telling(self) -> int:
        """How many numbers agree that are no small whole ones, as so many are."""
        pairs = zip(self.series.numbers, self.match.agree, strict=True)
        return sum(agrees and not n.whole and n.finest != 1 for n, agrees in pairs)


def may_be_wrong(doubt: Doubt, last: Series | None) -> bool:
    """Whether a number in doubt is wrong, and nothing put there on purpose.

    One that stands alone has to be what words call it, of the list right before it, which is the `last`.
    """
    series, match, number = doubt.series, doubt.match, doubt.number
    slip = is_slip(number.value, number.unit, doubt.exact, match.spread[doubt.place])
    if len(series.numbers) == 1:
        named = match.step.is_named(series.said.rstrip(" ="))  # what stands behind = may be anything
        behind = match.sources[0] is last and abs(number.value) >= _FIVE_DIGITS * number.unit
        return slip and doubt.right != -number.value and named and (behind or _is_sum(doubt))
    if not match.step.telling:
        return False
    named = match.step.is_named(series.told)
    shown = doubt.telling > (not named)
    if not (shown and doubt.is_of_one_kind and match.bits >= (SURE if slip else _CERTAIN)):
        return False
    if _is_meant(doubt, named):
        return False
    if slip or not named or singles_out(series.around) or series.values.count(number.value) > 1:
        return slip
    summary = series.column and doubt.place == len(series.numbers) - 1  # of the column: its mean
    return not summary and not _is_explained(doubt)


def _is_sum(doubt: Doubt) -> bool:
    """Whether a number of three digits or more stands below or behind those that it adds up."""
    told = abs(doubt.number.value / doubt.number.unit) >= _THREE_DIGITS and not doubt.number.whole
    return told and doubt.series.addends is not None and doubt.match.step.telling


def _is_meant(doubt: Doubt, named: bool) -> bool:
    """Whether a number is 0 or 1, one that the step began with, or the right one but for its sign or for 1."""
    series, match, number, value, k = doubt.series, doubt.match, doubt.number, doubt.exact, doubt.place
    own = [s.numbers[k].value for s in match.sources if len(s.numbers) == len(series.numbers)]
    if number.whole or number.value in (0, 1, -1, *own, *(-v for v in own)):
        return True
    signed = named or any(n.value < 0 for n, a in zip(series.numbers, match.agree, strict=True) if a)
    others = [value + 1, value - 1, 1 - value, *([] if signed else [-value])]
    return any(abs(enclose_fraction(number.value) - other) < enclose_fraction(2 * number.unit) for other in others)


def _is_explained(doubt: Doubt) -> bool:
    """Whether what a step takes may have been rounded or changed, or have the slip itself.

    16.919 below 2.882 is e^2.828; and an amount that words mention may be what something was raised by, or multiplied.
    """
    match, number, value = doubt.match, doubt.number, float(doubt.exact.mid())
    if abs(value - number.about) <= wide_radii(match.step, match.sources)[doubt.place] + number.place:
        return True
    printed = {v for s in (doubt.series, *match.sources) for v in map(abs, s.values)}
    amounts = [x for x in amounts_in(doubt.series.around) if x not in printed]
    for x in map(float, amounts):
        if any(fits(changed, number) for changed in (x, value + x, value - x, value * x, value / (x or 1))):
            return True
    for i, source in enumerate(match.sources):
        for j, before in enumerate(source.numbers[:_MOST_BEFORE]):
            changed = (before.value + sign * x for x in amounts for sign in (1, -1))
            for meant in (*slips_of(before.value, before.unit), *changed):
                made = match.made_with(i, j, enclose_fraction(meant))
                if made is not None and fits(float(made[doubt.place].mid()), number):
                    return True
    return False


def is_wrong(match: Match, fits: Collection[Span]) -> bool:
    """Whether what a sum adds up is right itself; of a list its own numbers have shown it."""
    return len(match.off) > 1 or all(n.span in fits for s in match.sources for n in s.numbers)
