"""Invariants that hold for every node class; a new class must have instances here."""

import copy
import pickle
from contextlib import suppress
from functools import reduce

import pytest
import sympy
from sympy import (
    Identity,
    ImmutableDenseMatrix,
    Matrix,
    MatrixSymbol,
    Rational,
    S,
    ZeroMatrix,
    cos,
    diag,
    erf,
    exp,
    eye,
    log,
    oo,
    sin,
    sqrt,
    symbols,
    tanh,
    zeros,
)
from sympy.core.function import AppliedUndef
from sympy.matrices.expressions.matexpr import MatrixElement

from symattn.errors import InputError, NotSupportedError, ShapeError
from symattn.nodes import (
    HEAD,
    AboveThreshold,
    Activation,
    AdditiveGain,
    AdditiveScores,
    AdditiveSlope,
    AddRow,
    Alibi,
    AtBuckets,
    Attention,
    BahdanauAttention,
    Biased,
    Block,
    BucketSums,
    CapSlope,
    CausalMask,
    ChunkedState,
    ColumnSum,
    Concat,
    ConcatHeads,
    Constant,
    CrossEntropy,
    DeltaRule,
    Diagonal,
    DifferentialAttention,
    DistanceBuckets,
    DivideRows,
    Dropout,
    Embedding,
    Entmax,
    Exponential,
    FeedForward,
    FiniteMask,
    Following,
    Gated,
    GatedDeltaRule,
    GatedLinearAttention,
    Hadamard,
    HeadColumns,
    HeadRows,
    HideMask,
    KeepMask,
    Largest,
    LatentAttention,
    LayerNorm,
    LearnedPositions,
    LinearAttention,
    LuongAttention,
    Mapped,
    Masked,
    Member,
    MultiHead,
    Node,
    NormalisedRows,
    OneHot,
    OnlineAttention,
    PaddingMask,
    Part,
    Penalised,
    Plus,
    Previous,
    RelativeAttention,
    RelativeBias,
    Residual,
    Retention,
    RMSNorm,
    Rotary,
    RotaryEmbedding,
    RotatedBack,
    RowBucketSums,
    RowMax,
    RowNorm,
    RowSum,
    RowThreshold,
    RunningProduct,
    ScaleColumns,
    Scaled,
    ScaledBy,
    ScaleRows,
    ScoreMod,
    SeenRows,
    SigmoidWeights,
    SinkSoftmax,
    SinusoidalPositions,
    SoftCapped,
    Softmax,
    SolveLower,
    Stack,
    StackMembers,
    StateSpaceDuality,
    SubtractColumn,
    SumGroup,
    SumHeads,
    TokenLosses,
    Vanishing,
    Where,
    WindowMask,
    WithPositions,
    alibi_slope,
    clipped_buckets,
)

pytestmark = pytest.mark.slow

n, m, d, e = symbols("n m d e", integer=True, positive=True)
SIZES = {n: 2, m: 3, d: 2, e: 2}
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
Z, B, M = MatrixSymbol("Z", n, m), MatrixSymbol("B", n, m), MatrixSymbol("M", n, m)
c, b = MatrixSymbol("c", n, 1), MatrixSymbol("b", 1, m)
X, W, W_O, w = MatrixSymbol("X", n, d), MatrixSymbol("W", d, d), MatrixSymbol("W_O", d, e), MatrixSymbol("w", 1, d)

half, third, tenth = Rational(1, 2), Rational(1, 3), Rational(1, 10)
VALUES = {
    "Q": Matrix([[1, 2], [0, -1]]),
    "K": Matrix([[1, 0], [2, 1], [0, 3]]),
    "V": Matrix([[1, 2], [3, 5], [7, 11]]),
    "Z": Matrix([[1, 0, 2], [3, 1, 1]]),
    "T_p": Matrix([[1, 0], [0, 1], [1, 1]]),
    "B": Matrix([[0, -oo, 1], [Rational(1, 2), 0, 0]]),
    "M": Matrix([[1, 1, 0], [0, 1, 1]]),
    "c": Matrix([2, 3]),
    "b": Matrix([[1, -2, 3]]),
    "X": Matrix([[1, 2], [3, -1]]),
    "W": Matrix([[1, 1], [0, 2]]),
    "W_O": Matrix([[1, 0], [1, 1]]),
    "w": Matrix([[1, 3]]),
    "N": Matrix([[0, 1], [2, -1]]),
    "R4": Matrix([[1, 2, 3, 4], [5, 6, 7, 8]]),
    "V_n": Matrix([[1, 4], [2, -3]]),
    "a": Matrix([half, third]),
    "N_d": Matrix([[half, 2], [third, -1]]),
    "s": Matrix([[3]]),
    "t": Matrix([2, -1]),
    "P^(1)": Matrix([[1, 2], [0, -1]]),
    "P^(2)": Matrix([[1, 2], [0, -1]]),
    "F^(1)": Matrix([[1, 2], [0, -1]]),
    "F^(i)": Matrix([[1, 2], [0, -1]]),
}


N = MatrixSymbol("N", n, n)
R4 = MatrixSymbol("R4", n, 4)
V_n, a = MatrixSymbol("V_n", n, e), MatrixSymbol("a", n, 1)
F = MatrixSymbol("F^(i)", n, d)  # a member of a family


