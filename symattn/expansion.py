"""One entry or one row of a step, spelled out: S_23 = 9·21 + 13·17 = 410, o_1 = A_11 v_1 + A_12 v_2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.document import (
    Box,
    Cell,
    Chain,
    Dotted,
    Formula,
    Matrix,
    Power,
    Quotient,
    Row,
    Signed,
    Style,
    Symbol,
    Total,
)
from symattn.nodes import DivideRows, Exponential, Node, Scaled, Softmax, divisor
from symattn.steps import Program, Step
from symattn.values import Valuation
from symattn.values.cells import Cells, MinusInfinity

LONGEST_SUM = 6  # more terms than this keep their first three and the last
Sides = list[tuple[str, Box]]


@dataclass(frozen=True)
class Dots:
    """What a long sum leaves out."""

    def write(self, style: Style) -> str:
        return style.name("cdots")


@dataclass(frozen=True)
class Text:
    """Digits (or a name) that read the same everywhere."""

    text: Cell

    def write(self, style: Style) -> str:
        return self.text if isinstance(self.text, str) else self.text.write(style)


@dataclass(frozen=True)
class Expansion:
    """Spells out entries of a program's steps; without values in symbols. Indices count from 1."""

    program: Program
    known: Cells | None
    digits: int | None = None
    rounded: bool = True  # whether decimals are shown beside exact values

    @property
    def cells(self) -> Cells:
        assert self.known is not None
        return self.known

    @property
    def values(self) -> Valuation:
        return self.cells.values

    def entry(self, step: Step, i: Any, j: Any) -> Chain:
        """Entry (i, j): its name, what it is made of, the numbers, the result. Indices: numbers, or letters."""
        sides: Sides = [("", Symbol(step.symbol.name, (str(i), str(j))))]
        made = self._made_of(step, i, j)
        if made is not None:
            sides.append(("=", made))
        if self.known is not None and isinstance(i, int):
            sides += self._numbers(step, i - 1, j - 1)
            sides += self.result(step.name, i - 1, j - 1)
        return Chain(tuple(sides))

    def row(self, step: Step, i: Any) -> Chain | None:
        """Row i as a vector: o_i = Σ_j A_ij v_j, q_i = x_i W^Q; None where the step has no such form."""
        made = self._row_made_of(step, i)
        if made is None:
            return None
        sides: Sides = [("", vector(step.symbol, i)), ("=", made)]
        if self.known is not None and isinstance(i, int):
            sides += self._row_numbers(step, i - 1)
        return Chain(tuple(sides))

    def result(self, name: str, i: int, j: int) -> Sides:
        """Entry (i, j), counted from 0, exactly and then, if that says more, as a proven decimal."""
        exact = self.cells.exact(name, i, j)
        sides: Sides = [("=", Text(exact))]
        if self.rounded and not self._plain(name, i, j):
            sides.append(("≈", Text(self.decimal(name, i, j))))
        return sides

    def decimal(self, name: str, i: int, j: int) -> Cell:
        shown = self.values.shown(name, i, j, self.digits)
        return MinusInfinity() if shown is None else shown

    def _plain(self, name: str, i: int, j: int) -> bool:
        return self.cells.entry_is_plain(name, i, j)

    def _made_of(self, step: Step, i: Any, j: Any) -> Box | None:
        """The entry in terms of entries and rows of earlier steps."""
        expression = step.expression
        if isinstance(expression, Node) and not all(m.is_symbol for m in expression.matrices):
            return None
        if isinstance(expression, Softmax) and expression.axis == -1:
            Z = expression.args[0]
            above = Power("e", _at(Z, i, j))
            return Quotient(above, Total("k", Power("e", _at(Z, i, "k"))))
        if isinstance(expression, Scaled):
            below, scores = divisor(expression.factor), _at(expression.args[0], i, j)
            return Row((Formula(expression.factor), scores)) if below is None else Quotient(scores, Formula(below))
        if isinstance(expression, Exponential):
            return Power("e", _at(expression.args[0], i, j))
        if isinstance(expression, DivideRows):
            return Quotient(_at(expression.args[0], i, j), Symbol(expression.args[1].name, (str(i),)))
        factors = _two_symbols(expression)
        if factors is not None and isinstance(factors[1], Transpose):
            return Dotted(vector(factors[0], i), vector(factors[1].arg, j))
        return None

    def _row_made_of(self, step: Step, i: Any) -> Box | None:
        factors = _two_symbols(step.expression)
        if factors is None or isinstance(factors[1], Transpose):
            return None
        left, right = factors
        if step.name.rpartition(".")[2] != "output":
            return Row((vector(left, i), Formula(right)))
        if isinstance(i, int) and self.known is not None:
            keys = self.values.exact[name_of(self.program, left)].shape[1]
            return _sum([Row((_at(left, i, j), vector(right, j))) for j in range(1, keys + 1)])
        return Total("j", Row((_at(left, i, "j"), vector(right, "j"))))

    def _numbers(self, step: Step, i: int, j: int) -> Sides:
        """The numbers of the entry, where they are known exactly and read well."""
        factors = _two_symbols(step.expression)
        if factors is not None:
            left = _Operand(self.cells, self.program, factors[0])
            right = _Operand(self.cells, self.program, factors[1])
            if left.closed and right.closed:
                return [("=", _sum([Dotted(left.cell(i, k), right.cell(k, j)) for k in range(left.shape[1])]))]
        return []

    def _row_numbers(self, step: Step, i: int) -> Sides:
        factors = _two_symbols(step.expression)
        assert factors is not None
        left, right = (_Operand(self.cells, self.program, f) for f in factors)
        sides: Sides = []
        if left.closed and right.closed:
            row = Matrix((tuple(left.cell(i, k) for k in range(left.shape[1])),))
            table = Matrix(tuple(tuple(right.cell(k, j) for j in range(right.shape[1])) for k in range(right.shape[0])))
            sides.append(("=", Row((row, table))))
        width = self.values.exact[step.name].shape[1]
        if all(self._plain(step.name, i, j) for j in range(width)):
            return [*sides, ("=", Matrix((tuple(self.cells.exact(step.name, i, j) for j in range(width)),)))]
        return [*sides, ("≈", Matrix((tuple(self.decimal(step.name, i, j) for j in range(width)),)))]


