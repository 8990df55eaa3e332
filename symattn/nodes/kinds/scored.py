"""Other ways to score a query against a key than their dot product: Luong's and Bahdanau's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, Unpack

import sympy
from sympy import Expr, Integer, MatrixExpr, S

from symattn.nodes.boxes import TANH, Brackets, Call, Indexed, Letters, entry_of
from symattn.nodes.elementary.softmax import transpose
from symattn.nodes.kinds.attention import (
    OPTIONS,
    AttentionOptions,
    SoftmaxAttention,
    as_sequences,
    name_options,
    read_options,
)
from symattn.nodes.node import (
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
from symattn.writing.document import Box, Formula, Product, Signed
from symattn.writing.strict import as_sympy


class LuongAttention(SoftmaxAttention):
    """Attention whose scores are the general form of Luong: a matrix between query and key.

    LuongAttention(Q, K, V, W) = softmax(Q W Kᵀ) V

    Shapes: Q (n, d_q), K (m, d_k), V (m, d_v), W (d_q, d_k) give (n, d_v). Options (mask, bias, scale, softcap,
    empty_row, sink, score_mod, weighting) as in Attention; the scale is 1. Raises ShapeError naming both sizes where
    they differ. Source: Luong et al. 2015, equation 8.

    >>> from sympy import Matrix
    >>> LuongAttention(Matrix([[1]]), Matrix([[1], [1]]), Matrix([[2], [4]]), Matrix([[5]])).as_explicit()
    Matrix([[3]])
    """

    def __new__(cls, Q: Any, K: Any, V: Any, W: Any, *canonical: Any, **options: Unpack[AttentionOptions]) -> Any:
        (Q, K, V), W = as_sequences(Q, K, V), as_matrix(W, "W")
        require_size(Q.shape[1], W.shape[0], columns_of(Q), rows_of(W))
        require_size(W.shape[1], K.shape[1], columns_of(W), columns_of(K))
        return super().__new__(cls, Q, K, V, W, *read_options(name_options(cls, OPTIONS, canonical, options), Q, K, 1))

    def scores(self) -> MatrixExpr:
        Q, K, _, W = self.args[:4]
        return Q * W * transpose(K)


class BahdanauAttention(SoftmaxAttention):
    """Attention whose scores are a small network of query and key.

    s_ij = tanh(q_i W + k_j U) v,  BahdanauAttention(Q, K, V, W, U, v) = softmax(S) V

    Shapes: Q (n, d_q), K (m, d_k), V (m, d_v), W (d_q, a), U (d_k, a), v (a, 1) give (n, d_v). Options (mask, bias,
    scale, softcap, empty_row, sink, score_mod, weighting) as in Attention; the scale is 1. Raises ShapeError naming
    both sizes where they differ. Source: Bahdanau, Cho and Bengio 2015, section A.1.2.

    >>> from sympy import MatrixSymbol, symbols
    >>> n, m, d, a = symbols("n m d a")
    >>> Q, K, W, U, v = (MatrixSymbol(x, *s) for x, s in zip("QKWUv", [(n, d), (m, d), (d, a), (d, a), (a, 1)]))
    >>> BahdanauAttention(Q, K, K, W, U, v).shape
    (n, d)
    """

    def __new__(
        cls, Q: Any, K: Any, V: Any, W: Any, U: Any, v: Any, *canonical: Any, **options: Unpack[AttentionOptions]
    ) -> Any:
        Q, K, V = as_sequences(Q, K, V)
        W, U, v = as_matrix(W, "W"), as_matrix(U, "U"), as_matrix(v, "v")
        require_size(Q.shape[1], W.shape[0], columns_of(Q), rows_of(W))
        require_size(K.shape[1], U.shape[0], columns_of(K), rows_of(U))
        AdditiveScores(Q * W, K * U, v)  # says which of their sizes differ
        return super().__new__(
            cls, Q, K, V, W, U, v, *read_options(name_options(cls, OPTIONS, canonical, options), Q, K, 1)
        )

    def scores(self) -> MatrixExpr:
        Q, K, _, W, U, v = self.args[:6]
        return AdditiveScores(Q * W, K * U, v)


class Additive(Node):
    """What is made of P (n, a) and R (m, a), which are added for each pair of a row of both."""

    @property
    def units(self) -> Expr:
        return shape_of(self.args[0])[1]

    def bend(self, numbers: Numbers[M], P: M, R: M, sizes: Sizes) -> Iterator[M]:
        """tanh(P_ik + R_jk) for all i and j, unit by unit: tanh(P_k 1ᵀ + 1 R_kᵀ)."""
        n, m, units = (int(x.xreplace(dict(sizes))) for x in (*(X.shape[0] for X in self.args[:2]), self.units))
        down, across = numbers.given([[S.One]] * n), numbers.given([[S.One] * m])
        for k in range(units):
            p = numbers.matmul(numbers.block(P, range(n), range(k, k + 1)), across)
            r = numbers.matmul(down, numbers.transpose(numbers.block(R, range(m), range(k, k + 1))))
            yield numbers.tanh(numbers.add(p, r))


class AdditiveScores(Additive):
    """Bahdanau's scores of projected queries and keys, in index form: S_ij = tanh(p_i + r_j) v.

    Shapes: P (n, a), R (m, a), v (a, 1) give (n, m). Raises ShapeError naming both sizes where they differ. Source:
    Bahdanau, Cho and Bengio 2015, section A.1.2.

    >>> from sympy import Matrix
    >>> AdditiveScores(Matrix([[1]]), Matrix([[0], [-1]]), Matrix([[2]])).as_explicit()
    Matrix([[2*tanh(1), 0]])
    """

    def __new__(cls, P: Any, R: Any, v: Any) -> Any:
        P, R, v = as_matrix(P, "P"), as_matrix(R, "R"), as_matrix(v, "v")
        require_size(P.shape[1], R.shape[1], columns_of(P), columns_of(R))
        require_size(P.shape[1], v.shape[0], columns_of(P), rows_of(v))
        require_size(v.shape[1], Integer(1), columns_of(v), "a column")
        return super().__new__(cls, P, R, v)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], shape_of(self.args[1])[0]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        P, R, v = self.args
        return sum_over_row(
            lambda k: entry(v, k, 0) * sympy.tanh(entry(P, i, k) + entry(R, j, k)),
            P.shape[1],
            (P, R, v, as_sympy(i), as_sympy(j)),
        )

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Unit by unit, each times its v_k."""
        P, R, v = values
        n, m = self.lengths(sizes)
        down, across = numbers.given([[S.One]] * n), numbers.given([[S.One] * m])
        terms = []
        for k, bent in enumerate(self.bend(numbers, P, R, sizes)):
            factor = numbers.matmul(numbers.matmul(down, numbers.block(v, range(k, k + 1), range(1))), across)
            terms.append(numbers.times(factor, bent))
        return reduce(numbers.add, terms)

    def formula(self) -> Box:
        P, R, v = self.args
        summed = Signed((("+", entry_of(P, "i")), ("+", entry_of(R, "j"))))
        return Indexed(Brackets(Product((Call(TANH, (summed,)), Formula(v))), "[]"), Letters("ij"))
