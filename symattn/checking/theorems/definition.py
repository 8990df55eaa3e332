"""Backward passes from the definition: ∂L/∂X of the scalar L itself, and the formulas that programs compute."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Lambda, MatrixSymbol, OneMatrix, Symbol, sqrt
from sympy.matrices.expressions import MatMul, Transpose

from symattn.checking.theorems.gradients import Gradient, inner
from symattn.checking.theorems.theorem import Link, Theorem, minus
from symattn.nodes import (
    ColumnSum,
    DivideRows,
    Exponential,
    Hadamard,
    Mapped,
    Plus,
    RowNorm,
    RowSum,
    ScaleColumns,
    Scaled,
    ScaleRows,
    Softmax,
    Stack,
    SubtractColumn,
)

n, m, d, e = (Symbol(x, integer=True, positive=True) for x in ("n", "m", "d_k", "d_v"))
Q, K, V, G = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e), MatrixSymbol("G", n, e)
A, DA, DS = MatrixSymbol("A", n, m), MatrixSymbol("dA", n, m), MatrixSymbol("dS", n, m)
delta, L = MatrixSymbol("delta", n, 1), MatrixSymbol("L", 1, 1)
CASES = ({n: 1, m: 3, d: 2, e: 4}, {n: 3, m: 2, d: 4, e: 1})
ROOT = 1 / sqrt(d)


def _attention() -> tuple[tuple[Any, Any], ...]:
    return (
        (L, inner(G, MatMul(A, V))),
        (A, Softmax(Scaled(MatMul(Q, Transpose(K)), ROOT))),
        (DA, MatMul(G, Transpose(V))),
        (delta, RowSum(Hadamard(A, DA))),
        (DS, Hadamard(A, SubtractColumn(DA, delta))),
    )


def _ordered() -> tuple[tuple[Any, Any], ...]:
    """The short names, each over those before it."""
    loss, *others = _attention()
    return others[0], loss, *others[1:]


def query_backward() -> Theorem:
    """∂L/∂Q = dS K/√d_k."""
    links = (Link(Scaled(MatMul(DS, K), ROOT), "chain"),)
    return Theorem("query-backward", Gradient(L, Q), links, CASES, where=_ordered())


def key_backward() -> Theorem:
    """∂L/∂K = dSᵀ Q/√d_k."""
    links = (Link(Scaled(MatMul(Transpose(DS), Q), ROOT), "chain"),)
    return Theorem("key-backward", Gradient(L, K), links, CASES, where=_ordered())


def value_backward() -> Theorem:
    """∂L/∂V = Aᵀ G."""
    return Theorem(
        "value-backward", Gradient(L, V), (Link(MatMul(Transpose(A), G), "chain"),), CASES, where=_ordered()[:2]
    )


def delta_from_output() -> Theorem:
    """rowsum(A ∘ dA) = rowsum(dO ∘ O): no row of scores is needed."""
    links = (Link(RowSum(Hadamard(G, MatMul(A, V))), "associative"),)
    where = (_ordered()[0], _ordered()[2])
    return Theorem("delta-from-output", RowSum(Hadamard(A, DA)), links, CASES, where=where)


def _blocks(name: str, rows: tuple[Any, Any], columns: Any) -> list[Any]:
    return [MatrixSymbol(f"{name}_{b}", size, columns) for b, size in enumerate(rows, 1)]


def _across(name: str, columns: tuple[Any, Any]) -> list[Any]:
    return [MatrixSymbol(f"{name}_{b}", n, size) for b, size in enumerate(columns, 1)]


BLOCKS = tuple(Symbol(x, integer=True, positive=True) for x in ("m_1", "m_2"))
KEYS, VALUES = _blocks("K", BLOCKS, d), _blocks("V", BLOCKS, e)
P, DS_OF = _across("P", BLOCKS), _across("dS", BLOCKS)


def _flash(name: str, X: Any, side: Any, used: int) -> Theorem:
    """∂L/∂X from what FlashAttention keeps, the sums ℓ and D = rowsum(dO ∘ O); `used` of the short names are needed."""
    O, D, ell = MatrixSymbol("O", n, e), MatrixSymbol("D", n, 1), MatrixSymbol("ell", n, 1)
    E = [Exponential(Scaled(MatMul(Q, Transpose(x)), ROOT)) for x in KEYS]
    whole = MatMul(Softmax(Scaled(MatMul(Q, Transpose(Stack(*KEYS))), ROOT)), Stack(*VALUES))
    through = [Hadamard(p, SubtractColumn(MatMul(G, Transpose(v)), D)) for p, v in zip(P, VALUES, strict=True)]
    where = (
        (O, whole),
        (L, inner(G, O)),
        (ell, Plus(*map(RowSum, E))),
        (P[0], DivideRows(E[0], ell)),
        (D, RowSum(Hadamard(G, O))),
        (DS_OF[0], through[0]),
        (P[1], DivideRows(E[1], ell)),
        (DS_OF[1], through[1]),
    )
    p, q = BLOCKS
    cases = ({n: 1, p: 3, q: 2, d: 4, e: 5}, {n: 4, p: 1, q: 2, d: 3, e: 5})
    return Theorem(name, Gradient(L, X), (Link(side, "chain"),), cases, where=where[:used])


def flash_backward() -> Theorem:
    """The backward pass of FlashAttention, two blocks of keys: ∂L/∂Q is the sum of what the blocks give."""
    parts = (MatMul(s, k) for s, k in zip(DS_OF, KEYS, strict=True))
    return _flash("flash-backward", Q, Scaled(Plus(*parts), ROOT), 8)


def flash_backward_keys() -> Theorem:
    """∂L/∂K_1 = dS_1ᵀ Q/√d_k: a block of keys needs nothing of the others but ℓ and D."""
    return _flash("flash-backward-keys", KEYS[0], Scaled(MatMul(Transpose(DS_OF[0]), Q), ROOT), 6)


def flash_backward_values() -> Theorem:
    """∂L/∂V_1 = P_1ᵀ dO."""
    return _flash("flash-backward-values", VALUES[0], MatMul(Transpose(P[0]), G), 4)


# --- what stands beside attention

X, Y, g = MatrixSymbol("X", n, d), MatrixSymbol("dY", n, d), MatrixSymbol("g", 1, d)
N, R, DR = MatrixSymbol("sigma", n, 1), MatrixSymbol("Xhat", n, d), MatrixSymbol("dXhat", n, d)
WIDE = ({n: 1, d: 2}, {n: 2, d: 3})


def _mean(matrix: Any) -> Any:
    return Scaled(RowSum(matrix), 1 / d)


def _norm_backward(name: str, normed: Any, slope: Any) -> Theorem:
    """∂L/∂X = (slope − X̂ mean(dX̂ ∘ X̂))/σ for Y = X̂ diag(g), where X̂ is what is normed over its σ."""
    where = (
        (N, RowNorm(normed, "rms", Symbol("epsilon", positive=True))),
        (R, DivideRows(normed, N)),
        (L, inner(Y, ScaleColumns(R, g))),
        (DR, ScaleColumns(Y, g)),
    )
    back = DivideRows(Plus(slope, minus(ScaleRows(R, _mean(Hadamard(DR, R))))), N)
    return Theorem(name, Gradient(L, X), (Link(back, "chain"),), WIDE, where=where)


def rms_norm_backward() -> Theorem:
    """∂L/∂X = (dX̂ − X̂ mean(dX̂ ∘ X̂))/σ for Y = X̂ diag(g), X̂ = X/σ."""
    return _norm_backward("rms-norm-backward", X, DR)


def layer_norm_backward() -> Theorem:
    """∂L/∂X = (dX̂ − mean(dX̂) − X̂ mean(dX̂ ∘ X̂))/σ for X̂ = (X − mean(X))/σ."""
    return _norm_backward("layer-norm-backward", SubtractColumn(X, _mean(X)), SubtractColumn(DR, _mean(DR)))


def cross_entropy_backward() -> Theorem:
    """∂L/∂Z = diag(rowsum T) A − T for L = −Σ T ∘ log A, A = softmax(Z): A − T where the rows of T sum to 1."""
    Z, T, z = MatrixSymbol("Z", n, m), MatrixSymbol("T", n, m), Symbol("z")
    where = ((A, Softmax(Z)), (L, minus(ColumnSum(RowSum(Hadamard(T, Mapped(A, Lambda(z, sympy.log(z)))))))))
    links = (Link(Plus(ScaleRows(A, RowSum(T)), minus(T)), "chain"),)
    return Theorem("cross-entropy-backward", Gradient(L, Z), links, ({n: 1, m: 2}, {n: 2, m: 3}), where=where)


def equal_values() -> Theorem:
    """Weights sum to 1: equal values come through attention as they are."""
    w = MatrixSymbol("v", 1, e)
    ones = OneMatrix(m, 1)
    links = (Link(MatMul(RowSum(A), w), "row_sum"), Link(MatMul(OneMatrix(n, 1), w), "weights_sum"))
    return Theorem("equal-values", MatMul(A, MatMul(ones, w)), links, CASES, where=(_ordered()[0],))
