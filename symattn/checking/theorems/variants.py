"""Theorems on what attention is varied by: positions, temperatures, finite masks, shared keys, features."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import MatrixSymbol, Symbol, sqrt
from sympy.matrices.expressions import MatMul, Transpose

from symattn.checking.theorems.theorem import Link, Theorem
from symattn.nodes import (
    HEAD,
    Block,
    CausalMask,
    ConcatHeads,
    DivideRows,
    Exponential,
    HeadColumns,
    HeadRows,
    HideMask,
    KeepMask,
    Masked,
    Penalised,
    Plus,
    RotaryEmbedding,
    RowSum,
    Scaled,
    ScaleRows,
    Softmax,
    SumHeads,
    Where,
)
from symattn.nodes.elementary.families import kv_head_of

n, m, d, e, h, g, w, t = (Symbol(x, integer=True, positive=True) for x in ("n", "m", "d_k", "d_v", "h", "g", "d", "t"))
Q, K, V, Z = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e), MatrixSymbol("Z", n, m)
EVEN = ({n: 2, m: 3, d: 4}, {n: 3, m: 2, d: 6})


def _turned(X: Any, pairs: str, first: Any) -> Any:
    return RotaryEmbedding(X, pairs=pairs, offset=first)


def _relative(name: str, pairs: str) -> Theorem:
    """RoPE_a(Q) RoPE_b(K)ᵀ = RoPE_{a−b}(Q) RoPE_0(K)ᵀ, where the positions of RoPE_a begin at a."""
    a, b = (Symbol(x, integer=True, positive=True) for x in "ab")
    first = MatMul(_turned(Q, pairs, a), Transpose(_turned(K, pairs, b)))
    second = MatMul(_turned(Q, pairs, a - b), Transpose(_turned(K, pairs, 0)))
    cases = tuple(case | {a: x, b: y} for case, (x, y) in zip(EVEN, ((2, 1), (5, 1)), strict=True))
    return Theorem(name, first, (Link(second, "angles"),), cases)


def rotary_interleaved() -> Theorem:
    """RoPE in pairs of neighbours, (0, 1), (2, 3), …"""
    return _relative("rotary-interleaved", "interleaved")


def rotary_halves() -> Theorem:
    """RoPE in pairs of the two halves, (0, d/2), (1, d/2 + 1), …"""
    return _relative("rotary-halves", "halves")


def scale_and_temperature() -> Theorem:
    """softmax(QKᵀ/(√d_k τ)) = softmax((Q/τ)Kᵀ/√d_k) = softmax((Q/√(τ√d_k)) (K/√(τ√d_k))ᵀ)."""
    tau = Symbol("tau", positive=True)
    half = 1 / sqrt(tau * sqrt(d))
    links = (
        Link(Softmax(Scaled(MatMul(Scaled(Q, 1 / tau), Transpose(K)), 1 / sqrt(d))), "factor_moves"),
        Link(Softmax(MatMul(Scaled(Q, half), Transpose(Scaled(K, half)))), "factor_moves"),
    )
    first = Softmax(Scaled(MatMul(Q, Transpose(K)), 1 / (tau * sqrt(d))))
    return Theorem("scale-and-temperature", first, links, ({n: 2, m: 3, d: 1}, {n: 1, m: 3, d: 2}))


def finite_mask() -> Theorem:
    """What a mask of −c leaves beyond a mask of −∞ is e^{−c} times a fraction that stays bounded."""
    c, mask = Symbol("c", positive=True), MatrixSymbol("M", n, m)
    E, F, A = MatrixSymbol("E", n, m), MatrixSymbol("F", n, m), MatrixSymbol("A", n, m)
    seen, hidden = MatrixSymbol("ell", n, 1), MatrixSymbol("r", n, 1)
    where = (
        (E, Where(Exponential(Z), KeepMask(mask))),
        (F, Where(Exponential(Z), HideMask(mask))),
        (seen, RowSum(E)),
        (hidden, RowSum(F)),
        (A, Softmax(Masked(Z, KeepMask(mask)))),
    )
    small = sympy.exp(-c)
    below = Plus(seen, Scaled(hidden, small))
    links = (
        Link(Plus(DivideRows(Plus(E, Scaled(F, small)), below), Scaled(A, -1)), "softmax"),
        Link(Scaled(DivideRows(Plus(F, Scaled(ScaleRows(A, hidden), -1)), below), small), "common_denominator"),
    )
    first = Plus(Softmax(Penalised(Z, KeepMask(mask), -c)), Scaled(A, -1))
    return Theorem("finite-mask", first, links, ({n: 2, m: 3}, {n: 1, m: 4}), where=where)


def grouped_query() -> Theorem:
    """Grouped-query attention is multi-head attention with every key and value head repeated h/g times."""
    Y, W_Q, W_K = MatrixSymbol("X", n, w), MatrixSymbol("W_Q", w, h * d), MatrixSymbol("W_K", w, g * d)
    W_V, W_O = MatrixSymbol("W_V", w, g * e), MatrixSymbol("W_O", h * e, w)
    keys, values = (MatrixSymbol(f"W'_{x}", w, h * size) for x, size in (("K", d), ("V", e)))
    shared = kv_head_of(h, g)

    def heads(of_keys: Any, of_values: Any) -> Any:
        scores = MatMul(MatMul(Y, HeadColumns(W_Q, HEAD, h)), Transpose(MatMul(Y, of_keys)))
        head = MatMul(Softmax(Scaled(scores, 1 / sqrt(d))), MatMul(Y, of_values))
        return SumHeads(MatMul(head, HeadRows(W_O, HEAD, h)), HEAD, h)

    where = (
        (keys, ConcatHeads(HeadColumns(W_K, shared, g), HEAD, h)),
        (values, ConcatHeads(HeadColumns(W_V, shared, g), HEAD, h)),
    )
    links = (Link(heads(HeadColumns(keys, HEAD, h), HeadColumns(values, HEAD, h)), "repeated_heads"),)
    cases = ({n: 3, w: 5, h: 4, g: 2, d: 1, e: 6}, {n: 1, w: 2, h: 6, g: 3, d: 5, e: 4})
    first = heads(HeadColumns(W_K, shared, g), HeadColumns(W_V, shared, g))
    return Theorem("grouped-query", first, links, cases, where=where)


def causal_linear_attention() -> Theorem:
    """Row t of causal linear attention is φ(q_t) times a state, over φ(q_t) times a sum of keys."""
    F, H, U = MatrixSymbol("Phi_Q", n, d), MatrixSymbol("Phi_K", n, d), MatrixSymbol("V", n, e)
    weights = Where(MatMul(F, Transpose(H)), CausalMask())
    query, keys, values = Block(F, t - 1, 1, 0, d), Block(H, 0, t, 0, d), Block(U, 0, t, 0, e)
    state, total = MatrixSymbol("H_t", d, e), MatrixSymbol("s_t", d, 1)
    where = ((state, MatMul(Transpose(keys), values)), (total, RowSum(Transpose(keys))))
    links = (Link(DivideRows(MatMul(query, state), MatMul(query, total)), "hidden_products"),)
    cases = tuple({n: 5, d: 2, e: 4, t: number} for number in (1, 3))
    first = Block(DivideRows(MatMul(weights, U), RowSum(weights)), t - 1, 1, 0, e)
    return Theorem("causal-linear-attention", first, links, cases, where=where)
