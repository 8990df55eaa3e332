"""The backward pass: one vector-Jacobian rule per node, run over a program from its last step to its inputs.

A rule receives a node, the gradient G of the loss by it, and hands a gradient to each argument: for L(node(x)) the
gradient by x. Rules keep nothing. What arrives at a symbol is added up, and becomes a step of its own.
Source: the chain rule in reverse order (Griewank and Walther 2008, chapter 3).
"""

from __future__ import annotations

from functools import partial, singledispatch
from typing import Any

import sympy
from sympy import Identity, Integer, MatrixExpr, MatrixSymbol, OneMatrix, S, ZeroMatrix
from sympy.matrices.expressions import MatAdd, MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import NotSupportedError
from symattn.nodes import (
    TIME,
    AddRow,
    Biased,
    Block,
    CapSlope,
    ColumnSum,
    Concat,
    ConcatHeads,
    DivideRows,
    Exponential,
    Hadamard,
    HeadColumns,
    HeadRows,
    Largest,
    Masked,
    Member,
    Plus,
    Previous,
    RowSum,
    Scaled,
    ScaledBy,
    SeenRows,
    SoftCapped,
    Softmax,
    Stack,
    StackMembers,
    SubtractColumn,
    SumGroup,
    SumHeads,
    Vanishing,
)
from symattn.program.gradient.backward import Backward
from symattn.program.gradient.expressions import columns, hadamard, product, rows, scale_by, transpose
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
    body, letter, count, group, groups = node.args
    if back.index is None or group != back.index.letter:  # of one group: the other heads receive nothing
        raise NotSupportedError(Sentence("no_gradient", node=str(node)))
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


def _pad(G: MatrixExpr, beside: tuple[Any, Any], across: tuple[Any, Any]) -> MatrixExpr:
    """G with zeros above and below, left and right."""
    left, right = (ZeroMatrix(G.shape[0], count) for count in across)
    wide = Concat(*(part for part in (left, G, right) if part.shape[1] != 0))
    above, below = (ZeroMatrix(count, wide.shape[1]) for count in beside)
    return Stack(*(part for part in (above, wide, below) if part.shape[0] != 0))
