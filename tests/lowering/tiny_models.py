"""Tiny models shaped as published ones, as expressions over weights that a formula makes from their names.

The weights have the names of the transformers library's parameters, whose matrices are stored (out, in).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sympy import MatMul, MatrixSymbol, Max, Min, Rational, Symbol, sqrt

from symattn.nodes import (
    Activation,
    AddRow,
    Attention,
    Block,
    CausalMask,
    Concat,
    Embedding,
    FeedForward,
    Hadamard,
    Mapped,
    MultiHead,
    Plus,
    QKNorm,
    Residual,
    RMSNorm,
    Rotary,
    Scaled,
    ScaleRows,
    SoftCapped,
    Softmax,
    WindowMask,
)
from tests.lowering.named_weights import weight

TOKENS = (3, 1, 4, 1, 5, 9, 2, 6)
WORDS, WIDTH, HIDDEN, LAYERS, HEADS, KV_HEADS = 11, 8, 12, 2, 4, 2
EPSILON = Rational(1, 10**6)
z = Symbol("z", real=True)


class Weights:
    """Symbols for the weights that an expression uses, and their arrays under the symbols' names."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}

    def named(self, name: str, shape: tuple[int, ...], view: Callable[[Any], Any] = lambda w: w) -> MatrixSymbol:
        """A weight, seen as a matrix of two axes."""
        array = np.atleast_2d(view(weight(name, shape)))
        symbol = f"w{len(self.arrays)}"
        self.arrays[symbol] = np.ascontiguousarray(array)
        return MatrixSymbol(symbol, *array.shape)

    def linear(self, name: str, rows: int, columns: int, view: Callable[[Any], Any] = lambda w: w) -> MatrixSymbol:
        """X W of a module that is stored (out, in)."""
        return self.named(f"{name}.weight", (columns, rows), lambda w: view(w.T))

    def norm(self, X: Any, name: str, more: float = 0.0) -> Any:
        return RMSNorm(X, self.named(f"{name}.weight", (int(X.shape[1]),), lambda w: w + np.float32(more)), EPSILON)

    def embedding(self) -> Any:
        return Embedding(self.named("model.embed_tokens.weight", (WORDS, WIDTH)), TOKENS)

    def logits(self, X: Any, more: float = 0.0) -> Any:
        return MatMul(self.norm(X, "model.norm", more), self.linear("lm_head", WIDTH, WORDS))

    def projections(self, at: str, width: int) -> dict[str, Any]:
        wide = {"W_Q": ("q", HEADS), "W_K": ("k", KV_HEADS), "W_V": ("v", KV_HEADS)}
        made = {key: self.linear(f"{at}.self_attn.{x}_proj", WIDTH, h * width) for key, (x, h) in wide.items()}
        return {**made, "W_O": self.linear(f"{at}.self_attn.o_proj", HEADS * width, WIDTH)}

    def biases(self, at: str, width: int, output: bool) -> dict[str, Any]:
        wide = {"b_Q": ("q", HEADS * width), "b_K": ("k", KV_HEADS * width), "b_V": ("v", KV_HEADS * width)}
        wide |= {"b_O": ("o", WIDTH)} if output else {}
        return {key: self.named(f"{at}.self_attn.{x}_proj.bias", (size,)) for key, (x, size) in wide.items()}

    def feed_forward(self, X: Any, at: str, activation: str = "silu") -> Any:
        W_1, W_3 = (self.linear(f"{at}.mlp.{x}_proj", WIDTH, HIDDEN) for x in ("gate", "up"))
        W_2 = self.linear(f"{at}.mlp.down_proj", HIDDEN, WIDTH)
        return FeedForward(X, W_1, W_2, activation=activation, W_3=W_3)


def llama(w: Weights) -> Any:
    """Grouped keys, halves turned, SwiGLU."""
    X = w.embedding()
    for k in range(LAYERS):
        at = f"model.layers.{k}"
        options = {"mask": CausalMask(), "rotary": Rotary(10000, "halves"), **w.projections(at, 2)}
        X = Residual(X, MultiHead(w.norm(X, f"{at}.input_layernorm"), heads=HEADS, kv_heads=KV_HEADS, **options))
        X = Residual(X, w.feed_forward(w.norm(X, f"{at}.post_attention_layernorm"), at))
    return w.logits(X)


def qwen3(w: Weights) -> Any:
    """As Llama, heads wider than a share, queries and keys normalised with gains."""
    X = w.embedding()
    for k in range(LAYERS):
        at = f"model.layers.{k}"
        gains = [w.named(f"{at}.self_attn.{x}_norm.weight", (4,)) for x in "qk"]
        options = {"mask": CausalMask(), "rotary": Rotary(10000, "halves"), "qk_norm": QKNorm("rms", *gains, EPSILON)}
        inner = w.norm(X, f"{at}.input_layernorm")
        X = Residual(X, MultiHead(inner, heads=HEADS, kv_heads=KV_HEADS, **options, **w.projections(at, 4)))
        X = Residual(X, w.feed_forward(w.norm(X, f"{at}.post_attention_layernorm"), at))
    return w.logits(X)


