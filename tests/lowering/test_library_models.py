"""Attention of published models as the transformers library (5.24, float32) computes it, with all its gradients.

`tests/data/library_models.json` has, for each module below, its output and the gradients of ⟨G, output⟩ by what it is
given and by the parameters of at most 130 numbers, row by row. Parameters, x, z and G are those of `weight` under their
names in the library; attention is its own ("eager"), in evaluation, causal unless it says otherwise, x (1, 6, width).

* `bert`: BertSelfAttention(hidden_size=8, num_attention_heads=2), x (2, 6, 8), the second sequence of 4 tokens;
* `gpt2`: GPT2Attention(n_embd=8, n_head=2, scale_attn_by_inverse_layer_idx=True) as layer 2;
* `gpt-neo`: GPTNeoSelfAttention(hidden_size=8, num_heads=2, window_size=3), "local", which does not scale;
* `gpt-neox`: GPTNeoXAttention(hidden_size=16, num_attention_heads=2), half of the columns turned;
* `gptj`: GPTJAttention(n_embd=16, n_head=2, rotary_dim=4);
* `llama3`, `yarn`, `linear`, `dynamic`: LlamaAttention(hidden_size=16, num_attention_heads=2, num_key_value_heads=1)
  with these rope_type, rope_theta 10000 (llama3: 500), factor 4 (llama3: 8, of low 1, high 4; dynamic: 2), of 128
  positions for llama3, 64 for yarn, 4 for dynamic; tokens at FAR, for dynamic at 0 to 5;
* `mistral`: MistralAttention(hidden_size=8, num_attention_heads=4, num_key_value_heads=2, head_dim=4,
  sliding_window=3);
* `bloom`: BloomAttention(hidden_size=12, n_head=3); `mpt`: MptAttention(d_model=12, n_heads=3) with clip_qkv=0.3;
* `falcon`: FalconAttention(hidden_size=16, num_attention_heads=4, multi_query=True, bias=False);
* `cohere`: CohereAttention(hidden_size=16, num_attention_heads=4, num_key_value_heads=2, use_qk_norm=True) of
  base 500000;
* `gemma2`: Gemma2Attention(hidden_size=8, num_attention_heads=2, num_key_value_heads=1, head_dim=4,
  query_pre_attn_scalar=9, attn_logit_softcapping=0.5, sliding_window=3) as layer 0;
* `gpt-oss`: GptOssAttention(hidden_size=8, num_attention_heads=4, num_key_value_heads=2, head_dim=4, sliding_window=3);
* `deepseek-v3`: DeepseekV3Attention(hidden_size=8, num_attention_heads=2, q_lora_rank=6, kv_lora_rank=6,
  qk_rope_head_dim=4, qk_nope_head_dim=4, v_head_dim=4);
* `bart`, `whisper`: BartAttention(8, 2, dropout=0.5), WhisperAttention(8, 2) of x (2, 4, 8) and (1, 4, 8) over z
  (2, 5, 8) and (1, 7, 8), without a mask;
* `vit`: ViTAttention(hidden_size=8, num_attention_heads=2, attention_probs_dropout_prob=0.5), x (2, 6, 8), no mask;
* `qwen3`: Qwen3Attention(hidden_size=8, num_attention_heads=4, num_key_value_heads=2, head_dim=4);
* `olmo2`: Olmo2Attention(hidden_size=8, num_attention_heads=2), which normalises queries and keys whole;
* `mamba2`: Mamba2Mixer(hidden_size=4, num_heads=2, head_dim=4, state_size=4, n_groups=1, conv_kernel=2, chunk_size=4);
* `longformer`: LongformerSelfAttention(hidden_size=8, num_attention_heads=2, attention_window=4), x (1, 8, 8), no token
  global.
"""

import json
from pathlib import Path

import pytest
from lowering.library_modules import Module, agree
from lowering.named_weights import weight
from sympy import (
    Identity,
    Lambda,
    MatrixSymbol,
    Max,
    Min,
    Rational,
    Symbol,
    Transpose,
    exp,
    log,
    sqrt,
    zeros,
)

