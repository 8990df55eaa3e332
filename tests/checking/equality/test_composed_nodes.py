"""Layers and heads of several steps equal what their papers define them to be, for every size; near misses do not."""

from __future__ import annotations

import pytest
from sympy import Lambda, MatrixSymbol, OneMatrix, Rational, Symbol, oo, sqrt, symbols
from sympy.matrices.expressions import MatAdd, MatMul

from symattn import Softmax
from symattn.checking.equality.decide import Undecided, equal
from symattn.nodes import (
    Activation,
    Constant,
    DifferentialAttention,
    Dropout,
    FeedForward,
    LayerNorm,
    Part,
    Residual,
    RMSNorm,
    Scaled,
    ScoreMod,
)

n, m, d, e = symbols("n m d e", integer=True, positive=True)
a, c = symbols("a c", real=True)
lam = Symbol("lambda", real=True)
X, Z, Y, Q, K, Q_2, K_2, V = (
    MatrixSymbol(*x)
    for x in (
        ("X", n, d),
        ("Z", n, m),
        ("Y", m, d),
        ("Q", n, d),
        ("K", m, d),
        ("Q_2", n, d),
        ("K_2", m, d),
        ("V", m, e),
    )
)
W_1, W_2 = MatrixSymbol("W_1", d, e), MatrixSymbol("W_2", e, d)
z, i, j = symbols("z i j", real=True)
FIRST, SECOND = (Softmax(Scaled(MatMul(q, k.T), 1 / sqrt(d))) for q, k in ((Q, K), (Q_2, K_2)))

STATEMENTS = [
    # (softmax(Q K^T/√d) − λ softmax(Q′ K′^T/√d)) V, Ye et al. 2024
    (
        DifferentialAttention(Q, K, Q_2, K_2, V, lam),
        MatAdd(MatMul(FIRST, V), Scaled(MatMul(SECOND, V), -lam)),
        True,
    ),
    (
        DifferentialAttention(Q, K, Q_2, K_2, V, lam),
        MatAdd(MatMul(FIRST, V), Scaled(MatMul(SECOND, V), lam)),
        False,
    ),
    # the mean of a row that LayerNorm has normalised is 0, that of RMSNorm is not
    (MatMul(LayerNorm(X), OneMatrix(d, 1)), MatMul(Scaled(X, 0), OneMatrix(d, 1)), True),
    (MatMul(RMSNorm(X), OneMatrix(d, 1)), MatMul(Scaled(X, 0), OneMatrix(d, 1)), False),
    # LayerNorm does not see what is added to a whole row, RMSNorm does
    (LayerNorm(MatAdd(X, Scaled(OneMatrix(n, d), c))), LayerNorm(X), True),
    (RMSNorm(MatAdd(X, Scaled(OneMatrix(n, d), c))), RMSNorm(X), False),
    # max(0, X W) W′, and x + f(x)
    (FeedForward(X, W_1, W_2), MatMul(Activation(MatMul(X, W_1), "relu"), W_2), True),
    (FeedForward(X, W_1, W_2), MatMul(X, W_1, W_2), False),
    (Residual(X, X), Scaled(X, 2), True),
    (Residual(X, X), X, False),
    # what only names a value, or keeps it when nothing is dropped, changes nothing
    (MatMul(Part(Z, "scores"), Y), MatMul(Z, Y), True),
    (MatMul(Dropout(Z, Rational(1, 10)), Y), MatMul(Z, Y), True),
    # a number in every place: all keys alike weigh 1/m
    (MatMul(Constant(3, n, m), OneMatrix(m, 1)), Scaled(MatMul(OneMatrix(n, m), OneMatrix(m, 1)), 3), True),
    (Softmax(Constant(3, n, m)), Scaled(OneMatrix(n, m), 1 / m), True),
    (Softmax(Constant(3, n, m)), Scaled(OneMatrix(n, m), 1 / n), False),
    # scores changed by a formula: 2z + a(i − j) is 2z and a(i − j) apart
    (
        MatMul(ScoreMod(Z, Lambda((z, i, j), 2 * z + a * (i - j))), Y),
        MatAdd(MatMul(Scaled(Z, 2), Y), MatMul(ScoreMod(Scaled(Z, 0), Lambda((z, i, j), a * (i - j))), Y)),
        True,
    ),
    (
        MatMul(ScoreMod(Z, Lambda((z, i, j), 2 * z + a * (i - j))), Y),
        MatAdd(MatMul(Scaled(Z, 2), Y), MatMul(ScoreMod(Scaled(Z, 0), Lambda((z, i, j), a * (j - i))), Y)),
        False,
    ),
]


@pytest.mark.parametrize(("left", "right", "are"), STATEMENTS)
def test_layers(left: object, right: object, are: bool) -> None:
    assert equal(left, right) is are


def test_minus_infinity_by_itself_is_no_number_to_calculate_with() -> None:
    with pytest.raises(Undecided, match="minus_infinity"):
        equal(MatMul(Constant(-oo, n, m), Y), MatMul(Z, Y))
