"""The rules of nodes that only some kinds of attention have, of layers, and of entries that are left out."""

from __future__ import annotations

from typing import Any

from sympy import OneMatrix, S, Symbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.errors import NotSupportedError
from symattn.nodes import (
    AboveThreshold,
    AdditiveGain,
    AdditiveScores,
    AdditiveSlope,
    Alibi,
    AtBuckets,
    BucketSums,
    CausalMask,
    ColumnSum,
    Constant,
    DivideRows,
    Dropout,
    Embedding,
    Hadamard,
    Mapped,
    OfEntries,
    OneHot,
    Penalised,
    Plus,
    RelativeBias,
    RotaryEmbedding,
    RotatedBack,
    RowBucketSums,
    RowNorm,
    RowSum,
    RowThreshold,
    RunningProduct,
    ScaleColumns,
    ScaleRows,
    ScoreMod,
    SeenRows,
    SigmoidWeights,
    SinkSoftmax,
    SinusoidalPositions,
    Softmax,
    SolveLower,
    SubtractColumn,
    TokenLosses,
    Where,
)
from symattn.program.gradient.backward import Backward
from symattn.program.gradient.expressions import hadamard, product, scale_by, transpose
from symattn.program.gradient.rules import pull_back
from symattn.writing.prose import Sentence


@pull_back.register(Alibi | Constant | OneHot | SinusoidalPositions)
def _(node: Any, G: Any, back: Backward) -> None:
    """What is made of numbers alone has no gradient."""


@pull_back.register
def _(node: RunningProduct, G: Any, back: Backward) -> None:
    """Y_ij = X_1j ⋯ X_ij: dX_kj = Σ_{i≥k} G_ij Y_ij / X_kj, for entries that are not 0."""
    (X,) = node.args
    below = Transpose(Where(OneMatrix(node.shape[0], node.shape[0]), CausalMask()))
    inverse = Mapped(X, 1 / Symbol("z"))
    back.give(X, lambda: hadamard(MatMul(below, hadamard(G, back.value_of(node))), inverse), "running_product")


@pull_back.register
def _(node: SolveLower, G: Any, back: Backward) -> None:
    """(I + L) X = R: dR = (I + Lᵀ)⁻¹ G, dL = −dR Xᵀ below the diagonal; of the turned system its transpose."""
    L, R, _ = node.args
    solved = back.step("solved", "s", SolveLower(L, G, not node.turned), "solved")
    outer = (
        product(back.value_of(node), Transpose(solved))
        if node.turned
        else product(solved, Transpose(back.value_of(node)))
    )
    back.give(L, lambda: Where(scale_by(outer, S.NegativeOne), CausalMask(-1)), "other")
    back.give(R, lambda: solved, "other")


@pull_back.register
def _(node: RelativeBias, G: Any, back: Backward) -> None:
    """B_ij = t_b(i,j): dt_b = Σ G_ij over the pairs of bucket b."""
    back.give(node.args[0], lambda: BucketSums(G, node.buckets), "buckets")


@pull_back.register
def _(node: BucketSums, G: Any, back: Backward) -> None:
    """s_b = Σ X_ij over the pairs of bucket b: dX_ij = G_b(i,j)."""
    X, buckets = node.args
    back.give(X, lambda: RelativeBias(G, X.shape[0], X.shape[1], buckets), "other")


@pull_back.register
def _(node: AtBuckets, G: Any, back: Backward) -> None:
    """R_ij = P_i,b(i,j): dP_ib = Σ_j G_ij over the keys of bucket b."""
    back.give(node.args[0], lambda: RowBucketSums(G, node.buckets), "row_buckets")


@pull_back.register
def _(node: RowBucketSums, G: Any, back: Backward) -> None:
    """C_ib = Σ_j X_ij over the keys of bucket b: dX_ij = G_i,b(i,j)."""
    X = node.args[0]
    back.give(X, lambda: AtBuckets(G, X.shape[1], node.buckets), "weighed_buckets")


@pull_back.register
def _(node: Penalised, G: Any, back: Backward) -> None:
    """Y = S + c [hidden]: dS = G."""
    back.give(node.args[0], lambda: G)


@pull_back.register
def _(node: ScaleRows, G: Any, back: Backward) -> None:
    """Y = diag(c) X: dX = diag(c) G, dc = rowsum(G ∘ X)."""
    X, c = node.args
    back.give(X, lambda: ScaleRows(G, c), "other")
    back.give(c, lambda: RowSum(hadamard(G, X)), "other")


@pull_back.register
def _(node: ScaleColumns, G: Any, back: Backward) -> None:
    """Y = X diag(g): dX = G diag(g), dg = 1ᵀ(G ∘ X)."""
    X, g = node.args
    back.give(X, lambda: ScaleColumns(G, g), "other")
    back.give(g, lambda: ColumnSum(hadamard(G, X)), "gains")


@pull_back.register
def _(node: RowNorm, G: Any, back: Backward) -> None:
    """r = √(Σ x²) or √(Σ x²/d + ε), row by row: dX = diag(G/r) X, for the mean over d divided by it."""
    X = node.args[0]
    share = 1 / X.shape[1] if node.kind == "rms" else S.One
    back.give(X, lambda: scale_by(ScaleRows(X, DivideRows(G, back.value_of(node))), share), "other")


@pull_back.register
def _(node: RotaryEmbedding, G: Any, back: Backward) -> None:
    """Y = X turned row by row: dX = G turned back, since a rotation's transpose is its inverse."""
    X, *manner = node.args
    back.give(X, lambda: RotatedBack(G, *manner), "turned")


