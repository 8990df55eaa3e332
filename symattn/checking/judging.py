"""A printed matrix against its formula: a verdict for each number, from how somebody may have come to it.

In this order: right from the true values; right from what was printed before, mended (or rounded in between); right
for inputs that are rounded prints themselves; following from something printed wrong; nearly right; wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn import formula as f
from symattn.checking.findings import Cause, Finding, Verdict
from symattn.checking.memory import FINE, MENDED, PRINTED, Choice, Memory, Mixture, Print
from symattn.checking.reckoning import NotReckonedError, reckon
from symattn.values.balls import Balls
from symattn.values.printed import differ, enclosed, may_round_to, relation, rounded_to
from symattn.values.valuation import bounds

Place = tuple[int, int]
RIGHT = ("exact", "rounded", "truncated")


@dataclass(frozen=True)
class Printed:
    """A printed side: a table of numbers (None for −∞) with their units and texts."""

    values: tuple[tuple[Fraction | None, ...], ...]
    units: tuple[tuple[Fraction, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.values), len(self.values[0])

    def places(self) -> list[Place]:
        rows, columns = self.shape
        return [(i, j) for i in range(rows) for j in range(columns)]

    def turned(self) -> Printed:
        """A row as a column."""
        return Printed(
            *(tuple(zip(*table, strict=True)) for table in (self.values, self.units, self.texts, self.spans))
        )

    def as_given(self) -> Balls:
        return enclosed(self.values)

    def as_ranges(self) -> Balls | None:
        """Half a unit to both sides where the numbers are rounded prints themselves: four or more decimals."""
        fine = [u for row in self.units for u in row if u <= FINE]
        if not fine:
            return None
        return enclosed(self.values, [[u / 2 if u < 1 else Fraction(0) for u in row] for row in self.units])


def printed_table(side: f.Expression) -> Printed | None:
    """A side that is printed as numbers, as a table; None where cells are left out or are no numbers."""
    rows = side.rows if isinstance(side, f.Matrix) else ((side,),)
    if any(
        not isinstance(c, f.Number | f.Infinity) or (isinstance(c, f.Infinity) and c.sign > 0)
        for row in rows
        for c in row
    ):
        return None
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        return None
    return Printed(
        tuple(tuple(c.value if isinstance(c, f.Number) else None for c in row) for row in rows),
        tuple(tuple(c.places if isinstance(c, f.Number) else Fraction(1) for c in row) for row in rows),
        tuple(tuple(c.text if isinstance(c, f.Number) else "-∞" for c in row) for row in rows),
        tuple(tuple((c.start, c.end) for c in row) for row in rows),
    )


@dataclass(frozen=True)
class Definition:
    """A side that says what is printed after it, with what it uses."""

    expression: f.Expression
    true: Balls
    used: tuple[f.Expression, ...]
    written: Balls  # with the numbers in it as they are written, even those that were printed wrong before

    @property
    def symbolic(self) -> bool:
        return bool(self.used)

    def reckoned(self, memory: Memory, choice: Choice, *, ranged: bool = False) -> Balls:
        """The value for a choice of versions of what it uses. Raises NotReckonedError with the reason."""
        whole = None if self.expression in self.used else self.expression
        return reckon(self.expression, memory.lookup(choice, whole=whole, ranged=ranged))


def define(expression: f.Expression, memory: Memory) -> Definition:
    """Reckon a side from the true values. Raises NotReckonedError with the reason."""
    used: set[f.Expression] = set()
    written = reckon(expression, memory.lookup(used=used))
    mended = any(isinstance(p, f.Number) and p.value in memory.mends for p in f.walk(expression))
    true = reckon(expression, memory.lookup(mend=True)) if mended else written
    return Definition(expression, true, tuple(sorted(used, key=lambda e: (e.start, str(e)))), written)


@dataclass(frozen=True)
class Judgement:
    verdict: Verdict
    because: Cause | None = None


class Judge:
    """Judges one printed table against the definitions before it."""

    def __init__(
        self, printed: Printed, definitions: Sequence[Definition], memory: Memory, ranged: Balls | None
    ) -> None:
        self.printed, self.memory, self.ranged = printed, memory, ranged
        self.definitions = definitions
        self.true = definitions[0].true
        self.open: set[Place] = set(printed.places())
        self.found: dict[Place, Judgement] = {}

    def judge(self) -> dict[Place, Judgement]:
        self._hidden()
        for definition in self.definitions:
            if definition.symbolic or definition is self.definitions[0]:
                self._settle(definition.true, "{}")
        for level in (MENDED, PRINTED):
            if level == PRINTED and self.ranged is not None:
                self._within_ranges(self.ranged)
            self._arithmetic(level)
            self._mixtures(level)
        for place in sorted(self.open):
            near = self._relation(self.true, place) == "near"
            self.found[place] = Judgement("last-digit" if near else "wrong")
        return self.found

    def _relation(self, value: Balls, place: Place) -> str:
        return _relation(self.printed, value, place)

    def _hidden(self) -> None:
        for place in list(self.open):
            if (self.printed.values[place[0]][place[1]] is None) != (place in self.true.hidden):
                self._close(place, Judgement("wrong"))

    def _close(self, place: Place, judgement: Judgement) -> None:
        self.found[place] = judgement
        self.open.discard(place)

    def _settle(self, value: Balls, verdict: str, causes: Sequence[Cause] = ()) -> None:
        """Close every place that a value explains; "{}" keeps the relation as the verdict."""
        if value.shape != self.printed.shape:
            return
        for place in list(self.open):
            how = self._relation(value, place)
            if how in RIGHT:
                said = how if verdict == "{}" or (verdict == "intermediate" and how == "truncated") else verdict
                self._close(place, Judgement(said, causes[0] if causes else None))  # type: ignore[arg-type]

    def _within_ranges(self, ranged: Balls) -> None:
        for i, j in list(self.open):
            printed = self.printed.values[i][j]
            if printed is not None and may_round_to(ranged.rows[i][j], printed, self.printed.units[i][j]):
                self._close((i, j), Judgement("input-rounding"))

    def _arithmetic(self, level: int) -> None:
        """Arithmetic written out, 400/1.414: it is explained as far as its own numbers were printed before."""
        for definition in self.definitions:
            if definition.symbolic or definition.written.shape != self.printed.shape:
                continue
            main = definition is self.definitions[0]
            if main and level == MENDED:
                continue  # that is the true value
            for place in list(self.open):
                how = self._relation(definition.written, place)
                causes, known = self._literals(_cell(definition.expression, place))
                if how not in RIGHT or bool(causes) != (level == PRINTED) or not (known or main):
                    continue
                right: Verdict = "truncated" if how == "truncated" else "intermediate"
                self._close(place, Judgement("carried", causes[0]) if causes else Judgement(right))

    def _literals(self, cell: f.Expression) -> tuple[list[Cause], bool]:
        """The wrong numbers among those written in a cell, and whether all of them were printed before."""
        values = [part.value for part in f.walk(cell) if isinstance(part, f.Number)]
        causes = [cause for v in values if (cause := self.memory.numbers.get(v)) is not None]
        return causes, all(v in self.memory.numbers for v in values)

    def _mixtures(self, level: int) -> None:
        for definition in self.definitions:
            if not definition.symbolic:
                continue
            for mixture in self.memory.mixtures(definition.used):
                if not self.open:
                    return
                if mixture.level != level:
                    continue
                try:
                    value = definition.reckoned(self.memory, mixture.choice)
                except NotReckonedError:
                    continue
                if level == MENDED:
                    self._settle(value, "intermediate")
                else:
                    self._carry(definition, mixture, value)

    def _carry(self, definition: Definition, mixture: Mixture, value: Balls) -> None:
        if value.shape != self.printed.shape:
            return
        for place in list(self.open):
            if self._relation(value, place) in RIGHT:
                self._close(place, Judgement("carried", self._cause(definition, mixture, place)))

    def _cause(self, definition: Definition, mixture: Mixture, place: Place) -> Cause:
        """The wrong number that this one follows from: the first that changes it when it alone is put in."""
        i, j = place
        for key, print_ in mixture.wrong:
            for at in list(print_.bad)[:24]:
                one = _with_entry(print_.mended, print_.printed, at)
                try:
                    value = definition.reckoned(self.memory, {**mixture.choice, key: one})
                    mended = definition.reckoned(self.memory, {**mixture.choice, key: print_.mended})
                except NotReckonedError:
                    continue
                if differ(value.rows[i][j], mended.rows[i][j]):
                    return print_.bad[at]
        first: Print = mixture.wrong[0][1]
        return next(iter(first.bad.values()))


def _relation(printed: Printed, value: Balls, place: Place) -> str:
    i, j = place
    number = printed.values[i][j]
    if number is None or place in value.hidden:
        return "exact" if number is None and place in value.hidden else "far"
    return relation(value.rows[i][j], number, printed.units[i][j])


def agreeing(printed: Printed, true: Balls) -> int:
    """How many numbers of a print are right."""
    return sum(_relation(printed, true, place) in RIGHT for place in printed.places())


def finding(printed: Printed, place: Place, judgement: Judgement, true: Balls) -> Finding:
    """What is said of the number at a place."""
    i, j = place
    right = None if place in true.hidden else bounds(true.rows[i][j])
    text, unit = printed.texts[i][j], printed.units[i][j]
    return Finding(i + 1, j + 1, text, unit, right, judgement.verdict, judgement.because)


def mended(printed: Printed, bad: Collection[Place], true: Balls) -> Balls:
    """The print with its wrong entries replaced by the right rounding."""
    rows = [list(row) for row in printed.values]
    for i, j in bad:
        rows[i][j] = None if (i, j) in true.hidden else rounded_to(true.rows[i][j], printed.units[i][j])
    return enclosed(rows)


def _with_entry(base: Balls, other: Balls, at: Place) -> Balls:
    rows = [list(row) for row in base.rows]
    rows[at[0]][at[1]] = other.rows[at[0]][at[1]]
    return Balls(base.shape, None, tuple(map(tuple, rows)), base.hidden)


def _cell(expression: f.Expression, place: Place) -> f.Expression:
    if isinstance(expression, f.Matrix) and place[0] < len(expression.rows):
        return expression.rows[place[0]][place[1]]
    return expression
