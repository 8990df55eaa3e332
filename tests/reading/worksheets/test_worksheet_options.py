"""Kinds, masks and options of worksheets that are stated by letters, formulas or further inputs, held against nodes."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Lambda, MatrixSymbol, Rational, Symbol, exp, symbols, tanh

from symattn import derive, lower
from symattn.errors import SymattnError
from symattn.nodes import (
    HEAD,
    Alibi,
    Attention,
    CausalMask,
    HideMask,
    KeepMask,
    LatentAttention,
    LinearAttention,
    MultiHead,
    OnlineAttention,
    PaddingMask,
    QKNorm,
    RotaryEmbedding,
    Stack,
    alibi_slope,
)
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, p, d_k, d_v, d_c, D = symbols("n m p d_k d_v d_c d_model", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d_k), MatrixSymbol("K", m, d_k), MatrixSymbol("V", m, d_v)
C, U_K, U_V = MatrixSymbol("C", m, d_c), MatrixSymbol("U_K", d_c, d_k), MatrixSymbol("U_V", d_c, d_v)
B, M, gain_q, gain_k = (
    MatrixSymbol("B", n, m),
    MatrixSymbol("M", n, m),
    MatrixSymbol("g_Q", 1, d_k),
    MatrixSymbol("g_K", 1, d_k),
)
X, s = MatrixSymbol("X", n, D), MatrixSymbol("s", 1, 1)
W = {name: MatrixSymbol(name, D, 2 * d) for name, d in (("W_Q", d_k), ("W_K", d_k), ("W_V", d_v))}
PAST = [MatrixSymbol("K_cache", p, d_k), MatrixSymbol("V_cache", p, d_v)]
o = Symbol("o", integer=True, positive=True)
z, i, j, head = symbols("z i j head")

PLAIN = '[inputs]\nQ = "n x d_k"\nK = "m x d_k"\nV = "m x d_v"\n'
HEADS = '[inputs]\nX = "n x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\nW_V = "d_model x d_v"\n'
LATENT = '[inputs]\nQ = "n x d_k"\nC = "m x d_c"\nU_K = "d_c x d_k"\nU_V = "d_c x d_v"\n'
CACHE = 'K_cache = "p x d_k"\nV_cache = "p x d_v"\n'
GAINS = 'g_Q = "1 x d_k"\ng_K = "1 x d_k"\n'
NORM = QKNorm("rms", gain_q, gain_k, Rational(1, 100))
NUMBERS = "[inputs]\nQ = [[1, 2]]\nK = [[1, 0], [0, 1]]\nV = [[1], [2]]\n"

STATED = {
    "an offset": (PLAIN, 'mask = { causal = "o" }', Attention(Q, K, V, mask=CausalMask(o))),
    "a length": (PLAIN, 'mask = { padding = "o" }', Attention(Q, K, V, mask=PaddingMask(o))),
    "kept": (PLAIN, 'mask = { keep = "n x m" }', Attention(Q, K, V, mask=KeepMask(M))),
    "hidden": (PLAIN, 'mask = ["causal", { hidden = "n x m" }]', Attention(Q, K, V, mask=[CausalMask(), HideMask(M)])),
    "a bias": (PLAIN, 'bias = "n x m"', Attention(Q, K, V, bias=B)),
    "a sink": (PLAIN, 'sink = "1 x 1"', Attention(Q, K, V, sink=s)),
    "sinks": (HEADS, 'heads = 2\nsink = "1 x 2"', MultiHead(X, heads=2, **W, sink=MatrixSymbol("s", 1, 2))),
    "a scale": (PLAIN, 'scale = "tau"', Attention(Q, K, V, scale=Symbol("tau", positive=True))),
    "alibi": (PLAIN, "alibi = { offset = 3 }", Attention(Q, K, V, bias=Alibi(n, m, alibi_slope(1, 1), 3))),
    "a formula": (PLAIN, 'score_mod = "z - (i - j)/2"', Attention(Q, K, V, score_mod=z - (i - j) / 2)),
    "a function": (PLAIN, 'score_mod = "2*tanh(z/2)"', Attention(Q, K, V, score_mod=2 * tanh(z / 2))),
    "of heads": (HEADS, 'heads = 2\nscore_mod = "z*head"', MultiHead(X, heads=2, **W, score_mod=z * head)),
    "features": (PLAIN, 'kind = "linear"\nfeature = "exp(z)"', LinearAttention(Q, K, V, exp(z))),
    "online": (PLAIN, 'kind = "online"\nblock = 2', OnlineAttention(Q, K, V, block=2)),
    "latent": (LATENT, 'kind = "latent"\nmask = "causal"', LatentAttention(Q, C, U_K, U_V, mask=CausalMask())),
    "not absorbed": (LATENT, 'kind = "latent"\nabsorbed = false', LatentAttention(Q, C, U_K, U_V, absorbed=False)),
    "gains": (
        PLAIN + GAINS,
        'qk_norm = { kind = "rms", epsilon = "1/100" }',
        Attention(*(NORM.of(x, name) for x, name in ((Q, "Q"), (K, "K"))), V),
    ),
    "gains of heads": (
        HEADS + GAINS,
        'heads = 2\nqk_norm = "l2"',
        MultiHead(X, heads=2, **W, qk_norm=QKNorm("l2", gain_q, gain_k)),
    ),
    "a cache": (
        PLAIN + CACHE,
        'mask = { causal = "p" }\nrope = { offset = "p" }',
        Attention(
            RotaryEmbedding(Q, offset=p),
            Stack(PAST[0], RotaryEmbedding(K, offset=p)),
            Stack(PAST[1], V),
            mask=CausalMask(p),
        ),
    ),
}


@pytest.mark.parametrize(("inputs", "options", "expected"), STATED.values(), ids=STATED)
def test_what_is_stated(inputs, options, expected):
    found = parse_worksheet(f"{inputs}[attention]\n{options}\n").expression
    assert found == expected
    assert derive(found).to_text() and lower(found).source


def test_a_cache_of_numbers_is_the_end_of_the_whole():
    cached = parse_worksheet(
        "[inputs]\nQ = [[1, 2]]\nK = [[0, 1]]\nV = [[2]]\nK_cache = [[1, 0], [3, 1]]\nV_cache = [[1], [5]]\n"
        "[attention]\nmask = { causal = 2 }\n"
    )
    whole = parse_worksheet("[inputs]\nQ = [[1, 2]]\nK = [[1, 0], [3, 1], [0, 1]]\nV = [[1], [5], [2]]\n")
    values = [
        derive(sheet.expression, {x: sheet.values[x.name] for x in sheet.expression.atoms(MatrixSymbol)})[
            "output"
        ].exact
        for sheet in (cached, whole)
    ]
    assert values[0] == values[1]


def test_online_attention_of_numbers_is_attention():
    sheet = parse_worksheet(NUMBERS + '[attention]\nkind = "online"\nblock = 2\n')
    found = derive(sheet.expression, {x: sheet.values[x.name] for x in (Q, K, V)})["output"].evaluate(20)
    e = np.exp(np.array([1, 2]) / np.sqrt(2))
    assert float(found[0]) == pytest.approx((e @ [1, 2]) / e.sum(), rel=1e-14)


REFUSED = [
    (NUMBERS, 'scale = "tau"', 'attention.scale: "tau" is not an exact expression'),
    (NUMBERS, 'mask = { causal = "o" }', "attention.mask.causal: causal must be an integer"),
    (NUMBERS, 'mask = { keep = "n x m" }', "attention.mask: M has no value; give one for every symbol"),
    (NUMBERS, 'bias = "n x m"', "attention.bias: B has no value"),
    (NUMBERS, 'sink = "1 x 1"', "attention.sink: s has no value"),
    (PLAIN, 'bias = "n x k"', "columns(B) is k"),
    (PLAIN, 'feature = "z"', "attention.feature: softmax attention has no option feature"),
    (PLAIN, 'kind = "linear"\nblock = 2', "attention.block: linear attention has no option block"),
    (PLAIN, 'kind = "linear"\nscore_mod = "z"', "attention.score_mod: linear attention has no option score_mod"),
    (PLAIN, 'kind = "latent"', "inputs: C is missing beside Q, K, V"),
    (LATENT, "", 'attention.kind: these inputs are those of another kind; write kind = "latent"'),
    (LATENT + 'K = "m x d_k"\n', 'kind = "latent"', "inputs.K"),
    (PLAIN + 'K_cache = "p x d_k"\n', "", "V_cache is missing"),
    (PLAIN + GAINS, "", 'attention.qk_norm: g_Q is for normalised rows; write qk_norm = "rms"'),
    (PLAIN, "qk_norm = { epsilon = 1 }", 'attention.qk_norm: write qk_norm = "l2", "rms" or "layer"'),
    (PLAIN, 'qk_norm = { kind = "rms", epsilon = -1 }', "attention.qk_norm"),
    (PLAIN, 'alibi = "yes"', "attention.alibi: write alibi = true, or { offset = 3 }"),
    (PLAIN, 'score_mod = "z + w"', 'attention.score_mod: "z + w" is not an exact expression in head, i, j, z'),
    (PLAIN, 'score_mod = "__import__"', "attention.score_mod"),
    (PLAIN, 'kind = "online"\nblock = 0', "attention.block: block must be a whole number of at least 1"),
    (PLAIN, 'kind = "online"\nsink = 0', "sink"),
    (NUMBERS, "mask = { top = 0 }", "attention.mask.top: top must be a whole number of at least 1"),
    (NUMBERS, 'softcap = ["1/2"]', "attention.softcap: softcap is one number"),
]


@pytest.mark.parametrize(("inputs", "options", "message"), REFUSED)
def test_what_is_refused(inputs, options, message):
    with pytest.raises(SymattnError) as caught:
        parse_worksheet(f"{inputs}[attention]\n{options}\n")
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_keys_that_are_no_whole_number_of_blocks():
    sheet = parse_worksheet(NUMBERS + '[attention]\nkind = "online"\nblock = 3\n')
    with pytest.raises(SymattnError, match=r"3.*2|2.*3"):
        derive(sheet.expression, {x: sheet.values[x.name] for x in (Q, K, V)}).to_text()


def test_a_formula_of_heads_speaks_of_their_numbers():
    made = parse_worksheet(HEADS + '[attention]\nheads = 2\nscore_mod = "z*head"\n').expression
    assert made.score_mod == Lambda(made.score_mod.variables, HEAD * made.score_mod.variables[0])
