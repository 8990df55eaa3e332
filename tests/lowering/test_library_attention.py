"""Attention with tables, sections, temperatures and λ, as the transformers library (5.23, float32) computes it.

`tests/data/library_attention.json` has, for each module below, its output and the gradients of ⟨G, output⟩ by x and by
the parameters of at most 130 numbers, row by row. Every parameter, x and G are those of `weight` under their names
in the library; attention is its own ("eager"). The modules and their configurations:

* `t5-encoder`, `t5-decoder`: T5Attention of T5Config(d_model=8, d_kv=4, num_heads=2, relative_attention_num_buckets=8,
  relative_attention_max_distance=5) with a relative bias, x (2, 9, 8), the second under a causal mask;
* `swin`: SwinAttention(SwinConfig(), 8, 2, 3); `swinv2`: Swinv2SelfAttention(Swinv2Config(), 8, 2, 3), x (2, 9, 8);
* `qwen2-vl`: Qwen2VLAttention of Qwen2VLTextConfig(hidden_size=16, num_attention_heads=2, num_key_value_heads=1) with
  mrope_section [1, 2, 1], causal, x (2, 6, 16) at PLACES;
* `llama`: LlamaAttention of LlamaConfig(hidden_size=8, num_attention_heads=2, num_key_value_heads=1), x (3, 5, 8),
  causal, three sequences of 5, 3 and 4 tokens that begin at positions 0, 7 and 2;
* `diffllama`: DiffLlamaAttention of DiffLlamaConfig(hidden_size=8, num_attention_heads=4, num_key_value_heads=4) as
  layer 1, causal, x (2, 5, 8);
* `qwen3-next`: torch_chunk_gated_delta_rule of Qwen3-Next in chunks of 4, of Q, K (10, 4), V (10, 3), decays −e^g and
  strengths σ(beta); its gradients are those by Q, K, V, g and beta.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from lowering.library_modules import Module, agree
from lowering.named_weights import weight
from sympy import Lambda, MatMul, Matrix, MatrixSymbol, Min, Rational, Symbol, exp, log, sign

from symattn import (
    CausalMask,
    DifferentialAttention,
    GatedDeltaRule,
    GridBuckets,
    MultiHead,
    RelativeBias,
    RMSNorm,
    lower,
)
from symattn.nodes import (
    HEAD,
    Activation,
    AddRow,
    Block,
    ChunkedState,
    Concat,
    HeadColumns,
    Mapped,
    PaddingMask,
    Rotary,
    Scaled,
    differential_lambda,
    t5_buckets,
)

pytestmark = pytest.mark.slow

FIGURES = json.loads((Path(__file__).parents[1] / "data" / "library_attention.json").read_text(encoding="utf-8"))
PLACES = np.array([[[0, 0, 0], [1, 1, 1], [1, 1, 2], [1, 2, 1], [1, 2, 2], [3, 3, 3]], [[t, t, t] for t in range(6)]])
z, length, first = Symbol("z", real=True), Symbol("l", integer=True), Symbol("o", integer=True)


def t5(w, causal):
    X, table = MatrixSymbol("X", 9, 8), w.named("relative_attention_bias.weight", (8, 2))
    bias = RelativeBias(HeadColumns(table, HEAD, 2), 9, 9, t5_buckets(8, 5, both=not causal))
    mask = CausalMask() if causal else None
    return MultiHead(X, heads=2, **w.projections("qkvo", 8), scale=1, bias=bias, mask=mask), {}


def swin(w):
    table = w.named("relative_position_bias.relative_position_bias_table", (25, 2))
    bias = RelativeBias(HeadColumns(table, HEAD, 2), 9, 9, GridBuckets(3, 3))
    given = w.projections(["q_proj", "k_proj", "v_proj", "o_proj"], 8, bias="QKVO")
    return MultiHead(MatrixSymbol("X", 9, 8), heads=2, **given, bias=bias), {}


def swin_v2(w):
    """Cosines times e^min(τ, ln 100), and 16 σ of a small network of the logarithms of distances."""
    places = [[Rational(8 * a, 2) for a in (y, x)] for y in range(-2, 3) for x in range(-2, 3)]
    far = Matrix(places).applyfunc(lambda a: sign(a) * log(abs(a) + 1) / log(8))
    mlp = "continuous_position_bias_mlp"
    inner = AddRow(MatMul(far, w.linear(f"{mlp}.0", 2, 512)), w.named(f"{mlp}.0.bias", (512,)))
    table = Scaled(Activation(MatMul(Activation(inner, "relu"), w.linear(f"{mlp}.2", 512, 2)), "sigmoid"), 16)
    scale = Mapped(w.named("logit_scale", (2, 1), turned=True), Lambda(z, exp(Min(z, log(100)))))
    given = w.projections(["query", "key", "value"], 8, bias="QV", output=False)
    bias = RelativeBias(HeadColumns(table, HEAD, 2), 9, 9, GridBuckets(3, 3))
    return MultiHead(MatrixSymbol("X", 9, 8), heads=2, **given, bias=bias, qk_norm="l2", scale=scale), {}


def qwen2_vl(w):
    pos = MatrixSymbol("pos", 6, 3)
    given = w.projections(["q_proj", "k_proj", "v_proj", "o_proj"], 16, 8, bias="QKV")
    rotary = Rotary(10000, "halves", pos, sections=[1, 2, 1])
    layer = MultiHead(MatrixSymbol("X", 6, 16), heads=2, kv_heads=1, **given, mask=CausalMask(), rotary=rotary)
    return layer, {"pos": PLACES}


def llama(w):
    given = w.projections(["q_proj", "k_proj", "v_proj", "o_proj"], 8, 4)
    options = {"mask": (CausalMask(), PaddingMask(length)), "rotary": Rotary(10000, "halves", first)}
    layer = MultiHead(MatrixSymbol("X", 5, 8), heads=2, kv_heads=1, **given, **options)
    return layer, {"l": [5, 3, 4], "o": [0, 7, 2]}


def diffllama(w):
    """Heads h and h + 2 are a pair over the values of both; λ of four rows; a norm without gains, times 1 − λ_0."""
    X, given = MatrixSymbol("X", 5, 8), w.projections(["q_proj", "k_proj", "v_proj", "o_proj"], 8)
    initial = Rational(8, 10) - Rational(6, 10) * exp(-Rational(3, 10))
    lam = differential_lambda(*(w.named(f"lambda_{x}", (2,)) for x in ("q1", "k1", "q2", "k2")), initial)
    turn = Rotary(10000, "halves")
    q, k, v = ([Block(X * given[f"W_{x}"], 0, 5, 2 * h, 2) for h in range(4)] for x in "QKV")
    heads = []
    for h in (0, 1):
        pairs = [turn.of(x[h + 2 * second]) for second in (0, 1) for x in (q, k)]
        made = DifferentialAttention(*pairs, Concat(v[h], v[h + 2]), lam, mask=CausalMask())
        heads.append(Scaled(RMSNorm(made, epsilon=Rational(1, 10**5)), 1 - initial))
    return MatMul(Concat(*heads), given["W_O"]), {}


MODULES = {
    "t5-encoder": lambda w: t5(w, False),
    "t5-decoder": lambda w: t5(w, True),
    "swin": swin,
    "swinv2": swin_v2,
    "qwen2-vl": qwen2_vl,
    "llama": llama,
    "diffllama": diffllama,
}


@pytest.mark.parametrize("style", ["plain", "fast", "compiled"])
@pytest.mark.parametrize("name", MODULES)
def test_outputs_and_gradients_are_those_of_the_library(name, style):
    w, known = Module(), FIGURES[name]
    expression, given = MODULES[name](w)
    rows = {"llama": (3, 5, 8), "diffllama": (2, 5, 8), "qwen2-vl": (2, 6, 16)}.get(name, (2, 9, 8))
    shape = (rows[0], rows[1], int(expression.shape[1]))
    x, G = weight("x", rows), weight("G", shape)
    agree(expression, w, known, style, {"X": "x"}, X=x, G=G, **given)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("form", [None, {"size": 5}, {}], ids=["tokens", "chunks", "parallel"])
def test_chunks_of_the_gated_delta_rule_are_those_of_the_library(form, style):
    """q/√d; α = exp(−e^g) and β = σ(b), whose gradients go on by the chain rule."""
    known, sizes = FIGURES["qwen3-next"], {"Q": 4, "K": 4, "V": 3, "g": 1, "beta": 1}
    a = {name: weight(name, (10, size)) for name, size in sizes.items()}
    Q, K, V, g, b = (MatrixSymbol(name, 10, size) for name, size in sizes.items())
    node = GatedDeltaRule(Scaled(Q, Rational(1, 2)), K, V, Mapped(g, Lambda(z, exp(-exp(z)))), Activation(b, "sigmoid"))
    found = lower(node if form is None else ChunkedState(node, **form), style=style, gradient=True)(
        **a, G=weight("G", (10, 3))
    )
    for name, rows in known.items():
        made = found[name if name == "output" else f"d{name}"]
        np.testing.assert_allclose(made, rows, rtol=1e-5, atol=1e-5, err_msg=name)
