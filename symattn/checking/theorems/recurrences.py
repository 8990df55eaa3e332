"""Theorems by induction: what goes on token by token or block by block has the closed form for any number of them.

The base is one token (or block); the chain goes from some tokens, for which it holds, to one more. What is kept so far
is written as its closed form; `where` says of what.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import MatrixSymbol, OneMatrix, Symbol, ZeroMatrix
from sympy.matrices.expressions import MatMul, Transpose

from symattn.checking.theorems.theorem import Link, Theorem, minus
from symattn.nodes import (
    Block,
    CausalMask,
    Concat,
    DivideRows,
    Exponential,
    Hadamard,
    Plus,
    RowSum,
    Scaled,
    ScaleRows,
    Softmax,
    Stack,
    SubtractColumn,
    Where,
)

n, p, q, d, e, t = (Symbol(x, integer=True, positive=True) for x in ("n", "p", "q", "d_k", "d_v", "t"))
K, V = MatrixSymbol("K", p, d), MatrixSymbol("V", p, e)  # of the tokens so far
k, v = MatrixSymbol("k", 1, d), MatrixSymbol("v", 1, e)  # of one more
H, start = MatrixSymbol("H", d, e), MatrixSymbol("H_0", d, e)  # the state
ONES = OneMatrix(p, 1)
DELTA = ({p: 3, d: 2, e: 1}, {p: 1, d: 3, e: 2})


def _outer(key: Any, value: Any) -> Any:
    return MatMul(Transpose(key), value)


def flash_attention() -> Theorem:
    """A block of keys more: sums and outputs so far are brought to the new reference, and the block's own are added."""
    Z, new = MatrixSymbol("Z", n, p), MatrixSymbol("Z'", n, q)
    W, mu, nu = MatrixSymbol("V'", q, e), MatrixSymbol("mu", n, 1), MatrixSymbol("mu'", n, 1)
    E, alpha = MatrixSymbol("E", n, q), MatrixSymbol("alpha", n, 1)
    O, ell = MatrixSymbol("O", n, e), MatrixSymbol("ell", n, 1)
    old = Exponential(SubtractColumn(Z, mu))
    above = Plus(ScaleRows(O, alpha), MatMul(E, W))
    below = Plus(ScaleRows(ell, alpha), RowSum(E))
    where = (
        (E, Exponential(SubtractColumn(new, nu))),
        (alpha, Exponential(Plus(mu, minus(nu)))),
        (O, MatMul(old, V)),
        (ell, RowSum(old)),
    )
    base = ((MatMul(Softmax(new), W), DivideRows(MatMul(E, W), RowSum(E))),)
    first = MatMul(Softmax(Concat(Z, new)), Stack(V, W))
    cases = ({n: 1, p: 3, q: 2, e: 4}, {n: 4, p: 1, q: 3, e: 2})
    return Theorem(
        "flash-attention", first, (Link(DivideRows(above, below), "rescale"),), cases, where=where, base=base
    )


def linear_attention_state() -> Theorem:
    """KᵀV of causal linear attention grows by kᵀv for each token."""
    base = ((_outer(k, v), Plus(ZeroMatrix(d, e), _outer(k, v))),)
    links = (Link(Plus(MatMul(Transpose(K), V), _outer(k, v)), "blocks"), Link(Plus(H, _outer(k, v)), "chain"))
    first = MatMul(Transpose(Stack(K, k)), Stack(V, v))
    return Theorem("linear-attention-state", first, links, DELTA, where=((H, MatMul(Transpose(K), V)),), base=base)


def _decayed(keys: Any, decays: Any, last: Any, values: Any, ones: Any) -> Any:
    """Σ_s e^{c − c_s} k_sᵀ v_s."""
    return MatMul(Transpose(ScaleRows(keys, Exponential(Plus(MatMul(ones, last), minus(decays))))), values)


def gated_state() -> Theorem:
    """A state that decays by a number for each token, e^{c_t − c_{t−1}}: Mamba-2, retention, chunk by chunk as well."""
    return _gated("gated-state", MatrixSymbol("c", p, 1), _decayed, _scaled)


def _gated(name: str, c: Any, decayed: Callable[..., Any], times: Callable[[Any, Any], Any]) -> Theorem:
    """Σ_s of decayed k_sᵀ v_s beside the decayed start, for one token more; c are the logarithms of the decays."""
    last, new = MatrixSymbol("x", 1, c.shape[1]), MatrixSymbol("y", 1, c.shape[1])
    whole = decayed(Stack(K, k), Stack(c, new), new, Stack(V, v), Stack(ONES, OneMatrix(1, 1)))
    links = (Link(Plus(times(H, Plus(new, minus(last))), _outer(k, v)), "rescale"),)
    one = decayed(k, new, new, v, OneMatrix(1, 1))
    base = ((Plus(times(start, new), one), Plus(times(start, new), _outer(k, v))),)
    where = ((H, Plus(times(start, last), decayed(K, c, last, V, ONES))),)
    return Theorem(name, Plus(times(start, new), whole), links, DELTA, where=where, base=base)


