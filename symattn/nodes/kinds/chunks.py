"""Attention by a state computed a chunk of tokens at a time: pairs within it, and the state for all before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, S

from symattn.errors import InputError, NotSupportedError
from symattn.nodes.boxes import Call, Option
from symattn.nodes.kinds.states import StateAttention
from symattn.nodes.node import (
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    as_number,
    columns_of,
    entry,
    require_size,
    rows_of,
    shape_of,
)
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class ChunkedState(Node):
    """Attention by a state in another form, of the same value: `size` tokens at a time, or all at once if that is None.

    With b_t the product of the decays of a chunk up to token t, H what the chunk begins with and b the last b_t:

    o_t = (q_t ∘ b_t) H + Σ_{s≤t} (q_t ∘ b_t)(k_s/b_s)ᵀ v_s, and H' = diag(b) (H + Σ_s (k_s/b_s)ᵀ v_s)

    By the delta rule u takes the place of v, the solution of (I + L) U = β (V − (K ∘ b) H), where L is what lies below
    the diagonal of β (K ∘ b)(K/b)ᵀ. Without a size there is one chunk, and H = 0: the lower triangle of
    (Q ∘ B)(K/B)ᵀ, times V. Decays must not be 0. Shape: that of the attention. Raises InputError for a size that does
    not divide the tokens.
    Sources: Sun et al. 2023 (RetNet), equations 5 and 7; Yang et al. 2024 (GLA), equations 4 to 6; Dao and Gu 2024,
    section 6; Yang et al. 2024 (DeltaNet), section 3. The theorems `state-space-chunk`, `gated-linear-attention-chunk`,
    `delta-rule`, `delta-rule-system` and `gated-delta-rule` prove them.

    >>> from sympy import Matrix, Rational
    >>> from symattn.nodes.kinds.states import Retention
    >>> ones = Matrix([1, 1])
    >>> ChunkedState(Retention(ones, Matrix([2, 3]), ones, Rational(1, 2)), 1).as_explicit()
    Matrix([
    [2],
    [4]])
    """

    def __new__(cls, state: Any, size: Any = None) -> Any:
        if not isinstance(state, StateAttention):
            raise InputError(Sentence("no_state", given=str(state)[:60]))
        tokens = shape_of(state.args[1])[0]
        if size is None or size is S.Infinity:
            return super().__new__(cls, state, S.Infinity)
        count = as_number(size)
        if count is None or not count.is_Integer or count < 1 or (tokens.is_Integer and tokens % count):
            raise InputError(Sentence("bad_chunk", size=str(size)[:40], tokens=tokens))
        return super().__new__(cls, state, count)

    @property
    def size(self) -> Any:
        """How many tokens a chunk has; None: all."""
        return None if self.args[1] is S.Infinity else self.args[1]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j)

    def formula(self) -> Box:
        chunk = () if self.size is None else (Option("chunk", Formula(self.size)),)
        return Call("chunks" if chunk else "parallel", (Formula(self.args[0]),), options=chunk)


class RunningProduct(Node):
    """The product of each column down to every row: RunningProduct(X)_ij = X_1j ⋯ X_ij. Shape: that of X.

    >>> from sympy import Matrix
    >>> RunningProduct(Matrix([2, 3, 4])).as_explicit()
    Matrix([
    [ 2],
    [ 6],
    [24]])
    """

    def __new__(cls, X: Any) -> Any:
        return super().__new__(cls, as_matrix(X, "X"))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        i = as_sympy(i)
        if i.is_Integer:
            return sympy.Mul(*(entry(self.args[0], Integer(k), j) for k in range(int(i) + 1)))
        k = sympy.Symbol("k", integer=True, nonnegative=True)
        return sympy.Product(entry(self.args[0], k, j), (k, 0, i))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Row by row."""
        rows, columns = self.lengths(sizes)
        made: list[M] = []
        for i in range(rows):
            row = numbers.block(values[0], range(i, i + 1), range(columns))
            made.append(numbers.times(made[-1], row) if made else row)
        return numbers.transpose(numbers.concat([numbers.transpose(row) for row in made]))

    def formula(self) -> Box:
        return Call("cumprod", (Formula(self.args[0]),))


class SolveLower(Node):
    """The solution X of (I + L) X = R, L what lies below the diagonal of a matrix; with `turned`, of (I + Lᵀ) X = R.

    Shape: that of R; L is square. Raises ShapeError where the sizes differ.

    >>> from sympy import Matrix
    >>> SolveLower(Matrix([[0, 0], [3, 0]]), Matrix([1, 5])).as_explicit()
    Matrix([
    [1],
    [2]])
    """

    def __new__(cls, L: Any, R: Any, turned: Any = False) -> Any:
        L, R = as_matrix(L, "L"), as_matrix(R, "R")
        require_size(L.shape[0], L.shape[1], rows_of(L), columns_of(L))
        require_size(L.shape[0], R.shape[0], rows_of(L), rows_of(R))
        return super().__new__(cls, L, R, as_sympy(bool(turned)))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[1])

    @property
    def turned(self) -> bool:
        return bool(self.args[2])

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        L, R, _turned = self.args
        n = shape_of(L)[0]
        if not n.is_Integer:
            raise NotSupportedError(Sentence("state_entry", node=type(self).__name__))
        if not as_sympy(i).is_Integer:
            return sympy.Piecewise(*[(self._entry(Integer(row), j), sympy.Eq(i, row)) for row in range(int(n))])
        others = range(int(i) + 1, int(n)) if self.turned else range(int(i))
        below = ((k, entry(L, k, i) if self.turned else entry(L, i, k)) for k in others)
        return entry(R, i, j) - sympy.Add(*(factor * self._entry(Integer(k), j) for k, factor in below))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        """Row by row, each from those that are known."""
        n, width = self.lengths(sizes)
        L = numbers.transpose(values[0]) if self.turned else values[0]
        rows: dict[int, M] = {}
        for i in reversed(range(n)) if self.turned else range(n):
            row = numbers.block(values[1], range(i, i + 1), range(width))
            if rows:
                known = sorted(rows)
                above = numbers.transpose(numbers.concat([numbers.transpose(rows[k]) for k in known]))
                seen = numbers.matmul(numbers.block(L, range(i, i + 1), range(known[0], known[-1] + 1)), above)
                row = numbers.add(row, numbers.scale(seen, S.NegativeOne))
            rows[i] = row
        return numbers.transpose(numbers.concat([numbers.transpose(rows[i]) for i in range(n)]))

    def formula(self) -> Box:
        L, R, _ = self.args
        return Call("solve", (Formula(L.T if self.turned else L), Formula(R)))