from symattn import (
    Alibi,
    Attention,
    CausalMask,
    LatentAttention,
    MultiHead,
    PaddingMask,
    QKNorm,
    RMSNorm,
    Stack,
    StateSpaceDuality,
    WindowMask,
    alibi_slope,
    linear_rates,
    llama3_rates,
    ntk_rates,
    yarn_rates,
)
from symattn.nodes import (
    Activation,
    AddRow,
    Block,
    Concat,
    Hadamard,
    Mapped,
    Plus,
    Rotary,
    ScaleColumns,
    ScaledBy,
    ScaleRows,
)

FIGURES = json.loads((Path(__file__).parents[1] / "data" / "library_models.json").read_text(encoding="utf-8"))
FAR = [0, 3, 40, 41, 500, 1000]
z, length = Symbol("z", real=True), Symbol("l", integer=True)
EARLIER, HALVES = CausalMask(), Rotary(10000, "halves")
LLAMA = ["q_proj", "k_proj", "v_proj", "o_proj"]


def tokens(width, n=6):
    return MatrixSymbol("X", n, width)


def columns(matrix, first, count):
    return Block(matrix, 0, int(matrix.shape[0]), first, count)


def parts_of_heads(w, name, width, heads, bias):
    """Projections that stand head by head in one matrix: q, k and v of the first, of the second, ..."""
    whole, size = w.linear(name, width, 3 * width), width // heads
    given = {"W": whole} | ({"b": w.named(f"{name}.bias", (3 * width,))} if bias else {})
    return {
        f"{kind}_{x}": tuple(columns(matrix, (3 * h + k) * size, size) for h in range(heads))
        for kind, matrix in given.items()
        for k, x in enumerate("QKV")
    }


def dense(w, name, width):
    return {"W_O": w.linear(name, width, width), "b_O": w.named(f"{name}.bias", (width,))}


def bert(w):
    given = w.projections(["query", "key", "value"], 8, bias="QKV", output=False)
    return MultiHead(tokens(8), heads=2, **given, mask=PaddingMask(length))


def gpt2(w):
    """A scale of its own in each layer: 1/(3 √d_k) in that of number 2."""
    whole, row = w.named("c_attn.weight", (8, 24)), w.named("c_attn.bias", (24,))
    given = {f"W_{x}": columns(whole, 8 * k, 8) for k, x in enumerate("QKV")}
    given |= {f"b_{x}": columns(row, 8 * k, 8) for k, x in enumerate("QKV")}
    given |= {"W_O": w.named("c_proj.weight", (8, 8)), "b_O": w.named("c_proj.bias", (8,))}
    return MultiHead(tokens(8), heads=2, **given, mask=EARLIER, scale=Rational(1, 6))


def gpt_neo(w):
    given = w.projections(["q_proj", "k_proj", "v_proj", "out_proj"], 8, bias="O")
    return MultiHead(tokens(8), heads=2, **given, mask=WindowMask(2, 0), scale=1)


def gpt_neox(w):
    given = parts_of_heads(w, "query_key_value", 16, 2, bias=True) | dense(w, "dense", 16)
    return MultiHead(tokens(16), heads=2, **given, mask=EARLIER, rotary=Rotary(10000, "halves", width=4))


def gptj(w):
    given = w.projections(["q_proj", "k_proj", "v_proj", "out_proj"], 16)
    return MultiHead(tokens(16), heads=2, **given, mask=EARLIER, rotary=Rotary(10000, width=4))


def llama(w, rates, places=FAR, **options):
    rotary = Rotary(10000, "halves", places, rates)
    given = w.projections(LLAMA, 16, 8)
    return MultiHead(tokens(16), heads=2, kv_heads=1, **given, mask=EARLIER, rotary=rotary, **options)


def grouped(w, bias=()):
    """Four heads of four columns, twice as wide as what comes in, over two of keys and values."""
    W = {f"W_{x}": w.linear(f"{x.lower()}_proj", 8, 16 if x == "Q" else 8) for x in "QKV"}
    W |= {f"b_{x}": w.named(f"{x.lower()}_proj.bias", (16 if x == "Q" else 8,)) for x in "QKVO" if x in bias}
    return {"heads": 4, "kv_heads": 2, **W, "W_O": w.linear("o_proj", 16, 8)}


def mistral(w):
    return MultiHead(tokens(8), **grouped(w), mask=WindowMask(2, 0), rotary=HALVES)


