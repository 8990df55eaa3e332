"""A printed side held against what it should be, at small tensors, under every reading that is admitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product as pairs
from typing import Literal

from symattn.checking.findings import Counterexample
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.symbols import NotSettledError, Reading, Scope
from symattn.reading import formula as f
from symattn.values.enclosures import precision
from symattn.values.tensors import BITS, MisfitError, Tensor, apart, close

Value = Callable[[Evaluator, Indices], Tensor]
POINTS = ((0, 0), (1, 1), (0, 2), (1, 3))  # sets of sizes and seeds
FURTHER = tuple((k % 2, 10 + k) for k in range(8))  # in place of those at which a side has no value, √(1 − 4/3)
FEWEST = 2  # at which both have one: at one alone they may be equal by chance
MOST_PLACES = 64  # values of the free indices

Kind = Literal["equal", "apart", "misfit", "unsettled", "undefined"]


@dataclass(frozen=True)
class Outcome:
    """How two sides compare under one reading: `apart` and `misfit` have the numbers that show it."""

    kind: Kind
    reading: Reading | None = None
    shown: Counterexample | None = None


def constantly(expression: f.Expression) -> Value:
    """The value of an expression, as the side of a question."""
    return lambda evaluator, at: evaluator.value(expression, at)


def as_printed(_: Scope, printed: f.Expression) -> f.Expression:
    """A side that is held against what it should be as it stands."""
    return printed


Truth = dict[tuple[Reading, int, int], list[Tensor]]  # what a side should be, place by place


@dataclass(frozen=True)
class Question:
    """Whether a printed side is what it should be.

    `expected` computes that, `prepare` tells a scope what the article's symbols are, `free` are the index letters that
    both sides are functions of, with how far they run; `place` puts what is printed into a scope, where it is not the
    side itself but what a symbol of it is defined as, and gives the side.
    """

    expected: Value
    prepare: Callable[[Scope], None] = lambda scope: None
    free: Callable[[Evaluator], dict[str, range]] = lambda evaluator: {}
    readings: Sequence[Reading] = (Reading(),)
    points: Sequence[tuple[int, int]] = POINTS
    place: Callable[[Scope, f.Expression], f.Expression] = as_printed
    _truth: Truth = field(default_factory=dict, init=False, compare=False, repr=False)

    def is_answered_by(self, printed: f.Expression) -> bool:
        """Whether a side is what it should be: asked of many sides in turn, of which most fail at the first point.

        What it should be is worked out once, where that is not a matter of what is printed.
        """
        known = self._truth if self.place is as_printed else None
        for points in (self.points[:1], self.points):
            if not any(self.under(reading, printed, points, known).kind == "equal" for reading in self.readings):
                return False
        return True

    def ask(self, printed: f.Expression) -> Outcome:
        """Equal under one reading at all points; else apart or misfit if it is under all, else unsettled."""
        outcomes: list[Outcome] = []
        for reading in self.readings:
            outcome = self.under(reading, printed, self.points)
            if outcome.kind == "equal":
                return outcome
            outcomes.append(outcome)
        for kind in ("unsettled", "apart", "misfit"):
            found = next((o for o in outcomes if o.kind == kind), None)
            if found is not None:
                return found
        return Outcome("unsettled")

    def holds_under(self, reading: Reading, printed: f.Expression) -> bool:
        """Whether a printed side is what it should be under one reading."""
        return self.under(reading, printed, self.points).kind == "equal"

    def under(
        self,
        reading: Reading,
        printed: f.Expression,
        points: Sequence[tuple[int, int]],
        known: Truth | None = None,
    ) -> Outcome:
        """How a printed side stands to what it should be; `known` keeps that for the next side."""
        defined, needed = 0, min(FEWEST, len(points))
        with precision(BITS):
            for k, (case, seed) in enumerate((*points, *FURTHER)):
                if k >= len(points) and defined >= needed:
                    break
                outcome = self._at(reading, printed, case, seed, known)
                if outcome.kind not in ("equal", "undefined"):
                    return outcome
                defined += outcome.kind == "equal"
        return Outcome("equal" if defined >= needed else "unsettled", reading)

    def _at(self, reading: Reading, printed: f.Expression, case: int, seed: int, known: Truth | None) -> Outcome:
        truth = [] if known is None else known.setdefault((reading, case, seed), [])
        scope = Scope.at(reading, case, seed)
        evaluator = Evaluator(scope)
        try:
            self.prepare(scope)
            printed = self.place(scope, printed)
            places = list(_places(self.free(evaluator)))
            for k, at in enumerate(places[:MOST_PLACES]):
                if k == len(truth):
                    truth.append(self.expected(evaluator, at))
                right = truth[k]
                try:
                    left = evaluator.value(printed, at)
                except MisfitError as error:
                    return Outcome("misfit", reading, _misfit(error))
                if not (left.finite and right.finite):
                    return Outcome("undefined", reading)
                if apart(left, right):
                    return Outcome("apart", reading, _shown(scope, at, left, right))
                if not close(left, right):
                    return Outcome("unsettled", reading)
        except ZeroDivisionError:
            return Outcome("undefined", reading)
        except (NotSettledError, MisfitError, OverflowError):
            return Outcome("unsettled", reading)
        return Outcome("equal", reading) if places else Outcome("unsettled", reading)


def _places(ranges: dict[str, range]) -> Iterator[dict[str, int]]:
    for values in pairs(*ranges.values()):
        yield dict(zip(ranges, values, strict=True))


def _shown(scope: Scope, at: Indices, printed: Tensor, right: Tensor) -> Counterexample:
    """What stands for the letters, what the left side is by its meaning, and what is printed of it on the right."""
    values = [*scope.drawn.items(), *at.items()][:8]
    return Counterexample(tuple((letter, str(value)) for letter, value in values), str(right), str(printed))


def _misfit(error: MisfitError) -> Counterexample:
    shapes = [" × ".join(map(str, shape)) or "1" for shape in error.shapes]
    return Counterexample((), shapes[0] if shapes else "", shapes[-1] if shapes else "")