def loop(rows, columns, f):
    return Matrix([[f(i, j) for j in range(columns)] for i in range(rows)])


def softmax(L):
    return loop(*L.shape, lambda i, j: exp(L[i, j]) / sum(exp(L[i, k]) for k in range(L.cols)))


def by_distance(P):
    """Three columns, of the distances -1, 0 and 1 and those beyond them."""
    return loop(2, 3, lambda i, j: P[i, min(max(i - j, -1), 1) + 1])


def attention(q, k, v, keep=lambda i, j: True, bias=None, scale=None, cap=None):
    def logit(i, j):
        x = sum(q[i, t] * k[j, t] for t in range(q.cols)) * (1 / sqrt(k.cols) if scale is None else scale)
        x = x if cap is None else cap * tanh(x / cap)
        x = x if bias is None else x + bias[i, j]
        return x if keep(i, j) else -oo

    return softmax(loop(q.rows, k.rows, logit)) * v


def sink_softmax(L, s):
    return loop(*L.shape, lambda i, j: exp(L[i, j]) / (exp(s) + sum(exp(L[i, k]) for k in range(L.cols))))


def additive(p, r):
    return loop(p.rows, r.rows, lambda i, j: sum(t * tanh(p[i, k] + r[j, k]) for k, t in enumerate(VALUES["t"])))


def linear(q, k, v, keep):
    a = loop(
        q.rows, k.rows, lambda i, j: sum((q[i, t] + 4) * (k[j, t] + 4) for t in range(q.cols)) if keep(i, j) else 0
    )
    return loop(q.rows, v.cols, lambda i, j: sum(a[i, t] * v[t, j] for t in range(v.rows)) / sum(a.row(i)))


def state_loop(decay, strength=None):
    """H = (I − β kᵀk) diag(decay) H + β kᵀv, as the sources print it, token by token; of Q, X and N."""
    state, rows = zeros(2, 2), []
    for t in range(2):
        k, factor = v["X"][t, :], decay(t)
        state = (diag(*factor) if hasattr(factor, "shape") else factor * eye(2)) * state
        share = 1 if strength is None else strength(t)
        state = (state if strength is None else (eye(2) - share * k.T * k) * state) + share * k.T * v["V_n"][t, :]
        rows.append(v["Q"][t, :] * state)
    return Matrix.vstack(*rows)


def below(L):
    return loop(*L.shape, lambda i, j: L[i, j] if j < i else 0)


def bend(i, j, k):
    return tanh(VALUES["Q"][i, k] + VALUES["K"][j, k])


def turned(*pairs):
    """The second row of R4 turned by 1 in its first pair of columns and by 1/10 in its second."""
    rows = [list(VALUES["R4"].row(0)), list(VALUES["R4"].row(1))]
    for (a, b), angle in zip(pairs, (1, tenth), strict=True):
        x, y = VALUES["R4"][1, a], VALUES["R4"][1, b]
        rows[1][a], rows[1][b] = x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
    return Matrix(rows)


def heads_with_sinks(r, w):
    """Two heads of width 2, slopes 1/16 and 1/256, sinks 0 and 1."""
    parts = []
    for h, (slope, s) in enumerate(((Rational(1, 16), 0), (Rational(1, 256), 1))):
        logits = r[:, 2 * h : 2 * h + 2] * r[:, 2 * h : 2 * h + 2].T / sqrt(2)
        parts.append(sink_softmax(logits - slope * Matrix([[0, -1], [1, 0]]), S(s)) * w[:, h])
    return parts[0].row_join(parts[1])


