"""How many places the decimals of a step have, so that a page agrees with itself.

Rows of weights sum to 1 as they are printed, and what is calculated again from printed numbers comes out as printed: a
product from its factors, and weights from their scores where these are told as decimals alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Any

from sympy import Integer, preorder_traversal
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import (
    AddRow,
    Biased,
    Concat,
    DivideRows,
    Hadamard,
    Masked,
    Plus,
    RotaryEmbedding,
    RotatedBack,
    RowNorm,
    ScaleColumns,
    Scaled,
    SigmoidWeights,
    SinkSoftmax,
    Softmax,
    SubtractColumn,
)
from symattn.pages.numbers.cells import LONGEST_DECIMAL, Cells, as_decimal, is_short
from symattn.pages.numbers.turns import Turns, turns_of
from symattn.program.steps import Program, Step
from symattn.values import Valuation
from symattn.values.decimals import Near, Shown

FEWEST, USUAL, MOST = 2, 4, 5
MOST_OF_DIGITS = 7  # of values that are known by their digits alone, of which no exact form says more
MOST_ENTRIES, MOST_PRODUCTS = 400, 2_000  # beyond them nothing is calculated again by hand
DIGITS = 50  # of roots: many more than any print has
FARTHEST = 40  # powers of ten that a reader calculates with


@dataclass(frozen=True)
class Places:
    """The places of each step: so many for all (`fixed`), or as few as agree."""

    program: Program
    cells: Cells
    rounding: bool = False  # whether there may be decimals without an exact value beside them
    fixed: int | None = None
    _known: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    _tables: dict[tuple[str, int], list[list[Any]]] = field(default_factory=dict, compare=False, repr=False)
    _open: set[str] = field(default_factory=set, compare=False, repr=False)  # whose places are being looked for

    @property
    def values(self) -> Valuation:
        return self.cells.values

    def shown(self, name: str, i: int, j: int, places: int) -> Shown | Near | None:
        """Entry (i, j), counted from 0, to so many places; where these are fixed, neither more nor fewer."""
        return self.values.shown(name, i, j, places=places, exactly=self.fixed is not None)

    def of(self, name: str) -> int:
        """How many places the decimals of a step have."""
        return self.fixed if self.fixed is not None else self._settle(name)

    def agrees(self, name: str) -> bool:
        """Whether with so many places rows sum to 1 and what is made of the step comes out as printed."""
        if self.fixed is None and self._is_large(name):
            return self._slope_comes_out(name)
        places = self.of(name)
        return self._fits(name, places) and self._follows(name, places) and self._slope_comes_out(name)

    def sums_to_one(self, name: str) -> bool:
        """Whether the rows of a step sum to 1 as printed, if they are weights."""
        return not self._is_distribution(name) or self._sums_to(1, name, self.of(name))

    def _settle(self, name: str) -> int:
        if name not in self._known:
            columns = self.values.exact[name].shape[1]
            least = FEWEST + len(str(columns)) - 1 if self._is_weights(name) else FEWEST
            self._known[name] = least
            if not self._is_large(name):
                self._open.add(name)
                least = max([self._legible(name, least), *(self.of(step.name) for step in self._passed_on(name))])
                most = MOST if self.values.exact[name].is_written else MOST_OF_DIGITS
                fitting = (p for p in range(least, most + 1) if self._fits(name, p))
                found = next(fitting, None)
                self._known[name] = max(least, USUAL) if found is None else found
                self._open.remove(name)
        return self._known[name]

    def _is_large(self, name: str) -> bool:
        rows, columns = self.values.exact[name].shape
        return rows * columns > MOST_ENTRIES

    def _legible(self, name: str, least: int) -> int:
        """The fewest places with which a matrix is written in one way: what the usual places tell plainly, so do these.

        Its largest entry has two digits that say something: 0.0247 rather than 0.02.
        """
        rows, columns = self.values.exact[name].shape
        usual = {(i, j) for i in range(rows) for j in range(columns) if self._plain(name, i, j, USUAL) is not None}
        for places in range(least, MOST):
            numbers = [self._plain(name, i, j, places) for i, j in usual]
            largest = max((x.adjusted() for x in numbers if x), default=0)
            if None not in numbers and largest > -places:
                return places
        return max(least, MOST) if usual else least

    def _plain(self, name: str, i: int, j: int, places: int) -> Decimal | None:
        """An entry as it is printed, if that takes no more than so many places."""
        shown = self.shown(name, i, j, places)
        if not isinstance(shown, Shown) or not shown.number.is_finite():
            return None
        return shown.number if int(shown.number.as_tuple().exponent) >= -places else None

    def _passed_on(self, name: str) -> Iterator[Step]:
        """The steps that show entries of this one as they are."""
        for step, operand in self._uses(name):
            shown = step.expression
            while isinstance(shown, Masked | Biased):  # a mask of scores with a bias
                shown = shown.args[0]
            if shown == operand and shown != step.expression:
                yield step

    def _uses(self, name: str) -> Iterator[tuple[Step, Any]]:
        symbol = self._symbols.get(name)
        return ((step, symbol) for step in self._users.get(symbol, ()))

    @cached_property
    def _users(self) -> Mapping[Any, list[Step]]:
        """The steps that are made of each symbol of a step."""
        found: dict[Any, list[Step]] = {symbol: [] for symbol in self._symbols.values()}
        for step in self.program:
            for part in {*preorder_traversal(step.expression)} & found.keys():
                found[part].append(step)
        return found

    @cached_property
    def _symbols(self) -> Mapping[str, Any]:
        return {step.name: step.symbol for step in self.program}

    def printed(self, name: str, i: int, j: int) -> Decimal | Fraction | None:
        """The number that stands on the page; None for −∞, what is no number, roots, and what is tiny or huge."""
        return self._printed(name, i, j, self.of(name))

    def _is_weights(self, name: str) -> bool:
        step = self.program[name] if name in self._symbols else None
        return (
            step is not None
            and step.role in ("weights", "probabilities")
            and not isinstance(step.expression, SigmoidWeights)
        )

    def _is_distribution(self, name: str) -> bool:
        """Whether rows sum to 1 exactly, so that they should as they are printed; a sink takes its share of them."""
        return self._is_weights(name) and not isinstance(self.program[name].expression, SinkSoftmax)

    def _fits(self, name: str, places: int) -> bool:
        if self._is_distribution(name) and not self._sums_to(1, name, places):
            return False
        if self._is_slope(name) and not self._sums_to(0, name, places):
            return False
        return all(self._comes_out(user, name, places) for user in self._users_of(name, False))

    def _follows(self, name: str, places: int) -> bool:
        """Whether products and differences entry by entry, and concatenations, come out; no places are chosen by it."""
        return all(self._comes_out(user, name, places) for user in self._users_of(name, True))

    def _users_of(self, name: str, followed: bool) -> Iterator[Step]:
        return (user for user, _ in self._uses(name) if isinstance(user.expression, _FOLLOWED) == followed)

    def _is_slope(self, name: str) -> bool:
        """Whether it is the gradient of scores by way of their softmax, whose rows sum to 0."""
        step = self.program[name] if name in self._symbols else None
        return step is not None and step.by is not None and step.because in ("softmax", "softmax.seen")

    def _slope_comes_out(self, name: str) -> bool:
        """Whether the gradient of scores is A ∘ (dA − δ1ᵀ) of what is printed of these; places are not chosen by it."""
        if not self._is_slope(name):
            return True
        return self._are_printed(self._calculated(self.program[name].expression, name, self.of(name)), name)

    def _sums_to(self, total: int, name: str, places: int) -> bool:
        rows, columns = self.values.exact[name].shape
        for i in range(rows):
            row = [x for x in (self._printed(name, i, j, places) for j in range(columns)) if isinstance(x, Decimal)]
            plain = len(row) == columns and all(-int(x.as_tuple().exponent) <= places for x in row)
            if plain and sum(row, Decimal(0)) != (0 if self._is_empty(name, i) else total):
                return False
        return True

    def _is_empty(self, name: str, i: int) -> bool:
        """Whether a row, from 0, is of zeros: what a row that sees no key may become."""
        closed = [self.values.exact[name].closed(i, j) for j in range(self.values.exact[name].shape[1])]
        return all(x is not None and x.integer == 0 for x in closed)

    def _comes_out(self, step: Step, name: str, places: int) -> bool:
        """Whether a step calculated from what is printed is what is printed of it."""
        return self._are_printed(self._again(step, name, places), step.name)

    def _are_printed(self, again: list[list[Any]], name: str) -> bool:
        places = ((i, j, x) for i, row in enumerate(again) for j, x in enumerate(row))
        return all(x is None or self.is_printed(x, name, i, j) for i, j, x in places)

    def _again(self, step: Step, name: str, places: int) -> list[list[Any]]:
        """A step calculated from what is printed, where so many places are tried of `name`; nothing where it is not."""
        e = step.expression
        rows, columns = self.values.exact[step.name].shape
        if isinstance(e, Softmax | SinkSoftmax) and e.args[0].is_symbol:
            if not self._tells_decimals(name) and self.values.exact[name].is_closed:
                return []
            sink = [sink_in_decimals(e)] if isinstance(e, SinkSoftmax) else []
            if None in sink:
                return []
            scores = ([self._printed(name, i, j, places) for j in range(columns)] for i in range(rows))
            return [_softmax([*row, *sink])[:columns] for row in scores]
        if isinstance(e, RotaryEmbedding | RotatedBack) and e.args[0].is_symbol:
            turns = turns_of(step, self.values.sizes)
            return [] if turns is None else self._turn(turns, name, places)
        if isinstance(e, DivideRows) and e.args[1] != self._symbols.get(name):
            return []  # of a quotient the divisor alone decides
        if isinstance(e, Hadamard) and not all(map(_is_named, e.args)):
            return []  # the gradient of scores
        return self._calculated(e, name, places) if isinstance(e, _CALCULATED | _FOLLOWED) else []

    def _calculated(self, e: Any, name: str, places: int) -> list[list[Any]]:
        """A matrix that is named, or made of named ones by a product or a quotient, or by the slope of a softmax."""
        if _is_named(e):
            return self._entries(e, name, places)
        if isinstance(e, AddRow | ScaleColumns) and _is_named(e.args[1]):
            with_row = _more if isinstance(e, AddRow) else _times
            made, (row,) = self._calculated(e.args[0], name, places), self._entries(e.args[1], name, places)
            return [[with_row(x, y) for x, y in zip(line, row, strict=True)] for line in made]
        if isinstance(e, DivideRows | SubtractColumn) and all(map(_is_named, e.args)):
            by = _over if isinstance(e, DivideRows) else _less
            whole, column = (self._entries(x, name, places) for x in e.args)
            return [[by(x, y[0]) for x in row] for row, y in zip(whole, column, strict=True)]
        if isinstance(e, RowNorm) and _is_named(e.args[0]):
            return [[_norm(row, e)] for row in self._entries(e.args[0], name, places)]
        if isinstance(e, Scaled):
            factor = e.factor.xreplace({s: Integer(n) for s, n in self.values.sizes.items()})
            return [[_scaled(x, factor) for x in row] for row in self._calculated(e.args[0], name, places)]
        if isinstance(e, Plus):
            terms = [self._calculated(x, name, places) for x in e.args]
            together = zip(*terms, strict=True) if all(terms) else ()
            return [[_dot(entries, [1] * len(entries)) for entries in zip(*rows, strict=True)] for rows in together]
        if isinstance(e, Concat) and all(map(_is_named, e.args)):
            parts = [self._entries(x, name, places) for x in e.args]
            return [[x for row in rows for x in row] for rows in zip(*parts, strict=True)]
        if isinstance(e, Hadamard):
            both = [self._calculated(x, name, places) for x in e.args]
            pairs = zip(*both, strict=True) if all(both) else ()
            return [[_dot([x], [y]) for x, y in zip(*rows, strict=True)] for rows in pairs]
        if isinstance(e, MatMul) and len(e.args) == 2 and all(map(_is_named, e.args)):
            rows, inner, columns = (int(self._size(n)) for n in (*e.args[0].shape, e.args[1].shape[1]))
            return [] if rows * inner * columns > MOST_PRODUCTS else self._product(e.args, name, places)
        return []

    def _size(self, size: Any) -> Any:
        return Integer(size) if isinstance(size, int) else size.xreplace(dict(self.values.sizes))

    def _turn(self, turns: Turns, name: str, places: int) -> list[list[Any]]:
        made: list[list[Any]] = []
        for angles, row in zip(turns.rounded, self._entries(turns.operand, name, places), strict=True):
            made.append([])
            for j, (pair, partner, sign) in enumerate(turns.places):
                known = pair >= 0 and row[j] is not None and row[partner] is not None
                cos, sin = angles[pair] if known else (0, 0)
                made[-1].append(Fraction(row[j]) * cos + sign * Fraction(row[partner]) * sin if known else None)
        return made

    def _product(self, factors: Any, name: str, places: int) -> list[list[Any]]:
        left, right = (self._entries(factor, name, places) for factor in factors)
        return [[_dot(row, column) for column in zip(*right, strict=True)] for row in left]

    def _entries(self, factor: Any, name: str, places: int) -> list[list[Any]]:
        turned = isinstance(factor, Transpose)
        symbol = factor.arg if turned else factor
        step = self.program.by_symbol().get(symbol)
        own = str(symbol.name) if step is None else step.name
        rows, columns = self.values.exact[own].shape
        if rows * columns > MOST_ENTRIES:
            return [[None] * (rows if turned else columns)] * (columns if turned else rows)
        at = places if own == name or own in self._open else self.of(own)  # two factors that are open have as many
        if (own, at) not in self._tables:
            self._tables[own, at] = [[self._printed(own, i, j, at) for j in range(columns)] for i in range(rows)]
        table = self._tables[own, at]
        return [list(row) for row in zip(*table, strict=True)] if turned else table

    def _tells_decimals(self, name: str) -> bool:
        return self.rounding and self.cells.is_in_decimals(name)

    def _printed(self, name: str, i: int, j: int, places: int) -> Decimal | Fraction | None:
        value = self.values.exact[name]
        if (i, j) in value.hidden or value.undefined(i, j):
            return None
        surd, exactly = value.closed(i, j), value.is_closed and not self._tells_decimals(name)
        if surd is not None and (exactly or is_short(surd)):
            return surd.approximate(DIGITS)
        shown = self.shown(name, i, j, places)
        if isinstance(shown, Near) and shown.distance.adjusted() > -FARTHEST:
            return shown.value()
        near = isinstance(shown, Shown) and abs(shown.number.adjusted()) < FARTHEST
        return shown.number if isinstance(shown, Shown) and near else None

    def is_printed(self, x: Any, name: str, i: int, j: int) -> bool:
        """Whether a number rounds to what is printed of an entry."""
        shown = self.shown(name, i, j, self.of(name))
        if not isinstance(shown, Shown) or abs(shown.number.adjusted()) >= FARTHEST:
            return True
        last = int(shown.number.as_tuple().exponent) or -self.of(name)  # 4 among decimals is 4.00
        return abs(Fraction(x) - Fraction(shown.number)) <= Fraction(10) ** last / 2


def sink_in_decimals(softmax: SinkSoftmax) -> str | None:
    """The logit of a sink, where that is a decimal of few places."""
    logit = softmax.logit
    exact = as_decimal(Fraction(int(logit.p), int(logit.q))) if logit.is_Rational else None
    return None if exact is None or -int(exact.as_tuple().exponent) > LONGEST_DECIMAL else f"{exact:f}"


# what is calculated again by hand: places are chosen by the first, and a note says where the others do not come out
_CALCULATED = AddRow | DivideRows | MatMul | Plus | RowNorm | ScaleColumns | Scaled
_FOLLOWED = Concat | Hadamard | SubtractColumn


def _is_named(factor: Any) -> bool:
    return bool(factor.is_symbol or (isinstance(factor, Transpose) and factor.arg.is_symbol))


def _dot(row: Any, column: Any) -> Fraction | None:
    if any(x is None for x in (*row, *column)):
        return None
    return sum((Fraction(a) * Fraction(b) for a, b in zip(row, column, strict=True)), Fraction(0))


def _more(x: Any, y: Any) -> Any:
    return None if x is None or y is None else Fraction(x) + Fraction(y)


def _times(x: Any, y: Any) -> Fraction | None:
    return _dot([x], [y])


def _less(x: Any, y: Any) -> Fraction | None:
    return None if x is None or y is None else Fraction(x) - Fraction(y)


def _over(x: Any, y: Any) -> Fraction | None:
    return None if x is None or not y else Fraction(x) / Fraction(y)


def _scaled(x: Decimal | Fraction | None, factor: Any) -> Fraction | None:
    """A printed number times a factor, to many more digits than any print."""
    return None if x is None else Fraction(x) * Fraction(str(factor.evalf(DIGITS)))


def _norm(row: list[Any], norm: RowNorm) -> Decimal | None:
    """The length of a printed row, or the root of its mean square, to many more digits than any print."""
    squares = _dot(row, row)
    if squares is None:
        return None
    mean = (squares / len(row) if norm.kind == "rms" else squares) + Fraction(str(norm.args[2]))
    with localcontext() as context:
        context.prec = DIGITS
        return (Decimal(mean.numerator) / mean.denominator).sqrt()


def _softmax(row: list[Any]) -> list[Any]:
    """Softmax of printed scores, to many more digits than any print; a hidden one has weight 0."""
    known = [x for x in row if x is not None]
    if not known:
        return [None] * len(row)
    with localcontext() as context:
        context.prec = DIGITS
        scores = [None if x is None else Decimal(Fraction(x).numerator) / Fraction(x).denominator for x in row]
        top = max(x for x in scores if x is not None)
        powers = [Decimal(0) if x is None else (x - top).exp() for x in scores]
        total = sum(powers, Decimal(0))
        return [p / total for p in powers]
