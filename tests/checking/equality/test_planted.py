"""Falsehoods that look true: for small or equal sizes, for positive scalars, up to a sign. None is called proven."""

from __future__ import annotations

import pytest
import sympy
from sympy import Abs, Identity, Matrix, MatrixSymbol, OneMatrix, Rational, ZeroMatrix, sqrt, symbols

from symattn import Attention, CausalMask, KeepMask, MultiHead, Softmax, WindowMask, prove
from symattn.nodes import (
    HEAD,
    AddRow,
    Alibi,
    Biased,
    Block,
    ColumnSum,
    Concat,
    Diagonal,
    DivideRows,
    Exponential,
    Hadamard,
    HeadRows,
    HideMask,
    LatentAttention,
    LinearAttention,
    Mapped,
    NormalisedRows,
    OnlineAttention,
    PaddingMask,
    RotaryEmbedding,
    RowMax,
    RowNorm,
    RowSum,
    Scaled,
    SinkSoftmax,
    SoftCapped,
    Stack,
    SubtractColumn,
    SumHeads,
)

pytestmark = pytest.mark.slow

n, m, d, e, h, w = symbols("n m d_k d_v h d_model", integer=True, positive=True)
a, z = sympy.Symbol("a", real=True), sympy.Symbol("z")
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
K_n, V_n, S, Z = MatrixSymbol("K", n, d), MatrixSymbol("V", n, e), MatrixSymbol("S", n, n), MatrixSymbol("Z", n, m)
L, U = MatrixSymbol("L", n, d), MatrixSymbol("U", n, e)
A, B, X = MatrixSymbol("A", n, n), MatrixSymbol("B", n, n), MatrixSymbol("X", n, w)
t, one = MatrixSymbol("t", n, 1), MatrixSymbol("x", 1, 1)
b, c = MatrixSymbol("b", 1, d), MatrixSymbol("c", 1, e)
W_Q, W_K, W_V = (MatrixSymbol(f"W_{x}", w, h * d) for x in "QKV")
W_O = MatrixSymbol("W_O", h * d, w)
heads = MultiHead(X, heads=h, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)


def many(**options):
    return MultiHead(X, heads=h, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O, **options)


def causal(**options):
    return Attention(Q, K_n, V_n, **options)