v = VALUES
G = 10**9
z, i, j = symbols("z i j")
TABLE = [
    (Softmax(Z), lambda: softmax(v["Z"])),
    (Softmax(Z, -2), lambda: softmax(v["Z"].T).T),
    (Softmax(Q * K.T), lambda: softmax(v["Q"] * v["K"].T)),
    (RowMax(Z), lambda: Matrix([2, 3])),
    (RowSum(Z), lambda: Matrix([3, 5])),
    (Exponential(Z), lambda: v["Z"].applyfunc(exp)),
    (SubtractColumn(Z, c), lambda: Matrix([[-1, -2, 0], [0, -2, -2]])),
    (DivideRows(Z, c), lambda: Matrix([[half, 0, 1], [1, Rational(1, 3), Rational(1, 3)]])),
    (Scaled(Z, 1 / sqrt(d)), lambda: v["Z"] / sqrt(2)),
    (Scaled(Z, 3), lambda: 3 * v["Z"]),
    (Biased(Z, B), lambda: v["Z"] + v["B"]),
    (AddRow(Z, b), lambda: Matrix([[2, -2, 5], [4, -1, 4]])),
    (SoftCapped(Z, 5), lambda: v["Z"].applyfunc(lambda x: 5 * tanh(x / S(5)))),
    (Concat(Q, Z), lambda: v["Q"].row_join(v["Z"])),
    (Concat(Q), lambda: v["Q"]),
    (Plus(Z, B), lambda: v["Z"] + v["B"]),
    (Member(F, HEAD, 1), lambda: v["F^(1)"]),
    (HeadColumns(X, 2, 2), lambda: Matrix([2, -1])),
    (HeadRows(W_O, 1, 2), lambda: Matrix([[1, 0]])),
    (Part(X * W, "encoder"), lambda: v["X"] * v["W"]),
    (ConcatHeads(X * HeadColumns(W, HEAD, 2), HEAD, 2), lambda: v["X"] * v["W"]),
    (SumHeads(HeadColumns(X, HEAD, 2) * HeadRows(W, HEAD, 2), HEAD, 2), lambda: v["X"] * v["W"]),
    (Hadamard(Q, X), lambda: loop(2, 2, lambda i, j: v["Q"][i, j] * v["X"][i, j])),
    (ColumnSum(Z), lambda: Matrix([[4, 1, 3]])),
    (Stack(Z, b), lambda: v["Z"].col_join(v["b"])),
    (Diagonal(c), lambda: Matrix([[2, 0], [0, 3]])),
    (Diagonal(w), lambda: Matrix([[1, 0], [0, 3]])),
    (CapSlope(Z, 5), lambda: v["Z"].applyfunc(lambda x: 1 - tanh(x / S(5)) ** 2)),
    (SumGroup(HEAD * HeadColumns(X, HEAD, 2), HEAD, 2, 1, 1), lambda: Matrix([5, 1])),
    (SumGroup(HEAD * HeadColumns(X, HEAD, 2), HEAD, 2, 2, 2), lambda: Matrix([4, -2])),
    (Masked(Z, CausalMask()), lambda: Matrix([[1, -oo, -oo], [3, 1, -oo]])),
    (Masked(Z, WindowMask(0, 1)), lambda: Matrix([[1, 0, -oo], [-oo, 1, 1]])),
    (Masked(Z, KeepMask(M)), lambda: Matrix([[1, 0, -oo], [-oo, 1, 1]])),
    (Masked(Z, (CausalMask(1), WindowMask(0, None))), lambda: Matrix([[1, 0, -oo], [-oo, 1, 1]])),
    (Attention(Q, K, V), lambda: attention(v["Q"], v["K"], v["V"])),
    (Attention(Q, K, V, mask=CausalMask(1)), lambda: attention(v["Q"], v["K"], v["V"], lambda i, j: j <= i + 1)),
    (
        Attention(Q, K, V, mask=(KeepMask(M), WindowMask(None, 1)), bias=B, scale=half, softcap=4, empty_row="zero"),
        lambda: attention(v["Q"], v["K"], v["V"], lambda i, j: v["M"][i, j] == 1 and j <= i + 1, v["B"], half, 4),
    ),
    (MultiHead(X, heads=1, W_Q=W, W_K=W, W_V=W), lambda: attention(*[v["X"] * v["W"]] * 3)),
    (
        MultiHead(
            X, K, V, heads=1, W_Q=W, W_K=W, W_V=MatrixSymbol("W_O", e, d), W_O=W, b_Q=w, b_O=w, bias=B, scale=half
        ),
        lambda: (
            attention(
                v["X"] * v["W"] + Matrix([[1, 3], [1, 3]]), v["K"] * v["W"], v["V"] * v["W_O"], bias=v["B"], scale=half
            )
            * v["W"]
            + Matrix([[1, 3], [1, 3]])
        ),
    ),
]
TABLE += [
    (
        MultiHead(X, heads=2, W_Q=W, W_K=W, W_V=W, W_O=W_O, b_V=w, mask=CausalMask()),
        lambda: (
            reduce(
                Matrix.row_join,
                [
                    attention(
                        (v["X"] * v["W"])[:, h],
                        (v["X"] * v["W"])[:, h],
                        (v["X"] * v["W"] + Matrix([[1, 3], [1, 3]]))[:, h],
                        lambda i, j: j <= i,
                    )
                    for h in (0, 1)
                ],
            )
            * v["W_O"]
        ),
    ),
    (
        MultiHead(X, heads=2, kv_heads=1, W_Q=W, W_K=HeadColumns(W, 1, 2), W_V=HeadColumns(W, 2, 2), bias=(N, 2 * N)),
        lambda: reduce(
            Matrix.row_join,
            [
                attention(
                    (v["X"] * v["W"])[:, h],
                    (v["X"] * v["W"])[:, 0],
                    (v["X"] * v["W"])[:, 1],
                    bias=(1 + h) * v["N"],
                    scale=1,
                )
                for h in (0, 1)
            ],
        ),
    ),
]


def layer_norm(x, eps, g=(1, 1), b=(0, 0)):
    def row(i):
        mean = sum(x.row(i)) / S(x.cols)
        return [(y - mean) / sqrt(sum((u - mean) ** 2 for u in x.row(i)) / S(x.cols) + eps) for y in x.row(i)]

    return loop(*x.shape, lambda i, j: g[j] * row(i)[j] + b[j])