@dataclass(frozen=True)
class _Operand:
    """A factor of a product: a symbol or its transpose, with its entries."""

    cells: Cells
    program: Program
    factor: Any

    @cached_property
    def name(self) -> str:
        return name_of(self.program, self.factor.arg if isinstance(self.factor, Transpose) else self.factor)

    @cached_property
    def closed(self) -> bool:
        return self.cells.is_closed(self.name)

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.cells.values.exact[self.name].shape
        return (columns, rows) if isinstance(self.factor, Transpose) else (rows, columns)

    def cell(self, i: int, j: int) -> Cell:
        return self.cells.exact(self.name, *((j, i) if isinstance(self.factor, Transpose) else (i, j)))


def operands(
    cells: Cells, program: Program, expression: Any
) -> Sequence[tuple[tuple[int, int], Callable[[int, int], Cell]]] | None:
    """The factors of a product of symbols with their entries, if each is known in closed form."""
    matrices = expression.args if isinstance(expression, MatMul) else ()
    if not matrices or not all(m.is_symbol or (isinstance(m, Transpose) and m.arg.is_symbol) for m in matrices):
        return None
    found = [_Operand(cells, program, m) for m in matrices]
    return [(o.shape, o.cell) for o in found] if all(o.closed for o in found) else None


def vector(symbol: Any, i: Any) -> Box:
    """Row i of a matrix, by the lower-case letter: q_i for Q. A name that is no capital keeps its own letter."""
    base, mark, head = symbol.name.partition("^(")
    return Symbol((base.lower() if len(base) == 1 else base) + mark + head, (str(i),))


def name_of(program: Program, symbol: MatrixSymbol) -> str:
    """The name under which a symbol's value is known: its step's, or its own if it is an input."""
    step = program.by_symbol().get(symbol)
    return step.name if step is not None else str(symbol.name)


def _two_symbols(expression: Any) -> tuple[Any, Any] | None:
    if isinstance(expression, MatMul) and len(expression.args) == 2:
        left, right = expression.args
        if getattr(left, "is_symbol", False) and (
            right.is_symbol or (isinstance(right, Transpose) and right.arg.is_symbol)
        ):
            return left, right
    return None


def _at(matrix: Any, i: Any, j: Any) -> Box:
    return Symbol(matrix.name, (str(i), str(j)))


def _sum(terms: Sequence[Cell]) -> Signed:
    shown = list(terms) if len(terms) <= LONGEST_SUM else [*terms[:3], Dots(), terms[-1]]
    return Signed(tuple(("+", t) for t in shown))