def bloom(w):
    given = parts_of_heads(w, "query_key_value", 12, 3, bias=True) | dense(w, "dense", 12)
    return MultiHead(tokens(12), heads=3, **given, mask=EARLIER, bias=Alibi(6, 6, alibi_slope(3)))


def mpt(w):
    """Queries, keys and values are clipped; slopes of three heads are some of those of four."""
    whole = w.linear("Wqkv", 12, 36)
    given = {f"W_{x}": columns(whole, 12 * k, 12) for k, x in enumerate("QKV")}
    clip = Lambda(z, Min(Max(z, -Rational(3, 10)), Rational(3, 10)))
    options = {"mask": EARLIER, "bias": Alibi(6, 6, alibi_slope(3))}
    kind = lambda *of_head: Attention(*(Mapped(x, clip) for x in of_head), **options)  # noqa: E731
    return MultiHead(tokens(12), heads=3, **given, W_O=w.linear("out_proj", 12, 12), kind=kind)


def falcon(w):
    whole = w.linear("query_key_value", 16, 24)
    given = {f"W_{x}": columns(whole, *place) for x, place in {"Q": (0, 16), "K": (16, 4), "V": (20, 4)}.items()}
    given["W_O"] = w.linear("dense", 16, 16)
    return MultiHead(tokens(16), heads=4, kv_heads=1, **given, mask=EARLIER, rotary=HALVES)


def cohere(w):
    """Each head has gains of its own."""
    norm = QKNorm("layer", w.named("q_norm.weight", (16,)), w.named("k_norm.weight", (8,)), Rational(1, 10**5))
    options = {"mask": EARLIER, "rotary": Rotary(500000), "qk_norm": norm}
    return MultiHead(tokens(16), heads=4, kv_heads=2, **w.projections(LLAMA, 16, 8), **options)


def gemma2(w):
    options = {"mask": WindowMask(2, 0), "rotary": HALVES, "softcap": Rational(1, 2), "scale": Rational(1, 3)}
    return MultiHead(tokens(8), heads=2, kv_heads=1, **w.projections(LLAMA, 8, 4), **options)


def gpt_oss(w):
    sinks = w.named("sinks", (4,))
    given = grouped(w, bias="QKV") | {"b_O": w.named("o_proj.bias", (8,))}
    return MultiHead(tokens(8), **given, mask=WindowMask(2, 0), rotary=HALVES, sink=sinks)


def deepseek_v3(w):
    """Queries of a narrow matrix too, keys and values never made."""
    X, down, up = tokens(8), w.linear("kv_a_proj_with_mqa", 8, 10), w.linear("kv_b_proj", 6, 16)
    norm = lambda x, name: RMSNorm(x, w.named(f"{name}.weight", (6,)), Rational(1, 10**6))  # noqa: E731
    Q = norm(X * w.linear("q_a_proj", 8, 6), "q_a_layernorm") * w.linear("q_b_proj", 6, 16)
    C = norm(X * columns(down, 0, 6), "kv_a_layernorm")
    K_R = Rotary().of(X * columns(down, 6, 4))
    heads = []
    for first in (0, 8):
        Q_R = Rotary().of(columns(Q, first + 4, 4))
        U_K, U_V = columns(up, first, 4), columns(up, first + 4, 4)
        heads.append(LatentAttention(columns(Q, first, 4), C, U_K, U_V, Q_R=Q_R, K_R=K_R, mask=EARLIER))
    return Concat(*heads) * w.linear("o_proj", 8, 8)


def across(w, rows, bias):
    given = w.projections(["q_proj", "k_proj", "v_proj", "out_proj"], 8, bias=bias)
    return MultiHead(tokens(8, 4), MatrixSymbol("Z", rows, 8), heads=2, **given)


def vit(w):
    return MultiHead(tokens(8), heads=2, **w.projections(LLAMA, 8, bias="QKVO"))


def qwen3(w):
    gains = (w.named(f"{x}_norm.weight", (4,)) for x in "qk")
    return MultiHead(
        tokens(8), **grouped(w), mask=EARLIER, rotary=HALVES, qk_norm=QKNorm("rms", *gains, Rational(1, 10**6))
    )