TABLE += [
    (LayerNorm(X, epsilon=2), lambda: layer_norm(v["X"], 2)),
    (LayerNorm(X, w, w), lambda: layer_norm(v["X"], Rational(1, 100000), (1, 3), (1, 3))),
    (RMSNorm(X, w, 2), lambda: Matrix([[1 / sqrt(half * 9), 6 / sqrt(half * 9)], [3 / sqrt(7), -3 / sqrt(7)]])),
    (WithPositions(X, Q), lambda: Matrix([[2, 4], [3, -2]])),
    (Residual(X, Q), lambda: Matrix([[2, 4], [3, -2]])),
    (Dropout(X, half), lambda: v["X"]),
    (Activation(X, "relu"), lambda: Matrix([[1, 2], [3, 0]])),
    (Activation(X, "relu", 1), lambda: Matrix([[1, 1], [1, 0]])),
    (Activation(X, "gelu"), lambda: v["X"].applyfunc(lambda x: x / 2 * (1 + erf(x / sqrt(2))))),
    (Activation(X, "silu"), lambda: v["X"].applyfunc(lambda x: x / (1 + exp(-x)))),
    (Activation(X, "tanh"), lambda: v["X"].applyfunc(tanh)),
    (Activation(X, "sigmoid", 1), lambda: v["X"].applyfunc(lambda x: exp(-x) / (1 + exp(-x)) ** 2)),
    (FeedForward(X, W, W, w, w), lambda: Matrix([[3, 21], [5, 15]])),
    (
        FeedForward(X, W, W_O, activation="silu", W_3=W),
        lambda: loop(2, 2, lambda i, j: sum(swiglu((v["X"] * v["W"])[i, k]) * v["W_O"][k, j] for k in range(2))),
    ),
    (
        Gated(X, Q, W, w),
        lambda: Matrix([[1 / (1 + exp(-2)), 2 / (1 + exp(-8))], [3 / (1 + exp(-1)), -1 / (1 + exp(-1))]]),
    ),
    (OneHot((1, 0, 1), d), lambda: Matrix([[0, 1], [1, 0], [0, 1]])),
    (Embedding(K, (2, 2, 0)), lambda: Matrix([[0, 3], [0, 3], [1, 0]])),
    (
        SinusoidalPositions(n, 4, base=100, offset=1),
        lambda: Matrix(
            [
                [sin(1), cos(1), sin(tenth), cos(tenth)],
                [sin(2), cos(2), sin(2 * tenth), cos(2 * tenth)],
            ]
        ),
    ),
    (LearnedPositions(K, 2, 1), lambda: Matrix([[2, 1], [0, 3]])),
    (
        TokenLosses(MatrixSymbol("Z", 2, m), (2, 0)),
        lambda: Matrix([log(exp(1) + 1 + exp(2)) - 2, log(exp(3) + 2 * exp(1)) - 3]),
    ),
    (
        CrossEntropy(MatrixSymbol("Z", 2, m), (2, 0)),
        lambda: Matrix([[(log(exp(1) + 1 + exp(2)) + log(exp(3) + 2 * exp(1)) - 5) / 2]]),
    ),
]


def swiglu(x):
    return x / (1 + exp(-x)) * x