@pull_back.register
def _(node: RotatedBack, G: Any, back: Backward) -> None:
    """Y = X turned back: dX = G turned."""
    X, *manner = node.args
    back.give(X, lambda: RotaryEmbedding(G, *manner), "other")


@pull_back.register
def _(node: SinkSoftmax, G: Any, back: Backward) -> None:
    """A = softmax beside a sink of logit s: dZ = A ∘ (G − δ1ᵀ), ds = −(1 − A1)ᵀδ, δ = rowsum(A ∘ G)."""
    Z, s = node.args
    A = back.value_of(node)
    delta = back.step("delta", "delta", RowSum(Hadamard(A, G)), "delta")
    back.give(Z, lambda: Hadamard(A, SubtractColumn(G, delta)), "softmax")
    kept = Plus(OneMatrix(A.shape[0], 1), scale_by(RowSum(A), S.NegativeOne))
    back.give(s, lambda: scale_by(product(transpose(kept), delta), S.NegativeOne), "sink")


@pull_back.register
def _(node: AboveThreshold, G: Any, back: Backward) -> None:
    """A = [Z/p − τ1ᵀ]₊^p, C = [Z/p − τ1ᵀ]₊^(p−1): dZ = C ∘ G, dτ = −p rowsum(C ∘ G)."""
    Z, threshold, power, exponent = node.args
    if exponent != power:
        raise NotSupportedError(Sentence("no_gradient", node=str(node)))
    C = back.step("slopes", "C", node.slope, "slopes.threshold")
    back.give(Z, lambda: Hadamard(C, G), "above")
    back.give(threshold, lambda: scale_by(RowSum(Hadamard(C, G)), -power), "threshold")


@pull_back.register
def _(node: RowThreshold, G: Any, back: Backward) -> None:
    """Σ_j [Z_ij/p − τ_i]₊^p = 1 for every Z: dZ = 1/p diag(G/rowsum C) C, C the slopes as of AboveThreshold."""
    Z, power = node.args
    slope = AboveThreshold(Z, back.value_of(node), power).slope
    C = back.made(slope)
    back.give(Z, lambda: scale_by(ScaleRows(C, DivideRows(G, RowSum(C))), 1 / power), "of_threshold")


@pull_back.register
def _(node: SigmoidWeights, G: Any, back: Backward) -> None:
    """A = σ(Z + b): dZ = C ∘ G with C = A ∘ (1 − A); db is the sum of all of it."""
    Z, b = node.args
    A = back.value_of(node)
    C = back.step("slopes", "C", Hadamard(A, Plus(OneMatrix(*A.shape), scale_by(A, S.NegativeOne))), "slopes.sigmoid")
    back.give(Z, lambda: Hadamard(C, G), "function")
    back.give(b, lambda: ColumnSum(RowSum(Hadamard(C, G))), "added")


@pull_back.register
def _(node: OfEntries, G: Any, back: Backward) -> None:
    """Y = φ(X): dX = G ∘ φ′(X)."""
    back.give(node.args[0], lambda: hadamard(G, node.slope()), "function")


@pull_back.register
def _(node: ScoreMod, G: Any, back: Backward) -> None:
    """Y_ij = f(S_ij, i, j): dS = G ∘ ∂f/∂z; where f hides, G is 0 already."""
    back.give(node.args[0], lambda: hadamard(G, node.slope()), "function")


# --- additive scores


@pull_back.register
def _(node: AdditiveScores, G: Any, back: Backward) -> None:
    """S_ij = Σ_k v_k t_ijk with t_ijk = tanh(P_ik + R_jk), so that 1 − t² is its slope:
    dP_ik = Σ_j G_ij v_k (1 − t_ijk²), dR_jk = Σ_i G_ij v_k (1 − t_ijk²), dv_k = Σ_ij G_ij t_ijk."""
    P, R, v = node.args
    back.give(P, lambda: AdditiveSlope(P, R, v, G), "additive")
    back.give(R, lambda: AdditiveSlope(R, P, v, transpose(G)), "additive")
    back.give(v, lambda: AdditiveGain(P, R, G), "gain")


@pull_back.register(AdditiveSlope | AdditiveGain)
def _(node: Any, G: Any, back: Backward) -> None:
    """The same sums unit by unit, of nodes that have rules."""
    back.give(node.spelled(), lambda: G)


# --- what a layer has beside its attention


@pull_back.register
def _(node: Embedding, G: Any, back: Backward) -> None:
    """Y = T E, T choosing the rows: dE = Tᵀ G; every row receives the sum over the tokens that are it."""
    back.give(node.args[0], lambda: product(Transpose(node.chosen), G), "chosen")


@pull_back.register
def _(node: Dropout, G: Any, back: Backward) -> None:
    """Y = X."""
    back.give(node.args[0], lambda: G)


@pull_back.register
def _(node: TokenLosses, G: Any, back: Backward) -> None:
    """ℓ_i = −log softmax(Z)_(i, y_i): dZ = diag(G) (P − T), P = softmax(Z), T the right labels as 0 and 1."""
    Z = node.args[0]
    weights = back.known(Softmax(Z))
    back.give(Z, lambda: ScaleRows(Plus(weights, scale_by(node.right, S.NegativeOne)), G), "cross_entropy")


# --- entries that are left out


@pull_back.register
def _(node: Where, G: Any, back: Backward) -> None:
    """Y = X where a mask keeps, else 0: dX = G there, else 0."""
    back.give(node.args[0], lambda: Where(G, node.args[1]), "kept")


@pull_back.register
def _(node: SeenRows, G: Any, back: Backward) -> None:
    """Y = X in the rows of Z that have a number, else 0: dX = G there, else 0; which rows they are has no slope."""
    X, Z = node.args
    back.give(X, lambda: SeenRows(G, Z), "other")
