"""Which elementary step gives a series of numbers from those that stand before it.

Many steps are tried on many series, so that agreement has to be beyond chance: a number that agrees is worth as many
bits as its digits tell, a step costs as many bits as there were others to try, and what is left has to be enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import log2

from symattn.checking.recognised.matches import HUNDREDTH, Match, Source, most_bits, try_step
from symattn.checking.recognised.matrices import steps_of_one, steps_of_two
from symattn.checking.recognised.operations import (
    AT_ONE,
    OF_ONE,
    OF_ROWS,
    OF_TWO,
    SHARES,
    SUM_OF,
    TO_ONE,
    WEIGHTED,
    Step,
    at_temperature,
    rates_of_pairs,
)
from symattn.checking.recognised.prints import Print
from symattn.checking.recognised.series import Series
from symattn.checking.recognised.words import changes_softmax, factors_said, is_argument, says_masked
from symattn.values.enclosures import enclose_fraction
from symattn.values.printed import Ball
from symattn.values.rows import times, whole

# bits beyond its cost that speak for a step: one that words name, any, one for fewer numbers; more for whole numbers
_NAMED, _OF_ANY, _OF_FEW, _FEW, _OF_WHOLE = 4.0, 5.0, 7.0, 3, 6.0
_RECENT = 16  # series of one length that are looked back at
_PAIRS = 5  # of them, what is made of two
_WINDOWS = 8  # places at which the rows of a matrix may end
_LATELY = 32  # series among which matrices and vectors are looked for
_MATRICES = 10
_TEMPERATURES = 4
_CONSTANTS = 12  # lone numbers that may be factors
_LARGEST_FACTOR = 16
_WIDEST = 4_096
_WIDTHS = (32, 64, 128, 256, 512)
_FORMS_AT_ONE = {step.form for step in AT_ONE}
_MOST_WORK = 1_000_000  # numbers that the steps tried in an article take and make


class Search:
    """Series in their order; each is looked for among the steps from those before."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self._by_length: dict[int, list[Source]] = {}
        self._rows: dict[int, list[Source]] = {}  # by their width
        self._matrices: list[Source] = []
        self.constants: list[Print] = []
        self._printed: set[tuple[Fraction, ...]] = set()
        self._numbers: set[Fraction] = set()  # all that were printed
        self._work = 0

    def note(self, source: Source, *, corrected: bool = False) -> None:
        """Remember a series as one to calculate from; `corrected`, it stands for a row that is there already."""
        series = source.series
        self._numbers.update(series.values)
        if len(series.numbers) == 1:
            self.constants = [*self.constants, *series.numbers][-_CONSTANTS:]
            return
        if series.height > 1:
            self._matrices = [*self._matrices, source][-_MATRICES:]
            return
        self.sources.append(source)
        self._by_length.setdefault(len(source.exact), []).append(source)
        self._printed.add(series.values)
        if not series.column and not corrected:
            self._rows.setdefault(len(source.exact), []).append(source)

    @property
    def last(self) -> Series | None:
        """The list or row before."""
        return self.sources[-1].series if self.sources else None

    def is_variant(self, series: Series) -> bool:
        """Whether one that was printed before differs from it in one number: it may have been changed on purpose."""
        return any(
            sum(a != b for a, b in zip(s.series.values, series.values, strict=True)) == 1
            for s in self._by_length.get(len(series.numbers), ())
        )

    def is_shared_out(self, series: Series) -> bool:
        """Whether all of its numbers are shares of a list before, whatever that is: of rounded exponentials."""
        recent = self._recent(len(series.numbers))
        return any(all(m.agree) for s in recent for m in try_step(series, SHARES, (s,), 0.0))

    def restates(self, series: Series) -> bool:
        """Whether it has been printed before."""
        return series.values in self._printed

    def best(self, series: Series) -> Match | None:
        """The step for which most speaks; None where nothing speaks beyond chance for any."""
        if self._work > _MOST_WORK or is_argument(series.told) or most_bits(series) < _NAMED:
            return None
        matches = self._matches(series) if len(series.numbers) > 1 else self._lone(series)
        if series.addends is not None:
            matches = self._try(series, SUM_OF, (Source(series.addends),), -SUM_OF.cost(series.told))
        return max((m for m in matches if _is_beyond_chance(m, series)), key=lambda m: m.rank, default=None)

    def _recent(self, length: int, most: int = _RECENT) -> list[Source]:
        found: list[Source] = []
        for source in reversed(self._by_length.get(length, ())):
            if all(source.series.values != f.series.values for f in found):
                found.append(source)
                if len(found) == most:
                    break
        return found

    def _of_matrices(self, series: Series) -> Iterator[Match]:
        """What the rows of a matrix say together."""
        changed = _is_changed(series)
        latest = [m for m in reversed(self._matrices) if m.series.values != series.values]
        for i, a in enumerate(latest):
            if a.series.shape == series.shape:
                for step in (*steps_of_one(a), *self._scales(series, a)):
                    of_scores = step.form == SHARES.form and _may_be_scores(a.series, series.told or "softmax")
                    if not of_scores and not (changed and step.form in _FORMS_AT_ONE):
                        yield from self._try(series, step, (a,), log2(1 + i))
                for j, b in enumerate(latest):
                    for step in OF_TWO if b.series.shape == series.shape and i != j else ():
                        yield from self._try(series, step, (a, b), log2(1 + i) + log2(1 + j))
            for j, b in enumerate(latest):
                for step in steps_of_two(a, b, series.shape):
                    yield from self._try(series, step, (a, b), log2(1 + i) + log2(1 + j))

    def _matches(self, series: Series) -> Iterator[Match]:
        if series.height > 1:
            yield from self._of_matrices(series)
            return
        recent = self._recent(len(series.numbers))
        if _is_named_share(series):
            yield from self._shares(series, recent)
            return
        changed = _is_changed(series)
        for far, source in enumerate(recent):
            cost = log2(1 + far)
            for step in (*OF_ONE, *self._tempered(), *self._rates(source)):
                if (changed and step in AT_ONE) or (step is SHARES and _may_be_scores(source.series, series.told)):
                    continue
                yield from self._try(series, step, (source,), cost)
            for step in self._scales(series, source):
                yield from self._try(series, step, (source,), cost)
        for i, one in enumerate(recent[:_PAIRS]):
            for j, other in enumerate(recent[:_PAIRS]):
                alike = {len(set(x.series.values)) for x in (one, other)}
                for step in OF_TWO if 1 not in alike else OF_TWO[:2]:  # equal factors are one factor
                    if i < j or (i != j and not step.symmetric):
                        yield from self._try(series, step, (one, other), log2(1 + i) + log2(1 + j))
        if not all(n.whole for n in series.numbers):
            yield from self._linear(series)

    def _shares(self, series: Series, recent: Sequence[Source]) -> Iterator[Match]:
        """What words call weights, and what adds up to 1, is the softmax of something or shares of it."""
        changed = _is_changed(series)
        for far, source in enumerate(recent):
            for step in (*(() if changed else (AT_ONE[1],)), SHARES, *self._tempered()):
                if step is not SHARES or not _may_be_scores(source.series, series.told):
                    yield from self._try(series, step, (source,), log2(1 + far))
        yield from self._linear(series)

    def _lone(self, series: Series) -> Iterator[Match]:
        """What a number right behind a series may be of it; not one that was printed before."""
        if series.values[0] in self._numbers:
            return
        for far, source in enumerate(reversed([s for s in self.sources[-4:] if not s.series.mended][-3:])):
            for step in TO_ONE:
                yield from self._try(series, step, (source,), log2(1 + far))

    def _scales(self, series: Series, source: Source) -> Iterator[Step]:
        """Multiples by a factor that is known, and that is about right."""
        if len(set(source.series.values)) == 1:
            return  # of equal numbers everything is a multiple
        pairs = [(s.about, n.about) for s, n in zip(source.series.numbers, series.numbers, strict=True)]
        largest = sorted((pair for pair in pairs if pair[0] and pair[1]), key=lambda pair: -abs(pair[1]))
        ratios = [y / x for x, y in largest[:2]]  # of which one may be wrong
        said = factors_said(series.around)
        for name, factor, cost in self._factors():
            about = float(factor.mid())
            if (not said or name in said) and any(abs(ratio / about - 1) < 0.05 for ratio in ratios):
                yield Step(f"{name} · ({{0}})", times(factor), cost, telling=name.startswith("1/√"))

    def _factors(self) -> Iterator[tuple[str, Ball, float]]:
        """Small numbers, their roots, and the last that stand alone, with the bits that choosing one costs."""
        for n in range(2, _LARGEST_FACTOR + 1):
            yield str(n), whole(n), 6
            yield f"1/{n}", 1 / whole(n), 6
            yield f"1/√{n}", whole(n).rsqrt(), 6
            yield f"√{n}", whole(n).sqrt(), 7
        for n in _WIDTHS:
            yield f"1/√{n}", whole(n).rsqrt(), 6
        for number in self.constants:
            if number.value > 0 and number.value != 1:
                value = enclose_fraction(number.value)
                yield number.name, value, 7
                yield f"1/{number.name}", 1 / value, 7
                yield f"√{number.name}", value.sqrt(), 8

    def _tempered(self) -> Iterator[Step]:
        """Softmax at a temperature: one of the last numbers that stand alone."""
        for number in {n.value: n for n in self.constants[-_TEMPERATURES:]}.values():
            if number.value > 0 and number.value != 1:
                yield at_temperature(number.name, enclose_fraction(number.value))

    def _rates(self, source: Source) -> Iterator[Step]:
        """The rates of pairs counted from 0, of as many as there are or of a width that stands alone."""
        values = source.series.values
        if values != tuple(map(Fraction, range(len(values)))):
            return
        even = (int(n.value) for n in self.constants if n.value.denominator == 1 and n.value % 2 == 0)
        for width in dict.fromkeys((2 * len(values), *(n for n in even if 0 < n <= _WIDEST))):
            yield rates_of_pairs(width)

    def _linear(self, series: Series) -> Iterator[Match]:
        """Dot products with the rows of a matrix, perhaps scaled, and combinations of its rows."""
        size = len(series.numbers)
        lengths = {len(s.exact) for s in self.sources[-_LATELY:]}
        for width in lengths & self._rows.keys():
            vectors = [v for v in self._recent(width, _PAIRS) if not _picks_out(v)]
            for far, window in enumerate(_windows(self._rows[width], size)):
                for k, vector in enumerate(vectors):
                    for step in OF_ROWS:
                        yield from self._try(series, step, (vector, *window), log2(1 + far) + log2(1 + k))
        for height in lengths if size in self._rows else ():
            for k, weights in enumerate(w for w in self._recent(height, _PAIRS) if not _picks_out(w)):
                for far, window in enumerate(_windows(self._rows[size], height)):
                    yield from self._try(series, WEIGHTED, (weights, *window), log2(1 + far) + log2(1 + k))

    def _try(self, series: Series, step: Step, sources: Sequence[Source], cost: float) -> Iterator[Match]:
        self._work += len(series.numbers) * len(sources)
        apart = all(series.spans.isdisjoint(s.series.spans) for s in sources)
        if apart and step.may_be_meant(series.said):
            yield from try_step(series, step, sources, cost)