TABLE += [
    (Softmax(Masked(Z, CausalMask(-1)), -1, "zero"), lambda: Matrix([[0, 0, 0], [1, 0, 0]])),
    (Softmax(Masked(Z, CausalMask(-1)), empty_row="uniform"), lambda: Matrix([[third] * 3, [1, 0, 0]])),
    (Masked(Z, PaddingMask(2)), lambda: Matrix([[1, 0, -oo], [3, 1, -oo]])),
    (Masked(Z, PaddingMask(keys=[1, 3])), lambda: Matrix([[-oo, 0, -oo], [-oo, 1, -oo]])),
    (Masked(Z, KeepMask(M, true="hidden")), lambda: Matrix([[-oo, -oo, 2], [3, -oo, -oo]])),
    (Penalised(Z, CausalMask(), -10), lambda: Matrix([[1, -10, -8], [3, 1, -9]])),
    (Penalised(Z, (CausalMask(1), HideMask(M))), lambda: Matrix([[1 - G, -G, 2 - G], [3, 1 - G, 1 - G]])),
    (RunningProduct(Z), lambda: Matrix([[1, 0, 2], [3, 0, 2]])),
    (SolveLower(Q * Q.T, V_n), lambda: (eye(2) + below(v["Q"] * v["Q"].T)).inv() * v["V_n"]),
    (SolveLower(Q * Q.T, V_n, True), lambda: (eye(2) + below(v["Q"] * v["Q"].T).T).inv() * v["V_n"]),
    (ChunkedState(Retention(Q, X, V_n, half), 1), lambda: state_loop(lambda t: half)),
    (ChunkedState(DeltaRule(Q, X, V_n, c)), lambda: state_loop(lambda t: 1, lambda t: v["c"][t])),
    (RelativeBias(Matrix([2, 3]), n, m, DistanceBuckets((1,))), lambda: Matrix([[2, 2, 2], [3, 2, 2]])),
    (BucketSums(Z, DistanceBuckets((1,), both=True, offset=1)), lambda: Matrix([1, 5, 0, 2])),
    (AtBuckets(Matrix([[1, 2, 3], [4, 5, 6]]), m, clipped_buckets(3)), lambda: Matrix([[2, 1, 1], [6, 5, 4]])),
    (RowBucketSums(Z, clipped_buckets(3)), lambda: Matrix([[2, 1, 0], [1, 1, 3]])),
    (
        RelativeAttention(Q, K, V, clipped_buckets(3), keys=MatrixSymbol("T_p", 3, d)),
        lambda: attention(v["Q"], v["K"], v["V"], bias=by_distance(v["Q"] * v["T_p"].T) / sqrt(2)),
    ),
    (Alibi(n, m, half), lambda: Matrix([[0, half, 1], [-half, 0, half]])),
    (Alibi(n, m, 2, offset=1), lambda: Matrix([[-2, 0, 2], [-4, -2, 0]])),
    (ScoreMod(Z, z * z - (i - j)), lambda: Matrix([[1, 1, 6], [8, 1, 2]])),
    (Mapped(Z, 2 * z + 1), lambda: Matrix([[3, 1, 5], [7, 3, 3]])),
    (
        RotaryEmbedding(Q, offset=1),
        lambda: Matrix([[cos(1) - 2 * sin(1), sin(1) + 2 * cos(1)], [sin(2), -cos(2)]]),
    ),
    (RotaryEmbedding(R4, base=100, pairs="halves"), lambda: turned((0, 2), (1, 3))),
    (RotaryEmbedding(R4, base=100), lambda: turned((0, 1), (2, 3))),
    (
        RotatedBack(R4, base=100),
        lambda: turned((1, 0), (3, 2)),  # the other way round is a turn with the pair swapped
    ),
    (RowNorm(Q), lambda: Matrix([sqrt(5), 1])),
    (RowNorm(Q, "rms", half), lambda: Matrix([sqrt(3), 1])),
    (ScaleRows(Z, c), lambda: Matrix([[2, 0, 4], [9, 3, 3]])),
    (ScaleColumns(Z, b), lambda: Matrix([[1, 0, 6], [3, -2, 3]])),
    (NormalisedRows(Q), lambda: Matrix([[1 / sqrt(5), 2 / sqrt(5)], [0, -1]])),
    (
        NormalisedRows(Q, "rms", gain=MatrixSymbol("w", 1, d)),
        lambda: Matrix([[sqrt(Rational(2, 5)), 6 * sqrt(Rational(2, 5))], [0, -3 * sqrt(2)]]),
    ),
    (SinkSoftmax(Z, half), lambda: sink_softmax(v["Z"], half)),
    (RowThreshold(Scaled(Z, half), 1), lambda: Matrix([Rational(1, 4), half])),
    (ScaledBy(Z, MatrixSymbol("s", 1, 1)), lambda: 3 * v["Z"]),
    (
        DifferentialAttention(Q, K, X, K, V, MatrixSymbol("s", 1, 1)),
        lambda: (softmax(v["Q"] * v["K"].T / sqrt(2)) - 3 * softmax(v["X"] * v["K"].T / sqrt(2))) * v["V"],
    ),
    (Vanishing(Z), lambda: Matrix([[0, 0, 0], [0, 0, 0]])),
    (RowThreshold(Z, 2), lambda: Matrix([(3 - sqrt(7)) / 4, half])),
    (AboveThreshold(Z, c, 1), lambda: Matrix([[0, 0, 0], [0, 0, 0]])),
    (AboveThreshold(Scaled(Z, 6), c, 2), lambda: Matrix([[1, 0, 16], [36, 0, 0]])),
    (AboveThreshold(Scaled(Z, 6), c, 2, 1), lambda: Matrix([[1, 0, 4], [6, 0, 0]])),
    (AboveThreshold(Scaled(Z, 3), c, 1, 0), lambda: Matrix([[1, 0, 1], [1, 0, 0]])),
    (Entmax(Scaled(Z, half)), lambda: Matrix([[Rational(1, 4), 0, Rational(3, 4)], [1, 0, 0]])),
    (Entmax(Z, Rational(3, 2)), lambda: Matrix([[(4 - sqrt(7)) / 8, 0, (4 + sqrt(7)) / 8], [1, 0, 0]])),
    (SigmoidWeights(Z), lambda: v["Z"].applyfunc(lambda x: 1 / (1 + exp(-x)))),
    (SigmoidWeights(Z, -log(m)), lambda: v["Z"].applyfunc(lambda x: 1 / (1 + 3 * exp(-x)))),
    (SigmoidWeights(Z, MatrixSymbol("s", 1, 1)), lambda: v["Z"].applyfunc(lambda x: 1 / (1 + exp(-x - 3)))),
    (SinkSoftmax(Z, MatrixSymbol("s", 1, 1)), lambda: sink_softmax(v["Z"], S(3))),
    (Block(Z, 1, 1, 1, 2), lambda: Matrix([[1, 1]])),
    (Previous(MatrixSymbol("P^(2)", n, d), 2), lambda: v["P^(1)"]),
    (Constant(-oo, n, m), lambda: Matrix([[-oo] * 3] * 2)),
    (StackMembers(X * HeadColumns(W, HEAD, 2), HEAD, 2), lambda: (v["X"] * v["W"]).T.reshape(4, 1)),
    (OnlineAttention(Q, K, V, mask=CausalMask(1)), lambda: attention(v["Q"], v["K"], v["V"], lambda i, j: j <= i + 1)),
    (LuongAttention(Q, K, V, W), lambda: softmax(v["Q"] * v["W"] * v["K"].T) * v["V"]),
    (AdditiveScores(Q, K, MatrixSymbol("t", d, 1)), lambda: additive(v["Q"], v["K"])),
    (
        BahdanauAttention(Q, K, V, W, W, MatrixSymbol("t", d, 1)),
        lambda: softmax(additive(v["Q"] * v["W"], v["K"] * v["W"])) * v["V"],
    ),
    (
        LatentAttention(Q, K, W, W_O),
        lambda: softmax(v["Q"] * (v["K"] * v["W"]).T / sqrt(2)) * v["K"] * v["W_O"],
    ),
    (
        AdditiveSlope(Q, K, MatrixSymbol("t", d, 1), Z),
        lambda: loop(
            2, 2, lambda i, k: sum(v["Z"][i, j] * v["t"][k] * (1 - bend(i, j, k) ** 2) for j in range(3))
        ),
    ),
    (
        AdditiveGain(Q, K, Z),
        lambda: loop(2, 1, lambda k, _: sum(v["Z"][i, j] * bend(i, j, k) for i in range(2) for j in range(3))),
    ),
    (Largest(Z, 2), lambda: Matrix([[1, -oo, 2], [3, 1, -oo]])),
    (Where(Z, CausalMask()), lambda: Matrix([[1, 0, 0], [3, 1, 0]])),
    (Where(Z, (CausalMask(1), HideMask(M))), lambda: Matrix([[0, 0, 0], [3, 0, 0]])),
    (SeenRows(Z, Masked(Z, CausalMask(-1))), lambda: Matrix([[0, 0, 0], [3, 1, 1]])),
    (LinearAttention(Q, K, V, feature=z + 4), lambda: linear(v["Q"], v["K"], v["V"], lambda i, j: True)),
    (LinearAttention(Q, X, X, z + 4, causal=True), lambda: linear(v["Q"], v["X"], v["X"], lambda i, j: j <= i)),
    (Following(MatrixSymbol("P^(1)", n, d), 1, n), lambda: v["P^(2)"]),
    (Retention(Q, X, V_n, half), lambda: state_loop(lambda t: half)),
    (GatedLinearAttention(Q, X, V_n, MatrixSymbol("N_d", n, d)), lambda: state_loop(lambda t: v["N_d"][t, :])),
    (StateSpaceDuality(Q, X, V_n, c), lambda: state_loop(lambda t: v["c"][t])),
    (DeltaRule(Q, X, V_n, c), lambda: state_loop(lambda t: 1, lambda t: v["c"][t])),
    (GatedDeltaRule(Q, X, V_n, a, c), lambda: state_loop(lambda t: v["a"][t], lambda t: v["c"][t])),
    (
        Attention(Q, K, V, mask=FiniteMask(CausalMask(), -half), sink=0, score_mod=z / 2 + j),
        lambda: sink_softmax(
            loop(2, 3, lambda i, j: (v["Q"] * v["K"].T)[i, j] / (2 * sqrt(2)) + j - (half if j > i else 0)), S(0)
        )
        * v["V"],
    ),
    (
        MultiHead(
            X, heads=2, W_Q=MatrixSymbol("R4", d, 4), W_K=MatrixSymbol("R4", d, 4),
            W_V=W, sink=(0, 1), bias=Alibi(n, n, alibi_slope(2)),
        ),
        lambda: heads_with_sinks(v["X"] * v["R4"], v["X"] * v["W"]),
    ),
]  # fmt: skip
IDS = [f"{k}-{type(node).__name__}" for k, (node, _) in enumerate(TABLE)]
every_node = pytest.mark.parametrize(("node", "expected"), TABLE, ids=IDS)


