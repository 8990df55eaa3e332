"""QK-norm: rows of queries and keys brought to one length before they meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, S
from sympy.core.symbol import Str
from sympy.matrices.matrixbase import MatrixBase
from sympy.printing.precedence import PRECEDENCE

from symattn.errors import InputError
from symattn.nodes.boxes import Call, free_letter, in_product
from symattn.nodes.elementary.elementwise import COLUMN, ROW, Z
from symattn.nodes.elementary.entrywise import Hadamard
from symattn.nodes.elementary.logits import Scaled, WithRow
from symattn.nodes.elementary.softmax import DivideRows, RowSum, WithColumn
from symattn.nodes.node import At, M, Node, Numbers, Sizes, as_matrix, as_number, entry, shape_of, sum_over_row
from symattn.writing.document import Box, Formula, Over, Power, Product, Quotient, Root, Row, Signed
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

KINDS = ("l2", "rms")


class RowNorm(Node):
    """The length of each row: ‖x‖₂ ("l2"), or √(Σ x²/d + ε), the root of the mean square ("rms").

    Shape: rows of X by 1. Raises InputError for another kind, or a negative ε. Source: Henry et al. 2020 for l2;
    Zhang and Sennrich 2019 for rms.

    >>> from sympy import Matrix
    >>> RowNorm(Matrix([[3, 4]])).as_explicit()
    Matrix([[5]])
    """

    def __new__(cls, X: Any, kind: Any = "l2", epsilon: Any = 0) -> Any:
        number = as_number(epsilon)
        if number is None or number.is_negative:
            raise InputError(Sentence("bad_epsilon", given=str(epsilon)[:60]))
        return super().__new__(cls, as_matrix(X, "X"), _kind(kind), number)

    @property
    def kind(self) -> str:
        return str(self.args[1])

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], Integer(1)

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return (f".{self.kind}", {}) if self.args[2] == 0 else (f".{self.kind}.epsilon", {"epsilon": self.args[2]})

    def _mean(self, total: Any) -> Any:
        return (total / shape_of(self.args[0])[1] if self.kind == "rms" else total) + self.args[2]

    def _entry(self, i: Any, _j: Any, **_: object) -> Expr:
        X = self.args[0]
        return sympy.sqrt(self._mean(sum_over_row(lambda k: entry(X, i, k) ** 2, X.shape[1], (X, as_sympy(i)))))

    def written(self, at: At, i: str, _j: str) -> Box:
        k = free_letter("k", i)
        entry_k = at(self.args[0], i, k)
        return self.root_of(Over("sum", k, Power(entry_k, "2")), shape_of(self.args[0])[1])

    def root_of(self, squares: Box, width: Any) -> Root:
        """√(Σ x²), or √(Σ x²/d), with ε under the root."""
        return self._root(Quotient(squares, Formula(width)) if self.kind == "rms" else squares)

    def _root(self, mean: Box) -> Root:
        epsilon = self.args[2]
        return Root(mean if epsilon == 0 else Signed((("+", mean), ("+", Formula(epsilon)))))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        squares = numbers.row_sum(numbers.times(values[0], values[0]))
        root = sympy.Lambda((Z, ROW, COLUMN), sympy.sqrt(self._mean(Z).xreplace(dict(sizes))))
        return numbers.each(squares, root)

    def formula(self) -> Box:
        X = self.args[0]
        squares = RowSum(Hadamard(X, X))
        return self._root(Formula(Scaled(squares, 1 / shape_of(X)[1]) if self.kind == "rms" else squares))


class ScaleRows(WithColumn):
    """Every row of X times its own number: diag(c) X, entry c_i X_ij. Shape: that of X."""

    precedence = PRECEDENCE["Mul"]  # in brackets inside a product

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[1], i, 0) * entry(self.args[0], i, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        _, columns = self.lengths(sizes)
        ones = numbers.given([[Integer(1)] * columns])
        return numbers.times(values[0], numbers.matmul(values[1], ones))

    def formula(self) -> Box:
        X, column = self.args
        return Product((Call("diag", (Formula(column),)), in_product(X)), gaps=("", r"\,"))


class ScaleColumns(WithRow):
    """Every column of X times its own number: X diag(g), entry X_ij g_j (a learned gain). Shape: that of X."""

    precedence = PRECEDENCE["Mul"]  # in brackets inside a product

    role = "gain"

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j) * entry(self.args[1], 0, j)

    def written(self, at: At, i: str, j: str) -> Box:
        return Row((at(self.args[0], i, j), at(self.args[1], "", j)))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        rows, _ = self.lengths(sizes)
        ones = numbers.given([[Integer(1)]] * rows)
        return numbers.times(values[0], numbers.matmul(ones, values[1]))

    def formula(self) -> Box:
        X, row = self.args
        return Product((in_product(X), Call("diag", (Formula(row),))), gaps=(r"\,", ""))


class NormalisedRows(Node):
    """Every row of X divided by its length, then each column times its gain, if there is one.

    NormalisedRows(X) = diag(norm(X))⁻¹ X diag(g), norm as in RowNorm. Shape: that of X; gain 1 by its columns. Raises
    ShapeError where these differ. Source: Henry et al. 2020 (l2); Zhang and Sennrich 2019 (rms).

    >>> from sympy import Matrix
    >>> NormalisedRows(Matrix([[3, 4]])).as_explicit()
    Matrix([[3/5, 4/5]])
    """

    def __new__(cls, X: Any, kind: Any = "l2", gain: Any = None, epsilon: Any = 0) -> Any:
        X, norm = as_matrix(X, "X"), RowNorm(X, kind, epsilon)
        if gain is None or gain is S.true:
            return super().__new__(cls, X, norm.args[1], S.true, norm.args[2])
        return super().__new__(cls, X, norm.args[1], ScaleColumns(X, gain).args[1], norm.args[2])

    def norm(self, X: Any) -> Any:
        """The lengths of the rows of X."""
        return RowNorm(X, self.args[1], self.args[3])

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        X, gain = self.args[0], self.args[2]
        divided = DivideRows(X, self.norm(X))
        return entry(divided if gain is S.true else ScaleColumns(divided, gain), i, j)

    def formula(self) -> Box:
        return Call("norm", (Formula(self.args[0]),))


def _kind(kind: Any) -> Str:
    if isinstance(kind, MatrixBase) or str(kind) not in KINDS:
        raise InputError(Sentence("bad_norm", given=str(kind)[:60]))
    return Str(str(kind))
