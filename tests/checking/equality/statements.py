"""Statements that look alike, some false and some true: sizes, orders, signs, transposes, conditions.

Each is two sides, in one pair with the kinds of its matrices where some are permutations.
"""

from __future__ import annotations

import sympy
from sympy import (
    Abs,
    Identity,
    ImmutableMatrix,
    Lambda,
    MatrixSymbol,
    OneMatrix,
    Rational,
    Transpose,
    ZeroMatrix,
    sqrt,
    symbols,
)

from symattn import (
    Alibi,
    AtBuckets,
    Attention,
    BahdanauAttention,
    CausalMask,
    Concat,
    DistanceBuckets,
    FiniteMask,
    HideMask,
    KeepMask,
    LatentAttention,
    LinearAttention,
    LuongAttention,
    MultiHead,
    NormalisedRows,
    OnlineAttention,
    PaddingMask,
    RelativeAttention,
    RelativeBias,
    RotaryEmbedding,
    RowBucketSums,
    Softmax,
    Stack,
    TurnedBuckets,
    WindowMask,
    clipped_buckets,
)
from symattn.checking.theorems.gradients import Gradient, inner
from symattn.nodes import (
    HEAD,
    AddRow,
    Biased,
    Block,
    BucketSums,
    CapSlope,
    ColumnSum,
    ConcatHeads,
    Diagonal,
    DivideRows,
    Exponential,
    Hadamard,
    HeadRows,
    Mapped,
    Masked,
    Penalised,
    Plus,
    RotatedBack,
    RowMax,
    RowNorm,
    RowSum,
    Scaled,
    ScoreMod,
    SinkSoftmax,
    SoftCapped,
    SubtractColumn,
    SumHeads,
    Where,
)

