"""One entry or one row of a step, spelled out: S_23 = 9·21 + 13·17 = 410, o_1 = A_11 v_1 + A_12 v_2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, partial
from typing import Any

from sympy import Integer, MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import AddRow, Concat, RowNorm, Scaled, SinkSoftmax, Softmax, divisor
from symattn.nodes.boxes import Brackets
from symattn.pages.numbers.cells import Cells, MinusInfinity, is_itself
from symattn.pages.numbers.elision import ROOM, SPARE, At, Place, itself, lay, lay_beside
from symattn.pages.numbers.indexed import Indexed, entry_of, has_name, vector
from symattn.pages.numbers.places import Places, sink_in_decimals
from symattn.pages.numbers.terms import Dots, TermByTerm, ends_of, sum_of
from symattn.program.steps import Program, Step
from symattn.values import Valuation
from symattn.values.decimals import Near, Shown
from symattn.values.exact.surds import Surd
from symattn.writing.document import (
    Box,
    Cell,
    Chain,
    Dotted,
    Formula,
    Matrix,
    Over,
    Power,
    Product,
    Quotient,
    Row,
    Signed,
    Style,
    Symbol,
    has_dots,
    write,
)
from symattn.writing.notation import VASWANI, Notation
from symattn.writing.writers import width

MOST_TERMS = 5  # a denominator of more terms than this has dots for its middle
Sides = list[tuple[str, Box]]


@dataclass(frozen=True)
class Inline:
    """A number within a sentence, a table or a sum."""

    cell: Cell

    def write(self, style: Style) -> str:
        return write(self.cell, style)


@dataclass(frozen=True)
class Expansion:
    """Spells out entries of a program's steps; without values in symbols. Indices count from 1."""

    program: Program
    known: Cells | None
    digits: int | None = None
    rounded: bool = True  # whether decimals are shown beside exact values
    notation: Notation = VASWANI  # which says how numbers stand on the page
    places: Places | None = None  # of decimals without a number of digits
    exact: bool = False  # roots and exponentials as they are, even where the input is in decimals
    elide: bool = True  # dots for what does not fit on a line

    @property
    def cells(self) -> Cells:
        assert self.known is not None
        return self.known

    @property
    def values(self) -> Valuation:
        return self.cells.values

    @cached_property
    def indexed(self) -> Indexed:
        return Indexed({} if self.known is None else self.values.sizes)

    def entry(self, step: Step, i: Any, j: Any) -> Chain:
        """Entry (i, j): its name, what it is made of, the numbers, the result. Indices: numbers, or letters."""
        numeric = self.known is not None and isinstance(i, int)
        sides: Sides = [("", self._named(step, i, j))]
        if not numeric or not self._hidden(step.name, i - 1, j - 1):
            sides += [("=", made) for made in [self._made_of(step.expression, str(i), str(j))] if made is not None]
        if numeric:
            sides += self._in_numbers(step, i - 1, j - 1)
        return Chain(tuple(sides))

    def _named(self, step: Step, i: Any, j: Any) -> Symbol:
        """The name of an entry."""
        return entry_of(step.symbol, str(i), str(j))

    def by_index(self, step: Step, i: Any = "i", j: Any = "j") -> Chain | None:
        """Entry (i, j) from entries alone: S_ij = Σ_k Q_ik K_jk; None where the step has no such form.

        The only row of a vector needs no index: i is "" there.
        """
        numeric = self.known is not None and isinstance(j, int)
        row = (i or 1) - 1 if numeric else i
        hidden = numeric and self._hidden(step.name, row, j - 1)
        made = self._summed(step, str(i), str(j)) if numeric else self.indexed.write(step.expression, str(i), str(j))
        if made is None:
            return None
        sides: Sides = [("", self._named(step, i, j)), *([] if hidden else [("=", made)])]
        if numeric:
            sides += self._in_numbers(step, row, j - 1)
        return Chain(tuple(sides))

    def _in_numbers(self, step: Step, i: int, j: int) -> Sides:
        """What entry (i, j), counted from 0, is made of in numbers, and the result."""
        numbers = self.numbers(step, i, j)
        return follow(numbers, self.result(step.name, i, j, briefly=any(sign == "≈" for sign, _ in numbers)))

    def _summed(self, step: Step, i: str, j: str) -> Box | None:
        """Entry (i, j) with the terms of a product of known width one by one."""
        product, bias = affine(step.expression)
        factors = _two_symbols(product)
        if factors is None:
            spelled = TermByTerm(entry_of, self.indexed.number, filled=False)
            if spelled.writes(step.expression):
                return Inline(spelled.write(step.expression, i, j))
            return self.indexed.write(step.expression, i, j)
        left, right = factors
        keys = range(1, self.operand(left).shape[1] + 1)
        terms = [Product((self.indexed.part(left, i, str(k)), self.indexed.part(right, str(k), j))) for k in keys]
        return sum_of(terms, *([] if bias is None else [self.indexed.part(bias, "", j)]))

    def row(self, step: Step, i: Any) -> Chain | None:
        """Row i as a vector: o_i = Σ_j A_ij v_j, q_i = x_i W^Q; None where the step has no such form."""
        made = self._row_made_of(step, i)
        if made is None:
            return None
        sides: Sides = [("", vector(step.symbol, i)), ("=", made)]
        if self.known is not None and isinstance(i, int):
            sides += self._row_numbers(step, i - 1)
        return Chain(tuple(sides))

    def result(self, name: str, i: int, j: int, *, briefly: bool = False) -> Sides:
        """Entry (i, j), counted from 0, exactly and then, if that says more, as a proven decimal.

        Briefly, where numbers are told as decimals, or where the exact form is wider than a line, the decimal stands
        alone.
        """
        rounded = self.rounded and not self._plain(name, i, j)
        exact = self.cells.exact(name, i, j)
        hidden = not self.values.exact[name].is_written
        briefly = rounded and (briefly or hidden or self.tells_decimals(name) or (self.elide and width(exact) > ROOM))
        sides: Sides = [] if briefly else [("=", Inline(exact))]
        return [*sides, (self.sign(name, [(i, j)]), Inline(self.decimal(name, i, j)))] if rounded else sides

    def sign(self, name: str, places: Iterable[Place]) -> str:
        """What stands before the decimals of these entries: "=" where they are the numbers themselves."""
        value = self.values.exact[name]
        exactly = all(
            (i, j) in value.hidden
            or value.undefined(i, j)
            or ((surd := value.closed(i, j)) is not None and is_itself(self.decimal(name, i, j), surd))
            for i, j in places
        )
        return "=" if exactly else "≈"

    def tells_decimals(self, name: str) -> bool:
        """Whether what is no short number in a matrix is told as decimals alone."""
        return self.rounded and not self.exact and self.cells.is_in_decimals(name)

    def tells_exactly(self, name: str) -> bool:
        """Whether a matrix stands on the page as it is."""
        closed = self.values.exact[name].is_closed
        return closed and (not self.tells_decimals(name) or self.cells.is_plain(name))

    def cell(self, name: str, i: int, j: int) -> Cell:
        """Entry (i, j), counted from 0, as it stands where it is calculated with."""
        return self.cells.exact(name, i, j) if self.tells_exactly(name) else self.decimal(name, i, j)

    def row_in_decimals(self, step: Step, i: int) -> list[Decimal | None]:
        """What row i, from 0, of weights is the softmax of, where this is printed as decimals; else nothing.

        The logit of a sink is the last.
        """
        softmax = step.expression
        along = isinstance(softmax, SinkSoftmax) or (isinstance(softmax, Softmax) and softmax.axis == -1)
        if not (self.rounded and along and softmax.args[0].is_symbol):
            return []
        scores = self.operand(softmax.args[0])
        if self.values.exact[scores.name].is_closed and not self.tells_decimals(scores.name):
            return []
        cells = [scores.alone(i, j) for j in range(scores.shape[1])]
        if isinstance(softmax, SinkSoftmax):
            cells.append(sink_in_decimals(softmax) or "")
        if not all(cell and isinstance(cell, Shown | MinusInfinity | str) for cell in cells):
            return []
        return [c.number if isinstance(c, Shown) else Decimal(c) if isinstance(c, str) else None for c in cells]

    def powers(self, step: Step, i: int) -> list[Cell]:
        """e to each score of row i, from 0, as printed, less the largest of them; nothing where scores are exact."""
        scores = self.row_in_decimals(step, i)
        top = max((x for x in scores if x is not None), default=None)
        return [
            "0" if x is None else "1" if x == top else Power("e", Shown(x - top)) for x in scores if top is not None
        ]

    def sign_of_powers(self, step: Step, i: int) -> str:
        """What stands before `powers`: "=" where the printed scores are as far apart as the scores themselves."""
        softmax = step.expression
        printed, scores = self.row_in_decimals(step, i), self.values.exact[self.operand(softmax.args[0]).name]
        exact = [scores.closed(i, j) for j in range(scores.shape[1])]
        exact += [Surd.read(softmax.logit)] if isinstance(softmax, SinkSoftmax) else []
        seen = [j for j, x in enumerate(printed) if x is not None]
        top = max(seen, key=lambda j: printed[j] or 0)
        return "=" if all(j == top or _are_apart(exact[j], exact[top], printed[j], printed[top]) for j in seen) else "≈"

    def total(self, powers: Sequence[Cell]) -> Signed:
        """Their sum."""
        terms: list[Cell] = [power for power in powers if power != "0"]
        if self.elide and len(terms) > MOST_TERMS:
            terms[2:-1] = [Dots()]
        return Signed(tuple(("+", term) for term in terms))

    def operand(self, factor: Any) -> Operand:
        """A factor of a product: a symbol or its transpose."""
        turned = isinstance(factor, Transpose)
        return Operand(self, name_of(self.program, factor.arg if turned else factor), turned)

    def operands(self, expression: Any) -> Sequence[Operand] | None:
        """The factors of a product of symbols with their entries, where they can be told."""
        matrices = expression.args if isinstance(expression, MatMul) else ()
        if not matrices or not all(m.is_symbol or (isinstance(m, Transpose) and m.arg.is_symbol) for m in matrices):
            return None
        return self._told([self.operand(m) for m in matrices])

    def _told(self, operands: list[Operand]) -> list[Operand] | None:
        return operands if self.rounded or all(o.exact for o in operands) else None

    def decimal(self, name: str, i: int, j: int) -> Cell:
        if self.digits is None and self.places is not None:
            shown = self.places.shown(name, i, j, self.places.of(name))
        else:
            shown = self.values.shown(name, i, j, self.digits)
        return MinusInfinity() if shown is None else shown

    def _hidden(self, name: str, i: int, j: int) -> bool:
        return (i, j) in self.values.exact[name].hidden

    def _plain(self, name: str, i: int, j: int) -> bool:
        return self.cells.entry_is_plain(name, i, j)

    def _made_of(self, expression: Any, i: str, j: str) -> Box | None:
        """The entry in terms of entries and rows of earlier steps."""
        factors = _two_symbols(expression)
        if factors is not None:
            transposed = isinstance(factors[1], Transpose)
            return Dotted(vector(factors[0], i), vector(factors[1].arg, j)) if transposed else None
        if isinstance(expression, AddRow) and _two_symbols(expression.args[0]) is not None:
            return None  # its row says it better
        return self.indexed.write(expression, i, j)

    def _row_made_of(self, step: Step, i: Any) -> Box | None:
        product, bias = affine(step.expression)
        if isinstance(product, Concat) and all(part.is_symbol for part in product.args):
            return product.side_by_side(lambda part: vector(part, i))
        factors = _two_symbols(product)
        if factors is None or isinstance(factors[1], Transpose):
            return None
        left, right = factors
        if step.averages:
            return self._average(left, right, i)
        made = Product((vector(left, i), Formula(right)))
        return made if bias is None else self.added(made, Formula(bias))

    def added(self, product: Box, bias: Box) -> Signed:
        """A product and the row that is added to each of its rows, in the order of the notation."""
        terms: list[tuple[str, Cell]] = [("+", product), ("+", bias)]
        return Signed(tuple(terms[::-1] if self.notation.bias_first else terms))

    def _average(self, weights: Any, values: Any, i: Any) -> Box:
        if isinstance(i, int) and self.known is not None:
            keys = self.values.exact[name_of(self.program, weights)].shape[1]
            return sum_of([Row((entry_of(weights, str(i), str(j)), vector(values, j))) for j in range(1, keys + 1)])
        return Over("sum", "j", Row((entry_of(weights, str(i), "j"), vector(values, "j"))))

    def numbers(self, step: Step, i: int, j: int) -> Sides:
        """The numbers that the entry is made of, exact or as decimals."""
        if isinstance(step.expression, Scaled) and step.expression.args[0].is_symbol:
            return self._scaled_number(step.expression, i, j)
        if isinstance(step.expression, Softmax | SinkSoftmax):
            powers = self.powers(step, i)
            if not powers or powers[j] == "0":
                return []
            return [(self.sign_of_powers(step, i), Quotient(powers[j], self.total(powers)))]
        if isinstance(step.expression, RowNorm) and step.expression.args[0].is_symbol:
            return self._squares(step.expression, i)
        product, bias = affine(step.expression)
        factors = _two_symbols(product)
        if factors is None:
            return self._term_by_term(step.expression, i, j)
        told = self._told([self.operand(f) for f in (*factors, *_present(bias))])
        if told is None:
            return []
        left, right, *added = told
        keys = range(left.shape[1])
        exactly = all(_is_exact(left, right, i, k, j) for k in keys) and all(o.tells(0, j) for o in added)
        terms: list[Cell] = [Dotted(left.term(i, k), right.term(k, j)) for k in keys]
        summed = sum_of(terms, *(o.alone(0, j) for o in added))
        if width(summed) > ROOM and len(terms) > 3:
            summed = ends_of(terms, *(o.alone(0, j) for o in added))
        return [("=" if exactly else "≈", summed)] if width(summed) <= ROOM else []

    def _term_by_term(self, expression: Any, i: int, j: int) -> Sides:
        """The same for sums and products of several kinds: 0.5 · (0 − 0.5), and (1 · 2 + 0 · 1)/√2."""
        exactly: list[bool] = []

        def leaf(matrix: Any, row: str, column: str) -> Cell:
            operand, at = self.operand(matrix), (int(row or 1) - 1, int(column or 1) - 1)
            exactly.append(operand.tells(*at))
            return operand.term(*at)

        spelled = TermByTerm(leaf, self.indexed.number, filled=True)
        if not spelled.writes(expression) or isinstance(expression, MatrixSymbol):
            return []
        made = Inline(spelled.write(expression, str(i + 1), str(j + 1)))
        told = (self.rounded or all(exactly)) and width(made) <= ROOM
        return [("=" if all(exactly) else "≈", made)] if told else []

    def _squares(self, norm: RowNorm, i: int) -> Sides:
        """√(0.9² + (−1.2)² + 2.3²)"""
        told = self._told([self.operand(norm.args[0])])
        if told is None:
            return []
        row, width_ = told[0], told[0].shape[1]
        cells = [row.term(i, k) for k in range(width_)]
        terms = [Power(Brackets(c) if _is_signed(c) else c, "2") for c in cells]
        made = norm.root_of(sum_of(terms), Integer(width_))
        sign = "=" if all(row.tells(i, k) for k in range(width_)) else "≈"
        return [(sign, made)] if width(made) <= ROOM else []

    def _scaled_number(self, scaled: Scaled, i: int, j: int) -> Sides:
        """0.161/√3"""
        operand, below = scaled.args[0], divisor(scaled.factor)
        if below is None:
            return []
        told, sizes = self.operand(operand), {s: Integer(v) for s, v in self.values.sizes.items()}
        sign, below = "=" if told.tells(i, j) else "≈", below.xreplace(sizes)
        return [] if below == 1 else [(sign, Quotient(told.alone(i, j), Formula(below)))]

    def _row_numbers(self, step: Step, i: int) -> Sides:
        product, bias = affine(step.expression)
        name, columns = step.name, self.values.exact[step.name].shape[1]
        sides: Sides = []
        told = (
            None
            if isinstance(product, Concat)
            else self._told([self.operand(f) for f in (*product.args, *_present(bias))])
        )
        if told is not None:
            factors = self._row_times_matrix(told, i)
            left, *others = told
            exactly = all(left.tells(i, k) for k in range(left.shape[1])) and relation(others) == "="
            sides += [("=" if exactly else "≈", factors)] if width(factors) <= ROOM + SPARE else []
        if self.rounded and not all(self._plain(name, i, j) for j in range(columns)):
            decimals = self._lay_row(name, columns, i, lambda _, j: self.decimal(name, i, j))
            rounded = self.sign(name, [(i, j) for j in range(columns)]), decimals
            return follow(sides, [*self._exact_row(name, columns, i), rounded])
        return follow(sides, [("=", self._lay_row(name, columns, i, lambda _, j: self.cells.exact(name, i, j)))])

    def _exact_row(self, name: str, columns: int, i: int) -> Sides:
        """Row i, from 0, exactly, where that is asked for and fits on a line."""
        if not self.exact or not self.values.exact[name].is_written:
            return []
        row = self._lay_row(name, columns, i, lambda _, j: self.cells.exact(name, i, j))
        return [("=", row)] if width(row) <= ROOM and not has_dots(row) else []

    def _row_times_matrix(self, factors: Sequence[Operand], i: int) -> Box:
        """Row i of the first factor, times the second, and the bias if there is one."""
        left = factors[0]
        row = partial(self._lay_row, left.name, left.shape[1], i, lambda _, k: left.cell(i, k), left.at)
        others = [partial(self.lay, o.shape, o.cell, name=o.name, at=o.at) for o in factors[1:]]
        first, second, *added = lay_beside([row, *others])
        product = Row((second, first) if self.notation.columns else (first, second))
        return self.added(product, added[0]) if added else product

    def _lay_row(
        self, name: str, columns: int, i: int, cell: At[Cell], at: At[Place] = itself, room: int = ROOM
    ) -> Matrix:
        return self.lay((1, columns), cell, room, name, lambda _, j: at(i, j))

    def lay(self, shape: Place, cell: At[Cell], room: int, name: str = "", at: At[Place] = itself) -> Matrix:
        """A matrix as it stands on the page; `name` is the value whose entries it shows, `at` says which where."""
        return lay(shape, cell, room if self.elide else None, turned=self.notation.columns, name=name, at=at)


