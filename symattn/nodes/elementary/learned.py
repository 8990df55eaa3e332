"""Learned scalars: a matrix times a number that is itself an input, with a gradient of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Integer
from sympy.matrices.matrixbase import MatrixBase
from sympy.printing.precedence import PRECEDENCE

from symattn.nodes.boxes import Brackets, factor, precedence_of
from symattn.nodes.node import At, M, Node, Numbers, Sizes, as_matrix, entry, require_size
from symattn.writing.document import Box, Formula, Row, Spelled


class ScaledBy(Node):
    """A matrix times the one entry of another: s_11 X. Shape: that of X; s has shape (1, 1).

    Raises ShapeError where s is not one number.

    >>> from sympy import Matrix
    >>> ScaledBy(Matrix([[1, 2]]), Matrix([[3]])).as_explicit()
    Matrix([[3, 6]])
    """

    precedence = PRECEDENCE["Mul"]  # in brackets inside a product

    def __new__(cls, X: Any, scalar: Any) -> Any:
        return super().__new__(cls, as_matrix(X, "X"), as_scalar(scalar, "scale"))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[1], 0, 0) * entry(self.args[0], i, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        rows, columns = self.lengths(sizes)
        column = numbers.matmul(numbers.given([[Integer(1)]] * rows), values[1])
        return numbers.times(values[0], numbers.matmul(column, numbers.given([[Integer(1)] * columns])))

    def written(self, at: At, i: str, j: str) -> Box:
        X, s = self.args
        entry = at(X, i, j)
        scalar = Formula(s[0, 0]) if isinstance(s, MatrixBase) else at(s, "", "")
        return _times(scalar, X, entry)

    def formula(self) -> Box:
        X, s = self.args
        return _times(Formula(s[0, 0] if isinstance(s, MatrixBase) else s), X, Formula(X))


def _times(scalar: Box, X: Any, written: Box) -> Box:
    """A number times what X is written as; a dot before brackets, in which it would look like an argument."""
    if precedence_of(X) > PRECEDENCE["Add"]:
        return Row((scalar, written if X.is_symbol else factor(X)))
    return Row((scalar, Spelled(r"\cdot", "·"), Brackets(written)))


def as_scalar(value: Any, name: str) -> Any:
    """A matrix of one entry."""
    matrix = as_matrix(value, name)
    for size, side in zip(matrix.shape, ("rows", "columns"), strict=True):
        require_size(size, Integer(1), f"{side}({name})", "one number")
    return matrix
