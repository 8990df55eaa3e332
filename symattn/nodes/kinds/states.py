"""Attention by a state that every token changes: it decays, forgets what a key held, and is written to and read.

One recurrence has all of them, H_t of d_k rows and d_v columns, from H_0 = 0:

    D_t = H_{t−1}, each row times its decay;  H_t = D_t + k_tᵀ u_t;  o_t = q_t H_t

with u_t = v_t, or u_t = β_t (v_t − k_t D_t) by the delta rule. What the kinds differ in is how it decays and what it
writes: `decay` and `strength`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import sympy
from sympy import Expr, Integer, MatrixExpr, S
from sympy.matrices.expressions import Transpose

from symattn.errors import InputError, NotSupportedError
from symattn.nodes.boxes import Call
from symattn.nodes.elementary.learned import ScaledBy, as_scalar
from symattn.nodes.elementary.logits import Scaled
from symattn.nodes.elementary.stack import Block
from symattn.nodes.kinds.attention import as_sequences
from symattn.nodes.layers.norms import ScaleRows
from symattn.nodes.node import Node, as_matrix, as_number, columns_of, entry, is_matrix, require_size, rows_of, shape_of
from symattn.nodes.node import sum_over_row as total
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class StateAttention(Node):
    """What every attention by a state shares: queries, keys and values of the same tokens, its first arguments.

    Shapes: Q and K (n, d_k), V (n, d_v) give (n, d_v); what decays or writes has a row for each token.
    """

    kind = ""  # what is said of it
    gates: tuple[str, ...] = ()  # what the arguments after Q, K and V are: "decay", "strength"

    @property
    def decay(self) -> Any:
        """What every row of the state is multiplied by: a number, (1, 1), (n, 1) or (n, d_k); None: 1."""
        return self._gate("decay")

    @property
    def strength(self) -> Any:
        """How much of the difference is written, (n, 1); None: the value is written."""
        return self._gate("strength")

    def _gate(self, name: str) -> Any:
        return self.args[3 + self.gates.index(name)] if name in self.gates else None

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], shape_of(self.args[2])[1]

    def decayed(self, state: Any, token: Any) -> Any:
        """The state before a token, counted from 0, as the token finds it."""
        if self.decay is None:
            return state
        if not is_matrix(self.decay):
            return Scaled(state, self.decay)
        rows, columns = self.decay.shape
        if (rows, columns) == (1, 1):
            return ScaledBy(state, self.decay)
        own = Block(self.decay, token, 1, 0, columns)
        return ScaledBy(state, own) if columns == 1 else ScaleRows(state, Transpose(own))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        """Σ_{s≤i} Σ_c q_ic k_sc (decays of c after s, up to i) u_sj; u by the delta rule where i is a number."""
        Q, K, V = self.args[:3]
        known = as_sympy(i).is_Integer
        if self.strength is not None and not known:
            rows = shape_of(Q)[0]
            if not rows.is_Integer:
                raise NotSupportedError(Sentence("state_entry", node=type(self).__name__))
            return sympy.Piecewise(*[(self._entry(row, j), sympy.Eq(i, row)) for row in range(int(rows))])
        avoid = (*self.matrices, as_sympy(i), as_sympy(j))

        def meet(X: Any, at: Any, s: Any) -> Expr:
            def of_column(c: Any) -> Expr:
                return entry(X, at, c) * entry(K, s, c) * self._left(at, s, c)

            return total(of_column, Q.shape[1], (*avoid, as_sympy(at), as_sympy(s)))

        def sum_before(X: Any, at: Any, stop: Any, u: Callable[[Any], Expr]) -> Expr:
            return sympy.Add(*[meet(X, at, Integer(s)) * u(Integer(s)) for s in range(int(stop))])

        @cache
        def written(s: Any) -> Expr:
            v = entry(V, s, j)
            return v if self.strength is None else entry(self.strength, s, 0) * (v - sum_before(K, s, s, written))

        if known:
            return sum_before(Q, as_sympy(i), i + 1, written)
        return total(lambda s: sympy.Piecewise((meet(Q, i, s) * entry(V, s, j), s <= i), (0, True)), Q.shape[0], avoid)

    def _left(self, i: Any, s: Any, c: Any) -> Expr:
        """What is left at token i of what token s wrote to row c."""
        if self.decay is None:
            return S.One
        if not is_matrix(self.decay) or shape_of(self.decay) == (1, 1):
            return (entry(self.decay, 0, 0) if is_matrix(self.decay) else self.decay) ** (i - s)
        column = S.Zero if self.decay.shape[1] == 1 else c
        if (i - s).is_Integer:
            return sympy.Mul(*[entry(self.decay, s + 1 + k, column) for k in range(int(i - s))])
        t = sympy.Symbol("t", integer=True)
        return sympy.Product(entry(self.decay, t, column), (t, s + 1, i))

    def formula(self) -> Box:
        return Call(type(self).__name__, tuple(map(Formula, self.args)))


class Retention(StateAttention):
    """Retention: a state that decays by the same factor at every token.

    H_t = γ H_{t−1} + k_tᵀ v_t, o_t = q_t H_t; all at once (QKᵀ ∘ D) V with D_ts = γ^(t−s) for s ≤ t, else 0

    γ is a number or a letter, or a matrix of one entry, which has a gradient then; RetNet takes γ = 1 − 2^(−5−i) in
    head i = 0, 1, …, and rotates Q and K before (`RotaryEmbedding`). Shapes: Q and K (n, d_k), V (n, d_v) give
    (n, d_v). Raises ShapeError naming both sizes where they differ, InputError for a γ that is neither. Source: Sun et
    al. 2023 (RetNet), equations 5 to 7.

    >>> from sympy import Matrix, Rational
    >>> Retention(Matrix([1, 1]), Matrix([2, 3]), Matrix([1, 1]), Rational(1, 2)).as_explicit()
    Matrix([
    [2],
    [4]])
    """

    kind = "retention"
    gates = ("decay",)

    def __new__(cls, Q: Any, K: Any, V: Any, gamma: Any) -> Any:
        gamma = as_scalar(gamma, "gamma") if is_matrix(gamma) else _as_factor(gamma)
        return super().__new__(cls, *_sequences(Q, K, V), gamma)


class GatedLinearAttention(StateAttention):
    """Gated linear attention: every row of the state has a gate of its own at every token.

    H_t = diag(α_t) H_{t−1} + k_tᵀ v_t, o_t = q_t H_t

    α is any matrix of the shape of K, in (0, 1) where it is a gate, as σ(X W). Shapes: Q, K and α (n, d_k), V (n, d_v)
    give (n, d_v). Raises ShapeError naming both sizes where they differ. Source: Yang et al. 2024 (GLA), equation 3.

    >>> from sympy import Matrix, Rational
    >>> alpha = Matrix([[1, 1], [Rational(1, 2), 0]])
    >>> GatedLinearAttention(Matrix([[1, 1], [1, 1]]), Matrix([[2, 3], [0, 1]]), Matrix([1, 1]), alpha).as_explicit()
    Matrix([
    [5],
    [2]])
    """

    kind = "gated"
    gates = ("decay",)

    def __new__(cls, Q: Any, K: Any, V: Any, alpha: Any) -> Any:
        Q, K, V = _sequences(Q, K, V)
        return super().__new__(cls, Q, K, V, _of_tokens(alpha, "alpha", K, shape_of(K)[1], columns_of(K)))


class StateSpaceDuality(StateAttention):
    """The state space layer of Mamba-2: the state decays by a number that every token has.

    H_t = a_t H_{t−1} + k_tᵀ v_t, o_t = q_t H_t; all at once (L ∘ QKᵀ) V with L_ts = a_t ⋯ a_{s+1} for s ≤ t, else 0

    In the letters of the source Q is C, K is B and V is X, the step Δ_t already in B and in a_t = exp(Δ_t A). Shapes: Q
    and K (n, d_k), V (n, d_v), a (n, 1) give (n, d_v). Raises ShapeError naming both sizes where they differ. Source:
    Dao and Gu 2024 (Mamba-2), section 3 and equation 6.

    >>> from sympy import Matrix, Rational
    >>> a = Matrix([1, Rational(1, 2)])
    >>> StateSpaceDuality(Matrix([1, 1]), Matrix([2, 3]), Matrix([1, 1]), a).as_explicit()
    Matrix([
    [2],
    [4]])
    """

    kind = "ssd"
    gates = ("decay",)

    def __new__(cls, Q: Any, K: Any, V: Any, a: Any) -> Any:
        Q, K, V = _sequences(Q, K, V)
        return super().__new__(cls, Q, K, V, _of_tokens(a, "a", K, Integer(1), "one column"))


class DeltaRule(StateAttention):
    """The delta rule: what the state holds for a key is brought towards its value, by a share β_t of the difference.

    H_t = (I − β_t k_tᵀ k_t) H_{t−1} + β_t k_tᵀ v_t = H_{t−1} + k_tᵀ β_t (v_t − k_t H_{t−1}), o_t = q_t H_t

    Shapes: Q and K (n, d_k), V (n, d_v), β (n, 1) give (n, d_v). Raises ShapeError naming both sizes where they differ.
    Source: Schlag, Irie and Schmidhuber 2021, equations 20 to 24; Yang et al. 2024 (DeltaNet), section 2.2.

    >>> from sympy import Matrix
    >>> DeltaRule(Matrix([1, 1]), Matrix([1, 1]), Matrix([4, 6]), Matrix([1, 1])).as_explicit()
    Matrix([
    [4],
    [6]])
    """

    kind = "delta"
    gates = ("strength",)

    def __new__(cls, Q: Any, K: Any, V: Any, beta: Any) -> Any:
        Q, K, V = _sequences(Q, K, V)
        return super().__new__(cls, Q, K, V, _of_tokens(beta, "beta", K, Integer(1), "one column"))


class GatedDeltaRule(StateAttention):
    """The gated delta rule: the state decays by a number of the token's, and is corrected by the delta rule then.

    H_t = α_t (I − β_t k_tᵀ k_t) H_{t−1} + β_t k_tᵀ v_t, o_t = q_t H_t

    Shapes: Q and K (n, d_k), V (n, d_v), α and β (n, 1) give (n, d_v). Raises ShapeError naming both sizes where they
    differ. Source: Yang, Kautz and Hatamizadeh 2025 (Gated DeltaNet), equation 10.

    >>> from sympy import Matrix, Rational
    >>> ones, alpha = Matrix([1, 1]), Matrix([1, Rational(1, 2)])
    >>> GatedDeltaRule(ones, ones, Matrix([4, 6]), alpha, alpha).as_explicit()
    Matrix([
    [4],
    [4]])
    """

    kind = "gated_delta"
    gates = ("decay", "strength")

    def __new__(cls, Q: Any, K: Any, V: Any, alpha: Any, beta: Any) -> Any:
        Q, K, V = _sequences(Q, K, V)
        each = (_of_tokens(x, name, K, Integer(1), "one column") for x, name in ((alpha, "alpha"), (beta, "beta")))
        return super().__new__(cls, Q, K, V, *each)


def _sequences(Q: Any, K: Any, V: Any) -> tuple[MatrixExpr, MatrixExpr, MatrixExpr]:
    """Queries, keys and values of the same tokens. Raises ShapeError naming both sizes where they differ."""
    Q, K, V = as_sequences(Q, K, V)
    require_size(Q.shape[1], K.shape[1], columns_of(Q), columns_of(K))
    require_size(Q.shape[0], K.shape[0], rows_of(Q), rows_of(K))
    return Q, K, V


def _as_factor(gamma: Any) -> Expr:
    """A number or a letter. Raises InputError for anything else."""
    factor = as_number(gamma)
    if factor is None:
        raise InputError(Sentence("bad_decay", given=str(gamma)[:60]))
    return factor


def _of_tokens(X: Any, name: str, K: Any, columns: Expr, wide: object) -> Any:
    """A matrix with a row for each token."""
    X = as_matrix(X, name)
    require_size(X.shape[0], K.shape[0], f"rows({name})", rows_of(K))
    require_size(X.shape[1], columns, f"columns({name})", wide)
    return X
