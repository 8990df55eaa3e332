"""Attention by relative position, and positions that alternate, as the transformers library computes it in float32.

`tests/data/library_positions.json` has, for each module below, its output and the gradients of ⟨G, output⟩ by x, by the
parameters of at most 130 numbers and by what else it is given, row by row. All of these are those of `weight` under
their names. Of version 4.44.2, the last kinds of which are gone from later ones:

* `bert-relative_key`, `bert-relative_key_query`: BertSelfAttention of BertConfig(hidden_size=8, num_attention_heads=2,
  max_position_embeddings=16, position_embedding_type=...), x (2, 9, 8);
* `transfo-xl`: what o_net of RelPartialLearnableMultiHeadAttn(2, 8, 4, 0) makes of x (1, 5, 8), behind a memory of two
  rows `mems`, causal, `positions` (7, 8) in the place of R.

Of 5.23:

* `deberta`: DisentangledSelfAttention of DebertaConfig(hidden_size=8, num_attention_heads=2, relative_attention=True,
  pos_att_type=["c2p", "p2c"], max_relative_positions=4), x (2, 9, 8), `rel_embeddings` (8, 8);
* `deberta-v2`: that of DebertaV2Config with max_relative_positions=16, position_buckets=8, share_att_key=True,
  x (2, 12, 8), `rel_embeddings` (16, 8); `deberta-v2-apart` with share_att_key=False;
* `xlnet`: XLNetRelativeAttention of XLNetConfig(d_model=8, n_head=2), x (2, 6, 8), `positions` (12, 8) as r;
* `wav2vec2-conformer`: Wav2Vec2ConformerSelfAttention(hidden_size=8, num_attention_heads=2,
  position_embeddings_type="relative"), x (2, 6, 8), `positions` (11, 8);
* `vitdet`: VitDetAttention(VitDetConfig(hidden_size=8, num_attention_heads=2, use_relative_position_embeddings=True),
  (2, 3)), the decomposed positions of MViTv2, x (2, 6, 8);
* `qwen3-vl`: Qwen3VLTextAttention of Qwen3VLTextConfig(hidden_size=16, num_attention_heads=2, num_key_value_heads=1,
  head_dim=16) with mrope_section [4, 2, 2], causal, x (2, 6, 16) at PLACES.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from lowering.library_modules import Module, agree
from lowering.named_weights import weight
from sympy import MatrixSymbol, Rational, sqrt

from symattn import (
    AtBuckets,
    Attention,
    CausalMask,
    DistanceBuckets,
    GridBuckets,
    LayerNorm,
    MultiHead,
    QKNorm,
    RelativeAttention,
    Stack,
    TurnedBuckets,
    clipped_buckets,
    log_buckets,
)
from symattn.nodes import HEAD, AddRow, Block, HeadColumns, Plus, Rotary

pytestmark = pytest.mark.slow

FIGURES = json.loads((Path(__file__).parents[1] / "data" / "library_positions.json").read_text(encoding="utf-8"))
PLACES = np.array([[[0, 0, 0], [1, 1, 1], [1, 1, 2], [1, 2, 1], [1, 2, 2], [3, 3, 3]], [[t, t, t] for t in range(6)]])


def own(matrix):
    return HeadColumns(matrix, HEAD, 2)


def bert(w, *, queries):
    given = w.projections(["query", "key", "value"], 8, bias="QKV", output=False)
    table = w.named("distance_embedding.weight", (31, 4))
    tables = {"keys": table, "queries": table} if queries else {"keys": table}
    kind = lambda Q, K, V: RelativeAttention(Q, K, V, clipped_buckets(31), **tables)  # noqa: E731
    return MultiHead(MatrixSymbol("X", 9, 8), heads=2, **given, kind=kind)


def of_positions(w, name, rows, **options):
    """The positions that are given, and what Transformer-XL makes of them and of its two rows."""
    R, W_R = w.named("positions", (rows, 8)), w.linear(name, 8, 8)
    return lambda Q, K, V, buckets, u, v: RelativeAttention(
        Q, K, V, buckets, keys=R * own(W_R), content=own(u), position=own(v), **options
    )


def transfo_xl(w):
    X, whole = MatrixSymbol("X", 5, 8), w.linear("qkv_net", 8, 24)
    W = {f"W_{x}": Block(whole, 0, 8, 8 * k, 8) for k, x in enumerate("QKV")}
    u, v = (w.named(x, (1, 8)) for x in ("r_w_bias", "r_r_bias"))
    attend = of_positions(w, "r_net", 7, mask=CausalMask(2))
    buckets = TurnedBuckets(DistanceBuckets(range(-5, 1), False, -2))  # j - i = -6, ..., 0
    Z = Stack(w.named("mems", (2, 8)), X)
    W_O = w.linear("o_net", 8, 8)
    return MultiHead(X, Z, heads=2, **W, W_O=W_O, kind=lambda Q, K, V: attend(Q, K, V, buckets, u, v))


def xlnet(w):
    X = MatrixSymbol("X", 6, 8)
    W = {f"W_{x.upper()}": w.named(x, (8, 8)) for x in "qkv"}
    u, v, R, W_R = (w.named(x, (s, 8)) for x, s in (("r_w_bias", 1), ("r_r_bias", 1), ("positions", 12), ("r", 8)))
    buckets = TurnedBuckets(clipped_buckets(12))
    kind = lambda Q, K, V: RelativeAttention(  # noqa: E731
        Q, K, V, buckets, keys=R * own(W_R), content=own(u), position=own(v)
    )
    heads = MultiHead(X, heads=2, **W, W_O=w.named("o", (8, 8), turned=True), kind=kind)
    gain, bias = w.named("layer_norm.weight", (8,)), w.named("layer_norm.bias", (8,))
    return LayerNorm(Plus(heads, X), gain, bias, epsilon=Rational(1, 10**12))


def conformer(w):
    given = w.projections([f"linear_{x}" for x in ("q", "k", "v", "out")], 8, bias="QKVO")
    u, v = (w.named(x, (1, 8)) for x in ("pos_bias_u", "pos_bias_v"))
    attend, buckets = of_positions(w, "linear_pos", 11), TurnedBuckets(clipped_buckets(11))
    kind = lambda Q, K, V: attend(Q, K, V, buckets, u, v)  # noqa: E731
    return MultiHead(MatrixSymbol("X", 6, 8), heads=2, **given, kind=kind)


def deberta(w):
    whole, E = w.linear("in_proj", 8, 24), w.named("rel_embeddings", (8, 8))
    W = {f"W_{x}": tuple(Block(whole, 0, 8, 12 * h + 4 * k, 4) for h in (0, 1)) for k, x in enumerate("QKV")}
    W |= {"b_Q": w.named("q_bias", (8,)), "b_V": w.named("v_bias", (8,))}
    W_K, W_Q, b_Q = w.linear("pos_proj", 8, 8), w.linear("pos_q_proj", 8, 8), w.named("pos_q_proj.bias", (8,))
    tables = {"keys": E * own(W_K), "queries": AddRow(E * own(W_Q), own(b_Q))}
    kind = lambda Q, K, V: RelativeAttention(Q, K, V, clipped_buckets(8), **tables, scale=1 / sqrt(12))  # noqa: E731
    return MultiHead(MatrixSymbol("X", 9, 8), heads=2, **W, kind=kind)


def deberta_v2(w, *, shared):
    names = ["query_proj", "key_proj", "value_proj"]
    given = w.projections(names, 8, bias="QKV", output=False)
    E = w.named("rel_embeddings", (16, 8))
    of = {x: (given[f"W_{x}"], given[f"b_{x}"]) for x in "QK"}
    if not shared:
        apart = {"K": "pos_key_proj", "Q": "pos_query_proj"}
        of = {x: (w.linear(name, 8, 8), w.named(f"{name}.bias", (8,))) for x, name in apart.items()}
    keys, queries = (AddRow(E * own(of[x][0]), own(of[x][1])) for x in "KQ")
    buckets = log_buckets(16, 16)
    kind = lambda Q, K, V: RelativeAttention(Q, K, V, buckets, keys=keys, queries=queries, scale=1 / sqrt(12))  # noqa: E731
    return MultiHead(MatrixSymbol("X", 12, 8), heads=2, **given, kind=kind)


def vitdet(w):
    """Distances down and across have tables of their own, whose products with queries are not scaled."""
    whole, row = w.linear("qkv", 8, 24), w.named("qkv.bias", (24,))
    W = {f"W_{x}": Block(whole, 0, 8, 8 * k, 8) for k, x in enumerate("QKV")}
    W |= {f"b_{x}": Block(row, 0, 1, 8 * k, 8) for k, x in enumerate("QKV")}
    W |= {"W_O": w.linear("proj", 8, 8), "b_O": w.named("proj.bias", (8,))}
    R = [w.named(f"rel_pos_{x}", (2 * side - 1, 4)) for x, side in (("h", 2), ("w", 3))]

    def kind(Q, K, V):
        down, across = (AtBuckets(Q * x.T, 6, GridBuckets(2, 3, axis)) for axis, x in enumerate(R))
        return Attention(Q, K, V, bias=Plus(down, across))

    return MultiHead(MatrixSymbol("X", 6, 8), heads=2, **W, kind=kind)


def qwen3_vl(w):
    """Heads of 16, wider than what comes in, so that W_O is (32, 16)."""
    W = {f"W_{x}": w.linear(f"{x.lower()}_proj", 16, 32 if x == "Q" else 16) for x in "QKV"}
    gains = (w.named(f"{x}_norm.weight", (16,)) for x in "qk")
    rotary = Rotary(10000, "halves", MatrixSymbol("pos", 6, 3), sections=[4, 2, 2], alternating=True)
    options = {"mask": CausalMask(), "rotary": rotary, "qk_norm": QKNorm("rms", *gains, Rational(1, 10**6))}
    return MultiHead(MatrixSymbol("X", 6, 16), heads=2, kv_heads=1, **W, W_O=w.linear("o_proj", 32, 16), **options)


MODULES = {
    "bert-relative_key": lambda w: bert(w, queries=False),
    "bert-relative_key_query": lambda w: bert(w, queries=True),
    "transfo-xl": transfo_xl,
    "xlnet": xlnet,
    "wav2vec2-conformer": conformer,
    "deberta": deberta,
    "deberta-v2": lambda w: deberta_v2(w, shared=True),
    "deberta-v2-apart": lambda w: deberta_v2(w, shared=False),
    "vitdet": vitdet,
    "qwen3-vl": qwen3_vl,
}


@pytest.mark.parametrize("style", ["plain", "fast", "compiled"])
@pytest.mark.parametrize("name", MODULES)
def test_outputs_and_gradients_are_those_of_the_library(name, style):
    w, known = Module(), FIGURES[name]
    expression = MODULES[name](w)
    n, width = (int(s) for s in next(x for x in expression.atoms(MatrixSymbol) if x.name == "X").shape)
    shape = (1 if name == "transfo-xl" else 2, n, width)
    x, G, given = weight("x", shape), weight("G", shape), {"pos": PLACES} if name == "qwen3-vl" else {}
    agree(expression, w, known, style, {"X": "x"}, X=x, G=G, **given)
