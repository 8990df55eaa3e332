"""A printed matrix against its formula: a verdict for each number, from how somebody may have come to it.

In this order: right from the true values; right from what was printed before, mended (or rounded in between); right
for inputs that are rounded prints themselves; following from something printed wrong; nearly right; wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from symattn.checking.causes import Causes
from symattn.checking.findings import BAD, Cause, Finding, Place, Reading, Verdict
from symattn.checking.semantics.environment import CORRECTED, FINE, PRINTED, Choice, Environment, Mixture
from symattn.checking.semantics.evaluation import NoValueError, evaluate, try_evaluate
from symattn.checking.semantics.literals import (
    THREE_DECIMALS,
    Literals,
    entry_differs,
    is_again,
    lost_decimals,
    meant,
    misses_one,
    repeats_wrong,
    rounds_up,
    with_long_literals,
    within_prints,
    wrong_in_cell,
    wrong_literals,
)
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.enclosures import bounds
from symattn.values.printed import (
    enclose,
    has_one_digit,
    is_larger,
    is_manifold,
    is_vast,
    may_round_to,
    relation,
    rest_of,
    round_to,
    unit_to_tell,
)

_MASKED = 10_000  # and more below 0 a program puts in the place of −∞
RIGHT = ("exact", "rounded", "truncated")
Cell = tuple[Fraction | None, Fraction, str, tuple[int, int]]  # a number or −∞, its unit, its text and where it stands


@dataclass(frozen=True)
class Printed:
    """A printed side: a table of numbers (None for −∞) with their units and texts."""

    values: tuple[tuple[Fraction | None, ...], ...]
    units: tuple[tuple[Fraction, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[tuple[int, int], ...], ...]
    left_out: frozenset[Place] = frozenset()  # entries that are not printed

    @staticmethod
    def of(rows: Sequence[Sequence[Cell]], left_out: frozenset[Place] = frozenset()) -> Printed:
        """The table of these cells."""
        values, units, texts, spans = zip(*(zip(*row, strict=True) for row in rows), strict=True)
        return Printed(values, units, texts, spans, left_out)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.values), len(self.values[0])

    def places(self) -> Sequence[Place]:
        return self._places

    @cached_property
    def _places(self) -> tuple[Place, ...]:
        rows, columns = self.shape
        every = itertools.product(range(rows), range(columns))
        return tuple(place for place in every if place not in self.left_out)

    def turned(self) -> Printed:
        """A row as a column."""
        tables = (self.values, self.units, self.texts, self.spans)
        values, units, texts, spans = (tuple(zip(*table, strict=True)) for table in tables)
        return Printed(values, units, texts, spans, frozenset((j, i) for i, j in self.left_out))

    def about(self) -> Printed:
        """With the noughts that whole numbers end in as places that were not said: 39,000 to the thousands."""
        units = tuple(
            tuple(u if v is None or u != 1 else _last_place(v) for v, u in zip(values, units, strict=True))
            for values, units in zip(self.values, self.units, strict=True)
        )
        return replace(self, units=units)

    @cached_property
    def as_given(self) -> Balls:
        return enclose(self.values)

    def as_ranges(self, *, rounded: bool = False) -> Balls | None:
        """Half a unit to both sides where the numbers are rounded prints themselves: said so, or of four decimals."""
        fine = [u for row in self.units for u in row if u <= FINE or (rounded and u < 1)]
        return self._within_halves(Fraction(1, 10)) if fine else None

    def as_prints(self) -> Balls | None:
        """Half a unit to both sides of the numbers that may be rounded prints: those of two decimals and more."""
        return self._within_halves(Fraction(1, 100)) if any(u < 1 for row in self.units for u in row) else None

    def as_run(self) -> Balls | None:
        """Half a unit to both sides of what a program printed, which leaves out zeros at the end: of the finest one."""
        unit = min(u for row in self.units for u in row)
        return enclose(self.values, [[unit / 2] * len(row) for row in self.units]) if unit < 1 else None

    def _within_halves(self, largest: Fraction) -> Balls:
        return enclose(self.values, [[u / 2 if u <= largest else Fraction(0) for u in row] for row in self.units])


def table_of_prints(side: f.Expression) -> Printed | None:
    """A side that is printed as numbers, as a table; None where cells are left out or are no numbers."""
    rows = side.rows if isinstance(side, f.Matrix) else ((side,),)
    if not any(rows):
        return None
    cells = [[cell for c in row if (cell := printed_cell(c)) is not None] for row in rows]
    return Printed.of(cells) if all(len(row) == len(rows[0]) for row in cells) else None


def printed_cell(cell: f.Expression) -> Cell | None:
    """A number or −∞ as it is printed; None for anything else."""
    if isinstance(cell, f.Number):
        return cell.value, cell.places, cell.text, (cell.start, cell.end)
    is_masked = isinstance(cell, f.Infinity) and cell.sign < 0
    return (None, _ONE, "-∞", (cell.start, cell.end)) if is_masked else None


_ONE = Fraction(1)
_SEVENTH = Fraction(1, 10**7)


def _last_place(value: Fraction) -> Fraction:
    digits = str(value.numerator)
    return Fraction(10 ** (len(digits) - len(digits.rstrip("0")))) if value else _ONE


@dataclass(frozen=True)
class Definition:
    """A side that says what is printed after it, with what it uses."""

    expression: f.Expression
    true: Balls
    used: tuple[f.Expression, ...]
    written: Balls  # with the numbers in it as they are written, even rows of them that were printed wrong before
    rounded: bool = field(
        default=False, kw_only=True
    )  # whether ≈ says of its decimals that they are, its left side unknown

    @property
    def symbolic(self) -> bool:
        return bool(self.used)

    @property
    def mended(self) -> bool:
        """Whether rows written in it were printed wrong before."""
        return self.written is not self.true

    def reckoned(
        self, environment: Environment, choice: Choice, *, ranged: Fraction | None = None, mend: bool = False
    ) -> Balls | None:
        """The value for a choice of versions of what it uses; None where it has none."""
        named = self.expression in self.used or isinstance(self.expression, f.Name)  # of an entry there are no parts
        whole = None if named else self.expression
        rights = environment.wrong_rows.rights(self.expression) if mend else None
        tables = [part for part in f.walk(self.expression) if isinstance(part, f.Matrix)] if self.rounded else []
        cells = {id(cell) for table in tables for row in table.rows for cell in row}  # a lone 0.1 is chosen

        def fine(n: f.Number) -> bool:
            return n.places <= (ranged or 0) and (id(n) in cells or not has_one_digit(n.value, n.places))

        lookup = environment.lookup(choice, whole=whole, ranged=fine if ranged else None, mend=mend, rights=rights)
        return try_evaluate(self.expression, lookup)


def define(
    expression: f.Expression, environment: Environment, *, by_parts: bool = False, whole: f.Expression | None = None
) -> Definition:
    """Reckon a side from the true values, of its parts even if it has a value itself; or raise NoValueError.

    `whole` is the side of which it is a part, in which a wrong row is known again.
    """
    used: dict[f.Expression, None] = {}
    environment.note_convention(expression)
    written = evaluate(expression, environment.lookup(used=used, whole=expression if by_parts else None))
    if is_vast(written):
        raise NoValueError("value_too_large")
    rights = environment.wrong_rows.rights(whole or expression)
    true = (
        evaluate(expression, environment.lookup(whole=expression if by_parts else None, rights=rights))
        if rights
        else written
    )
    return Definition(expression, true, tuple(sorted(used, key=lambda e: e.start)), written)


def try_define(
    expression: f.Expression, environment: Environment, *, by_parts: bool = False, whole: f.Expression | None = None
) -> Definition | None:
    """What `define` gives, or None where it raises."""
    try:
        return define(expression, environment, by_parts=by_parts, whole=whole)
    except NoValueError:
        return None


def define_like(printed: Printed, expression: f.Expression, environment: Environment) -> Definition | None:
    """What `define` gives, where that has the shape of a print."""
    definition = try_define(expression, environment)
    return definition if definition is not None and definition.true.shape == printed.shape else None


class Judgement(NamedTuple):
    verdict: Verdict
    because: Cause | None = None


class Judge:
    """Judges one printed table against the definitions before it."""

    def __init__(
        self,
        printed: Printed,
        definitions: Sequence[Definition],
        environment: Environment,
        ranged: Balls | None,
        *,
        sign: str = "",
        inside: bool = False,
    ) -> None:
        self.sign = sign  # what stands before the print, if that is known
        self.inside = inside  # whether it is a number in a side that goes on to be worked out, sin(1/4) = sin(0.25)
        self.printed, self.environment, self.ranged = printed, environment, ranged
        self.definitions = definitions
        self.true = definitions[0].true
        self.open: set[Place] = set(printed.places())
        self._own: list[Balls] = []  # values that earlier rounding gives
        self.found: dict[Place, Judgement] = {}

    def judge(self) -> dict[Place, Judgement]:
        alone = self.sign == "=" and self.printed.shape == (1, 1)
        lone = (
            alone
            and not self.inside
            and self.printed.units == ((_ONE,),)
            and self._relation(self.true, (0, 0)) != "exact"
        )
        sides = [d.expression for d in self.definitions]
        repeats = repeats_wrong(sides[0], self.environment)
        if lone and not repeats and lost_decimals(sides, self.printed.values[0][0], self.environment):
            return {(0, 0): Judgement("wrong")}
        if not repeats and self.misses_one():
            return {(0, 0): Judgement("wrong")}
        for definition in self.definitions:
            if definition is self.definitions[0] or self._as_good(definition):
                self._settle(definition.true, "{}", carried=definition.written if definition.mended else None)
        if self.open and repeats:
            self._settle(self.definitions[0].reckoned(self.environment, {}, mend=True) or self.true, "{}")
        for level in (CORRECTED, PRINTED) if self.open else ():
            if level == PRINTED and self.ranged is not None:
                self._excuse_within(self.ranged, but=self._denied())
            self._arithmetic(level)
            self._mixtures(level)
            if level == CORRECTED:
                self._meant()
            else:
                self._loosely()
        self._rounded_literals()
        self._printed_finer()
        self._printed_by_program()
        for place in sorted(self.open):
            near = self._relation(self.true, place) == "near"
            near &= not (
                alone and is_manifold(self.printed.values[0][0], self.true.rows[0][0], self.printed.units[0][0])
            )
            computed = near and (self._was_computed(place) or self._is_written_so(place))
            self.found[place] = Judgement("intermediate" if computed else "last-digit" if near else "wrong")
        return self.found

    def misses_one(self) -> bool:
        """Whether shares are added up to 1 behind =, and as they are printed they are not."""
        if self.sign != "=" or self.inside or self.printed.shape != (1, 1):
            return False
        sides = [d.expression for d in self.definitions]
        return misses_one(sides, self.printed.values[0][0], self.printed.units[0][0], self.environment)

    def _was_computed(self, place: Place) -> bool:
        """Whether a number of three digits, off in its last one, was a right print of rounded numbers before.

        That excuses what is said of it by names, and no calculation that is written out.
        """
        value, unit = self.printed.values[place[0]][place[1]], self.printed.units[place[0]][place[1]]
        if value is None or unit >= 1 or abs(value) < 100 * unit or not self.definitions[0].symbolic:
            return False
        return any(may_round_to(ball, value, unit) for ball in self.environment.meant_by(value))

    def _is_written_so(self, place: Place) -> bool:
        """Whether a number off in its last digit is right from the numbers beside it: the slip is one of these."""
        return any(
            not d.symbolic and d.written.shape == self.printed.shape and self._relation(d.written, place) == "rounded"
            for d in self.definitions[1:]
        )

    def own(self) -> Balls | None:
        """What the author's rounding gives, 58/1.414 rather than 58/√2: a value that explains all that is right."""
        right = [place for place, judgement in self.found.items() if judgement.verdict not in (*BAD, "last-digit")]
        return next((v for v in self._own if all(self._relation(v, place) in RIGHT for place in right)), None)

    def _relation(self, value: Balls, place: Place) -> str:
        """Who prints decimals elsewhere does not cut others off to whole numbers."""
        found = relation_at(self.printed, value, place)
        whole = found == "truncated" and self.printed.units[place[0]][place[1]] >= 1
        return "near" if whole and self.environment.keeps_decimals else found

    def _as_good(self, definition: Definition) -> bool:
        """Whether a later side is as good as the first: one in symbols. Its own numbers might have a slip.

        Where the first takes d_k from the width of the keys, a number in its place is what the author says instead.
        """
        if not definition.symbolic:
            return False
        numbers = any(isinstance(part, f.Number) for part in f.walk(definition.expression))
        return not numbers or self.environment.assumes_size(self.definitions[0].expression)

    def _close(self, place: Place, judgement: Judgement) -> None:
        self.found[place] = judgement
        self.open.discard(place)

    def _settle(self, value: Balls, verdict: str, causes: Sequence[Cause] = (), carried: Balls | None = None) -> None:
        """Close every place that a value explains; "{}" keeps the relation as the verdict.

        A number is not cut off where it is just what follows from wrong ones, the value `carried`.
        """
        if value.shape != self.printed.shape:
            return
        cuts = verdict != "intermediate" or not self._rounds_up(value)
        for place in list(self.open):
            how = self._relation(value, place)
            if how == "truncated" and carried is not None and self._relation(carried, place) in RIGHT[:2]:
                continue
            if how in RIGHT and (cuts or how != "truncated"):
                said = how if verdict == "{}" or (verdict == "intermediate" and how == "truncated") else verdict
                self._close(place, Judgement(said, causes[0] if causes else None))  # type: ignore[arg-type]

    def _rounds_up(self, value: Balls) -> bool:
        """Whether a number of the print is larger than its value: who rounds here does not cut off there."""
        return any(
            number is not None and self._relation(value, (i, j)) == "rounded" and is_larger(number, value.rows[i][j])
            for i, row in enumerate(self.printed.values)
            for j, number in enumerate(row)
        )

    def _arithmetic(self, level: int) -> None:
        """Numbers written out, 400/1.414: they explain a result as far as they are right, or were printed before."""
        main, *others = self.definitions
        if level == PRINTED and main.mended:
            self._settle(main.written, "carried", wrong_literals(main.expression, self.environment))
        for definition in others:
            if definition.written.shape != self.printed.shape or self._as_good(definition):
                continue
            explained = {p: how for p in self.open if (how := self._relation(definition.written, p)) in RIGHT}
            if level == CORRECTED and explained:
                literals = Literals(definition.expression, self.environment)
                for place, how in explained.items():
                    if definition.mended and self._relation(definition.true, place) not in RIGHT:
                        continue  # it has the wrong number, which is no rounding
                    if literals.cover(self.true, place):
                        self._own.append(definition.true)
                        self._close(place, Judgement("truncated" if how == "truncated" else "intermediate"))
            if level == PRINTED:
                for place in explained:
                    causes = wrong_in_cell(definition.expression, place, self.environment)
                    if causes:
                        self._close(place, Judgement("carried", causes[0]))

    def _meant(self) -> None:
        """Numbers written out that are rounded prints themselves, as thirds are, may have been more exact."""
        main = self.definitions[0]
        decimals = [p.value for p in f.walk(main.expression) if isinstance(p, f.Number) and p.places < 1]
        wrong = [v for v in decimals if self.environment.numbers.get(v) and not self.environment.meant_by(v)]
        if not self.open or main.mended or wrong:
            return
        cuts = not rounds_up(main.expression, self.environment)
        for value in meant(main.expression, self.environment):
            for place in sorted(self.open) if value.shape == self.printed.shape else ():
                how = self._relation(value, place)
                if how in ("exact", "rounded") or (how == "truncated" and cuts):
                    self._close(place, Judgement("truncated" if how == "truncated" else "intermediate"))

    def _rounded_literals(self) -> None:
        """Numbers of three decimals of which nothing was known are rounded prints: 0.230 + 0.230 may be 0.461."""
        main = self.definitions[0]
        decimals = [part for part in f.walk(main.expression) if isinstance(part, f.Number) and part.places < 1]
        if self.open and (main.mended or repeats_wrong(main.expression, self.environment)):
            self._of_mended(main.expression)
        known = within_prints(main.expression, self.environment) if self.open else None  # by their digits alone
        if known is not None and known.shape == self.printed.shape:
            self._excuse_within(known)
        if self.open and not main.symbolic and decimals:
            about = Literals(main.expression, self.environment)  # 6 − 5.93 × 10⁻⁵ says more than 0.9988 can show
            self._excuse(lambda at, x, unit: rest_of(x, unit) is not None and about.may_print(at, x, unit))
            self._excuse_within(with_long_literals(main.expression, self.environment))
        if not self.open or main.symbolic or len(decimals) < 2 or any(p.places > THREE_DECIMALS for p in decimals):
            return
        if all(p.value in self.environment.judged for p in decimals):
            return
        literals = Literals(main.expression, self.environment)
        rows = main.true.rows
        self._excuse(lambda at, x, u: may_round_to(rows[at[0]][at[1]], x, 2 * u) and literals.may_print(at, x, u))

    def _printed_finer(self) -> None:
        """An entry or a row of decimals that were given, now with more of their digits: 0.9442 after 0.94."""
        main = self.definitions[0]
        if not self.open or not isinstance(main.expression, f.Name | f.Entry):
            return
        known = ((key, self.environment.stated.get(key)) for key in main.used)
        choice = {key: s.loose for key, s in known if s is not None and s.loose is not None}
        prints = main.reckoned(self.environment, choice) if choice else None
        if prints is not None and prints.shape == self.printed.shape:
            self._excuse(lambda place, number, _: may_round_to(prints.rows[place[0]][place[1]], number, Fraction(0)))

    def _printed_by_program(self) -> None:
        """Seven decimals and more of what follows from numbers rounded before: a program has these unrounded.

        Three digits of an input are off by some ten-thousandths at most.
        """
        if not self.open or self.true.shape != self.printed.shape:
            return
        known = (self.environment.stated.get(name) for name in self.environment.needs(self.definitions[0].used))
        used = [stated for stated in known if stated is not None]
        if any(s.loose or any(_is_rounded(p.mended, s.true) for p in s.prints) for s in used):
            rows = self.true.rows
            self._excuse(lambda at, x, unit: unit <= _SEVENTH and may_round_to(rows[at[0]][at[1]], x, abs(x) / 5_000))

    def _excuse(self, fits: Callable[[Place, Fraction, Fraction], bool]) -> None:
        """Every open number that fits as a rounded one, with its unit, is what follows from rounded numbers."""
        for i, j in sorted(self.open):
            printed, unit = self.printed.values[i][j], self.printed.units[i][j]
            if printed is not None and fits((i, j), printed, unit):
                self._close((i, j), Judgement("input-rounding"))

    def _excuse_within(self, ranges: Balls, but: Collection[Place] = ()) -> None:
        """Every open number that may be one of a range; one that is written once more is itself in it."""
        again = is_again(self.definitions[0].expression, self.environment)
        fits = (lambda ball, x, _: may_round_to(ball, x, Fraction(0))) if again else may_round_to
        barred = {*ranges.hidden, *but}
        self._excuse(lambda at, x, unit: at not in barred and fits(ranges.rows[at[0]][at[1]], x, unit))

    def _denied(self) -> set[Place]:
        """Where a calculation that is written out does not come to the print: it says what was put in for a range."""
        plain = (d for d in self.definitions[1:] if not d.symbolic and d.true.shape == self.printed.shape)
        judged = (Judge(self.printed, [d], self.environment, None).judge() for d in plain if self._sound(d))
        return {place for found in judged for place, judgement in found.items() if judgement.verdict in BAD}

    def _of_mended(self, expression: f.Expression) -> None:
        """What follows from a number printed wrong, of which no more digits are known than it has."""
        mended = self.environment.lookup(
            ranged=lambda n: (n.value, n.places) in self.environment.mends, mend=True, whole=expression
        )
        self._excuse_within(evaluate(expression, mended))

    def _sound(self, definition: Definition) -> bool:
        """Whether a side says the same as the first, but for the rounding of numbers written in it."""
        if definition is self.definitions[0] or self._as_good(definition):
            return True
        about = Literals(definition.expression, self.environment)
        return all(about.cover(self.true, place) for place in self.printed.places())

    def _mixtures(self, level: int) -> None:
        for definition in self.definitions:
            if not definition.symbolic or not self._sound(definition):
                continue
            for mixture in self.environment.mixtures(definition.used, level) if self.open else ():
                if not self.open:
                    return
                mend = level == CORRECTED and definition.mended
                value = definition.reckoned(self.environment, mixture.choice, mend=mend)
                if value is None:
                    continue
                if level == CORRECTED:
                    before = len(self.open)
                    self._settle(value, "intermediate")
                    self._own += [value] if len(self.open) < before else []
                else:
                    self._carry(definition, mixture, value)

    def _loosely(self) -> None:
        """What was computed from wrong numbers before these were rounded."""
        for definition in self.definitions:
            if not definition.symbolic or not self._sound(definition):
                continue
            for mixture in self.environment.mixtures(definition.used, PRINTED) if self.open else ():
                loose = {key: print_.loose for key, print_ in mixture.wrong if print_.loose is not None}
                if loose:
                    self._carry_loose(definition, mixture, {**mixture.choice, **loose})

    def _carry_loose(self, definition: Definition, mixture: Mixture, loose: Choice) -> None:
        value = definition.reckoned(self.environment, mixture.choice)
        ranges = definition.reckoned(self.environment, loose)
        if value is None or ranges is None:
            return
        causes = Causes(definition.true.shape, mixture, lambda choice: definition.reckoned(self.environment, choice))
        for i, j in sorted(self.open) if ranges.shape == self.printed.shape else ():
            printed, unit = self.printed.values[i][j], self.printed.units[i][j]
            if printed is None or (i, j) in ranges.hidden or not entry_differs(value, self.true, (i, j)):
                continue
            if may_round_to(ranges.rows[i][j], printed, unit):
                self._close((i, j), Judgement("carried", causes.of((i, j))))

    def _carry(self, definition: Definition, mixture: Mixture, value: Balls) -> None:
        if value.shape != self.printed.shape:
            return
        causes = Causes(definition.true.shape, mixture, lambda choice: definition.reckoned(self.environment, choice))
        for place in sorted(self.open):
            if self._relation(value, place) in RIGHT:
                self._close(place, Judgement("carried", causes.of(place)))