def _is_beyond_chance(match: Match, series: Series) -> bool:
    """Whether enough speaks for a step; of a number alone that is off, only words can tell."""
    if len(match.off) == 1 and match.off[0]:
        return True
    if match.step.is_named(series.told):
        return match.bits >= _NAMED
    whole = all(n.finest >= 1 for n in series.numbers)
    return match.bits >= (_OF_FEW if len(series.numbers) < _FEW else _OF_ANY) + (_OF_WHOLE if whole else 0)


def _is_changed(series: Series) -> bool:
    """Whether words speak of another softmax, or of a mask where no number of a series is 0."""
    return changes_softmax(series.around) or (says_masked(series.said) and all(n.value for n in series.numbers))


def _is_named_share(series: Series) -> bool:
    """Whether words call numbers weights or probabilities, and they add up to 1."""
    away = abs(sum(series.values, Fraction(-1)))
    shares = min(series.values) >= 0 and away <= sum((n.unit for n in series.numbers), Fraction(0))
    return shares and AT_ONE[1].is_named(series.told)


def _may_be_scores(source: Series, told: str) -> bool:
    """Whether words speak of weights, and these are of numbers without decimals: of scores nobody takes shares."""
    fine = sum(n.unit <= HUNDREDTH for n in source.numbers)
    return 2 * fine <= len(source.numbers) and SHARES.is_named(told)


def _picks_out(vector: Source) -> bool:
    """Whether a vector of 0 and 1 only picks out rows or columns."""
    return set(vector.series.values) <= {0, 1}


def _windows(rows: Sequence[Source], height: int) -> list[Sequence[Source]]:
    """The last matrices of so many rows one after the other."""
    ends = range(len(rows), max(height - 1, len(rows) - _WINDOWS), -1) if height > 1 else ()
    return [rows[end - height : end] for end in ends]