@dataclass(frozen=True)
class Operand:
    """A matrix with its entries, or its transpose."""

    told: Expansion
    name: str
    turned: bool = False

    @property
    def exact(self) -> bool:
        return self.told.tells_exactly(self.name)

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.told.values.exact[self.name].shape
        return (columns, rows) if self.turned else (rows, columns)

    def at(self, i: int, j: int) -> Place:
        """The place of the entry in the matrix itself."""
        return (j, i) if self.turned else (i, j)

    def cell(self, i: int, j: int) -> Cell:
        return self.told.cell(self.name, *self.at(i, j))

    def alone(self, i: int, j: int) -> Cell:
        """The entry outside of its matrix: 4.5 where others beside it are rounded to 4.5000."""
        plain = self.tells(i, j) and not self.exact
        return self.told.cells.plain(self.name, *self.at(i, j)) if plain else self.cell(i, j)

    def is_zero(self, i: int, j: int) -> bool:
        """Whether the entry is exactly 0, so that it does not matter what it is multiplied by."""
        return self.told.cells.exact(self.name, *self.at(i, j)) == "0"

    def term(self, i: int, j: int) -> Cell:
        """The entry as a factor: 1 − 10⁻¹⁵ and 1 + √2 are taken together."""
        cell = self.alone(i, j)
        return Brackets(cell) if isinstance(cell, Near) or (isinstance(cell, Surd) and len(cell.terms) > 1) else cell

    def tells(self, i: int, j: int) -> bool:
        """Whether this entry stands on the page as it is."""
        return self.exact or self.told.cells.entry_is_plain(self.name, *self.at(i, j))

    @property
    def integers(self) -> tuple[tuple[str, ...], ...] | None:
        """All cells at once, if they are integers."""
        rows = self.told.cells.integers(self.name)
        return None if rows is None else tuple(zip(*rows, strict=True)) if self.turned else tuple(map(tuple, rows))


