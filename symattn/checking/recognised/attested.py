"""Numbers that do not fit a step, and what else says which number is meant there.

A step that one number does not fit shows little by itself where it is no usual one, or the number no slip of the pen.
It is another matter where the number that the step gives is asked for a second time: by another step, of other numbers,
that gives the same one; or by what is printed below, which follows from that number and not from the one in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from symattn.checking.recognised.doubts import Doubt
from symattn.checking.recognised.matches import Match
from symattn.checking.recognised.operations import SUM_OF, SUM_WORD
from symattn.checking.recognised.prints import Span
from symattn.checking.recognised.series import Series
from symattn.checking.slips import is_slip
from symattn.patterns import regex
from symattn.values.enclosures import enclose_fraction
from symattn.values.rows import Row

_SUM = regex(SUM_WORD, re.IGNORECASE)
_FOLLOWS = 10.0  # bits that show that numbers follow from a right one and not from what is printed
_FEWEST_TELLING = 3
_SHOWN = 8.0  # bits that speak for each of two steps that give the same number
_FINE = 100  # units of a number that tells anything
_NEAR = 2  # units by which two steps may differ that give the same number
_FEWEST_SHARES = 3  # different numbers that show by what they were divided
_MOST_PARTS = 8  # numbers of which all sums are tried
_MOST_SUMS = 4  # the last ones, of which shares may stand below


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
        elif match.step.form == SUM_OF.form and _SUM.search(series.said) and _is_fine(doubt):
            self.sums = [*self.sums, doubt][-_MOST_SUMS:]

    def note_following(self, match: Match) -> None:
        """Remember what a series follows from, where that is the number supposed and not the one printed."""
        if match.bits >= _FOLLOWS:
            self.followed.update(n.span for s in match.sources for n in s.numbers if n.span in self.supposed)

    def note_shares(self, series: Series) -> None:
        """Look whether a series is what was added up, divided by the right sum and not by the one printed."""
        for doubt in self.sums:
            parts = doubt.match.sources[0]
            telling = min(len(set(series.values)), len(set(parts.values))) >= _FEWEST_SHARES
            if doubt.number.span[0] > series.start or len(parts.numbers) != len(series.numbers) or not telling:
                continue
            if _may_be_of_others(parts, doubt):
                continue
            row = doubt.match.given[0]
            if _shares_out(row, doubt.right, series) and not _shares_out(row, doubt.number.value, series):
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
            elif (twice := next((a for a, b in combinations(doubts, 2) if _give_the_same(a, b)), None)) is not None:
                yield twice


def _is_fine(doubt: Doubt) -> bool:
    """Whether its number has three digits or more: one of fewer may be given by chance."""
    return abs(doubt.number.value) >= _FINE * doubt.number.unit


def _is_shown(doubt: Doubt) -> bool:
    """Whether three numbers show a step that nearly no list is by chance; tables are full of multiples."""
    return doubt.match.step.telling and doubt.match.bits >= _SHOWN and doubt.telling >= _FEWEST_TELLING


def _give_the_same(one: Doubt, other: Doubt) -> bool:
    """Whether two steps give the same number, from numbers of which none is the same."""
    same = abs(one.right - other.right) <= _NEAR * one.number.unit
    shown = _is_shown(one) and _is_shown(other) and _is_fine(one)
    return shown and same and _origins(one).isdisjoint(_origins(other))


def _origins(doubt: Doubt) -> set[Span]:
    """The numbers that what is given in its place depends on."""
    return {
        number.span
        for i, source in enumerate(doubt.match.sources)
        for j, number in enumerate(source.numbers)
        if _is_moved(doubt, doubt.match.made_with(i, j, doubt.match.given[i][j] + 1))
    }


def _is_moved(doubt: Doubt, made: Row | None) -> bool:
    if made is None:
        return True
    return abs(float(made[doubt.place].mid()) - float(doubt.exact.mid())) > float(doubt.number.unit) / 10


def _shares_out(parts: Row, total: Fraction, series: Series) -> bool:
    """Whether a series is these parts, each divided by this total."""
    if not total:
        return False
    shares = [x / enclose_fraction(total) for x in parts]
    return all(abs(float(x.mid()) - n.about) <= 0.75 * n.place for x, n in zip(shares, series.numbers, strict=True))


def _may_be_of_others(parts: Series, doubt: Doubt) -> bool:
    """Whether a sum may be one of more numbers than are printed, or of some of them."""
    printed, right = doubt.number.value, doubt.right
    if printed > right and min(parts.values) >= 0:
        return not is_slip(printed, doubt.number.unit, doubt.exact)
    some = {Fraction(0)}
    for value in parts.values[:_MOST_PARTS]:
        some |= {x + value for x in some}
    return any(abs(x - printed) <= _MOST_PARTS * doubt.number.unit for x in some)