def _of_rows(keys: Any, decays: Any, last: Any, values: Any, ones: Any) -> Any:
    """Σ_s (k_s ∘ e^{c − c_s})ᵀ v_s, of rows of decays."""
    return MatMul(Transpose(Hadamard(keys, Exponential(Plus(MatMul(ones, last), minus(decays))))), values)


def _chunk_row(
    name: str, columns: Any, decayed: Callable[..., Any], times: Callable[[Any, Any], Any], read: Callable[..., Any]
) -> Theorem:
    """The row of one token more in a chunk: q times the state is what is left of the start, and the pairs before."""
    c, last, new = MatrixSymbol("c", p, columns), MatrixSymbol("x", 1, columns), MatrixSymbol("y", 1, columns)
    query = MatrixSymbol("q", 1, d)
    state = Plus(times(start, last), decayed(K, c, last, V, ONES))
    step = MatMul(query, Plus(times(H, Plus(new, minus(last))), _outer(k, v)))
    pairs = Plus(MatMul(read(query, new, c), V), MatMul(query, Transpose(k), v))
    links = (Link(Plus(MatMul(query, times(start, new)), pairs), "associative"),)
    return Theorem(name, step, links, DELTA, where=((H, state),))


def _scaled(state: Any, exponent: Any) -> Any:
    """e^x H, x one number."""
    return ScaleRows(state, MatMul(OneMatrix(d, 1), Exponential(exponent)))


def _scaled_by_rows(state: Any, exponent: Any) -> Any:
    """diag(e^x) H, x a number for each row."""
    return ScaleRows(state, Transpose(Exponential(exponent)))


def state_space_chunk() -> Theorem:
    """Row t of a chunk of Mamba-2 or retention: e^{c_t} q_t H_0 + Σ_s e^{c_t − c_s} (q_t k_sᵀ) v_s = q_t H_t."""

    def read(query: Any, new: Any, c: Any) -> Any:
        decays = Exponential(Plus(MatMul(new, Transpose(ONES)), minus(Transpose(c))))
        return Hadamard(MatMul(query, Transpose(K)), decays)

    return _chunk_row("state-space-chunk", 1, _decayed, _scaled, read)


def gated_linear_attention_chunk() -> Theorem:
    """Row t of a chunk: (q_t ∘ e^{c_t}) H_0 + Σ_s (q_t ∘ e^{c_t − c_s}) k_sᵀ v_s = q_t H_t, with gates for each row."""

    def read(query: Any, new: Any, c: Any) -> Any:
        return MatMul(Hadamard(query, Exponential(new)), Transpose(Hadamard(K, Exponential(minus(c)))))

    return _chunk_row("gated-linear-attention-chunk", d, _of_rows, _scaled_by_rows, read)


def gated_delta_rule() -> Theorem:
    """A chunk of the gated delta rule is e^c H_0 + Σ_s e^{c − c_s} k_sᵀ u_s, with u = β(v − k e^{c_t − c} (…))."""
    c, last, new = MatrixSymbol("c", p, 1), MatrixSymbol("x", 1, 1), MatrixSymbol("y", 1, 1)
    U, u, beta = MatrixSymbol("U", p, e), MatrixSymbol("u", 1, e), MatrixSymbol("beta", 1, 1)
    left = Plus(_scaled(start, new), _decayed(K, c, new, U, ONES))  # of the tokens before, when the new one comes
    where = (
        (H, Plus(_scaled(start, last), _decayed(K, c, last, U, ONES))),
        (u, MatMul(beta, Plus(v, minus(MatMul(k, left))))),
    )
    whole = Plus(
        _scaled(start, new), _decayed(Stack(K, k), Stack(c, new), new, Stack(U, u), Stack(ONES, OneMatrix(1, 1)))
    )
    kept = _scaled(H, Plus(new, minus(last)))
    step = Plus(kept, MatMul(Transpose(k), MatMul(beta, Plus(v, minus(MatMul(k, kept))))))
    first = MatrixSymbol("u_1", 1, e)
    meaning = MatMul(beta, Plus(v, minus(MatMul(k, _scaled(start, new)))))
    base = (
        (
            Plus(_scaled(start, new), _decayed(k, new, new, first, OneMatrix(1, 1))),
            Plus(_scaled(start, new), MatMul(Transpose(k), meaning)),
        ),
    )
    return Theorem(
        "gated-delta-rule", whole, (Link(step, "chain"),), DELTA, where=(*where, (first, meaning)), base=base
    )


