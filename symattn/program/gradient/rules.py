"""The backward pass: one vector-Jacobian rule per node, run over a program from its last step to its inputs.

A rule receives a node, the gradient G of the loss by it, and hands a gradient to each argument: for L(node(x)) the
gradient by x. Rules keep nothing. What arrives at a symbol is added up, and becomes a step of its own.
Source: the chain rule in reverse order (Griewank and Walther 2008, chapter 3).
"""

from __future__ import annotations

from functools import partial, singledispatch
from typing import Any

import sympy
from sympy import Identity, Integer, MatrixExpr, MatrixSymbol, OneMatrix, S, Symbol, ZeroMatrix
from sympy.matrices.expressions import MatAdd, MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import NotSupportedError
from symattn.nodes import (
    TIME,
    AboveThreshold,
    AdditiveGain,
    AdditiveScores,
    AdditiveSlope,
    AddRow,
    Alibi,
    AtBuckets,
    Biased,
    Block,
    BucketSums,
    CapSlope,
    CausalMask,
    ColumnSum,
    Concat,
    ConcatHeads,
    Constant,
    DivideRows,
    Dropout,
    Embedding,
    Exponential,
    Hadamard,
    HeadColumns,
    HeadRows,
    Largest,
    Mapped,
    Masked,
    Member,
    OfEntries,
    OneHot,
    Penalised,
    Plus,
    Previous,
    RelativeBias,
    RotaryEmbedding,
    RotatedBack,
    RowBucketSums,
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
    SubtractColumn,
    SumGroup,
    SumHeads,
    TokenLosses,
    Vanishing,
    Where,
)
from symattn.program.gradient.backward import Backward
from symattn.program.gradient.vanishing import column_sums_vanish
from symattn.program.steps import Index
from symattn.writing.prose import Sentence


@singledispatch
def pull_back(node: Any, G: Any, back: Backward) -> None:
    """Hand the gradient G by a node on to its arguments."""
    raise NotSupportedError(Sentence("no_gradient", node=type(node).__name__))


@pull_back.register(ZeroMatrix | OneMatrix | Identity | MatrixBase | Vanishing)
def _(node: Any, G: Any, back: Backward) -> None:
    """A constant has no gradient."""


@pull_back.register
def _(node: MatrixSymbol, G: Any, back: Backward) -> None:
    """What arrives at a symbol is added up."""
    back.receive(node, G)


# --- products and sums


@pull_back.register
def _(node: MatMul, G: Any, back: Backward) -> None:
    """Y = c A B: dA = c G Bᵀ, dB = c Aᵀ G."""
    factor, matrices = node.as_coeff_matrices()
    for k, matrix in enumerate(matrices):
        left, right = ([transpose(m) for m in reversed(part)] for part in (matrices[:k], matrices[k + 1 :]))
        back.give(matrix, partial(product, *left, scale_by(G, factor), *right), "product")


@pull_back.register(Transpose)
def _(node: Transpose, G: Any, back: Backward) -> None:
    """Y = Aᵀ: dA = Gᵀ."""
    back.give(node.arg, lambda: transpose(G), back.because or "transpose")


@pull_back.register(MatAdd | Plus | Biased)
def _(node: Any, G: Any, back: Backward) -> None:
    """Y = A + B: dA = G, dB = G."""
    for term in node.args:
        back.give(term, lambda: G)


@pull_back.register
def _(node: Scaled, G: Any, back: Backward) -> None:
    """Y = c A: dA = c G."""
    back.give(node.args[0], lambda: scale_by(G, node.factor), back.because or "scaled")


@pull_back.register
def _(node: ScaledBy, G: Any, back: Backward) -> None:
    """Y = s X: dX = s G, ds = Σ_ij G_ij X_ij."""
    X, s = node.args
    back.give(X, lambda: ScaledBy(G, s), back.because or "scaled")
    back.give(s, lambda: ColumnSum(RowSum(hadamard(G, X))), "scalar")


@pull_back.register
def _(node: AddRow, G: Any, back: Backward) -> None:
    """Y = A + 1b: dA = G, db = 1ᵀG, since b was broadcast over the rows; 0 where softmax does not see b."""
    back.give(node.args[0], lambda: G)
    if column_sums_vanish(G, back.expressions()):
        back.give(node.args[1], lambda: Vanishing(ColumnSum(G)), "unseen")
    else:
        back.give(node.args[1], lambda: ColumnSum(G), "bias")


@pull_back.register
def _(node: SubtractColumn, G: Any, back: Backward) -> None:
    """Y = A − m1ᵀ: dA = G, dm = −G1."""
    back.give(node.args[0], lambda: G)
    back.give(node.args[1], lambda: scale_by(RowSum(G), S.NegativeOne), "other")