n, m, d, e, h, g, w, p, q = symbols("n m d_k d_v h g d_model p q", integer=True, positive=True)
a, b_, z = sympy.Symbol("a", real=True), sympy.Symbol("b", real=True), sympy.Symbol("z")
pos = sympy.Symbol("c", positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
Kn, Vn, S, Z = MatrixSymbol("K", n, d), MatrixSymbol("V", n, e), MatrixSymbol("S", n, n), MatrixSymbol("Z", n, m)
A, B, C, X = MatrixSymbol("A", n, n), MatrixSymbol("B", n, n), MatrixSymbol("C", n, n), MatrixSymbol("X", n, w)
G, D_A = MatrixSymbol("G", n, e), MatrixSymbol("dA", n, m)
t, s, r = MatrixSymbol("t", n, 1), MatrixSymbol("s", n, 1), MatrixSymbol("r", 1, m)
x, y = MatrixSymbol("x", n, 1), MatrixSymbol("y", n, 1)
b, c, u = MatrixSymbol("b", 1, d), MatrixSymbol("c", 1, e), MatrixSymbol("u", m, 1)
K1, K2, V1, V2 = (
    MatrixSymbol("K_1", p, d),
    MatrixSymbol("K_2", q, d),
    MatrixSymbol("V_1", p, e),
    MatrixSymbol("V_2", q, e),
)
Q1, Q2 = MatrixSymbol("Q_1", p, d), MatrixSymbol("Q_2", q, d)
P, R = MatrixSymbol("P", n, n), MatrixSymbol("R", m, m)
perm = {P: "permutation", R: "permutation"}
Msk, Msk2 = MatrixSymbol("M", n, m), MatrixSymbol("N", n, m)
W_Q, W_K, W_V = (MatrixSymbol(f"W_{k}", w, h * d) for k in "QKV")
W_O = MatrixSymbol("W_O", h * d, w)


def many(**o):
    return MultiHead(X, heads=h, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O, **o)


def gqa(kv, **o):
    return MultiHead(
        X,
        heads=h,
        kv_heads=kv,
        W_Q=W_Q,
        W_K=MatrixSymbol("W_K", w, kv * d),
        W_V=MatrixSymbol("W_V", w, kv * d),
        W_O=W_O,
        **o,
    )


def att(*args, **o):
    return Attention(*(args or (Q, K, V)), **o)


def ca(**o):
    return Attention(Q, Kn, Vn, **o)


def minus(x):
    return Scaled(x, -1)


root = 1 / sqrt(d)


def rope(X, **o):
    return RotaryEmbedding(X, **o)


L_ = inner(G, Softmax(Scaled(Q * K.T, root)) * V)
Aw = Softmax(Scaled(Q * K.T, root))
D_W = G * V.T
delta = RowSum(Hadamard(Aw, D_W))
D_S = Hadamard(Aw, SubtractColumn(D_W, delta))


def ln(Y, eps=0):
    return NormalisedRows(SubtractColumn(Y, Scaled(RowSum(Y), 1 / Y.shape[1])), "rms", None, eps)


def lam(f):
    return Lambda(z, f)


DI = symbols("i j")

near, T_k, T_v, P_b = (
    clipped_buckets(3),
    MatrixSymbol("T_k", 3, d),
    MatrixSymbol("T_v", 3, e),
    MatrixSymbol("P_b", n, 3),
)
two_ways = DistanceBuckets((1, 2), True)


def rel(buckets=near, **o):
    return RelativeAttention(Q, K, V, buckets, **o)


FALSE = {
    "relative values left out": (rel(values=T_v), att()),
    "relative keys for queries": (rel(keys=T_k), rel(queries=T_k)),
    "relative offset": (rel(keys=T_k), rel(clipped_buckets(3, 1), keys=T_k)),
    "relative turned": (AtBuckets(P_b, m, near), AtBuckets(P_b, m, TurnedBuckets(near))),
    "relative values by the key": (rel(values=T_v), rel(TurnedBuckets(near), values=T_v)),
    "relative rows of queries' tables": (rel(queries=AddRow(T_k, b)), rel(queries=T_k)),
    "relative sums are not the numbers": (RowBucketSums(AtBuckets(P_b, m, near), near), P_b),
    # sizes
    "scale 1/d_k": (att(), att(scale=1 / d)),
    "scale d^-1/3": (att(), att(scale=d ** Rational(-1, 3))),
    "scale 1/sqrt(2d)": (att(), att(scale=1 / sqrt(2 * d))),
    "√(n/(m d_k)) for √d_k": (att(), att(scale=sqrt(n / (m * d)))),
    "scale 1/sqrt(d+1)-ish": (att(), att(scale=1 / sqrt(d + 1))),
    "1/(h) heads scale": (many(), many(scale=1 / sqrt(h))),
    "sum of ones n*m vs n^2": (ColumnSum(RowSum(OneMatrix(n, m))), ImmutableMatrix([[n**2]])),
    "n+m-1 vs nm": (ColumnSum(RowSum(OneMatrix(n, m))), ImmutableMatrix([[n + m - 1]])),
    "polynomial zero at 1..8": (
        Scaled(Z, (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5) * (n - 6) * (n - 7) * (n - 8)),
        ZeroMatrix(n, m),
    ),
    "polynomial zero at 1..12 ": (Scaled(Z, sympy.prod([(n - k) for k in range(1, 13)])), ZeroMatrix(n, m)),
    "n! like": (Scaled(Z, n**2), Scaled(Z, 3 * n - 2)),
    "min size window n": (ca(mask=CausalMask()), ca(mask=WindowMask(5, 0))),
    "window right 4": (ca(mask=WindowMask(None, 4)), ca()),
    "window right 8": (ca(mask=WindowMask(None, 8)), ca()),
    "window left 10": (ca(mask=WindowMask(10, None)), ca()),
    "causal offset 1 = none": (ca(mask=CausalMask(1)), ca()),
    "causal offset 7 = none": (ca(mask=CausalMask(7)), ca()),
    "causal of offset -1": (Where(S, CausalMask(-1)), Where(S, CausalMask())),
    "causal + window contradictory": (ca(mask=(CausalMask(), WindowMask(2, 2))), ca(mask=CausalMask())),
    "padding 9": (att(mask=PaddingMask(9)), att()),
    "padding 11": (att(mask=PaddingMask(11)), att()),
    "padding list 1": (att(mask=PaddingMask(keys=[1])), att()),
    "padding list 8": (att(mask=PaddingMask(keys=[8])), att()),
    "padding 3 vs keys 4": (att(mask=PaddingMask(3)), att(mask=PaddingMask(keys=[4]))),
    "keep both = keep one": (att(mask=(KeepMask(Msk), KeepMask(Msk2))), att(mask=KeepMask(Msk))),
    "finite mask is masked": (ca(mask=FiniteMask(CausalMask(), -(10**9))), ca(mask=CausalMask())),
    "finite mask is masked -c": (ca(mask=FiniteMask(CausalMask(), -100)), ca(mask=FiniteMask(CausalMask(), -101))),
    "mask after softmax": (Where(Softmax(S), CausalMask()), Softmax(Masked(S, CausalMask()))),
    "zero before softmax": (Softmax(Where(S, CausalMask())), Softmax(Masked(S, CausalMask()))),
    # scalars
    "scale a vs sqrt(a^2) in heads": (many(scale=a), many(scale=sqrt(a**2))),
    "rms of a multiple": (NormalisedRows(Scaled(X, a), "rms"), NormalisedRows(X, "rms")),
    "rms eps scale": (
        NormalisedRows(Scaled(X, 2), "rms", None, Rational(1, 10)),
        NormalisedRows(X, "rms", None, Rational(1, 10)),
    ),
    "ln eps scale pos": (ln(Scaled(X, pos), Rational(1, 100)), ln(X, Rational(1, 100))),
    "ln of neg multiple": (ln(Scaled(X, a)), ln(X)),
    "softmax of scaled |a||b|": (Softmax(Scaled(Z, Abs(a) * Abs(b_))), Softmax(Scaled(Z, a * b_))),
    "√a⁴ for −a²": (Scaled(Z, sqrt(a**4)), Scaled(Z, -(a**2))),
    "a root of negative numbers": (Scaled(Z, (a**2) ** Rational(1, 3)), Scaled(Z, a ** Rational(2, 3))),
    "max(a,b)": (Scaled(Z, sympy.Max(a, b_)), Scaled(Z, a)),
    "softcap sign": (SoftCapped(Z, 3), SoftCapped(minus(Z), 3)),
    "softcap 50 ~ none": (att(softcap=10**6), att()),
    "softcap homogeneous": (SoftCapped(Scaled(Z, 2), 3), Scaled(SoftCapped(Z, 3), 2)),
    "relu homogeneous in a": (Mapped(Scaled(Z, a), lam(sympy.Max(z, 0))), Scaled(Mapped(Z, lam(sympy.Max(z, 0))), a)),
    "abs": (Mapped(Z, lam(sympy.Abs(z))), Z),
    "sqrt(z^2)": (Mapped(Z, lam(sympy.sqrt(z**2))), Z),
    "exp(log)": (Mapped(Z, lam(sympy.log(sympy.exp(z)))), Scaled(Z, 2)),
    "sigmoid odd": (Mapped(minus(Z), lam(1 / (1 + sympy.exp(-z)))), minus(Mapped(Z, lam(1 / (1 + sympy.exp(-z)))))),
    "tanh2": (Mapped(Z, lam(sympy.tanh(2 * z))), Mapped(Z, lam(2 * sympy.tanh(z)))),
    # gradients
    "dQ no root": (Gradient(L_, Q), D_S * K),
    "dQ times d": (Gradient(L_, Q), Scaled(D_S * K, 1 / d)),
    "dQ no delta": (Gradient(L_, Q), Scaled(Hadamard(Aw, D_W) * K, root)),
    "dQ plus delta": (Gradient(L_, Q), Scaled(Hadamard(Aw, SubtractColumn(D_W, minus(delta))) * K, root)),
    "dK with K^T order": (Gradient(L_, K), Scaled(Transpose(Hadamard(Aw, D_W)) * Q, root)),
    "dK sqrt(n)": (Gradient(L_, K), Scaled(Transpose(D_S) * Q, 1 / sqrt(n))),
    "dV softmax columns": (Gradient(L_, V), Transpose(Softmax(Scaled(Q * K.T, root), -2)) * G),
    "dV minus": (Gradient(L_, V), minus(Aw.T * G)),
    "dQ = dK for Q=K (self)": (
        Gradient(inner(A, Softmax(S * S.T)), S),
        Hadamard(Softmax(S * S.T), SubtractColumn(A, RowSum(Hadamard(Softmax(S * S.T), A)))) * S,
    ),
    "delta by columns": (delta, Transpose(ColumnSum(Transpose(Hadamard(G, Aw * V))) * 2)),
    "delta rowsum dA": (delta, RowSum(D_W)),
    "CE without T": (
        Gradient(minus(ColumnSum(RowSum(Hadamard(Z, Mapped(Softmax(D_A), lam(sympy.log(z))))))), D_A),
        Plus(Softmax(D_A), minus(Z)),
    ),
    "d tr(AB)/D_A = B": (Gradient(inner(Identity(n), A * B), A), B),
    "d tr(A^T A) = A": (Gradient(inner(A, A), A), A),
    "d x^T A x = 2Ax": (Gradient(x.T * A * x, x), Scaled(A * x, 2)),
    "d softmax = S": (Gradient(inner(D_A, Softmax(Z)), Z), Hadamard(Softmax(Z), D_A)),
    "d rms": (Gradient(inner(A, NormalisedRows(S, "rms")), S), NormalisedRows(A, "rms")),
    # structure
    "concat split in other order": (
        att(Q, Stack(K1, K2), Stack(V1, V2)),
        att(Q, Stack(K1, K2), Stack(V1, Scaled(V2, 2))),
    ),
    "softmax blockwise": (
        Softmax(Concat(MatrixSymbol("Z1", n, p), MatrixSymbol("Z2", n, q))),
        Concat(Softmax(MatrixSymbol("Z1", n, p)), Softmax(MatrixSymbol("Z2", n, q))),
    ),
    "merge without sums": (
        att(Q, Stack(K1, K2), Stack(V1, V2)),
        Scaled(Plus(att(Q, K1, V1), att(Q, K2, V2)), Rational(1, 2)),
    ),
    "merge with counts": (
        att(Q, Stack(K1, K2), Stack(V1, V2)),
        Plus(Scaled(att(Q, K1, V1), p / (p + q)), Scaled(att(Q, K2, V2), q / (p + q))),
    ),
    "duplicate keys": (att(Q, Stack(K, K), Stack(V, V)), Scaled(att(), 2)),
    "one more zero key": (att(Q, Stack(K, ZeroMatrix(1, d)), Stack(V, ZeroMatrix(1, e))), att()),
    "sink 0 is none": (att(sink=0), att()),
    "sink 1 is sink 0": (att(sink=1), att(sink=0)),
    "heads swap W_Q W_K": (many(), MultiHead(X, heads=h, W_Q=W_K, W_K=W_Q, W_V=W_V, W_O=W_O)),
    "heads 1": (many(), MultiHead(X, heads=1, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)),
    "MQA = MHA": (
        gqa(1),
        MultiHead(
            X,
            heads=h,
            W_Q=W_Q,
            W_K=Concat(MatrixSymbol("W_K", w, d), ZeroMatrix(w, (h - 1) * d)),
            W_V=Concat(MatrixSymbol("W_V", w, d), ZeroMatrix(w, (h - 1) * d)),
            W_O=W_O,
        ),
    ),
    "the first projection for all heads": (
        ConcatHeads(MatrixSymbol("Y^(i)", n, n), HEAD, h) * MatrixSymbol("W", h * n, n),
        SumHeads(MatrixSymbol("Y^(i)", n, n), HEAD, h) * HeadRows(MatrixSymbol("W", h * n, n), 1, h),
    ),
    "score sum of heads": (
        Softmax(SumHeads(MatrixSymbol("Y^(i)", n, n), HEAD, h)),
        SumHeads(Softmax(MatrixSymbol("Y^(i)", n, n)), HEAD, h),
    ),
    "permute keys only": ((Softmax(Q * Transpose(R * K)) * V, Softmax(Q * K.T) * V), perm),
    "permute values only": ((Softmax(Q * K.T) * R * V, Softmax(Q * K.T) * V), perm),
    "permute queries forgot": ((Softmax(P * Q * K.T) * V, Softmax(Q * K.T) * V), perm),
    "perm transpose": ((Softmax(P * Q * K.T) * V, P.T * Softmax(Q * K.T) * V), perm),
    "perm squared": ((P * P * S, S), perm),
    "perm commute": ((P * S, S * P), perm),
    "causal equivariant": (
        (Softmax(Masked(P * S * P.T, CausalMask())), P * Softmax(Masked(S, CausalMask())) * P.T),
        perm,
    ),
    # rope
    "rope sums": (att(rope(Q), rope(K, offset=3), V, scale=1), att(rope(Q, offset=3), rope(K), V, scale=1)),
    "rope queries only": (att(rope(Q), K, V), att(Q, rope(K), V)),
    "rope other base": (att(rope(Q), rope(K), V), att(rope(Q, base=1000), rope(K, base=1000), V)),
    "rope halves vs interleaved scores": (rope(Q) * rope(K).T, rope(Q, pairs="halves") * rope(K, pairs="halves").T),
    "rope none": (att(rope(Q), rope(K), V), att()),
    "rope of values": (
        att(rope(Q), rope(K), rope(MatrixSymbol("V", m, d))),
        rope(att(rope(Q), rope(K), MatrixSymbol("V", m, d))),
    ),
    "rope back halves": (RotatedBack(rope(X, pairs="halves")), X),
    "rope norm rows": (
        rope(NormalisedRows(X, "l2", MatrixSymbol("gn", 1, w))),
        NormalisedRows(rope(X), "l2", MatrixSymbol("gn", 1, w)),
    ),
    "alibi symmetric": (Alibi(n, n, a), Transpose(Alibi(n, n, a))),
    "alibi shift causes": (Alibi(n, m, a), Alibi(n, m, a, 1)),
    "alibi ½": (Softmax(Biased(S, Alibi(n, n, Rational(1, 2)))), Softmax(Biased(S, Alibi(n, n, Rational(-1, 2))))),
    # linear / recurrences
    "linear causal lag": (
        LinearAttention(Q, Kn, Vn, causal=True),
        LinearAttention(Q, Stack(Block(Kn, 0, n - 1, 0, d), ZeroMatrix(1, d)), Vn, causal=True),
    ),
    "linear exp = softmax": (LinearAttention(Q, K, V, feature=sympy.exp(z)), att(scale=1)),
    "linear scaled feature 2z vs z": (
        LinearAttention(Q, K, V, feature=z + 1),
        LinearAttention(Q, K, V, feature=2 * z + 1),
    ),
    "linear sq": (LinearAttention(Q, K, V, feature=z**2), LinearAttention(Q, K, V, feature=z)),
    "AV rowsum": (RowSum(Aw * V), OneMatrix(n, 1)),
    "softmax(Z)^T softmax(Z)": (Softmax(Z).T * Softmax(Z), Identity(m)),
    "softmax rank": (Softmax(x * y.T), Softmax(x * OneMatrix(1, n))),
    "exp sum": (Exponential(A + B), Plus(Exponential(A), Exponential(B))),
    "rowmax of sum": (RowMax(Plus(A, B)), Plus(RowMax(A), RowMax(B))),
    "rowmax neg": (RowMax(minus(Z)), minus(RowMax(Z))),
    "rowmax scaled a": (RowMax(Scaled(Z, a)), Scaled(RowMax(Z), a)),
    "log sum exp = max": (Mapped(RowSum(Exponential(Z)), lam(sympy.log(z))), RowMax(Z)),
    "norm triangle eq": (RowNorm(Plus(A, B)), Plus(RowNorm(A), RowNorm(B))),
    "det-like xy": (x * y.T * A, A * x * y.T),
    "hadamard product assoc": (Hadamard(A, B * C), Hadamard(A, B) * C),
    "transpose of product": (Transpose(A * B), Transpose(A) * Transpose(B)),
    "inverse order diag": (Diagonal(t) * A * Diagonal(s), Diagonal(s) * A * Diagonal(t)),
    "uniform empty = zero": (
        Softmax(Masked(Z, KeepMask(Msk)), -1, "uniform"),
        Softmax(Masked(Z, KeepMask(Msk)), -1, "zero"),
    ),
    "QK swap": (Softmax(Q * Kn.T), Transpose(Softmax(Kn * Q.T))),
    "W wrong side": (Attention(A * X, A * X, A * X), A * Attention(X, X, X)),
    "luong transposed": (LuongAttention(S, A, B, C), LuongAttention(S, A, B, C.T)),
    "bahdanau swap": (
        BahdanauAttention(A, A, B, MatrixSymbol("W", n, g), MatrixSymbol("U", n, g), MatrixSymbol("v", g, 1)),
        BahdanauAttention(A, A, B, MatrixSymbol("U", n, g), MatrixSymbol("W", n, g), MatrixSymbol("v", g, 1)),
    ),
    "bahdanau linear": (
        BahdanauAttention(A, A, B, MatrixSymbol("W", n, g), MatrixSymbol("U", n, g), MatrixSymbol("v", g, 1)),
        BahdanauAttention(A, A, B, MatrixSymbol("W", n, g), ZeroMatrix(n, g), MatrixSymbol("v", g, 1)),
    ),
    "concat p q lengths": (Block(Stack(K1, K2), 0, p, 0, d), Block(Stack(K1, K2), q, p, 0, d)),
    "last row is first": (Block(A, n - 1, 1, 0, n), Block(A, 0, 1, 0, n)),
    "row 2 is row 1": (Block(Stack(A, B), 1, 1, 0, n), Block(A, 0, 1, 0, n)),
    "score_mod i-j": (att(score_mod=Lambda((z, *DI), z + DI[0])), att(score_mod=Lambda((z, *DI), z + DI[1]))),
}
TRUE = {
    "relative values apart": (rel(values=T_v), Plus(att(), RowBucketSums(Aw, near) * T_v)),
    "relative keys as a bias": (rel(keys=T_k), att(bias=Scaled(AtBuckets(Q * T_k.T, m, near), root))),
    "relative keys, a row for all": (rel(keys=AddRow(T_k, b)), rel(keys=T_k)),
    "relative adjoint": (inner(AtBuckets(P_b, m, near), Z), inner(P_b, RowBucketSums(Z, near))),
    "relative sums of rows": (RowSum(RowBucketSums(Z, two_ways)), RowSum(Z)),
    "relative linear": (AtBuckets(Plus(P_b, P_b), m, near), Scaled(AtBuckets(P_b, m, near), 2)),
    "relative table for all rows": (
        RelativeBias(MatrixSymbol("t_b", 6, 1), n, m, two_ways),
        AtBuckets(OneMatrix(n, 1) * MatrixSymbol("t_b", 6, 1).T, m, two_ways),
    ),
    "relative sums of buckets": (BucketSums(Z, two_ways), ColumnSum(RowBucketSums(Z, two_ways)).T),
    "relative one bucket for each two": (
        AtBuckets(P_b, m, DistanceBuckets((0, 2))),
        AtBuckets(P_b, m, DistanceBuckets((-1, 1), offset=-1)),
    ),
    "A = A softcap": (att(softcap=7), att(softcap=7)),
    "A = A softcap bias": (att(softcap=7, bias=Msk), Softmax(Plus(SoftCapped(Scaled(Q * K.T, root), 7), Msk)) * V),
    "A = A heads": (many(), many(bias=ZeroMatrix(n, n))),
    "A = A heads softcap rope qknorm": (
        many(softcap=9, rotary=True, qk_norm="l2"),
        many(softcap=9, rotary=True, qk_norm="l2", scale=1 / sqrt(d)),
    ),
    "qk norm scale invariance": (
        MultiHead(Scaled(X, 3), X, X, heads=h, W_Q=W_Q, W_K=W_K, W_V=W_V, qk_norm="l2"),
        MultiHead(X, X, X, heads=h, W_Q=W_Q, W_K=W_K, W_V=W_V, qk_norm="l2"),
    ),
    "online": (OnlineAttention(Q, K, V, 1, mask=KeepMask(Msk)), att(mask=KeepMask(Msk))),
    "online softcap": (OnlineAttention(Q, K, V, softcap=2), att(softcap=2)),
    "rope relative": (rope(Q, offset=7) * rope(K, offset=5).T, rope(Q, offset=2) * rope(K).T),
    "rope relative halves": (
        rope(Q, pairs="halves", offset=7) * rope(K, pairs="halves", offset=5).T,
        rope(Q, pairs="halves", offset=2) * rope(K, pairs="halves").T,
    ),
    "rope relative symbolic offset": (rope(Q, offset=p) * rope(K, offset=p).T, rope(Q) * rope(K).T),
    "rope linear": (rope(Plus(A, B)), Plus(rope(A), rope(B))),
    "rope length": (RowNorm(rope(X)), RowNorm(X)),
    "rope length halves": (RowNorm(rope(X, pairs="halves")), RowNorm(X)),
    "rope with diag left": (rope(Diagonal(t) * X), Diagonal(t) * rope(X)),
    "rope twice": (RotatedBack(rope(X, offset=3), offset=3), X),
    "rope norm": (rope(NormalisedRows(X)), NormalisedRows(rope(X))),
    "softmax softmax": (Softmax(Softmax(SubtractColumn(Z, t))), Softmax(Softmax(Z))),
    "softmax thrice shift": (Softmax(Softmax(Softmax(SubtractColumn(Z, t)))), Softmax(Softmax(Softmax(Z)))),
    "masks causal and lower": (ca(mask=(CausalMask(), CausalMask(1))), ca(mask=CausalMask())),
    "mask keep twice": (att(mask=(KeepMask(Msk), KeepMask(Msk))), att(mask=KeepMask(Msk))),
    "mask window = causal & window": (ca(mask=(CausalMask(), WindowMask(3, 3))), ca(mask=WindowMask(3, 0))),
    "mask none window": (ca(mask=WindowMask(None, None)), ca()),
    "padding as mask": (Attention(Q, Stack(K1, K2), Stack(V1, V2), mask=PaddingMask(p)), att(Q, K1, V1)),
    "causal first row": (Block(ca(mask=CausalMask()), 0, 1, 0, e), Block(Vn, 0, 1, 0, e)),
    "causal last row": (Block(ca(mask=CausalMask()), n - 1, 1, 0, e), Block(ca(), n - 1, 1, 0, e)),
    "hide and keep": (
        att(mask=HideMask(Plus(OneMatrix(n, m), minus(KeepMask(Msk).args[0])))),
        att(mask=HideMask(Plus(OneMatrix(n, m), minus(Msk)))),
    ),
    "mask of finite = bias": (
        Softmax(Penalised(S, CausalMask(), -100)),
        Softmax(Plus(S, Scaled(Plus(OneMatrix(n, n), minus(Where(OneMatrix(n, n), CausalMask()))), -100))),
    ),
    "perm keys values": ((Softmax(Q * Transpose(R * K)) * R * V, Softmax(Q * K.T) * V), perm),
    "perm mask": (
        (
            Softmax(Masked(P * S * P.T, KeepMask(P * MatrixSymbol("M", n, n) * P.T))),
            P * Softmax(Masked(S, KeepMask(MatrixSymbol("M", n, n)))) * P.T,
        ),
        perm,
    ),
    "perm bias": ((Softmax(Plus(P * S * P.T, P * A * P.T)), P * Softmax(Plus(S, A)) * P.T), perm),
    "perm att node": ((Attention(P * Q, R * K, R * V), P * att()), perm),
    "perm softcap": ((Attention(P * Q, R * K, R * V, softcap=4), P * att(softcap=4)), perm),
    "perm layernorm": ((ln(P * X), P * ln(X)), perm),
    "perm heads": ((MultiHead(P * X, heads=h, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O), P * many()), perm),
    "perm feature norm": ((RowNorm(S * P), RowNorm(S)), perm),
    "concat unequal": (att(Q, Stack(K1, K2), Stack(V1, V2)), att(Q, Stack(K2, K1), Stack(V2, V1))),
    "concat columns of K": (Concat(Q1, Q1) * Transpose(Concat(K2, K2)), Scaled(Q1 * K2.T, 2)),
    "concat cols": (Softmax(Concat(Z, t)) * Stack(V, c), Softmax(Concat(t, Z)) * Stack(c, V)),
    "three parts": (att(Q, Stack(K1, K2, K), Stack(V1, V2, V)), att(Q, Stack(K, K1, K2), Stack(V, V1, V2))),
    "dup keys": (att(Q, Stack(K, K), Stack(V, V)), att()),
    "dup thrice": (att(Q, Stack(K, K, K), Stack(V, V, V)), att()),
    "ln shift": (ln(SubtractColumn(X, t)), ln(X)),
    "ln scale positive": (ln(Scaled(X, pos)), ln(X)),
    "ln rows sum": (RowSum(ln(X)), ZeroMatrix(n, 1)),
    "rms squares": (RowSum(Hadamard(NormalisedRows(X, "rms"), NormalisedRows(X, "rms"))), Scaled(OneMatrix(n, 1), w)),
    "l2 squares": (RowSum(Hadamard(NormalisedRows(X), NormalisedRows(X))), OneMatrix(n, 1)),
    "rms = sqrt(d) l2": (NormalisedRows(X, "rms"), Scaled(NormalisedRows(X), sqrt(w))),
    "temperature": (att(scale=pos), att(Scaled(Q, pos), K, V, scale=1)),
    "temperature split": (att(scale=pos), att(Scaled(Q, sqrt(pos)), Scaled(K, sqrt(pos)), V, scale=1)),
    "temperature and sqrt d": (
        att(),
        att(Scaled(Q, d ** Rational(-1, 4)), Scaled(K, d ** Rational(-1, 4)), V, scale=1),
    ),
    "sigmoid": (Block(Softmax(Concat(x, y)), 0, n, 0, 1), Mapped(Plus(x, minus(y)), lam(1 / (1 + sympy.exp(-z))))),
    "sigmoid sum": (
        Plus(Mapped(Z, lam(1 / (1 + sympy.exp(-z)))), Mapped(minus(Z), lam(1 / (1 + sympy.exp(-z))))),
        OneMatrix(n, m),
    ),
    "tanh by sigmoid": (Mapped(Z, lam(sympy.tanh(z))), Mapped(Z, lam(2 / (1 + sympy.exp(-2 * z)) - 1))),
    "max(z,0) = (z+|z|)/2": (Mapped(Z, lam(sympy.Max(z, 0))), Mapped(Z, lam((z + sympy.Abs(z)) / 2))),
    "abs even": (Mapped(minus(Z), lam(sympy.Abs(z))), Mapped(Z, lam(sympy.Abs(z)))),
    "abs square": (Mapped(Z, lam(sympy.Abs(z) ** 2)), Hadamard(Z, Z)),
    "log exp": (Mapped(Exponential(Z), lam(sympy.log(z))), Z),
    "rowmax shift": (RowMax(SubtractColumn(Z, RowMax(Z))), ZeroMatrix(n, 1)),
    "rowmax scale": (RowMax(Scaled(Z, 2)), Scaled(RowMax(Z), 2)),
    "log softmax": (
        Mapped(Softmax(Z), lam(sympy.log(z))),
        SubtractColumn(Z, Mapped(RowSum(Exponential(Z)), lam(sympy.log(z)))),
    ),
    "lse shift": (
        Plus(t, Mapped(RowSum(Exponential(SubtractColumn(Z, t))), lam(sympy.log(z)))),
        Mapped(RowSum(Exponential(Z)), lam(sympy.log(z))),
    ),
    "alibi = distance": (
        Softmax(Biased(S, Alibi(n, n, a))),
        Softmax(ScoreMod(S, Lambda((z, *DI), z - a * (DI[0] - DI[1])))),
    ),
    "alibi column only": (Softmax(Biased(S, Alibi(n, n, a))), Softmax(ScoreMod(S, Lambda((z, *DI), z + a * DI[1])))),
    "gqa full = mha": (gqa(h), many()),
    "mqa = repeated": (
        gqa(1),
        MultiHead(
            X,
            heads=h,
            kv_heads=1,
            W_Q=W_Q,
            W_K=MatrixSymbol("W_K", w, d),
            W_V=MatrixSymbol("W_V", w, d),
            W_O=W_O,
            scale=1 / sqrt(d),
        ),
    ),
    "gqa = repeated heads": (gqa(g), SumHeads(gqa(g).head() * HeadRows(W_O, HEAD, h), HEAD, h)),
    "heads concrete": (
        MultiHead(
            X,
            heads=2,
            W_Q=MatrixSymbol("W_Q", w, 2 * d),
            W_K=MatrixSymbol("W_K", w, 2 * d),
            W_V=MatrixSymbol("W_V", w, 2 * d),
        ),
        Concat(
            *(
                Attention(
                    X * Block(MatrixSymbol("W_Q", w, 2 * d), 0, w, k * d, d),
                    X * Block(MatrixSymbol("W_K", w, 2 * d), 0, w, k * d, d),
                    X * Block(MatrixSymbol("W_V", w, 2 * d), 0, w, k * d, d),
                )
                for k in range(2)
            )
        ),
    ),
    "heads bias K": (many(b_K=MatrixSymbol("b_K", 1, h * d)), many()),
    "heads bias O": (many(b_O=MatrixSymbol("b_O", 1, w)), AddRow(many(), MatrixSymbol("b_O", 1, w))),
    "heads bias V": (many(b_V=MatrixSymbol("b_V", 1, h * d)), AddRow(many(), MatrixSymbol("b_V", 1, h * d) * W_O)),
    "mla": (
        LatentAttention(Q, A, MatrixSymbol("U", n, d), MatrixSymbol("W", n, e)),
        Attention(Q, A * MatrixSymbol("U", n, d), A * MatrixSymbol("W", n, e)),
    ),
    "luong identity": (LuongAttention(A, B, C, Identity(n)), Attention(A, B, C, scale=1)),
    "luong moved": (LuongAttention(A, B, C, S), Attention(A * S, B, C, scale=1)),
    "linear scale": (LinearAttention(Q, K, V, feature=2 * z), LinearAttention(Q, K, V, feature=z)),
    "linear v": (LinearAttention(Q, K, AddRow(V, c)), AddRow(LinearAttention(Q, K, V), c)),
    "linear causal first": (Block(LinearAttention(Q, Kn, Vn, causal=True), 0, 1, 0, e), Block(Vn, 0, 1, 0, e)),
    "sink as key": (att(sink=0, scale=1), att(Q, Stack(K, ZeroMatrix(1, d)), Stack(V, ZeroMatrix(1, e)), scale=1)),
    "sink row sum": (
        Plus(RowSum(SinkSoftmax(Z, 0)), DivideRows(OneMatrix(n, 1), Plus(OneMatrix(n, 1), RowSum(Exponential(Z))))),
        OneMatrix(n, 1),
    ),
    "dQ": (Gradient(L_, Q), Scaled(D_S * K, root)),
    "D_S rows": (RowSum(Gradient(inner(D_A, Softmax(Z)), Z)), ZeroMatrix(n, 1)),
    "dK masked": (
        Gradient(inner(G, Softmax(Masked(Q * Kn.T, CausalMask())) * Vn), Kn),
        Transpose(
            Hadamard(
                Softmax(Masked(Q * Kn.T, CausalMask())),
                SubtractColumn(G * Vn.T, RowSum(Hadamard(G, Softmax(Masked(Q * Kn.T, CausalMask())) * Vn))),
            )
        )
        * Q,
    ),
    "d tr(AB)": (Gradient(inner(Identity(n), A * B), A), B.T),
    "d xAx": (Gradient(x.T * A * x, x), Plus(A * x, A.T * x)),
    "d softmax with softcap": (Gradient(inner(D_A, SoftCapped(Z, 3)), Z), Hadamard(D_A, CapSlope(Z, 3))),
    "trace cyclic": (inner(Identity(n), A * B * C), inner(Identity(n), C * A * B)),
    "hadamard trace": (inner(A, B * C), inner(A * C.T, B)),
    "diag product": (Diagonal(t) * A * Diagonal(s), Hadamard(t * s.T, A)),
    "row of sum": (RowSum(A * B), A * RowSum(B)),
    "softmax const": (Softmax(t * OneMatrix(1, m)), Scaled(OneMatrix(n, m), 1 / m)),
    "zero scores": (Attention(ZeroMatrix(n, d), K, V), Scaled(OneMatrix(n, 1) * ColumnSum(V), 1 / m)),
    "causal zero scores second row mean": (
        Block(
            Attention(
                ZeroMatrix(n + 1, d), MatrixSymbol("K", n + 1, d), MatrixSymbol("V", n + 1, e), mask=CausalMask()
            ),
            1,
            1,
            0,
            e,
        ),
        Scaled(
            Plus(Block(MatrixSymbol("V", n + 1, e), 0, 1, 0, e), Block(MatrixSymbol("V", n + 1, e), 1, 1, 0, e)),
            Rational(1, 2),
        ),
    ),
    "column softmax": (Softmax(Z, -2), Transpose(Softmax(Z.T))),
    "binomial": (
        Mapped(Plus(A, B), lam(z**3)),
        Plus(
            Mapped(A, lam(z**3)),
            Scaled(Hadamard(Hadamard(A, A), B), 3),
            Scaled(Hadamard(A, Hadamard(B, B)), 3),
            Mapped(B, lam(z**3)),
        ),
    ),
    "variance": (
        Plus(
            Scaled(RowSum(Hadamard(X, X)), 1 / w), minus(Hadamard(Scaled(RowSum(X), 1 / w), Scaled(RowSum(X), 1 / w)))
        ),
        Scaled(
            RowSum(Hadamard(SubtractColumn(X, Scaled(RowSum(X), 1 / w)), SubtractColumn(X, Scaled(RowSum(X), 1 / w)))),
            1 / w,
        ),
    ),
    "empty row zero = where": (
        Softmax(Masked(Z, KeepMask(Msk)), -1, "zero"),
        Where(Softmax(Masked(Z, KeepMask(Msk)), -1, "zero"), KeepMask(Msk)),
    ),
    "sum positions": (RowSum(Alibi(1, n, 1)), ImmutableMatrix([[n * (n - 1) / 2]])),
    "window block band": (Where(Where(S, WindowMask(2, 0)), WindowMask(3, 0)), Where(S, WindowMask(2, 0))),
}