def gemma2(w: Weights) -> Any:
    """Gains 1 + γ, norms before and after, caps, a window in every other layer, a scale of its own."""
    X = Scaled(w.embedding(), sqrt(WIDTH))
    for k in range(LAYERS):
        at = f"model.layers.{k}"
        mask = WindowMask(2, 0) if k % 2 == 0 else CausalMask()
        options = {"mask": mask, "rotary": Rotary(10000, "halves"), "softcap": 5, "scale": Rational(1, 3)}
        inner = w.norm(X, f"{at}.input_layernorm", 1)
        made = MultiHead(inner, heads=HEADS, kv_heads=KV_HEADS, **options, **w.projections(at, 2))
        X = Residual(X, w.norm(made, f"{at}.post_attention_layernorm", 1))
        made = w.feed_forward(w.norm(X, f"{at}.pre_feedforward_layernorm", 1), at, "gelu-tanh")
        X = Residual(X, w.norm(made, f"{at}.post_feedforward_layernorm", 1))
    return SoftCapped(w.logits(X, 1), 3)


def deepseek_v3(w: Weights) -> Any:
    """Keys and values of one narrow matrix; a rotary part of every query and one key that all heads share."""
    rank, own, turned, value = 6, 4, 2, 4
    X = w.embedding()
    for k in range(LAYERS):
        at = f"model.layers.{k}"
        inner = w.norm(X, f"{at}.input_layernorm")
        down = f"{at}.self_attn.kv_a_proj_with_mqa"
        C = w.norm(
            MatMul(inner, w.linear(down, WIDTH, rank + turned, lambda m: m[:, :rank])), f"{at}.self_attn.kv_a_layernorm"
        )
        K_R = Rotary().of(MatMul(inner, w.linear(down, WIDTH, rank + turned, lambda m: m[:, rank:])))
        heads = []
        for i in range(HEADS):
            first, both = i * (own + turned), own + value
            query = lambda m, a=first: m[:, a : a + own]  # noqa: E731
            part = lambda m, a=first + own: m[:, a : a + turned]  # noqa: E731
            Q, Q_R = (
                MatMul(inner, w.linear(f"{at}.self_attn.q_proj", WIDTH, HEADS * (own + turned), x))
                for x in (query, part)
            )
            up = f"{at}.self_attn.kv_b_proj"
            U_K = w.linear(up, rank, HEADS * both, lambda m, a=i * both: m[:, a : a + own])
            U_V = w.linear(up, rank, HEADS * both, lambda m, a=i * both + own: m[:, a : a + value])
            K = Concat(MatMul(C, U_K), K_R)
            heads.append(Attention(Concat(Q, Rotary().of(Q_R)), K, MatMul(C, U_V), mask=CausalMask()))
        X = Residual(X, MatMul(Concat(*heads), w.linear(f"{at}.self_attn.o_proj", HEADS * value, WIDTH)))
        X = Residual(X, w.feed_forward(w.norm(X, f"{at}.post_attention_layernorm"), at))
    return w.logits(X)


def gpt_oss(w: Weights) -> Any:
    """Learned sinks, windows, biases, two experts that a router weighs, gates that are clamped."""
    X = w.embedding()
    for k in range(LAYERS):
        at = f"model.layers.{k}"
        mask = WindowMask(2, 0) if k % 2 == 0 else CausalMask()
        sinks = w.named(f"{at}.self_attn.sinks", (HEADS,))
        options = {"mask": mask, "rotary": Rotary(10000, "halves"), "sink": sinks, **w.biases(at, 2, True)}
        inner = w.norm(X, f"{at}.input_layernorm")
        X = Residual(X, MultiHead(inner, heads=HEADS, kv_heads=KV_HEADS, **options, **w.projections(at, 2)))
        X = Residual(X, _experts(w, w.norm(X, f"{at}.post_attention_layernorm"), f"{at}.mlp"))
    return w.logits(X)


def _experts(w: Weights, X: Any, at: str) -> Any:
    """Σ_e p_e ((u + 1) ∘ g σ(1.702 g)) W_e, with g at most 7 and u between −7 and 7, p the softmax of the router."""
    router = AddRow(MatMul(X, w.linear(f"{at}.router", WIDTH, 2)), w.named(f"{at}.router.bias", (2,)))
    shares, made = Softmax(router), []
    for e in range(2):
        columns = 2 * HIDDEN
        gate, up = (
            AddRow(
                MatMul(
                    X, w.named(f"{at}.experts.gate_up_proj", (2, WIDTH, columns), lambda m, e=e, a=a: m[e, :, a::2])
                ),
                w.named(f"{at}.experts.gate_up_proj_bias", (2, columns), lambda m, e=e, a=a: m[e, a::2]),
            )
            for a in (0, 1)
        )
        gate, up = Mapped(gate, Min(z, 7)), Mapped(up, Max(Min(z, 7), -7) + 1)
        opened = Hadamard(gate, Activation(Scaled(gate, Rational(1702, 1000)), "sigmoid"))
        down = w.named(f"{at}.experts.down_proj", (2, HIDDEN, WIDTH), lambda m, e=e: m[e])
        result = AddRow(
            MatMul(Hadamard(up, opened), down), w.named(f"{at}.experts.down_proj_bias", (2, WIDTH), lambda m, e=e: m[e])
        )
        made.append(ScaleRows(result, Block(shares, 0, len(TOKENS), e, 1)))
    return Plus(*made)


MODELS: dict[str, Callable[[Weights], Any]] = {
    "llama": llama,
    "qwen3": qwen3,
    "gemma2": gemma2,
    "deepseek_v3": deepseek_v3,
    "gpt_oss": gpt_oss,
}