PLANTED = {
    # one size for another
    "√n for √d_k": (Attention(Q, K, V), Attention(Q, K, V, scale=1 / sqrt(n))),
    "√m for √d_k": (Attention(Q, K, V), Attention(Q, K, V, scale=1 / sqrt(m))),
    "√d_v for √d_k": (Attention(Q, K, V), Attention(Q, K, V, scale=1 / sqrt(e))),
    "d_k for √d_k": (Attention(Q, K, V), Attention(Q, K, V, scale=1 / d)),
    "√d_model for √d_k": (heads, many(scale=1 / sqrt(w))),
    "√(h d_k) for √d_k": (heads, many(scale=1 / sqrt(h * d))),
    "mean over n for m": (RowSum(Scaled(Z, 1 / m)), RowSum(Scaled(Z, 1 / n))),
    "m ones are n": (RowSum(OneMatrix(n, m)), Scaled(OneMatrix(n, 1), n)),
    "two ones": (RowSum(OneMatrix(n, n)), Scaled(OneMatrix(n, 1), 2)),
    "rms for l2": (NormalisedRows(X), NormalisedRows(X, "rms")),
    # windows
    "window of 1": (causal(mask=CausalMask()), causal(mask=WindowMask(1, 0))),
    "window of 3": (causal(mask=CausalMask()), causal(mask=WindowMask(3, 0))),
    "window of 9": (causal(mask=CausalMask()), causal(mask=WindowMask(9, 0))),
    "window of a million": (causal(mask=CausalMask()), causal(mask=WindowMask(10**6, 0))),
    "open window to the right": (causal(mask=CausalMask()), causal(mask=WindowMask(0, None))),
    "causal is no mask": (causal(mask=CausalMask()), causal()),
    "one key more": (causal(mask=CausalMask()), causal(mask=CausalMask(1))),
    "band of a small matrix": (Softmax(Biased(S, ZeroMatrix(n, n))), Attention(A, A, S, mask=WindowMask(4, 4))),
    "padding of 6": (Attention(Q, K, V), Attention(Q, K, V, mask=PaddingMask(6))),
    "keep and hide": (Attention(Q, K, V, mask=KeepMask(Z)), Attention(Q, K, V, mask=HideMask(Z))),
    # signs of scalars
    "|a| for a": (Attention(Q, K, V, scale=a), Attention(Q, K, V, scale=Abs(a))),
    "√a² for a": (Scaled(Z, sqrt(a**2)), Scaled(Z, a)),
    "a² for a": (Scaled(Z, a**2), Scaled(Z, a)),
    "rows times a negative number": (NormalisedRows(Scaled(X, a)), NormalisedRows(X)),
    "length of a multiple": (RowNorm(Scaled(X, a)), Scaled(RowNorm(X), a)),
    "−a for a": (Softmax(Scaled(Z, a)), Softmax(Scaled(Z, -a))),
    "a slope": (Softmax(Biased(Z, Alibi(n, m, a))), Softmax(Biased(Z, Alibi(n, m, Abs(a))))),
    # constants
    "x is 1": (one, Matrix([[1]])),
    "x is 2": (one, Matrix([[2]])),
    "x is −1": (one, Matrix([[-1]])),
    "x is 0": (one, ZeroMatrix(1, 1)),
    "a root nearly": (Scaled(Z, sqrt(2)), Scaled(Z, Rational(14142135623731, 10**13))),
    "a factor nearly 1": (Softmax(Z), Softmax(Scaled(Z, 1 + Rational(1, 10**30)))),
    # orders and transposes
    "AB is BA": (A * B, B * A),
    "AAᵀ is AᵀA": (A * A.T, A.T * A),
    "tr(ABS) is tr(ASB)": (
        ColumnSum(RowSum(Hadamard(Identity(n), A * B * S))),
        ColumnSum(RowSum(Hadamard(Identity(n), A * S * B))),
    ),
    "softmax of the transpose": (Softmax(S).T, Softmax(S.T)),
    "columns for rows": (Softmax(Z), Softmax(Z, -2)),
    "softmax of a sum": (Softmax(Z + Z), Hadamard(Softmax(Z), Softmax(Z))),
    "exp of a product": (Exponential(A * B), Exponential(A) * Exponential(B)),
    "blocks in another order": (Concat(A, B), Concat(B, A)),
    "a diagonal": (Diagonal(t) * A, A * Diagonal(t)),
    # what attention sees
    "a bias of the queries": (Attention(AddRow(Q, b), K, V), Attention(Q, K, V)),
    "a bias of the values": (Attention(Q, K, AddRow(V, c)), Attention(Q, K, V)),
    "a bias of turned keys": (
        Attention(RotaryEmbedding(Q), RotaryEmbedding(AddRow(K, b)), V),
        Attention(RotaryEmbedding(Q), RotaryEmbedding(K), V),
    ),
    "a bias of capped scores": (Attention(Q, AddRow(K, b), V, softcap=3), Attention(Q, K, V, softcap=3)),
    "a bias beside a sink": (Attention(Q, AddRow(K, b), V, sink=0), Attention(Q, K, V, sink=0)),
    "a shift beside a sink": (SinkSoftmax(SubtractColumn(Z, t)), SinkSoftmax(Z)),
    "another cap": (SoftCapped(Z, 5), SoftCapped(Z, 6)),
    "queries turned twice": (
        Attention(RotaryEmbedding(Q), RotaryEmbedding(K), V),
        Attention(RotaryEmbedding(Q, offset=1), RotaryEmbedding(K), V),
    ),
    "pairs of another order": (RotaryEmbedding(X), RotaryEmbedding(X, pairs="halves")),
    "online without the scale": (OnlineAttention(Q, K, V, scale=1), Attention(Q, K, V)),
    "linear is softmax": (LinearAttention(Q, K, V), Attention(Q, K, V)),
    "linear is causal": (LinearAttention(Q, K_n, V_n, causal=True), LinearAttention(Q, K_n, V_n)),
    "a feature": (LinearAttention(Q, K, V), LinearAttention(Q, K, V, feature=sympy.exp(z))),
    "keys alone permuted": (Attention(Q, Stack(K, L), Stack(V, U)), Attention(Q, Stack(L, K), Stack(V, U))),
    "heads without a projection": (SumHeads(heads.head() * HeadRows(W_O, HEAD, h), HEAD, h), Scaled(heads, h)),
    "latent values": (
        LatentAttention(Q, A, MatrixSymbol("U", n, d), MatrixSymbol("W", n, e)),
        Attention(Q, A * MatrixSymbol("U", n, d), A.T * MatrixSymbol("W", n, e)),
    ),
    # functions
    "softmax twice": (Softmax(Softmax(Z)), Softmax(Z)),
    "largest by the first": (RowMax(Concat(t, t + t)), t),
    "unnormalised": (DivideRows(Exponential(Z), RowSum(Z)), Softmax(Z)),
    "relu is the number": (Mapped(Z, sympy.Lambda(z, sympy.Max(z, 0))), Z),
    "first row": (Block(A * B, 0, 1, 0, n), Block(A, 0, 1, 0, n) * A),
}


def test_there_are_enough() -> None:
    assert len(PLANTED) >= 50


@pytest.mark.parametrize("case", PLANTED)
def test_a_falsehood_is_refuted(case):
    proof = prove(*PLANTED[case], seed=1)
    left_open = {"window of a million": "undecided"}
    assert proof.status == left_open.get(case, "refuted"), proof.to_text()