@pull_back.register
def _(node: Hadamard, G: Any, back: Backward) -> None:
    """Y = A ∘ B: dA = G ∘ B, dB = G ∘ A."""
    A, B = node.args
    back.give(A, lambda: hadamard(G, B), "other")
    back.give(B, lambda: hadamard(G, A), "other")


@pull_back.register
def _(node: RowSum, G: Any, back: Backward) -> None:
    """y = A1: dA = G1ᵀ, every entry of a row receives what the row does."""
    A = node.args[0]
    back.give(A, lambda: product(G, OneMatrix(1, A.shape[1])), "product")


@pull_back.register
def _(node: ColumnSum, G: Any, back: Backward) -> None:
    """y = 1ᵀA: dA = 1G, every entry of a column receives what the column does."""
    A = node.args[0]
    back.give(A, lambda: product(OneMatrix(A.shape[0], 1), G), "product")


# --- what is done to scores


@pull_back.register
def _(node: Softmax, G: Any, back: Backward) -> None:
    """A = softmax(Z), row by row: dZ = A ∘ (G − δ1ᵀ), δ = rowsum(A ∘ G); J = diag(a) − aaᵀ applied to each row of G.

    The weights of an empty row are a number that does not depend on Z, so that dZ is 0 there; that of a row of zeros is
    0 by the formula.
    """
    A, Z = back.value_of(node), node.args[0]
    if node.axis == -2:
        A, G, Z = transpose(A), transpose(G), transpose(Z)
    delta = back.step("delta", "delta", RowSum(Hadamard(A, G)), "delta")
    inside = Hadamard(A, SubtractColumn(G, delta))
    dZ, because = (inside, "softmax") if node.empty_row in ("error", "zero") else (SeenRows(inside, Z), "softmax.seen")
    if node.axis == -2:
        dZ, because = transpose(dZ), "transpose"
    back.give(node.args[0], lambda: dZ, because)


@pull_back.register(Masked | Largest)
def _(node: Any, G: Any, back: Backward) -> None:
    """What is hidden has weight 0, so that G is 0 there already: dZ = G."""
    back.give(node.args[0], lambda: G)


@pull_back.register
def _(node: SoftCapped, G: Any, back: Backward) -> None:
    """Y = c tanh(Z/c): dZ = G ∘ (1 − tanh²(Z/c))."""
    Z, cap = node.args
    back.give(Z, lambda: hadamard(G, CapSlope(Z, cap)), "cap")


@pull_back.register
def _(node: CapSlope, G: Any, back: Backward) -> None:
    """Y = 1 − tanh²(Z/c): dZ = −2/c² G ∘ Y ∘ c tanh(Z/c)."""
    Z, cap = node.args
    slope = Hadamard(node, SoftCapped(Z, cap))
    back.give(Z, lambda: scale_by(hadamard(G, slope), -2 / cap**2), "other")


@pull_back.register
def _(node: Exponential, G: Any, back: Backward) -> None:
    """E = exp(Z): dZ = G ∘ E."""
    back.give(node.args[0], lambda: hadamard(G, back.value_of(node)), "function")


@pull_back.register
def _(node: DivideRows, G: Any, back: Backward) -> None:
    """Y = diag(l)⁻¹E: dE = diag(l)⁻¹G, dl = −diag(l)⁻¹ rowsum(G ∘ Y)."""
    E, total = node.args
    back.give(E, lambda: DivideRows(G, total), "quotient")
    gain = partial(hadamard, G, back.value_of(node))
    back.give(total, lambda: scale_by(DivideRows(RowSum(gain()), total), S.NegativeOne), "divisor")


# --- blocks and families


@pull_back.register
def _(node: Concat, G: Any, back: Backward) -> None:
    """Y = [A, B, …]: each part has its own columns of G."""
    first = Integer(0)
    for part in node.args:
        back.give(part, partial(columns, G, first, part.shape[1]), "part")
        first += part.shape[1]


@pull_back.register
def _(node: Stack, G: Any, back: Backward) -> None:
    """Y = [A; B; …]: each part has its own rows of G."""
    first = Integer(0)
    for part in node.args:
        back.give(part, partial(rows, G, first, part.shape[0]), "part")
        first += part.shape[0]


@pull_back.register
def _(node: Block, G: Any, back: Backward) -> None:
    """Y = a block of A: dA is G at its place and 0 elsewhere; of the blocks of a family, all of them in order."""
    A, top, height, left, width = node.args
    if back.index is not None:
        letter, count = back.index.letter, back.index.count
        for axis, join, start, size in ((0, StackMembers, top, height), (1, ConcatHeads, left, width)):
            if start == (letter - 1) * size and A.shape[axis] == count * size:
                if letter == TIME and axis == 0:
                    back.receive_rows(node, G)
                    return
                with back.within(None):
                    back.give(A, partial(join, G, letter, count), "other")
                return
    back.give(A, lambda: _pad(G, (top, A.shape[0] - top - height), (left, A.shape[1] - left - width)), "other")


