"""The chain of a step: symbol = formula = numbers = exact result ≈ decimals, in matrices that fit the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any

from symattn.nodes import Constant, HideMask, KeepMask, Scaled, SoftCapped, divisor
from symattn.nodes.boxes import multiple
from symattn.pages.numbers.cells import Cells
from symattn.pages.numbers.elision import MOST_ROWS, ROOM, At, Place, itself, lay_beside, lay_by_columns, turn
from symattn.pages.numbers.entries import MOST_TERMS, Expansion, Operand, Sides, affine, follow, relation
from symattn.pages.numbers.places import Places
from symattn.program.steps import Program, Step
from symattn.values import Valuation
from symattn.values.exact.forms import average_of
from symattn.writing.document import (
    Box,
    Cell,
    Chain,
    Entries,
    Formula,
    Matrix,
    Quotient,
    Row,
    Spelled,
    Symbol,
    has_dots,
)
from symattn.writing.notation import VASWANI, Notation
from symattn.writing.polynomials import Amount
from symattn.writing.writers import width

MOST_PARTS = 3  # a matrix of more columns than rows are shown is not read number by number in more parts than this


@dataclass(frozen=True)
class Equations:
    """States a program's steps; `known` are their values, if there are any."""

    program: Program
    known: Valuation | None
    decimal: bool = False  # exact numbers as decimals, since the input is
    digits: int | None = None  # significant digits of every rounded number; None chooses what reads well
    rounded: bool = True  # whether rounded decimals are shown at all
    elide: bool = True
    notation: Notation = VASWANI  # which says whether matrices are transposed on the page
    decimals: int | None = None  # places of every rounded number; None chooses as few as agree
    exact: bool = False  # roots and exponentials as they are, even where the input is in decimals

    @property
    def values(self) -> Valuation:
        assert self.known is not None
        return self.known

    @cached_property
    def cells(self) -> Cells:
        return Cells(self.values, self.decimal)

    @cached_property
    def expansion(self) -> Expansion:
        if self.known is None:
            return Expansion(self.program, None, self.digits, self.rounded, self.notation, elide=self.elide)
        places = Places(self.program, self.cells, self.rounded and not self.exact, self.decimals)
        return Expansion(
            self.program,
            self.cells,
            self.digits,
            self.rounded,
            self.notation,
            places=places,
            exact=self.exact,
            elide=self.elide,
        )

    def definition(self, step: Step) -> Chain:
        return Chain((("", Symbol(step.symbol.name)), ("=", Formula(step.expression))))

    def chain(self, step: Step) -> Chain:
        """symbol = formula = numbers = exact result ≈ decimals, as far as there are any."""
        if self.known is not None and isinstance(step.expression, Constant):
            return self.values_alone(step)
        numbers = [] if self.known is None else follow(self._with_numbers(step), self._result(step))
        return Chain((*self.definition(step).sides, *numbers))

    def values_alone(self, step: Step) -> Chain:
        """symbol = exact result ≈ decimals."""
        sides = self._result(step) or [("=", self.exact_matrix(step.name))]
        return Chain((("", Symbol(step.symbol.name)), *sides))

    def row_alone(self, step: Step, i: int) -> Chain:
        """Row i, from 0, as decimals where it is rounded."""
        name = Symbol(step.symbol.name, (str(i + 1),))
        if self.rounded and not self.row_is_plain(step, i):
            return Chain((("", name), self._row_rounded(step, i)))
        return Chain((("", name), ("=", self._row_of(step.name, i, lambda _, j: self.cells.exact(step.name, i, j)))))

    def _row_rounded(self, step: Step, i: int) -> tuple[str, Matrix]:
        """Row i, from 0, as decimals, and the sign before them."""
        places = [(i, j) for j in range(self.values.exact[step.name].shape[1])]
        row = self._row_of(step.name, i, lambda _, j: self.expansion.decimal(step.name, i, j))
        return self.expansion.sign(step.name, places), row

    def is_average(self, step: Step) -> bool:
        """Whether rows have denominators of their own, so that the exact value is stated row by row."""
        value = self.values.exact[step.name]
        return average_of(value) is not None and not value.is_closed

    def is_worked(self, step: Step) -> bool:
        """Whether rows of weights are told as exponentials over their sum: exact ones, or of scores as printed."""
        return any(self.row_is_worked(step, i) for i in range(self.values.exact[step.name].shape[0]))

    def row_is_worked(self, step: Step, i: int) -> bool:
        """Whether row i, from 0, is told as exponentials over their sum; a row that needs none is not."""
        value = self.values.exact[step.name]
        closed = all(value.entry_is_closed(i, j) for j in range(value.shape[1]))
        return not closed and (self.is_average(step) or bool(self.expansion.powers(step, i)))

    def row_is_plain(self, step: Step, i: int) -> bool:
        """Whether row i, from 0, is of numbers that need no rounding."""
        columns = range(self.values.exact[step.name].shape[1])
        return all(self.cells.entry_is_plain(step.name, i, j) for j in columns)

    def row(self, step: Step, i: int) -> Chain:
        """Row i, from 0, of an average: its exponentials over their sum, then decimals."""
        name = Symbol(step.symbol.name, (str(i + 1),))
        quotient = None if self.row_is_plain(step, i) else self._row_in_decimals(step, i)
        if quotient is not None:
            numbers: Sides = [(self.expansion.sign_of_powers(step, i), quotient)]
            return Chain((("", name), *follow(numbers, [self._row_rounded(step, i)])))
        value = average_of(self.values.exact[step.name])
        if value is None:
            return self.row_alone(step, i)
        if i in value.filled:  # there was nothing to take an average of
            filled = self._row_of(step.name, i, lambda _, j: self.cells.exact(step.name, i, j))
            return Chain((("", name), ("=", filled)))
        above = self.expansion.lay((1, value.shape[1]), lambda _, j: self.cells.numerator(value, i, j), ROOM)
        below = self.cells.denominator(value, i)
        quotient = Quotient(above, below.elided(MOST_TERMS) if self.elide else below)
        sides: Sides = [("", name), ("=", quotient)]
        rounded = self._row_rounded(step, i) if self.rounded else None
        if rounded is not None and not _hides_one(rounded[1], value.shape[1]):
            sides.append(rounded)
        return Chain(tuple(sides), broken=not self.elide and len(value.logits.groups(i)) > MOST_ROWS)

    def _row_of(self, name: str, i: int, cell: At[Cell]) -> Matrix:
        return self.expansion.lay((1, self.values.exact[name].shape[1]), cell, ROOM, name, lambda _, j: (i, j))

    def _row_in_decimals(self, step: Step, i: int) -> Quotient | None:
        """e to the scores as they are printed, less the largest of them, over their sum; None where they are exact."""
        powers = self.expansion.powers(step, i)
        if not powers:
            return None
        keys = self.values.exact[step.name].shape[1]  # a sink is none of them
        above = self.expansion.lay((1, keys), lambda _, j: powers[j], ROOM)
        return Quotient(above, self.expansion.total(powers))

    def given(self) -> tuple[Chain, ...]:
        """The inputs, and the matrix of zeros and ones that says what a mask keeps."""
        stated: list[tuple[str, Box]] = [(s.name, self.exact_matrix(s.name)) for s in self.program.inputs]
        of_masks = {m.args[0] for step in self.program for m in step.expression.atoms(KeepMask, HideMask)}
        if len(of_masks) == 1 and not (matrix := of_masks.pop()).is_symbol:
            stated.append(("M", self.expansion.lay(matrix.shape, lambda i, j: str(matrix[i, j]), ROOM)))
        return tuple(Chain((("", Symbol(name)), ("=", value))) for name, value in stated)

    def exact_matrix(self, name: str) -> Matrix:
        cells = self.cells
        integers = None if self.elide else cells.integers(name)
        shape = cells.values.exact[name].shape
        return self._whole(integers, shape, lambda i, j: cells.exact(name, i, j), ROOM, name)

    def rounded_matrix(self, name: str) -> tuple[str, Matrix]:
        """The matrix as decimals, and the sign before them."""
        shape = self.values.exact[name].shape
        sign = self.expansion.sign(name, product(range(shape[0]), range(shape[1])))
        return sign, self.expansion.lay(shape, lambda i, j: self.expansion.decimal(name, i, j), ROOM, name)

    def letter(self, name: str) -> str:
        """The name of the symbol that stands for an input or for the value of a step."""
        return next((s.symbol.name for s in self.program.steps if s.name == name), name)

    def parts(self, name: str, *, exactly: bool) -> list[Matrix]:
        """The matrix by as many columns at a time as fit; none where it is too large to be read number by number."""
        turned = self.notation.columns
        shape, room = self.values.exact[name].shape, ROOM - 6  # the span of the columns is beside the name
        rows, columns = reversed(shape) if turned else shape
        if rows > MOST_ROWS:
            return []
        cell = self.cells.exact if exactly else self.expansion.decimal
        parts = lay_by_columns(shape, lambda i, j: cell(name, i, j), room, turned=turned, name=name)
        return parts if columns <= MOST_ROWS or len(parts) <= MOST_PARTS else []

    def stands_whole(self, name: str, result: tuple[str, Box]) -> bool:
        """Whether the page shows every number of a result, be it in parts."""
        relation, laid = result
        return not has_dots(laid) or bool(self.parts(name, exactly=relation == "="))

    def _with_numbers(self, step: Step) -> Sides:
        """The formula with its numbers in place, where they are exact."""
        multiplied, bias = affine(step.expression)
        factors = self.expansion.operands(multiplied)
        if factors is not None and bias is None:
            return self._product(factors)
        if factors is not None and bias.is_symbol:
            return self._product(factors, self.expansion.operand(bias))
        if isinstance(step.expression, Scaled | SoftCapped):
            inside, number = step.expression.args[0], self.expansion.indexed.number(step.expression.args[1])
            filled = step.expression.func(inside, number)
            sides: Sides = [("=", Formula(filled))] if filled != step.expression else []
            scaled = self.expansion.operands(inside) if isinstance(step.expression, Scaled) else None
            return sides if scaled is None else follow(sides, self._product(scaled, scale=number))
        return []

    def _product(self, factors: Sequence[Operand], row: Operand | None = None, scale: Any = 1) -> Sides:
        """Matrices in numbers, and a column of ones times the row that is added; nothing where a column had no room."""
        told = [*factors, *([] if row is None else [row])]
        if not self.rounded and not all(o.exact for o in told):
            return []
        lays: list[tuple[Callable[[int], Matrix], Place]] = [(partial(self._operand, o), o.shape) for o in told]
        if row is not None:
            ones = (factors[0].shape[0], 1)
            lays.insert(len(factors), (lambda room: self.expansion.lay(ones, lambda i, j: "1", room), ones))
        front = () if scale == 1 else (_multiple(scale), _DOT)
        laid = lay_beside([lay for lay, _ in lays], ROOM - sum(width(x) + 1 for x in front))
        if any(_hides_one(m, shape[not self.notation.columns]) for m, (_, shape) in zip(laid, lays, strict=True)):
            return []
        turn_over = slice(None, None, -1 if self.notation.columns else 1)
        whole: Box = Row((*front, *laid[: len(factors)][turn_over]))
        if row is not None:
            whole = self.expansion.added(whole, Row(laid[len(factors) :][turn_over]))
        return [(relation(told), whole)]

    def _result(self, step: Step) -> Sides:
        exact = self.exact_side(step)
        sides: Sides = [] if exact is None else [("=", exact)]
        return [*sides, self.rounded_matrix(step.name)] if self._is_rounded(step) else sides

    def exact_side(self, step: Step) -> Matrix | None:
        """The exact value as a matrix, where it is told; beside decimals it has to fit on a line.

        An average, whose rows have denominators of their own, is one where exact numbers are asked for.
        """
        value, rounded = self.values.exact[step.name], self._is_rounded(step)
        if self.is_average(step) and not (self.exact and rounded):
            return None
        if not rounded:
            return self.exact_matrix(step.name)
        if self.expansion.tells_decimals(step.name) or not value.is_written or (self.elide and value.is_long(ROOM)):
            return None
        exact = self.exact_matrix(step.name)
        cramped = has_dots(exact) and (self.is_average(step) or not value.by_hand)
        return exact if not self.elide or (width(exact) <= ROOM and not cramped) else None

    def _is_rounded(self, step: Step) -> bool:
        return self.rounded and not self.cells.is_plain(step.name)

    def lacks_exact_form(self, step: Step) -> bool:
        """Whether exact numbers are asked for, and the value is told as decimals alone."""
        return self.exact and self._is_rounded(step) and not self.is_average(step) and self.exact_side(step) is None

    def _operand(self, operand: Operand, room: int) -> Matrix:
        integers = None if self.elide else operand.integers
        return self._whole(integers, operand.shape, operand.cell, room, operand.name, operand.at)

    def _whole(
        self, integers: Any, shape: Place, cell: At[Cell], room: int, name: str, at: At[Place] = itself
    ) -> Matrix:
        """A matrix, of integers that are known already where it is one of them."""
        if integers is None:
            return self.expansion.lay(shape, cell, room, name, at)
        turned = self.notation.columns
        table = tuple(zip(*integers, strict=True)) if turned else tuple(map(tuple, integers))
        every = tuple(range(len(table))), tuple(range(len(table[0])))
        return Matrix(table, Entries(name, turn(at) if turned else at, *every))


_DOT = Spelled(r"\cdot", "·")


def _multiple(number: Any) -> Box:
    """A number before a matrix: 1/√2 where it is a divisor."""
    below = divisor(number)
    return multiple(number) if below is None else Quotient("1", Formula(below))


def _hides_one(laid: Matrix, columns: int) -> bool:
    """Whether dots stand in the place of a single column, since there are only two."""
    return columns == 2 and laid.rows[0] is not None and None in laid.rows[0]


@dataclass(frozen=True)
class Sized:
    """What is known of an input without values: Q ∈ R^{n × d_k}."""

    symbol: Any

    def write(self, style: Any) -> str:
        rows, columns = (Amount(s).write(style) for s in self.symbol.shape)  # h d_k, as tables of sizes have it
        shape = (columns, rows) if style.notation.columns else (rows, columns)
        return str(style.belongs(style.name(self.symbol.name), *shape))
