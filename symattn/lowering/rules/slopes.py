"""Rules of the nodes that only gradients have: slopes of additive scores, and entries that are left out."""

from __future__ import annotations

from symattn.lowering.rules.elementary import keep_text, write
from symattn.lowering.text.scope import Lines, factor, tight
from symattn.nodes import AdditiveGain, AdditiveSlope, Kept, SeenRows


def _bent(P: str, R: str) -> str:
    """tanh(p_i + r_j), an axis of keys before that of units."""
    return f"np.tanh({tight(P)}[..., :, None, :] + {tight(R)}[..., None, :, :])"


@write.register
def _(node: AdditiveSlope, lines: Lines) -> str:
    """Rows of G times the slopes, key by key; then every unit times its own v."""
    P, R, v, G = lines.aligned(node.args, [write(a, lines) for a in node.args])
    sums = f"({tight(G)}[..., :, None, :] @ (1 - {_bent(P, R)} ** 2))[..., 0, :]"
    return f"{sums} * np.matrix_transpose({v})"


@write.register
def _(node: AdditiveGain, lines: Lines) -> str:
    P, R, G = lines.aligned(node.args, [write(a, lines) for a in node.args])
    rows = f"({tight(G)}[..., :, None, :] @ {_bent(P, R)})[..., 0, :]"
    return f"np.matrix_transpose(np.sum({rows}, axis=-2, keepdims=True))"


@write.register
def _(node: Kept, lines: Lines) -> str:
    return f"np.where({keep_text(node, lines)}, {write(node.args[0], lines)}, 0.0)"


@write.register
def _(node: SeenRows, lines: Lines) -> str:
    X, Z = lines.aligned(node.args, [write(a, lines) for a in node.args])
    return f"np.where(np.max({Z}, axis=-1, keepdims=True) == -np.inf, 0.0, {factor(X)})"