def _is_rounded(print_: Balls, true: Balls) -> bool:
    """Whether an entry of a print is not what it is the print of."""
    pairs = (
        (a, b) for row, other in zip(print_.rows, true.rows, strict=False) for a, b in zip(row, other, strict=False)
    )
    return print_.shape == true.shape and not print_.hidden and any(not a.overlaps(b) for a, b in pairs)


def relation_at(printed: Printed, value: Balls, place: Place) -> str:
    """How the number printed at a place relates to that of a value: see `relation`; "far" where one is −∞.

    −∞ is what the −10⁹ of a mask is meant for, and printed as; programs that fill it in print −10⁹ for −∞.
    """
    i, j = place
    number = printed.values[i][j]
    if number is None:
        return "exact" if place in value.hidden or value.rows[i][j] <= -_MASKED else "far"
    if place in value.hidden:
        return "exact" if number <= -_MASKED else "far"
    return relation(value.rows[i][j], number, printed.units[i][j], printed.texts[i][j])


def right_places(printed: Printed, true: Balls) -> set[Place]:
    """Where the numbers of a print are right."""
    if true.shape != printed.shape:
        return set()
    return {place for place in printed.places() if relation_at(printed, true, place) in RIGHT}


def is_all_right(printed: Printed, true: Balls) -> bool:
    """Whether every number of a print is right."""
    return agreeing(printed, true) == len(printed.places())