def olmo2(w):
    given, X = w.projections(LLAMA, 8), tokens(8)
    Q, K = (RMSNorm(X * given[f"W_{x}"], w.named(f"{x.lower()}_norm.weight", (8,)), Rational(1, 10**5)) for x in "QK")
    W = {f"W_{x}": Identity(8) for x in "QK"} | {x: given[x] for x in ("W_V", "W_O")}
    return MultiHead(Q, K, X, heads=2, **W, mask=EARLIER, rotary=HALVES)


def mamba2(w):
    """SiLU of a convolution over two tokens; C, B and Δ x are Q, K and V, e^(−Δ e^A) the decay; a gate and a norm."""
    made = tokens(4) * w.linear("in_proj", 4, 26)
    gate, inner, step = (columns(made, *place) for place in ((0, 8), (8, 16), (24, 2)))
    kernel = w.named("conv1d.weight", (16, 2))
    before, now = (Transpose(Block(kernel, 0, 16, k, 1)) for k in (0, 1))
    shifted = Stack(zeros(1, 16), Block(inner, 0, 5, 0, 16))
    summed = Plus(ScaleColumns(shifted, before), ScaleColumns(inner, now))
    inner = Activation(AddRow(summed, w.named("conv1d.bias", (16,))), "silu")
    step = Mapped(AddRow(step, w.named("dt_bias", (2,))), Lambda(z, log(1 + exp(z))))
    rate, skip = Mapped(w.named("A_log", (2,)), Lambda(z, -exp(z))), w.named("D", (2,))
    heads = []
    for h in (0, 1):
        x, dt = columns(inner, 4 * h, 4), columns(step, h, 1)
        decay = Mapped(dt * columns(rate, h, 1), Lambda(z, exp(z)))
        state = StateSpaceDuality(columns(inner, 12, 4), columns(inner, 8, 4), ScaleRows(x, dt), decay)
        heads.append(Plus(state, ScaledBy(x, columns(skip, h, 1))))
    gated = Hadamard(Concat(*heads), Activation(gate, "silu"))
    return RMSNorm(gated, w.named("norm.weight", (8,)), Rational(1, 10**5)) * w.linear("out_proj", 8, 4)


def longformer(w):
    given = w.projections(["query", "key", "value"], 8, bias="QKV", output=False)
    return MultiHead(tokens(8, 8), heads=2, **given, mask=WindowMask(2, 2))


LENGTHENED = {"scale": (log(4) / 10 + 1) ** 2 / sqrt(8)}  # YaRN's temperature
MODULES = {
    "bert": bert,
    "gpt2": gpt2,
    "gpt-neo": gpt_neo,
    "gpt-neox": gpt_neox,
    "gptj": gptj,
    "llama3": lambda w: llama(w, llama3_rates(8, 8, 1, 4, 128, base=500)),
    "yarn": lambda w: llama(w, yarn_rates(8, 4, 64), **LENGTHENED),
    "linear": lambda w: llama(w, linear_rates(8, 4)),
    "dynamic": lambda w: llama(w, ntk_rates(8, 2 * Rational(6, 4) - 1), 0),
    "mistral": mistral,
    "bloom": bloom,
    "mpt": mpt,
    "falcon": falcon,
    "cohere": cohere,
    "gemma2": gemma2,
    "gpt-oss": gpt_oss,
    "deepseek-v3": deepseek_v3,
    "bart": lambda w: across(w, 5, "QKVO"),
    "whisper": lambda w: across(w, 7, "QVO"),
    "vit": vit,
    "qwen3": qwen3,
    "olmo2": olmo2,
    "mamba2": mamba2,
    "longformer": longformer,
}


@pytest.mark.parametrize("style", ["plain", "fast", pytest.param("compiled", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", MODULES)
def test_outputs_and_gradients_are_those_of_the_library(name, style):
    w, known = Module(), FIGURES[name]
    expression = MODULES[name](w)
    n, width = (int(s) for s in next(x for x in expression.atoms(MatrixSymbol) if x.name == "X").shape)
    batch = 2 if name in ("bert", "bart", "vit") else 1
    given = {"X": weight("x", (batch, n, width)), "G": weight("G", (batch, n, width))}
    given |= {"l": [6, 4]} if name == "bert" else {}
    inputs = {"X": "x"}
    if "z" in known:
        given["Z"], inputs["Z"] = weight("z", (batch, 5 if name == "bart" else 7, 8)), "z"
    agree(expression, w, known, style, inputs, **given)