def concrete(node):
    """The node over explicit matrices."""
    sized = node.xreplace({s: sympy.Integer(k) for s, k in SIZES.items()})
    return sized.xreplace({s: ImmutableDenseMatrix(VALUES[s.name]) for s in sized.atoms(MatrixSymbol)})


def subclasses(cls):
    return {s for c in cls.__subclasses__() for s in {c} | subclasses(c)}


def test_every_node_class_is_here():
    rooms = "symattn.nodes."  # a node of another room is that room's to test
    concrete_classes = {k for k in subclasses(Node) if not k.__subclasses__() and k.__module__.startswith(rooms)}
    assert concrete_classes == {type(node) for node, _ in TABLE}, "a new node needs an instance in TABLE"


@every_node
def test_is_rebuilt_from_its_arguments(node, expected):
    again = node.func(*node.args)
    assert again == node and hash(again) == hash(node) and again.args == node.args
    assert pickle.loads(pickle.dumps(node)) == node and copy.deepcopy(node) == node
    assert all(isinstance(a, sympy.Basic) for a in node.args)


@every_node
def test_no_argument_is_run_as_python(node, expected, tmp_path):
    text = f"open('{tmp_path}/x','w')"
    parts = [part for part in sympy.preorder_traversal(node) if type(part).__module__.startswith("symattn.nodes.")]
    for part in (*parts, Rotary(width=2)):
        for k in range(len(part.args)):
            for given in (text, [text], (text, text), [[text]], {text: text}):
                with suppress(Exception):
                    part.func(*part.args[:k], given, *part.args[k + 1 :])
    assert not list(tmp_path.iterdir())


@every_node
def test_prints(node, expected):
    assert str(node) and sympy.latex(node) and repr(node)
    assert sympy.latex(node).count("{") == sympy.latex(node).count("}")
    assert sympy.latex(node).count(r"\left") == sympy.latex(node).count(r"\right")