def _is_exact(left: Operand, right: Operand, i: int, k: int, j: int) -> bool:
    """Whether a product of two entries is exactly what stands on the page."""
    return (left.tells(i, k) and right.tells(k, j)) or left.is_zero(i, k) or right.is_zero(k, j)


def follow(numbers: Sides, result: Sides) -> Sides:
    """A result, exactly and then rounded, after the numbers that it is made of; never an equals sign after rounding.

    What is exact comes before numbers that are rounded, or, where it is all of the result, is nearly what they make.
    """
    if not result or all(sign == "=" for sign, _ in numbers):
        return [*numbers, *result]
    exact, *rounded = result
    return [exact, *numbers, *(("≈", side) for _, side in rounded)] if rounded else [*numbers, ("≈", exact[1])]


def _are_apart(x: Surd | None, y: Surd | None, printed: Decimal | None, other: Decimal | None) -> bool:
    """Whether two numbers differ by just what is printed of them."""
    if x is None or y is None or printed is None or other is None:
        return False
    return is_itself(Shown(printed - other), x.minus(y))


def relation(operands: Sequence[Operand]) -> str:
    """Whether what stands in numbers is equal, or nearly."""
    return "=" if all(o.exact for o in operands) else "≈"


def _present(bias: Any) -> tuple[Any, ...]:
    return () if bias is None else (bias,)


def name_of(program: Program, symbol: MatrixSymbol) -> str:
    """The name under which a symbol's value is known: its step's, or its own if it is an input."""
    step = program.by_symbol().get(symbol)
    return step.name if step is not None else str(symbol.name)


def _two_symbols(expression: Any) -> tuple[Any, Any] | None:
    if isinstance(expression, MatMul) and len(expression.args) == 2:
        left, right = expression.args
        if has_name(left) and (has_name(right) or (isinstance(right, Transpose) and has_name(right.arg))):
            return left, right
    return None


def affine(expression: Any) -> tuple[Any, Any]:
    """A product and the row that is added to each of its rows, if there is one."""
    return expression.args if isinstance(expression, AddRow) else (expression, None)


def _is_signed(cell: Cell) -> bool:
    """Whether a cell has to stand in brackets under a power: all but a number that is not negative."""
    if isinstance(cell, str):
        return cell.startswith("-")
    return not isinstance(cell, Shown) or cell.number < 0
