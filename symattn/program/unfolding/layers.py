"""The rules for what a layer has beside its attention: norms, the feed-forward network, embeddings, the loss."""

from __future__ import annotations

from typing import Any

from symattn.nodes import (
    Activation,
    Block,
    CrossEntropy,
    Dropout,
    Embedding,
    FeedForward,
    Gated,
    Hadamard,
    LayerNorm,
    LearnedPositions,
    Plus,
    Residual,
    RMSNorm,
    SinusoidalPositions,
    Softmax,
    TokenLosses,
    WithPositions,
    stem,
)
from symattn.program.unfolding.rules import Steps, normalise, operand, rule, unfold_node


def _source(X: Any, steps: Steps, letter: str = "X") -> tuple[Any, str]:
    """The rows that a norm is taken of, by a name, and what they are called."""
    rows = steps.named("source", letter, X)
    return rows, stem(rows) if rows.is_symbol else letter


@rule.register
def _(node: LayerNorm, steps: Steps) -> Any:
    X, name = _source(node.args[0], steps)
    return normalise(X, node, name, steps)


@rule.register
def _(node: RMSNorm, steps: Steps) -> Any:
    """As rows of queries are: their root mean squares, the quotients, the gain."""
    X, name = _source(node.args[0], steps)
    return operand(name, node.func(X, *node.args[1:]).spelled(), steps)


@rule.register
def _(node: Residual, steps: Steps) -> Any:
    """X + F(X), X as it came in."""
    X = steps.named("source", "X", node.args[0])
    return steps.add("residual", "H", Plus(X, steps.named("projection", "Y", node.args[1])))


@rule.register
def _(node: WithPositions, steps: Steps) -> Any:
    return steps.add("positioned", "X", Plus(*(steps.named("source", "X", term) for term in node.args)))


@rule.register
def _(node: Dropout, steps: Steps) -> Any:
    X, name = _source(node.args[0], steps)
    return steps.add("dropout", f"{name}^d", Dropout(X, node.args[1]), operand=name)


@rule.register
def _(node: Activation, steps: Steps) -> Any:
    hidden = steps.named("hidden", "U", node.args[0])
    return steps.add("activated", "F", Activation(hidden, *node.args[1:]))


@rule.register
def _(node: FeedForward, steps: Steps) -> Any:
    """U = X W_1 + 1b_1; F = φ(U), with a gate F ∘ X W_3; F W_2 + 1b_2."""
    X = steps.named("source", "X", node.args[0])
    plain = node.func(X, *(unfold_node(a, steps) if a.is_Matrix else a for a in node.args[1:]))
    hidden = steps.add("hidden", "U", plain.hidden(X))
    made = steps.add("activated", "F", Activation(hidden, plain.args[5]))
    if plain.args[6].is_Matrix:
        beside = steps.add("gate", "T", X * plain.args[6])
        made = steps.add("gated", "F^g", Hadamard(made, beside))
    return steps.add("feed_forward", "Y", plain.result(made))


@rule.register
def _(node: Gated, steps: Steps) -> Any:
    """T = φ(X W + 1b); Y ∘ T."""
    Y, X = steps.named("source", "Y", node.args[0]), steps.named("source", "X", node.args[1])
    plain = node.func(Y, X, *(unfold_node(a, steps) if a.is_Matrix else a for a in node.args[2:]))
    opening = steps.add("opening", "U", plain.opened(X))
    gate = steps.add("opened", "T", Activation(opening, plain.args[4]))
    return steps.add("let_through", "Y^g", Hadamard(Y, gate))


@rule.register
def _(node: Embedding, steps: Steps) -> Any:
    return steps.add("embedding", "E'", Embedding(unfold_node(node.args[0], steps), node.args[1]))


@rule.register
def _(node: SinusoidalPositions, steps: Steps) -> Any:
    return steps.add("positions", "P'", node, because="positions.sinusoidal")


@rule.register
def _(node: LearnedPositions, steps: Steps) -> Any:
    """The first n rows of the table."""
    table = unfold_node(node.args[0], steps)
    return steps.add("positions", "P'", Block(table, node.args[2], node.args[1], 0, table.shape[1]))


@rule.register
def _(node: TokenLosses, steps: Steps) -> Any:
    """P = softmax(Z), for whoever reads it; ℓ_i = −log P_(i, y_i)."""
    Z = steps.named("logits", "Z", node.args[0])
    steps.add("probabilities", "P", Softmax(Z))
    return steps.add("token_losses", "ell", TokenLosses(Z, node.args[1]))


@rule.register
def _(node: CrossEntropy, steps: Steps) -> Any:
    losses = unfold_node(node.losses(node.args[0]), steps)
    return steps.add("loss", "L", node.mean(losses))