@every_node
def test_substitution_keeps_the_kind(node, expected):
    sized = node.subs(SIZES)
    assert type(sized) is type(node) and sized == node.xreplace({s: sympy.Integer(k) for s, k in SIZES.items()})
    first = next(iter(node.atoms(MatrixSymbol)), None)
    if first is None:
        return
    renamed = node.xreplace({first: MatrixSymbol("R", *first.shape)})
    assert type(renamed) is type(node) and renamed.has(MatrixSymbol("R", *first.shape)) and not renamed.has(first)
    assert renamed.shape == node.shape


@every_node
def test_entries_equal_the_definition(node, expected):
    right = expected()
    explicit = concrete(node)
    assert tuple(explicit.shape) == right.shape
    got = explicit.as_explicit()
    for i in range(right.rows):
        for j in range(right.cols):
            assert sympy.simplify(sympy.sympify(got[i, j]).doit() - right[i, j]) == 0 or got[i, j] == right[i, j]


@every_node
def test_entries_of_symbolic_sizes_equal_the_definition(node, expected):
    right = expected()
    i, j = right.rows - 1, right.cols - 1
    try:
        entry = node[i, j]
    except NotSupportedError:  # the number of heads, or of a row, has to be known
        return
    if entry.has(AppliedUndef):  # a function of a whole row, of which nothing more is said
        return
    assert not {s for s in entry.free_symbols if isinstance(s, sympy.Symbol)} - set(SIZES) - node.free_symbols
    at = entry.subs(SIZES)
    at = at.xreplace({s: ImmutableDenseMatrix(VALUES[s.name]) for s in at.atoms(MatrixSymbol)}).doit()
    assert at == right[i, j] or abs(sympy.N(at - right[i, j], 30)) < 1e-25


def test_cases_of_an_inner_sum_keep_its_index():
    masked = Softmax(Masked(Z, CausalMask())) * Softmax(Masked(MatrixSymbol("S", m, m), CausalMask())) * V
    assert Scaled(masked, 2)[1, 0].free_symbols - {n, m, e} == {Z, MatrixSymbol("S", m, m), V}


@every_node
def test_symbolic_indices_substituted_equal_the_entry(node, expected):
    i, j = symbols("i j", integer=True, nonnegative=True)
    explicit = concrete(node)
    if isinstance(node, RowMax):
        j = 0
    sized = node.xreplace({s: sympy.Integer(k) for s, k in SIZES.items()})
    general, explicit = sized[i, j], explicit.as_explicit()
    for row in range(explicit.rows):
        for column in range(explicit.cols):
            at = sympy.sympify(general).subs({i: row, j: column}).doit()
            at = at.xreplace({a: VALUES[a.parent.name][a.i, a.j] for a in at.atoms(MatrixElement)})
            assert at == explicit[row, column] or sympy.simplify(at - explicit[row, column]) == 0


@every_node
def test_is_not_differentiated_by_sympy(node, expected):
    symbol = next(iter(node.atoms(MatrixSymbol)), Q)
    for attempt in (lambda: node.diff(symbol), lambda: sympy.diff(node, symbol)):
        with pytest.raises(NotSupportedError, match="differentiate"):
            attempt()


SHAPES_REFUSED = [
    lambda s, t: Attention(MatrixSymbol("Q", n, s), MatrixSymbol("K", m, t), V),
    lambda s, t: Attention(Q, MatrixSymbol("K", s, d), MatrixSymbol("V", t, e)),
    lambda s, t: Attention(MatrixSymbol("Q", s, d), K, V, bias=MatrixSymbol("B", t, m)),
    lambda s, t: Attention(Q, MatrixSymbol("K", s, d), MatrixSymbol("V", s, e), mask=KeepMask(MatrixSymbol("M", n, t))),
    lambda s, t: Hadamard(MatrixSymbol("S", s, m), MatrixSymbol("T", t, m)),
    lambda s, t: Biased(MatrixSymbol("S", s, m), MatrixSymbol("B", t, m)),
    lambda s, t: AddRow(MatrixSymbol("S", n, s), MatrixSymbol("b", 1, t)),
    lambda s, t: SubtractColumn(MatrixSymbol("S", s, m), MatrixSymbol("b", t, 1)),
    lambda s, t: DivideRows(MatrixSymbol("S", s, m), MatrixSymbol("b", t, 1)),
    lambda s, t: Concat(MatrixSymbol("S", s, m), MatrixSymbol("T", t, m)),
    lambda s, t: Masked(MatrixSymbol("S", s, m), KeepMask(MatrixSymbol("M", t, m))),
    lambda s, t: MultiHead(MatrixSymbol("X", n, s), heads=1, W_Q=MatrixSymbol("W", t, d), W_K=W, W_V=W),
    lambda s, t: MultiHead(X, heads=1, W_Q=MatrixSymbol("W", d, s), W_K=MatrixSymbol("U", d, t), W_V=W),
    lambda s, t: MultiHead(X, heads=1, W_Q=W, W_K=W, W_V=MatrixSymbol("U", d, s), W_O=MatrixSymbol("T", t, d)),
    lambda s, t: MultiHead(
        X, heads=1, W_Q=MatrixSymbol("U", d, s), W_K=MatrixSymbol("U", d, s), W_V=W, b_Q=MatrixSymbol("b", 1, t)
    ),
    lambda s, t: MultiHead(MatrixSymbol("X", s, d), heads=1, W_Q=W, W_K=W, W_V=W, bias=MatrixSymbol("B", t, s)),
]


