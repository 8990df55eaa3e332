"""A matrix that is proven to be 0, told as what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, S

from symattn.nodes.node import At, M, Node, Numbers, Sizes, as_matrix
from symattn.writing.document import Box, Formula


class Vanishing(Node):
    """X, of which it is known that every entry is 0. Shape: that of X.

    >>> from sympy import MatrixSymbol
    >>> Vanishing(MatrixSymbol("X", 1, 2)).as_explicit()
    Matrix([[0, 0]])
    """

    def __new__(cls, X: Any) -> Any:
        return super().__new__(cls, as_matrix(X, "X"))

    @property
    def precedence(self) -> int:
        return int(getattr(self.args[0], "precedence", 1000))

    def _entry(self, _i: Any, _j: Any, **_: object) -> Expr:
        return S.Zero

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.scale(values[0], S.Zero)

    def written(self, at: At, i: str, j: str) -> Box | None:
        X = self.args[0]
        return X.written(at, i, j) if isinstance(X, Node) else at(X, i, j)

    def formula(self) -> Box:
        return Formula(self.args[0])