def gated_linear_attention() -> Theorem:
    """A state whose every row decays by a number of its own: gated linear attention, chunk by chunk as well."""
    return _gated("gated-linear-attention", MatrixSymbol("C", p, d), _of_rows, _scaled_by_rows)


def state_space_duality() -> Theorem:
    """Row t of (QKᵀ ∘ M)V, M_ts = e^{c_t − c_s} for s ≤ t, is q_t times the state (Mamba-2's duality)."""
    Q, K_n, V_n, c = MatrixSymbol("Q", n, d), MatrixSymbol("K", n, d), MatrixSymbol("V", n, e), MatrixSymbol("c", n, 1)
    differences = Plus(MatMul(c, OneMatrix(1, n)), minus(MatMul(OneMatrix(n, 1), Transpose(c))))
    weights = Where(Hadamard(MatMul(Q, Transpose(K_n)), Exponential(differences)), CausalMask())
    query, last = Block(Q, t - 1, 1, 0, d), Block(c, t - 1, 1, 0, 1)
    seen, decays, values = (Block(X, 0, t, 0, size) for X, size in ((K_n, d), (c, 1), (V_n, e)))
    state = _decayed(seen, decays, last, values, OneMatrix(t, 1))
    links = (
        Link(MatMul(Block(weights, t - 1, 1, 0, n), V_n), "row_of_product"),
        Link(MatMul(query, state), "associative"),
    )
    cases = tuple({n: 5, d: 2, e: 4, t: number} for number in (1, 3))
    return Theorem("state-space-duality", Block(MatMul(weights, V_n), t - 1, 1, 0, e), links, cases)


def _delta_rule(sign: int) -> tuple[Any, Any, tuple[tuple[Any, Any], ...]]:
    """The state of a chunk and one token more, the step of the delta rule, and what the short names stand for."""
    U, u, beta = MatrixSymbol("U", p, e), MatrixSymbol("u", 1, e), MatrixSymbol("beta", 1, 1)
    seen = Scaled(MatMul(k, Transpose(K), U), sign)
    where = (
        (H, Plus(start, MatMul(Transpose(K), U))),
        (u, MatMul(beta, Plus(v, minus(MatMul(k, start)), seen))),
    )
    whole = Plus(start, MatMul(Transpose(Stack(K, k)), Stack(U, u)))
    step = Plus(H, MatMul(Transpose(k), MatMul(beta, Plus(v, minus(MatMul(k, H))))))
    return whole, step, where


def delta_rule() -> Theorem:
    """A chunk of the delta rule is H_0 + KᵀU, each u from those before it: u = β(v − k H_0 − k Kᵀ U)."""
    whole, step, where = _delta_rule(-1)
    first, beta = MatrixSymbol("u_1", 1, e), MatrixSymbol("beta", 1, 1)
    meaning = MatMul(beta, Plus(v, minus(MatMul(k, start))))
    base = ((Plus(start, _outer(k, first)), Plus(start, MatMul(Transpose(k), meaning))),)
    links = (Link(step, "chain"),)
    return Theorem("delta-rule", whole, links, DELTA, where=(*where, (first, meaning)), base=base)


def delta_rule_with_plus() -> Theorem:
    """u = β(v − k H_0 + k Kᵀ U): does not hold."""
    whole, step, where = _delta_rule(1)
    return Theorem("delta-rule-with-plus", whole, (Link(step, "stated"),), DELTA, where=where)


def delta_rule_system() -> Theorem:
    """Row t of (I + strictly lower part of diag(β)KKᵀ) U: the rows u of a chunk solve one triangular system."""
    K_n, U, b = MatrixSymbol("K", n, d), MatrixSymbol("U", n, e), MatrixSymbol("beta", n, 1)
    lower = Where(ScaleRows(MatMul(K_n, Transpose(K_n)), b), CausalMask(-1))
    key, weight = Block(K_n, t - 1, 1, 0, d), Block(b, t - 1, 1, 0, 1)
    before = MatMul(Transpose(Block(K_n, 0, t - 1, 0, d)), Block(U, 0, t - 1, 0, e))
    row = Plus(Block(U, t - 1, 1, 0, e), MatMul(weight, key, before))
    first = Block(Plus(U, MatMul(lower, U)), t - 1, 1, 0, e)
    cases = tuple({n: 5, d: 2, e: 1, t: number} for number in (3, 4))
    return Theorem("delta-rule-system", first, (Link(row, "hidden"),), cases)
