"""Weights other than softmax, learned scalars, blocks and groups of heads: what holds is found, nothing else."""

from __future__ import annotations

import pytest
import sympy
from sympy import MatrixSymbol, OneMatrix, Symbol, sqrt, symbols
from sympy.matrices.expressions import MatAdd, MatMul

from symattn import Attention, Concat, MultiHead, Softmax
from symattn.checking.equality.decide import equal
from symattn.nodes import (
    Block,
    Exponential,
    HeadColumns,
    RowThreshold,
    Scaled,
    ScaledBy,
    SigmoidWeights,
    SumGroup,
    SumHeads,
)
from symattn.nodes.elementary.families import HEAD
from symattn.nodes.weights.weighting import AboveThreshold

pytestmark = pytest.mark.slow

n, m, d, g, h, r = symbols("n m d g h r", integer=True, positive=True)
c = Symbol("c", real=True)
Z, Y, s, t = (MatrixSymbol(*x) for x in (("Z", n, m), ("Y", m, d), ("s", 1, 1), ("t", n, 1)))
ROWS = OneMatrix(n, m)
COLUMN = OneMatrix(n, 1)

STATEMENTS = [
    # (s Z) Y = s (Z Y), and a scalar is in it once
    (MatMul(ScaledBy(Z, s), Y), ScaledBy(MatMul(Z, Y), s), True),
    (MatMul(ScaledBy(Z, s), ScaledBy(Y, s)), ScaledBy(MatMul(Z, Y), s), False),
    # 1/(1 + e^−(z + b)): a number added to the logits is added to b
    (SigmoidWeights(MatAdd(Z, Scaled(ROWS, c))), SigmoidWeights(Z, c), True),
    (SigmoidWeights(MatAdd(Z, Scaled(ROWS, c))), SigmoidWeights(Z, -c), False),
    # σ(z) + σ(−z) = 1
    (MatAdd(SigmoidWeights(Z), SigmoidWeights(Scaled(Z, -1))), ROWS, True),
    (MatAdd(SigmoidWeights(Z), SigmoidWeights(Z)), ROWS, False),
    # [z/p − τ]₊ is the same for z + pc and τ + c
    (AboveThreshold(MatAdd(Z, Scaled(ROWS, 2 * c)), MatAdd(t, Scaled(COLUMN, c)), 2), AboveThreshold(Z, t, 2), True),
    (AboveThreshold(MatAdd(Z, Scaled(ROWS, c)), MatAdd(t, Scaled(COLUMN, c)), 2), AboveThreshold(Z, t, 2), False),
    (AboveThreshold(MatAdd(Z, Scaled(ROWS, c)), MatAdd(t, Scaled(COLUMN, c)), 1), AboveThreshold(Z, t, 1), True),
    # the exponential of a block is the block of the exponential, which softmax divides by sums of the block alone
    (Exponential(Block(Z, 0, n, 1, m - 1)), Block(Exponential(Z), 0, n, 1, m - 1), True),
    (Exponential(Block(Z, 0, n, 1, m - 1)), Block(Exponential(Z), 0, n, 0, m - 1), False),
    (Softmax(Block(Z, 0, n, 1, m - 1)), Block(Softmax(Z), 0, n, 1, m - 1), False),
]


@pytest.mark.parametrize(("left", "right", "are"), STATEMENTS)
def test_weights(left: object, right: object, are: bool) -> None:
    assert equal(left, right) is are


def test_sizes_are_positive_integers_whatever_is_said_of_them() -> None:
    size = Symbol("n")
    A = MatrixSymbol("A", size, size)
    assert equal(Scaled(A, sqrt(size**2)), Scaled(A, size))
    assert not equal(Scaled(A, sqrt(size**2)), Scaled(A, -size))


@pytest.mark.parametrize(("shared", "are"), [((0, 0, 1, 1), True), ((0, 1, 0, 1), False)])
def test_heads_of_a_group_share_keys_and_values_in_turn(shared: tuple[int, ...], are: bool) -> None:
    X, W_O = MatrixSymbol("X", n, m), MatrixSymbol("W_O", 4 * d, m)
    W_Q, W_K, W_V = (
        [MatrixSymbol(f"{x}{k}", m, d) for k in range(count)] for x, count in (("Q", 4), ("K", 2), ("V", 2))
    )
    grouped = MultiHead(X, heads=4, kv_heads=2, W_Q=Concat(*W_Q), W_K=Concat(*W_K), W_V=Concat(*W_V), W_O=W_O)
    each = [Attention(X * W_Q[i], X * W_K[k], X * W_V[k]) for i, k in enumerate(shared)]
    assert equal(grouped, MatMul(Concat(*each), W_O)) is are


@pytest.mark.parametrize("count", [1, 2, 3])
def test_heads_of_numbers_are_those_heads(count: int) -> None:
    X, W_O = MatrixSymbol("X", n, m), MatrixSymbol("W_O", count * d, m)
    each = [[MatrixSymbol(f"{x}{k}", m, d) for k in range(count)] for x in "QKV"]
    whole = MultiHead(X, heads=count, **{f"W_{x}": Concat(*W) for x, W in zip("QKV", each, strict=True)}, W_O=W_O)
    outputs = [Attention(*(X * W for W in head)) for head in zip(*each, strict=True)]
    assert equal(whole, MatMul(Concat(*outputs), W_O))
    assert not equal(whole, MatMul(Concat(outputs[0], *outputs[:-1]), W_O)) or count == 1


def test_thresholds_of_other_powers_are_others() -> None:
    """Of sparsemax and entmax-1.5; they depend on all entries of a row."""
    thresholds = [RowThreshold(Z, 2), RowThreshold(Z, 1), RowThreshold(Scaled(Z, 2), 2), RowThreshold(Z + Z, 2)]
    answers = [[equal(MatAdd(x, t), MatAdd(y, t)) for y in thresholds] for x in thresholds]
    assert answers == [[k == x or (k > 1 and x > 1) for x in range(4)] for k in range(4)]


@pytest.mark.parametrize(("group", "are"), [(r, True), (g + 1 - r, False), (1, False)])
def test_a_sum_over_heads_is_one_over_groups(group: object, are: bool) -> None:
    """Σ_i P_i K_⌈i g/h⌉ᵀ = Σ_r (Σ_(⌈i g/h⌉ = r) P_i) K_rᵀ, but not with the groups in another order or with one."""
    P, K = MatrixSymbol("P", n, h * d), MatrixSymbol("K", n, g * d)
    used = HeadColumns(K, sympy.ceiling(HEAD * g / h), g).T
    each = SumHeads(MatMul(HeadColumns(P, HEAD, h), used), HEAD, h)
    summed = SumGroup(HeadColumns(P, HEAD, h), HEAD, h, r, g)
    assert equal(each, SumHeads(MatMul(summed, HeadColumns(K, group, g).T), r, g)) is are
