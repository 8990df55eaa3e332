"""Numbers that do not fit a step, and what else says which number is meant there.

A step that one number does not fit shows little by itself where it is no usual one, or the number no slip of the pen.
It is another matter where the number that the step gives is asked for a second time: by another step, of other numbers,
that gives the same one; or by what is printed below, which follows from that number and not from the one in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from symattn.checking.recognised.doubts import count_telling
from symattn.checking.recognised.matches import Match, Source, enclosed
from symattn.checking.recognised.operations import SUM_OF, SUM_WORD
from symattn.checking.recognised.prints import Print, Span
from symattn.checking.recognised.series import Series
from symattn.checking.slips import is_slip
from symattn.patterns import regex
from symattn.values.enclosures import enclose_fraction
from symattn.values.printed import round_to

_SUM = regex(SUM_WORD, re.IGNORECASE)
_FOLLOWS = 10.0  # bits that show that numbers follow from a right one and not from what is printed
_FEWEST_TELLING = 3
_SHOWN = 8.0  # bits that speak for each of two steps that give the same number
_FINE = 100  # units of a number that tells anything
_NEAR = 2  # units by which two steps may differ that give the same number
_FEWEST_SHARES = 3  # different numbers that show by what they were divided
_MOST_PARTS = 8  # numbers of which all sums are tried
_MOST_SUMS = 4  # the last ones, of which shares may stand below


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
    def right(self) -> Fraction:
        """What the step gives in its place."""
        return round_to(self.match.exact[self.place], self.number.unit)

    @property
    def _is_shown(self) -> bool:
        """Whether three numbers show a step that nearly no list is by chance; tables are full of multiples."""
        telling = self.match.step.telling and self.match.bits >= _SHOWN
        return telling and count_telling(self.series, self.match) >= _FEWEST_TELLING

    @property
    def is_fine(self) -> bool:
        """Whether its number has three digits or more: one of fewer may be given by chance."""
        return abs(self.number.value) >= _FINE * self.number.unit

    def agrees_with(self, other: Doubt) -> bool:
        """Whether both give the same number, from numbers of which none is the same."""
        same = abs(self.right - other.right) <= _NEAR * self.number.unit
        shown = self._is_shown and other._is_shown and self.is_fine
        return shown and same and self._sources.isdisjoint(other._sources)

    @property
    def _sources(self) -> set[Span]:
        """The numbers that what is given in its place depends on."""
        found = set[Span]()
        given = [enclosed(s) for s in self.match.sources]
        for i, source in enumerate(given):
            for k, number in enumerate(source.series.numbers):
                moved = [*source.exact]
                moved[k] = moved[k] + 1
                others = [moved if j == i else s.exact for j, s in enumerate(given)]
                if self._moves(others):
                    found.add(number.span)
        return found

    def _moves(self, given: Sequence[Sequence[object]]) -> bool:
        try:
            made = self.match.step.make(*given)[self.place]
        except (ZeroDivisionError, ValueError):
            return True
        return abs(float(made.mid()) - float(self.match.exact[self.place].mid())) > float(self.number.unit) / 10


@dataclass
class Doubts:
    """The doubts of an article, and what is said for the number that each gives."""

    found: list[Doubt] = field(default_factory=list)
    supposed: dict[Span, Fraction] = field(default_factory=dict)
    followed: set[Span] = field(default_factory=set)  # of which what is printed below follows
    sums: list[Doubt] = field(default_factory=list)  # sums that are not those of what stands before

    def add(self, doubt: Doubt) -> None:
        """Remember a doubt; of numbers that stand alone only sums that are named so."""
        series, match = doubt.series, doubt.match
        if len(series.numbers) > 1:
            self.found.append(doubt)
            self.supposed.setdefault(doubt.number.span, doubt.right)
        elif match.step.form == SUM_OF.form and _SUM.search(series.said) and doubt.is_fine:
            self.sums = [*self.sums, doubt][-_MOST_SUMS:]

    def note_following(self, match: Match) -> None:
        """Remember what a series follows from, where that is the number supposed and not the one printed."""
        if match.bits >= _FOLLOWS:
            self.followed.update(n.span for s in match.sources for n in s.numbers if n.span in self.supposed)

    def note_shares(self, series: Series) -> None:
        """Look whether a series is what was added up, divided by the right sum and not by the one printed."""
        for doubt in self.sums:
            parts = enclosed(doubt.match.sources[0])
            telling = min(len(set(series.values)), len(set(parts.series.values))) >= _FEWEST_SHARES
            if doubt.number.span[0] > series.start or len(parts.exact) != len(series.numbers) or not telling:
                continue
            if _may_be_of_others(parts.series, doubt):
                continue
            if _shares_out(parts, doubt.right, series) and not _shares_out(parts, doubt.number.value, series):
                self.found.append(doubt)
                self.followed.add(doubt.number.span)

    def attested(self) -> Iterator[Doubt]:
        """The doubts for whose number something else speaks."""
        by_place: dict[Span, list[Doubt]] = {}
        for doubt in self.found:
            by_place.setdefault(doubt.number.span, []).append(doubt)
        for span, doubts in by_place.items():
            if span in self.followed:
                yield doubts[0]  # whose number was the one supposed
            elif (twice := next((a for a, b in combinations(doubts, 2) if a.agrees_with(b)), None)) is not None:
                yield twice


def _shares_out(parts: Source, total: Fraction, series: Series) -> bool:
    """Whether a series is these parts, each divided by this total."""
    if not total:
        return False
    shares = [x / enclose_fraction(total) for x in parts.exact]
    return all(abs(float(x.mid()) - n.about) <= 0.75 * n.place for x, n in zip(shares, series.numbers, strict=True))


def _may_be_of_others(parts: Series, doubt: Doubt) -> bool:
    """Whether a sum may be one of more numbers than are printed, or of some of them."""
    printed, right = doubt.number.value, doubt.right
    if printed > right and min(parts.values) >= 0:
        return not is_slip(printed, doubt.number.unit, doubt.match.exact[0])
    some = {Fraction(0)}
    for value in parts.values[:_MOST_PARTS]:
        some |= {x + value for x in some}
    return any(abs(x - printed) <= _MOST_PARTS * doubt.number.unit for x in some)
