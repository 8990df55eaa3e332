"""Products entry by entry, sums of columns, diagonals: what gradients and proofs are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, S
from sympy.printing.precedence import PRECEDENCE

from symattn.nodes.boxes import (
    CIRCLE,
    ENTRYWISE,
    TANH,
    Brackets,
    Call,
    Ones,
    divide,
    factor,
    free_letter,
    precedence_of,
)
from symattn.nodes.elementary.logits import as_cap
from symattn.nodes.node import (
    At,
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    entry,
    require_shape,
    require_size,
    rows_of,
    shape_of,
    sum_over_row,
)
from symattn.writing.document import Box, Formula, Over, Power, Product, Row, Signed, Spelled
from symattn.writing.strict import as_sympy


class Hadamard(Node):
    """The product of two matrices entry by entry: (A ∘ B)_ij = A_ij B_ij. Shape: that of both.

    Raises ShapeError where they differ.

    >>> from sympy import Matrix
    >>> Hadamard(Matrix([[1, 2]]), Matrix([[3, 4]])).as_explicit()
    Matrix([[3, 8]])
    """

    precedence = ENTRYWISE

    def __new__(cls, A: Any, B: Any) -> Any:
        A, B = as_matrix(A, "A"), as_matrix(B, "B")
        require_shape(A, B)
        return super().__new__(cls, A, B)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j) * entry(self.args[1], i, j)

    def written(self, at: At, i: str, j: str) -> Box:
        entries = ((a, at(a, i, j)) for a in self.args)
        return Row(tuple(Brackets(x) if precedence_of(a) <= PRECEDENCE["Add"] else x for a, x in entries))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.times(values[0], values[1])

    def formula(self) -> Box:
        A, B = (a if _is_bare(m) else Brackets(a) for m, a in ((m, Formula(m)) for m in self.args))
        return Row((A, CIRCLE, B))


def _is_bare(matrix: Any) -> bool:
    """Whether a factor of a Hadamard product has a name, or stands in brackets already."""
    return matrix.is_symbol or (isinstance(matrix, Node) and not hasattr(matrix, "precedence"))


class ColumnSum(Node):
    """The sum of each column: (1ᵀZ)_j = Σ_i Z_ij. Shape: 1 by columns of Z."""

    precedence = PRECEDENCE["Mul"]

    def __new__(cls, Z: Any) -> Any:
        return super().__new__(cls, as_matrix(Z, "Z"))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return Integer(1), shape_of(self.args[0])[1]

    def _entry(self, _i: Any, j: Any, **_: object) -> Expr:
        Z = self.args[0]
        return sum_over_row(lambda k: entry(Z, k, j), Z.shape[0], (Z, as_sympy(j)))

    def written(self, at: At, i: str, j: str) -> Box:
        k = free_letter("i", j)
        return Over("sum", k, at(self.args[0], k, j))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.transpose(numbers.row_sum(numbers.transpose(values[0])))

    def formula(self) -> Box:
        return Product((Ones(row=True), factor(self.args[0])), gaps=("", " "))


class Diagonal(Node):
    """The square matrix with a row or a column on its diagonal: diag(a). Shape: the length of a, twice.

    >>> from sympy import Matrix
    >>> Diagonal(Matrix([[1, 2]])).as_explicit()
    Matrix([
    [1, 0],
    [0, 2]])
    """

    def __new__(cls, a: Any) -> Any:
        made = as_matrix(a, "a")
        if 1 not in made.shape:
            require_size(made.shape[0], Integer(1), rows_of(made), "a row")
        return super().__new__(cls, made)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        rows, columns = shape_of(self.args[0])
        return (rows, rows) if columns == 1 else (columns, columns)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        a = self.args[0]
        return entry(a, *((i, 0) if a.shape[1] == 1 else (0, j))) * sympy.KroneckerDelta(i, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        size, _ = self.lengths(sizes)
        unit = numbers.given(sympy.eye(size).tolist())
        column = values[0] if self.args[0].shape[1] == 1 else numbers.transpose(values[0])
        return numbers.times(numbers.matmul(column, numbers.given([[S.One] * size])), unit)

    def formula(self) -> Box:
        return Call(Spelled(r"\mathop{\mathrm{diag}}", "diag"), (Formula(self.args[0]),))


class CapSlope(Node):
    """The slope of a softcap, entry by entry: d/dz cap·tanh(z/cap) = 1 − tanh²(z/cap). Shape: that of Z."""

    def __new__(cls, Z: Any, cap: Any) -> Any:
        return super().__new__(cls, as_matrix(Z, "Z"), as_cap(cap))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return 1 - sympy.tanh(entry(self.args[0], i, j) / self.args[1]) ** 2

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        rows, columns = self.lengths(sizes)
        bent = numbers.tanh(numbers.scale(values[0], S.One / self.args[1].xreplace(dict(sizes))))
        ones = numbers.given([[S.One] * columns] * rows)
        return numbers.add(ones, numbers.scale(numbers.times(bent, bent), S.NegativeOne))

    def formula(self) -> Box:
        Z, cap = self.args
        bent = Call(Power(TANH, "2"), (divide(Z, cap, factor(Z)),))
        return Brackets(Signed((("+", "1"), ("-", bent))))