def agreeing(printed: Printed, true: Balls) -> int:
    """How many numbers of a print are right."""
    return len(right_places(printed, true))


def finding(
    printed: Printed,
    place: Place,
    judgement: Judgement,
    true: Balls,
    because: Cause | Reading | None = None,
    span: tuple[int, int] | None = None,
    own: Balls | None = None,
) -> Finding:
    """What is said of the number at a place, which stands at `span` in the source; `own` is `Judge.own`."""
    i, j = place
    right = None if place in true.hidden else bounds(true.rows[i][j])
    instead = None if own is None or place in own.hidden else bounds(own.rows[i][j])
    text, unit = printed.texts[i][j], printed.units[i][j]
    if judgement.verdict == "wrong" and right is not None:
        unit = unit_to_tell(true.rows[i][j], printed.values[i][j], unit, lone=printed.shape == (1, 1))
    return Finding(i + 1, j + 1, text, unit, right, judgement.verdict, because or judgement.because, span, instead)


def correct_prints(printed: Printed, bad: Collection[Place], true: Balls) -> Balls:
    """The print with its wrong entries replaced by the right rounding."""
    if not bad:
        return printed.as_given
    rows = [list(row) for row in printed.values]
    for i, j in bad:
        rows[i][j] = None if (i, j) in true.hidden else round_to(true.rows[i][j], printed.units[i][j])
    return enclose(rows)
