"""Rules for the other kinds of attention: norms, rotations, sinks, formulas of one's own. Importing adds them."""

from __future__ import annotations

from typing import Any

from sympy import OneMatrix, S

from symattn.nodes import (
    AdditiveGain,
    AdditiveScores,
    AdditiveSlope,
    Alibi,
    ColumnSum,
    Constant,
    DivideRows,
    Hadamard,
    Kept,
    Mapped,
    Penalised,
    Plus,
    RotaryEmbedding,
    RotatedBack,
    RowNorm,
    RowSum,
    ScaleColumns,
    ScaleRows,
    ScoreMod,
    SeenRows,
    SinkSoftmax,
    SubtractColumn,
)
from symattn.program.gradient.backward import Backward
from symattn.program.gradient.rules import hadamard, product, pull_back, scaled, transposed


@pull_back.register(Alibi | Constant)
def _(node: Any, G: Any, back: Backward) -> None:
    """What is made of numbers alone has no gradient."""


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
    back.give(X, lambda: scaled(ScaleRows(X, DivideRows(G, back.value_of(node))), share), "other")


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
    kept = Plus(OneMatrix(A.shape[0], 1), scaled(RowSum(A), S.NegativeOne))
    back.give(s, lambda: scaled(product(transposed(kept), delta), S.NegativeOne), "sink")


@pull_back.register
def _(node: Mapped, G: Any, back: Backward) -> None:
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
    back.give(R, lambda: AdditiveSlope(R, P, v, transposed(G)), "additive")
    back.give(v, lambda: AdditiveGain(P, R, G), "gain")


@pull_back.register(AdditiveSlope | AdditiveGain)
def _(node: Any, G: Any, back: Backward) -> None:
    """The same sums unit by unit, of nodes that have rules."""
    back.give(node.spelled(), lambda: G)


# --- entries that are left out


@pull_back.register
def _(node: Kept, G: Any, back: Backward) -> None:
    """Y = X where a mask keeps, else 0: dX = G there, else 0."""
    back.give(node.args[0], lambda: Kept(G, node.args[1]), "kept")


@pull_back.register
def _(node: SeenRows, G: Any, back: Backward) -> None:
    """Y = X in the rows of Z that have a number, else 0: dX = G there, else 0; which rows they are has no slope."""
    X, Z = node.args
    back.give(X, lambda: SeenRows(G, Z), "other")
