"""Softmax along an axis, and the steps in which it is computed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, S
from sympy.core.symbol import Str
from sympy.matrices.expressions import Transpose
from sympy.printing.precedence import PRECEDENCE

from symattn.errors import InputError
from symattn.nodes.boxes import Call, Notated, Ones, Turned, Word, free_letter, in_product
from symattn.nodes.elementary.logits import opposite
from symattn.nodes.node import (
    At,
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    columns_of,
    entry,
    require_size,
    rows_of,
    shape_of,
    sum_over_row,
)
from symattn.writing.document import TIGHT, Box, Called, Formula, Over, Power, Product, Quotient, Row, Signed, Spelled
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

EMPTY_ROWS = ("error", "zero", "nan", "uniform")
_FILLED: dict[str, Expr] = {"zero": Integer(0), "nan": S.NaN}
_SIGNS = {"zero": "0", "nan": r"\mathrm{NaN}", "uniform": r"\frac{1}{m}"}


class Softmax(Node):
    """The softmax of each row (axis −1, the default) or of each column (axis −2).

    softmax(Z)_ij = exp(Z_ij) / Σ_k exp(Z_ik)

    `empty_row` says what a row of nothing but −∞ becomes: "error", "zero", "nan", or "uniform" weights 1/m. Shape: that
    of Z. Raises InputError for another axis or rule. Source: Vaswani et al. 2017, section 3.2.1; torch and ONNX for
    zero, jax for uniform.

    >>> from sympy import Matrix
    >>> Softmax(Matrix([[0, 0]])).as_explicit()
    Matrix([[1/2, 1/2]])
    """

    def __new__(cls, Z: Any, axis: Any = -1, empty_row: Any = None) -> Softmax:
        Z, axis = as_matrix(Z, "Z"), as_sympy(axis)
        if axis not in (-1, -2):
            raise InputError(Sentence("bad_axis", axis=axis))
        made: Softmax = super().__new__(cls, Z, axis, empty_row_rule(empty_row))
        return made

    @property
    def axis(self) -> int:
        return int(self.args[1])

    @property
    def empty_row(self) -> str:
        return str(self.args[2])

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return ("", {}) if self.empty_row == "error" else (f".{self.empty_row}", {})

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        Z = self.args[0]
        rows, columns = shape_of(Z)
        if self.axis == -1:
            total = sum_over_row(lambda k: sympy.exp(entry(Z, i, k)), columns, (Z, as_sympy(i), as_sympy(j)))
        else:
            total = sum_over_row(lambda k: sympy.exp(entry(Z, k, j)), rows, (Z, as_sympy(i), as_sympy(j)))
        if self.empty_row == "error" and total.is_zero:
            raise InputError(Sentence("empty_row", row=(i if self.axis == -1 else j) + 1))
        weight = sympy.exp(entry(Z, i, j)) / total
        if self.empty_row == "error":
            return weight
        filled = _FILLED.get(self.empty_row, 1 / (columns if self.axis == -1 else rows))
        return sympy.Piecewise((filled, sympy.Eq(total, 0)), (weight, True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        Z = values[0] if self.axis == -1 else numbers.transpose(values[0])
        empty = [] if self.empty_row == "error" else numbers.empty_rows(Z)
        A = numbers.softmax(numbers.fill_rows(Z, empty, Integer(0)))  # equal scores make equal weights
        if self.empty_row in _FILLED:
            A = numbers.fill_rows(A, empty, _FILLED[self.empty_row])
        return A if self.axis == -1 else numbers.transpose(A)

    def written(self, at: At, i: str, j: str) -> Box:
        Z, k = self.args[0], free_letter("k", i, j)
        total = Over("sum", k, Power("e", at(Z, i, k) if self.axis == -1 else at(Z, k, j)))
        formula = Quotient(Power("e", at(Z, i, j)), total)
        # of one number softmax is 1: only the letters say that it is taken over all j
        return formula if i.isdigit() else Called(at(Z, i, j), formula)

    def formula(self) -> Box:
        Z, rule, name = Formula(self.args[0]), self.empty_row, Notated("softmax")
        axis = [] if self.axis == -1 else [Turned(Word("columns"), Word("rows"))]
        empty = [Spelled(rf"\varnothing \mapsto {_SIGNS[rule]}", f"empty row: {rule}")] if rule != "error" else []
        in_text = Row((name, *axis), ("", "_"))
        return Spelled(
            Call(name, (Z,), Row((*axis, *empty), (",", ",")), notated=True),
            Call(in_text, (Z,), Row(tuple(empty)), notated=True),
        )


def empty_row_rule(rule: Any) -> Str:
    """The canonical form of `empty_row`: what a fully masked row becomes."""
    name = "error" if rule is None else str(rule)
    if name not in EMPTY_ROWS:
        raise InputError(Sentence("bad_empty_row", given=name[:40], known=listed(name, EMPTY_ROWS)))
    return Str(name)


class _ByRow(Node):
    """One number for each row of Z: a column."""

    over: str  # what is taken of the row

    def __new__(cls, Z: Any) -> Any:
        return super().__new__(cls, as_matrix(Z, "Z"))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], Integer(1)

    def written(self, at: At, i: str, j: str) -> Box:
        k = free_letter("j", i)
        return Over(self.over, k, at(self.args[0], i, k))

    def formula(self) -> Box:
        return Call(Turned(Word(f"row{self.over}"), Word(f"col{self.over}")), (Formula(self.args[0]),))


def unknown_of_row(name: str, Z: Any, i: Any) -> Expr:
    """A function of all entries of a row whose length is a letter, of which nothing more is said."""
    return sympy.Function(name)(entry(Z, i, sympy.Symbol("j", integer=True)))


class RowMax(_ByRow):
    """The largest entry of each row: max_j Z_ij. Shape: rows of Z by 1."""

    over = "max"

    def _entry(self, i: Any, _j: Any, **_: object) -> Expr:
        Z = self.args[0]
        columns = shape_of(Z)[1]
        if not columns.is_Integer:
            return unknown_of_row("rowmax", Z, i)
        return sympy.Max(*[entry(Z, i, k) for k in range(int(columns))])

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.row_max(values[0])


class RowSum(_ByRow):
    """The sum of each row: Σ_j Z_ij. Shape: rows of Z by 1."""

    over = "sum"

    def _entry(self, i: Any, _j: Any, **_: object) -> Expr:
        Z = self.args[0]
        return sum_over_row(lambda k: entry(Z, i, k), Z.shape[1], (Z, as_sympy(i)))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.row_sum(values[0])


class Exponential(Node):
    """The exponential of each entry (not of the matrix): exp(Z)_ij = exp(Z_ij). Shape: that of Z."""

    def __new__(cls, Z: Any) -> Any:
        return super().__new__(cls, as_matrix(Z, "Z"))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return sympy.exp(entry(self.args[0], i, j))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.exp(values[0])

    def written(self, at: At, i: str, j: str) -> Box:
        return Power("e", at(self.args[0], i, j))

    def formula(self) -> Box:
        return Call("exp", (Formula(self.args[0]),))


class WithColumn(Node):
    """A matrix and a column that meets each of its columns."""

    def __new__(cls, Z: Any, column: Any, *others: Any) -> Any:
        Z, column = as_matrix(Z, "Z"), as_matrix(column, "column")
        require_size(Z.shape[0], column.shape[0], rows_of(Z), rows_of(column))
        require_size(column.shape[1], Integer(1), columns_of(column), "a column")
        return super().__new__(cls, Z, column, *others)


class SubtractColumn(WithColumn):
    """A column taken from every column of Z: Z − m 1ᵀ, entry Z_ij − m_i. Shape: that of Z."""

    precedence = PRECEDENCE["Add"]  # in brackets inside a product

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j) - entry(self.args[1], i, 0)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.subtract_column(values[0], values[1])

    def written(self, at: At, i: str, j: str) -> Box:
        return Signed((("+", at(self.args[0], i, j)), ("-", at(self.args[1], i, ""))))

    def formula(self) -> Box:
        Z, column = self.args
        other = opposite(column)
        taken = Product((in_product(column if other is None else other), Ones(row=True)), gaps=("", ""))
        return Signed((("+", Formula(Z)), ("-" if other is None else "+", taken)))


class DivideRows(WithColumn):
    """Every row of E divided by its own number: diag(l)⁻¹ E, entry E_ij / l_i. Shape: that of E."""

    precedence = PRECEDENCE["Mul"]  # in brackets inside a product

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j) / entry(self.args[1], i, 0)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.divide_rows(values[0], values[1])

    def written(self, at: At, i: str, j: str) -> Box:
        return Quotient(at(self.args[0], i, j), at(self.args[1], i, ""))

    def formula(self) -> Box:
        E, column = self.args
        inverse = Row((Call("diag", (Formula(column),)), Spelled("^{-1}", "^(-1)")), TIGHT)
        return Product((inverse, in_product(E)), gaps=("", " "))


def transpose(matrix: Any) -> Any:
    """Mᵀ, with (Mᵀ)ᵀ = M."""
    return matrix.args[0] if isinstance(matrix, Transpose) else matrix.T
