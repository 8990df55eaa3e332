"""A statement shows what its two sides are told that differs, as text, LaTeX and data."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import HadamardProduct, Lambda, MatrixSymbol, Rational, Symbol, symbols

from symattn import prove
from symattn.nodes import (
    Activation,
    FeedForward,
    Gated,
    Hadamard,
    LayerNorm,
    Mapped,
    MultiHead,
    Rotary,
    RotaryEmbedding,
)

n, m, d = symbols("n m d", integer=True, positive=True)
X, Y, W = MatrixSymbol("X", n, d), MatrixSymbol("Y", n, d), MatrixSymbol("W", d, d)
W_1, W_2, z = MatrixSymbol("W_1", d, m), MatrixSymbol("W_2", m, d), Symbol("z")
WEIGHTS = [MatrixSymbol(f"W_{x}", d, d) for x in "QKVO"]


def heads(W_Q: Any = WEIGHTS[0], W_K: Any = WEIGHTS[1], **options: Any) -> Any:
    return MultiHead(X, heads=1, W_Q=W_Q, W_K=W_K, W_V=WEIGHTS[2], W_O=WEIGHTS[3], **options)


SHOWN = [
    (LayerNorm(2 * X, epsilon=Rational(4, 100_000)), LayerNorm(X), ["epsilon: 1/25000", "epsilon: 1/100000"]),
    (LayerNorm(X, bias=MatrixSymbol("b", 1, d)), LayerNorm(X), ["bias: b", "LayerNorm(X; epsilon: 1/100000)"]),
    (Gated(X, X, W, activation="silu"), Gated(X, X, W), ["Gated(X, X, W; activation: silu)", "activation: sigmoid"]),
    (Gated(X, X, W), Hadamard(X, Activation(X * W, "sigmoid")), ["Gated(X, X, W; activation: sigmoid)", "X ∘ σ(X"]),
    (FeedForward(X, W_1, W_2), Activation(X * W_1, "relu") * W_2, ["; activation: relu)"]),
    (Mapped(X, Lambda(z, z**2)), HadamardProduct(X, X), ["Mapped(X; function: z ↦ z"]),
    (heads(), heads(rotary=Rotary()), ["rotary: Rotary(base: 10000, pairs: interleaved"]),
    (heads(), heads(*WEIGHTS[1::-1]), ["W_Q: W_Q; W_K: W_K", "W_Q: W_K; W_K: W_Q"]),
]


@pytest.mark.parametrize(("left", "right", "shown"), SHOWN)
def test_what_differs_is_shown(left: Any, right: Any, shown: list[str]) -> None:
    proof = prove(left, right)
    link = proof.to_dict()["links"][0]
    said = f"{link['left']} {link['right']}"
    for words in shown:
        assert words in said
    assert "True" not in said
    for name in {words.rpartition(":")[0].rpartition(" ")[2] for words in shown if ": " in words}:
        name = name.rpartition("(")[2]
        assert name in proof.to_text() and name.replace("_", r"\_") in proof.to_latex()


def test_what_both_sides_are_told_alike_is_not() -> None:
    """ε of both is the same, and so are the base and the pairs of a rotation."""
    link = prove(LayerNorm(X + Y), LayerNorm(Y + X)).to_dict()["links"][0]
    assert link["left"] == "LayerNorm(X + Y)"
    link = prove(RotaryEmbedding(2 * X), 2 * RotaryEmbedding(X)).to_dict()["links"][0]
    assert "base" not in link["left"] and "base" not in link["right"]