@pytest.mark.parametrize("make", SHAPES_REFUSED, ids=range(len(SHAPES_REFUSED)))
@pytest.mark.parametrize(("left", "right"), [(S(4), S(5)), symbols("p q", integer=True, positive=True)])
def test_sizes_that_differ_are_both_named(make, left, right):
    with pytest.raises(ShapeError) as refusal:
        make(left, right)
    words = str(refusal.value).replace(";", " ").split()
    assert str(left) in words and str(right) in words


OPTIONS_REFUSED = [
    {"mask": "causal"},
    {"mask": 1},
    {"scale": "1/8"},
    {"scale": "__import__('os').getpid()"},
    {"scale": sympy.I},
    {"scale": sympy.nan},
    {"scale": oo},
    {"softcap": -1},
    {"softcap": "5"},
    {"softcap": sympy.I},
    {"empty_row": "none"},
    {"bias": 3},
]


@pytest.mark.parametrize("option", OPTIONS_REFUSED, ids=str)
def test_options_that_are_none_are_refused_by_both(option):
    with pytest.raises(InputError):
        Attention(Q, K, V, **option)
    with pytest.raises(InputError):
        MultiHead(X, heads=1, W_Q=W, W_K=W, W_V=W, **option)


def test_defaults_have_one_canonical_form():
    plain = Attention(Q, K, V)
    assert plain == Attention(Q, K, V, (), ZeroMatrix(n, m), 1 / sqrt(d), 0, "error") == Attention(Q, K, V, softcap=oo)
    assert plain.args[3:7] == (S.true, ZeroMatrix(n, m), 1 / sqrt(d), oo)
    assert Attention(Q, K, V, mask=(CausalMask(),)) == Attention(Q, K, V, mask=CausalMask())
    assert Attention(Q, K, V, mask=[None, CausalMask()]) == Attention(Q, K, V, mask=CausalMask())
    assert Attention(Q, K, V, scale=0.125).args[5] == Rational(1, 8)
    assert Attention(Q, K, V, softcap=30.0).args[6] == 30
    assert WindowMask(None, 2) == WindowMask(oo, 2)
    whole = MultiHead(X, heads=1, W_Q=W, W_K=W, W_V=W)
    assert (whole.Z, whole.U, whole.kv_heads, whole.W_O, whole.b_Q) == (X, X, 1, Identity(d), ZeroMatrix(1, d))
    assert whole == MultiHead(X, heads=1, W_Q=(W,), W_K=(W,), W_V=(W,))


def test_masks_keep_what_they_say():
    kept = [[bool(WindowMask(1, 0).keep(i, j)) for j in range(3)] for i in range(3)]
    assert kept == [[True, False, False], [True, True, False], [False, True, True]]
    assert [bool(CausalMask(-1).keep(1, j)) for j in range(3)] == [True, False, False]
    for bad in ([[2, 0]], [["1/2", 0]], [[-1, 1]]):
        with pytest.raises(InputError):
            KeepMask(bad)
    for bad in (lambda: CausalMask("1"), lambda: CausalMask(0.5), lambda: WindowMask(-1, 0), lambda: CausalMask(True)):
        with pytest.raises(InputError):
            bad()


def test_what_counts_tokens_is_no_negative_number():
    for bad, said in (
        (lambda: PaddingMask(-1), "padding must not be negative; it counts tokens"),
        (lambda: PaddingMask("a"), "padding must be an integer"),
        (lambda: WindowMask(0, -1), "right must not be negative; it counts tokens"),
    ):
        with pytest.raises(InputError, match=f"^{said}$"):
            bad()


def test_explicit_matrices_are_exact_and_never_evaluated():
    assert Softmax([["1/2", 0.1]]).args[0] == Matrix([[half, Rational(1, 10)]])
    for bad in (
        [["__import__('os').getpid()"]],
        [[1, 2], [3]],
        [],
        [[]],
        "12",
        3,
        Matrix([[sympy.I]]),
    ):
        with pytest.raises(InputError):
            Softmax(bad)


def test_sums_and_quotients_stand_in_brackets_inside_a_product():
    assert sympy.latex(AddRow(Q, w) * K.T) == r"\left(Q + \mathbf{1}w\right) K^{T}"
    assert str(Biased(Z, B) * V) == "(Z + B)*V"
    assert sympy.latex(Biased(Z, B).T) == r"\left(Z + B\right)^{T}"


def test_heads_must_be_whole_and_divide_the_width():
    for heads in (0, -1, 1.5, True, "1", None):
        with pytest.raises(InputError):
            MultiHead(X, heads=heads, W_Q=W, W_K=W, W_V=W)
    wide = MatrixSymbol("W", 4, 6)
    with pytest.raises(InputError, match="4"):
        MultiHead(MatrixSymbol("X", n, 4), heads=4, W_Q=wide, W_K=wide, W_V=wide)


def test_products_and_sums_that_sympy_lets_through_are_refused():
    p, q = symbols("p q")
    P, R = MatrixSymbol("P", n, p), MatrixSymbol("R", n, q)
    for make in (
        lambda: Softmax(P * R.T),
        lambda: Softmax(P + R),
        lambda: Concat(2 * (P * R.T)),
        lambda: Softmax((P * R.T).T),
    ):
        with pytest.raises(ShapeError, match=r"\bp\b.*\bq\b|\bq\b.*\bp\b"):
            make()