@pull_back.register
def _(node: ConcatHeads, G: Any, back: Backward) -> None:
    """Y = Concat(head_1, …, head_h): head_i has its own block of columns of G."""
    body, letter, count = node.args
    with back.within(Index(letter, count)):
        back.give(body, lambda: HeadColumns(G, letter, count), "part")


@pull_back.register
def _(node: StackMembers, G: Any, back: Backward) -> None:
    """Y = [y_1; …; y_n]: y_t has its own rows of G."""
    body, letter, _count = node.args
    height, width = body.shape
    with back.within(back.index_of(body)):
        back.give(body, lambda: Block(G, (letter - 1) * height, height, 0, width), "part.rows")


@pull_back.register
def _(node: Previous, G: Any, back: Backward) -> None:
    """H_{t−1} in turn t: what the turn hands to the member before it."""
    back.hand_back(node, G)


@pull_back.register
def _(node: SumHeads, G: Any, back: Backward) -> None:
    """Y = Σ_i head_i: every head receives G."""
    body, letter, count = node.args
    with back.within(Index(letter, count)):
        back.give(body, lambda: G)


@pull_back.register
def _(node: SumGroup, G: Any, back: Backward) -> None:
    """Y_j = Σ of the heads of group j: head i receives the gradient of its group."""
    body, letter, count, _, groups = node.args
    with back.within(Index(letter, count)):
        back.give(body, lambda: back.seen_by_head(G, sympy.ceiling(letter * groups / count)), "other")


@pull_back.register
def _(node: Member, G: Any, back: Backward) -> None:
    """K^(⌈i g/h⌉) in head i: K^(j) receives the sum over the heads of group j."""
    back.receive_member(node, G)


@pull_back.register(HeadColumns | HeadRows)
def _(node: Any, G: Any, back: Backward) -> None:
    """Block i of a matrix that all heads share: its gradient is that block of the whole gradient."""
    back.receive_block(node, G)


# --- other kinds of attention


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


# --- expressions as one writes them: factors in front, no transpose of a transpose


def scale_by(matrix: Any, factor: Any) -> Any:
    """c A, with one factor only."""
    if isinstance(matrix, Scaled):
        matrix, factor = matrix.args[0], matrix.factor * factor
    return matrix if factor == 1 else Scaled(matrix, factor)


def transpose(matrix: Any) -> Any:
    """Aᵀ, taken into products and multiples: (AB)ᵀ = BᵀAᵀ."""
    if isinstance(matrix, Transpose):
        return matrix.arg
    if isinstance(matrix, Scaled):
        return scale_by(transpose(matrix.args[0]), matrix.factor)
    if isinstance(matrix, MatMul):
        return MatMul(*[transpose(m) for m in reversed(matrix.args)])
    if isinstance(matrix, MatrixBase | ZeroMatrix | OneMatrix | Identity):
        return matrix.T
    return Transpose(matrix)


def product(*factors: Any) -> Any:
    """A B C, with the numbers in front."""
    number: Any = S.One
    matrices: list[Any] = []
    for matrix in factors:
        if isinstance(matrix, Scaled):
            matrix, number = matrix.args[0], number * matrix.factor
        matrices += matrix.args if isinstance(matrix, MatMul) else [matrix]
    return scale_by(MatMul(*matrices) if len(matrices) > 1 else matrices[0], number)


def hadamard(A: Any, B: Any) -> Any:
    """A ∘ B, with the numbers in front."""
    number = S.One
    if isinstance(A, Scaled):
        A, number = A.args[0], number * A.factor
    if isinstance(B, Scaled):
        B, number = B.args[0], number * B.factor
    return scale_by(Hadamard(A, B), number)


def columns(matrix: Any, first: Any, count: Any) -> Any:
    """Some columns, or the matrix where these are all."""
    return matrix if first == 0 and count == matrix.shape[1] else Block(matrix, 0, matrix.shape[0], first, count)


def rows(matrix: Any, first: Any, count: Any) -> Any:
    """Some rows, or the matrix where these are all."""
    return matrix if first == 0 and count == matrix.shape[0] else Block(matrix, first, count, 0, matrix.shape[1])


def _pad(G: MatrixExpr, beside: tuple[Any, Any], across: tuple[Any, Any]) -> MatrixExpr:
    """G with zeros above and below, left and right."""
    left, right = (ZeroMatrix(G.shape[0], count) for count in across)
    wide = Concat(*(part for part in (left, G, right) if part.shape[1] != 0))
    above, below = (ZeroMatrix(count, wide.shape[1]) for count in beside)
    return Stack(*(part for part in (above, wide, below) if part.shape[0] != 0))
