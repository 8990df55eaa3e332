"""Statements on what is made of steps: layers, gates, losses, and SymPy's own entrywise products."""

from __future__ import annotations

import pytest
from sympy import HadamardPower, HadamardProduct, MatrixSymbol, Rational, symbols

from symattn import prove
from symattn.nodes import HEAD, CrossEntropy, FeedForward, Gated, LayerNorm, Residual, RMSNorm, Softmax, SumHeads

n, m, d = symbols("n m d", integer=True, positive=True)
X, Y, Z = (MatrixSymbol(x, n, d) for x in "XYZ")
HEADS = MatrixSymbol("X^(i)", n, d)
OF_HEADS = SumHeads(HEADS, HEAD, 3)
S, L = MatrixSymbol("S", n, n), MatrixSymbol("L", 3, d + 2)
W, W_1, W_2 = MatrixSymbol("W", d, d), MatrixSymbol("W_1", d, m), MatrixSymbol("W_2", m, d)

FALSE = {
    "another epsilon": (LayerNorm(X, epsilon=1), LayerNorm(X, epsilon=2)),
    "no norm": (RMSNorm(X), X),
    "a square": (HadamardProduct(X, X), X),
    "a power": (HadamardPower(X, 3), X),
    "another gate": (Gated(X, X, W), Gated(X, X, W, activation="silu")),
    "another function": (FeedForward(X, W_1, W_2), FeedForward(X, W_1, W_2, activation="gelu")),
    "other labels": (CrossEntropy(L, (0, 1, 1)), CrossEntropy(L, (1, 0, 1))),
    "softmax twice": (CrossEntropy(L, (0, 1, 1)), CrossEntropy(Softmax(L), (0, 1, 1))),
    "a sign": (Residual(X, Y), X - Y),
    "a layer of a sum": (SumHeads(FeedForward(HEADS, W_1, W_2), HEAD, 3), FeedForward(OF_HEADS, W_1, W_2)),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted(name: str) -> None:
    assert prove(*FALSE[name]).status == "refuted"


TRUE = {
    "distributive": (HadamardProduct(X, Y + Z), HadamardProduct(X, Y) + HadamardProduct(X, Z)),
    "whole power": (HadamardPower(X, 3), HadamardProduct(X, X, X)),
    "a layer of each head": (
        SumHeads(FeedForward(HEADS, W_1, W_2), HEAD, 3),
        2 * SumHeads(FeedForward(HEADS, W_1, W_2) / 2, HEAD, 3),
    ),
    "residual": (Residual(X, LayerNorm(X)), X + LayerNorm(X)),
    "scaled norm": (LayerNorm(2 * X, epsilon=Rational(4, 100_000)), LayerNorm(X)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_proven(name: str) -> None:
    assert prove(*TRUE[name]).status == "proven"


def reason_of(left: object, right: object, language: str = "en") -> str:
    proof = prove(left, right)
    assert proof.status == "undecided"
    return str(proof.outcomes[0].reason.text(language))


def test_why_nothing_could_be_tried_is_said() -> None:
    assert "power is too large" in reason_of(S**100, S**101) and "幂太大" in reason_of(S**100, S**101, "zh")
    assert "HadamardPower has no value" in reason_of(HadamardPower(X, Rational(1, 2)), X)
