"""What the gradients of some nodes are made of: the slopes of additive scores, and entries that a rule leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, MatrixExpr, OneMatrix, S, Symbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes.boxes import CIRCLE, ENTRYWISE, TANH, Brackets, Call, Indexed, Letters, entry_of, factor
from symattn.nodes.elementary.entrywise import CapSlope, ColumnSum, Hadamard
from symattn.nodes.elementary.families import ConcatHeads, Plus
from symattn.nodes.elementary.logits import SoftCapped
from symattn.nodes.elementary.softmax import RowMax, RowSum
from symattn.nodes.elementary.stack import Block
from symattn.nodes.kinds.scored import Additive
from symattn.nodes.masking.masked import UnderMask
from symattn.nodes.masking.masks import as_mask, conditions, require_mask
from symattn.nodes.node import (
    At,
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    columns_of,
    entry,
    require_shape,
    require_size,
    rows_of,
)
from symattn.writing.document import Box, Cases, Formula, Over, Power, Row, Signed, Spelled

UNIT = Symbol("k", integer=True, positive=True)  # the number of a hidden unit, from 1


class _Slope(Additive):
    """A sum over queries and keys of P (n, a), R (m, a) and weights G (n, m)."""

    def spelled(self) -> MatrixExpr:
        """The same unit by unit, of nodes that have gradients themselves."""
        raise NotImplementedError

    def _sums(self) -> MatrixExpr:
        """P_ik + R_jk for unit k."""
        P, R = self.args[:2]
        (n, _), (m, _) = P.shape, R.shape
        p, r = (Block(X, 0, X.shape[0], UNIT - 1, 1) for X in (P, R))
        return Plus(MatMul(p, OneMatrix(1, m)), MatMul(OneMatrix(n, 1), Transpose(r)))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.spelled(), i, j)

    def _tanh(self, function: Box) -> Box:
        """tanh(P_ik + R_jk), or its square."""
        P, R = self.args[:2]
        return Call(function, (Signed((("+", entry_of(P, "ik")), ("+", entry_of(R, "jk")))),))


class AdditiveSlope(_Slope):
    """The gradient of Bahdanau's scores by the projected queries: D_ik = Σ_j G_ij v_k (1 − tanh²(P_ik + R_jk)).

    Shapes: P (n, a), R (m, a), v (a, 1), G (n, m) give (n, a); with R, P and Gᵀ it is the gradient by the projected
    keys. Raises ShapeError where G does not fit. Source: the chain rule for Bahdanau, Cho and Bengio 2015, A.1.2.

    >>> from sympy import Matrix
    >>> AdditiveSlope(Matrix([[0]]), Matrix([[0], [0]]), Matrix([[5]]), Matrix([[2, 3]])).as_explicit()
    Matrix([[25]])
    """

    def __new__(cls, P: Any, R: Any, v: Any, G: Any) -> Any:
        P, R, v, G = (as_matrix(x, name) for x, name in zip((P, R, v, G), "PRvG", strict=True))
        require_size(P.shape[1], R.shape[1], columns_of(P), columns_of(R))
        require_size(P.shape[1], v.shape[0], columns_of(P), rows_of(v))
        require_size(P.shape[0], G.shape[0], rows_of(P), rows_of(G))
        require_size(R.shape[0], G.shape[1], rows_of(R), columns_of(G))
        return super().__new__(cls, P, R, v, G)

    def spelled(self) -> MatrixExpr:
        _, _, v, G = self.args
        column = RowSum(Hadamard(G, CapSlope(self._sums(), 1)))
        return ConcatHeads(MatMul(column, Block(v, UNIT - 1, 1, 0, 1)), UNIT, self.units)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        P, R, v, G = values
        columns = []
        for k, bent in enumerate(self.bend(numbers, P, R, sizes)):
            lost = numbers.times(G, numbers.times(bent, bent))
            column = numbers.row_sum(numbers.add(G, numbers.scale(lost, S.NegativeOne)))
            columns.append(numbers.matmul(column, numbers.block(v, range(k, k + 1), range(1))))
        return numbers.concat(columns)

    def formula(self) -> Box:
        _, _, v, G = self.args
        slope = Brackets(Signed((("+", "1"), ("-", self._tanh(Power(TANH, "2"))))))
        term = Row((entry_of(G, "ij"), entry_of(v, "k"), slope))
        return Indexed(Brackets(Over("sum", "j", term), "[]"), Letters("ik"))


class AdditiveGain(_Slope):
    """The gradient of Bahdanau's scores by the vector v: g_k = Σ_ij G_ij tanh(P_ik + R_jk).

    Shapes: P (n, a), R (m, a), G (n, m) give (a, 1). Raises ShapeError where G does not fit. Source: as above.

    >>> from sympy import Matrix
    >>> AdditiveGain(Matrix([[1]]), Matrix([[0], [-1]]), Matrix([[2, 7]])).as_explicit()
    Matrix([[2*tanh(1)]])
    """

    def __new__(cls, P: Any, R: Any, G: Any) -> Any:
        P, R, G = (as_matrix(x, name) for x, name in zip((P, R, G), "PRG", strict=True))
        require_size(P.shape[1], R.shape[1], columns_of(P), columns_of(R))
        require_size(P.shape[0], G.shape[0], rows_of(P), rows_of(G))
        require_size(R.shape[0], G.shape[1], rows_of(R), columns_of(G))
        return super().__new__(cls, P, R, G)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.units, Integer(1)

    def spelled(self) -> MatrixExpr:
        total = ColumnSum(RowSum(Hadamard(self.args[2], SoftCapped(self._sums(), 1))))
        return Transpose(ConcatHeads(total, UNIT, self.units))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        P, R, G = values
        totals = []
        for bent in self.bend(numbers, P, R, sizes):
            rows = numbers.row_sum(numbers.times(G, bent))
            totals.append(numbers.row_sum(numbers.transpose(rows)))
        return numbers.transpose(numbers.concat(totals))

    def formula(self) -> Box:
        term = Row((entry_of(self.args[2], "ij"), self._tanh(TANH)))
        return Indexed(Brackets(Over("sum", ("i", "j"), term), "[]"), "k")


class Where(UnderMask):
    """The entries that a mask keeps, 0 elsewhere: Where(X, mask)_ij = X_ij where mask.keep(i, j), else 0.

    Shape: that of X. Unlike `Masked` it is no softmax's: products with scores that are not looked at are left out.

    >>> from sympy import Matrix
    >>> from symattn.nodes.masking.masks import CausalMask
    >>> Where(Matrix([[1, 2], [3, 4]]), CausalMask()).as_explicit()
    Matrix([
    [1, 0],
    [3, 4]])
    """

    precedence = ENTRYWISE

    def __new__(cls, X: Any, mask: Any) -> Any:
        X, mask = as_matrix(X, "X"), as_mask(mask)
        require_mask(mask, X.shape, rows_of(X), columns_of(X))
        return super().__new__(cls, X, mask)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return sympy.Piecewise((entry(self.args[0], i, j), self.keep(i, j)), (S.Zero, True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        value, *masks = values
        return numbers.times(value, self.choose(numbers, masks, sizes, S.One, S.Zero))

    def written(self, at: At, i: str, j: str) -> Box | None:
        """Without a formula for given numbers, of which the mask's own entries would have to be known."""
        return None if i.isdigit() else Cases(((at(self.args[0], i, j), conditions(self.args[1])),), "0")

    def formula(self) -> Box:
        return Row((factor(self.args[0]), CIRCLE, Brackets(conditions(self.args[1], r"\ "), "[]")))


class SeenRows(Node):
    """The rows of queries that may look at a key, 0 where there is none: X_ij where row i of Z has a number, else 0.

    Shape: that of X and Z, which must agree. It is what the gradient by scores is where an empty row has weights of
    its own.

    >>> from sympy import Matrix, oo
    >>> SeenRows(Matrix([[1, 2], [3, 4]]), Matrix([[0, -oo], [-oo, -oo]])).as_explicit()
    Matrix([
    [1, 2],
    [0, 0]])
    """

    def __new__(cls, X: Any, Z: Any) -> Any:
        X, Z = as_matrix(X, "X"), as_matrix(Z, "Z")
        require_shape(X, Z)
        return super().__new__(cls, X, Z)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        X, Z = self.args
        seen = sympy.Ne(entry(RowMax(Z), i, 0), S.NegativeInfinity)
        return sympy.Piecewise((entry(X, i, j), seen), (S.Zero, True))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        X, Z = values
        return numbers.fill_rows(X, numbers.empty_rows(Z), S.Zero)

    def formula(self) -> Box:
        X, Z = map(Formula, self.args)
        return Indexed(Brackets(X, "[]"), Row((Z, Spelled(r"\neq -\infty", "≠ -∞"))))
