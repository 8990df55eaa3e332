"""Whether a step gives a series: which of its numbers agree with it, and how many bits this tells.

A number that agrees is worth as many bits as its digits tell: 0.2418 of a row up to 0.66 is one of 13,000. What is 0 or
1, equal to a number counted already, or unchanged by the step, tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite, log2

from symattn.checking.recognised.operations import Step
from symattn.checking.recognised.prints import Print
from symattn.checking.recognised.series import Series
from symattn.values.enclosures import enclose_fraction
from symattn.values.printed import Ball
from symattn.values.rows import Row, within

HUNDREDTH = Fraction(1, 100)
_NEAR = 2  # units of the last place: so far off is what was computed from numbers that were rounded on the way
_WIDEST = 10  # units that rounding before may account for
_SAME = Fraction(1, 20)  # of a number: a step that changes it by less tells nothing of it
_SURPRISING = 5  # units by which rounding would have moved what agrees
_LOOSE = 3.0  # bits that it costs to take numbers for rounded ones
_SLACK = 1e-12  # of a number: what is nearer is the same


@dataclass(frozen=True)
class Source:
    """A series as numbers to calculate with: as printed, and with what rounding may have hidden."""

    series: Series

    @cached_property
    def exact(self) -> Row:
        return tuple(enclose_fraction(n.value) for n in self.series.numbers)

    @cached_property
    def ranged(self) -> Row:
        """A number of two decimals or more may be anything that rounds to it."""
        pairs = zip(self.series.numbers, self.exact, strict=True)
        return tuple(within(n.value, n.unit / 2) if n.unit <= HUNDREDTH else x for n, x in pairs)


@dataclass(frozen=True)
class Match:
    """A step that may have given a series: what it makes, which numbers agree or are off, how much speaks for it."""

    step: Step
    sources: tuple[Series, ...]
    exact: tuple[Ball, ...]
    spread: tuple[float, ...]  # how far rounding before may have moved what it makes
    agree: tuple[bool, ...]
    off: tuple[bool, ...]  # far off; what is near is neither
    bits: float  # what agrees tells, less what the choice costs

    @property
    def rank(self) -> tuple[bool, float]:
        """Of two, the one that leaves nothing off and for which more speaks."""
        return not any(self.off), self.bits

    @cached_property
    def given(self) -> tuple[Row, ...]:
        """What the step takes, as it is printed."""
        return tuple(Source(s).exact for s in self.sources)

    def made_with(self, i: int, j: int, number: Ball) -> Row | None:
        """What the step makes with another number for the j-th of the i-th source; None where that is impossible."""
        row = (*self.given[i][:j], number, *self.given[i][j + 1 :])
        return make(self.step, (*self.given[:i], row, *self.given[i + 1 :]))


def make(step: Step, given: Sequence[Row]) -> Row | None:
    """What a step makes of rows, or None where it divides by 0 or takes what it is not defined for."""
    try:
        return step.make(*given)
    except (ZeroDivisionError, ValueError):
        return None


def try_step(series: Series, step: Step, sources: Sequence[Source], cost: float) -> Iterator[Match]:
    """The match of a step with a series, if three quarters of the numbers but one agree."""
    exact = make(step, [s.exact for s in sources])
    if exact is None or not _may_fit(series.numbers, exact):
        return
    ranged = make(step, [s.ranged for s in sources])
    if ranged is not None and all(isfinite(float(x.rad())) and isfinite(float(x.mid())) for x in exact):
        yield from _matched(series, step, sources, exact, ranged, cost + step.cost(series.told))


def most_bits(series: Series) -> float:
    """How much the digits of a series can tell at most."""
    return sum(log2(2 * series.size / n.finest) for n in series.numbers if n.finest < 2 * series.size)


def _matched(
    series: Series, step: Step, sources: Sequence[Source], exact: Row, ranged: Row, cost: float
) -> Iterator[Match]:
    numbers = series.numbers
    values, radii = [float(x.mid()) for x in exact], [float(x.rad()) for x in ranged]
    close = [fits(value, n) for n, value in zip(numbers, values, strict=True)]
    agree = [fit or _may_round_to(v, r, n) for fit, n, v, r in zip(close, numbers, values, radii, strict=True)]
    if 4 * sum(agree) < 3 * (len(agree) - 1) or not (any(agree) or len(agree) == 1):
        return
    same = [s.series.values for s in sources if len(sources) < 3 and len(s.exact) == len(numbers)]
    wide = wide_radii(step, [s.series for s in sources])
    fine = sum(fit and r > _SURPRISING * n.place for fit, r, n in zip(close, wide, numbers, strict=True))
    certain = fine > 1 and close == agree  # to agree so closely what it begins with is not rounded
    off = [_is_off(v, 0.0 if certain else r, n) for n, v, r in zip(numbers, values, wide, strict=True)]
    size = max(map(abs, values)) or 1.0
    told = [0.0] * series.height
    row_length = len(numbers) // series.height
    counted: set[Fraction] = {Fraction(0), Fraction(1), Fraction(-1)}
    for k, (n, fit, radius) in enumerate(zip(numbers, close, radii, strict=True)):
        width = float(n.finest) + (0.0 if fit else 2 * radius)
        fresh = n.value not in counted and all(abs(n.value - v[k]) > _SAME * max(abs(n.value), n.unit) for v in same)
        if agree[k] and fresh and width < size:
            counted.add(n.value)
            told[k // row_length] += log2(2 * size / width)
    if step.of_shares and row_length > 1:  # what adds up to 1 is told by the others, where all of them agree
        whole = [all(agree[i * row_length : (i + 1) * row_length]) for i in range(series.height)]
        told = [bits * (row_length - every) / row_length for bits, every in zip(told, whole, strict=True)]
    bits = sum(told) - cost - (0 if close == agree else _LOOSE)
    yield Match(step, tuple(s.series for s in sources), tuple(exact), tuple(radii), tuple(agree), tuple(off), bits)


def _all_rounded(series: Series) -> list[Ball]:
    """Its decimals as numbers that may have been rounded; 4.0 and 1.0 alone are whole."""
    rounded = any(n.finest < 1 for n in series.numbers)
    return [within(n.value, n.unit / 2 if rounded and n.unit < 1 else Fraction(0)) for n in series.numbers]


def wide_radii(step: Step, sources: Sequence[Series]) -> list[float]:
    """How far rounding may have moved what a step makes, if each decimal before was rounded."""
    given = map(_all_rounded, sources)
    return [float(x.rad()) for x in step.make(*given)]


def fits(value: float, number: Print) -> bool:
    """Whether a print is rounded or cut off from a value; nobody rounds to a small whole number."""
    apart = abs(value - number.about)
    slack = _SLACK * (1 + abs(value))
    if number.whole:
        return apart <= slack
    short = abs(value) - abs(number.about)
    return apart <= number.place / 2 + slack or (value * number.about > 0 and -slack <= short < number.place - slack)


def _may_round_to(value: float, radius: float, number: Print) -> bool:
    """Whether a print is rounded from some number of an enclosure that is narrow enough to tell."""
    if number.whole or not radius <= _WIDEST * number.place:
        return False
    return abs(value - number.about) <= radius + number.place / 2


def _is_off(value: float, radius: float, number: Print) -> bool:
    """Whether a print is farther away than what rounding on the way can explain."""
    near = _SLACK * (1 + abs(value)) if number.whole else _NEAR * number.place
    return abs(value - number.about) > radius + near


def _may_fit(numbers: Sequence[Print], exact: Sequence[Ball]) -> bool:
    """Whether nearly all of the numbers are near, as far as rounding before can have moved them."""
    if len(exact) != len(numbers):
        return False
    misses = (len(numbers) + 3) // 4
    for n, value in zip(numbers, exact, strict=True):
        if not abs(float(value.mid()) - n.about) <= (0 if n.whole else (_WIDEST + 1) * n.place) + 1e-9:
            misses -= 1
            if misses < 0:
                return False
    return True
