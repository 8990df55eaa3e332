"""Figures of torch, ONNX and jax themselves, to twelve digits, of small waves of numbers.

Computed by torch 2.13 in float64 (scaled_dot_product_attention, nn.MultiheadAttention with its autograd,
flex_attention), by the reference implementations in onnx 1.23 (Attention-23, RotaryEmbedding-23) and by
jax.nn.dot_product_attention of jax 0.10, which takes its softmax in float32.
"""

import numpy as np
import pytest
import sympy
from lowering.symbols import B, K, M, Q, V, d_k, d_v, m, n
from lowering.test_lowered import STYLES
from sympy import Identity, MatrixSymbol, Piecewise, Rational, S, symbols

from symattn import (
    Attention,
    CausalMask,
    HideMask,
    KeepMask,
    MultiHead,
    RotaryEmbedding,
    Stack,
    WindowMask,
    alibi_slope,
    lower,
)

z, i, j = symbols("z i j")
p = symbols("p", integer=True, positive=True)
PUBLISHED = {
    "torch sdpa causal": [
        0.14112000806, -0.529836140908, -0.592738084539, -0.795770235145,
    ],
    "torch sdpa mask": [
        0.0, 0.0, -0.050882506356, -0.293699091854,
    ],
    "torch sdpa bias scale": [
        -0.2823355304, -0.269203082212, -0.583623379196, -0.43181341462,
    ],
    "torch sdpa gqa": [
        -0.092378673691, -0.510887275827, -0.291290067254, -0.493191664998, -0.595958571752, -0.311077226203,
        -0.56030826103, -0.269382962391, 0.485728053582, 0.171758353955, 0.470704114778, 0.089798677553,
        0.191823227865, -0.088409565355, 0.165851911679, -0.038705978825,
    ],
    "mha output": [
        -1.983951546132, -0.337607114436, -0.793713570013, -0.805001260385, -0.955993364889, -1.592869110594,
        0.543800041087, -2.070209674882, -1.782894182754, -0.312382251825, -1.042305791576, -0.36176783325,
        -1.652171106443, -0.508609384109, -0.80324969212, -0.616028696126, -1.796695937477, -0.457718186438,
        -0.754626507864, -0.758547594759, -1.056011379292, -1.742103005856, 0.925041075693, -2.639403419589,
    ],
    "mha weights": [
        1.0, 0.0, 0.0, 0.344653703201, 0.655346296799, 0.0, 0.390192797469, 0.609807202531, 0.0, 1.0, 0.0, 0.0,
        0.017433733165, 0.982566266835, 0.0, 0.952835718809, 0.047164281191, 0.0, 1.0, 0.0, 0.0, 0.979644826551,
        0.020355173449, 0.0, 0.004526321252, 0.776801104684, 0.218672574064, 1.0, 0.0, 0.0, 0.815113310837,
        0.184886689163, 0.0, 0.000513101967, 0.998249035444, 0.001237862589,
    ],
    "mha dX": [
        0.014966165673, 0.120871882676, 0.16992966458, 0.139066870009, 0.293365700898, 0.263253971524,
        0.109329785886, -0.096013906379, -0.256622420879, -0.286513323633, -0.181652533388, 0.008642281708,
        0.105201466496, 0.043269483914, -0.039012813058, -0.102946774456, -0.967752726238, -0.277412185562,
        0.543399640668, 1.108642125039, 0.605600334811, -0.027953102908, -0.64835975955, -0.963832690374,
    ],
    "mha d in_proj_weight": [
        0.269382694586, 0.059637513105, -0.178156122651, -0.332160150158, -0.590398815256, -0.406611532559,
        -0.031588492619, 0.358291108984, -0.095552850555, -0.04278912616, 0.030098992866, 0.088831085238,
        0.077228576223, 0.040167660441, -0.015784733683, -0.064313320913, -1.536282493171, -1.390671650287,
        -0.591006200429, 0.486618700217, 0.827163212447, 0.76734831067, 0.346637508237, -0.23710233068,
        0.012333139626, 0.023093777471, 0.022993050922, 0.012078333248, 0.052707323462, -0.016342460573,
        -0.077706130043, -0.102523392362, -0.346810819441, -0.267274909951, -0.062035434025, 0.172380275854,
        0.13285033148, -0.025693183274, -0.172152792467, -0.237646253401, 0.568846854808, 0.374709496945,
        0.004340407671, -0.368070043151, 0.606352643398, 0.641455418153, 0.374871686733, -0.068020056489,
    ],
    "mha d in_proj_bias": [
        -0.092736561848, -0.22586088691, 0.089002521082, -0.073661965797, 0.0, 0.0, 0.0, 0.0, 0.278131362369,
        -0.115687345535, -0.455096487169, -0.580466639809,
    ],
    "mha d out_proj.weight": [
        2.307152623258, -0.034647349409, 0.552683771045, 0.516847584386, 1.662304541802, 0.575808755534,
        -1.487592011577, 3.095399462892, 0.235648660112, 0.91545300549, -2.828230026888, 4.218136607049,
        -1.301836468541, 0.824545402616, -2.83870726824, 3.357018194708,
    ],
    "flex output": [
        0.14112000806, -0.529836140908, -0.265555444888, -0.677206414969, -0.594999858003, -0.303509787612,
        0.793667863849, 0.99894134184, 0.758196942287, 0.475599752155, 0.454961646723, 0.086002697092,
    ],
    "flex lse": [
        0.794471723485, 0.842559443831, 1.529978827623, -0.100931043828, 1.235121133236, 1.631519328053,
    ],
    "onnx output": [
        -0.164200949799, -0.535622961852, -0.436008602368, -0.648675484718, -0.646240126962, -0.54475916536,
        -0.758367923514, -0.690641750801,
    ],
    "onnx masked": [
        -0.49010573185, 0.466524759038, -np.inf, -0.326850538492, 0.356617363806, -0.142089947187,
        0.483281498671, -0.440210681665, -np.inf, 0.450192076289, -0.438433124556, 0.318149009465,
    ],
    "onnx rotary": [
        0.841470984808, 0.991664810452, 0.675463180551, 0.041580662433, 0.491975001451, -1.043022438684,
        -0.87967177902, -0.382692370468, -0.902946783696, -0.070622749166, 0.975901880909, 0.68262248647,
    ],
    "onnx rotary halves": [
        0.841470984808, 0.991664810452, 0.675463180551, 0.041580662433, 0.412813229842, -0.973742537231,
        -0.99219324967, -0.383633109409, -1.029267860743, 0.837008038314, -0.128434544352, 0.679844239176,
    ],
    "jax window": [
        0.14112000806, -0.529836140908, -0.247835875966, -0.670785248735, -0.678721115858, -0.286513999994,
        -0.103438177078, 0.440101945461,
    ],
}  # fmt: skip


def wave(*shape, start=0):
    return np.sin(1.0 + start + 0.7 * np.arange(np.prod(shape))).reshape(shape)


def same(got, name, digits=2e-12):
    np.testing.assert_allclose(got.ravel(), PUBLISHED[name], rtol=0, atol=digits)


@pytest.mark.parametrize("style", STYLES)
def test_torch_scaled_dot_product_attention(style):
    q, k, v = wave(2, 3), wave(3, 3, start=1), wave(3, 2, start=2)
    same(lower(Attention(Q, K, V, mask=CausalMask()), style=style)(q, k, v), "torch sdpa causal")
    keep = np.array([[0, 0, 0], [1, 0, 1]], bool)
    same(lower(Attention(Q, K, V, mask=KeepMask(M)), style=style)(q, k, v, keep), "torch sdpa mask")
    scaled = lower(Attention(Q, K, V, bias=B, scale=Rational(1, 4)), style=style)
    same(scaled(q, k, v, wave(2, 3, start=3)), "torch sdpa bias scale")
    q, k, v = wave(4, 2, 2), wave(2, 3, 2, start=1), wave(2, 3, 2, start=2)
    got = lower(Attention(Q, K, V), style=style)(q.reshape(2, 2, 2, 2), k[:, None], v[:, None])
    same(got, "torch sdpa gqa")


def layer():
    """torch.nn.MultiheadAttention(4, 2) in its own words: weights are (out, in), a mask is true where it hides."""
    names = ("W_Q", "W_K", "W_V", "W_O")
    weights = {name: MatrixSymbol(name, 4, 4).T for name in names}
    biases = {f"b_{x}": MatrixSymbol(f"b_{x}", 1, 4) for x in "QKVO"}
    masks = HideMask(MatrixSymbol("M", n, n)), HideMask(MatrixSymbol("P", n, n))
    expression = MultiHead(MatrixSymbol("X", n, 4), heads=2, **weights, **biases, mask=masks)
    W, b = [*np.split(wave(12, 4), 3), wave(4, 4, start=2)], [*np.split(wave(12, start=1), 3), wave(4, start=3)]
    arrays = dict(zip(names, W, strict=True)) | {f"b_{x}": y[None] for x, y in zip("QKVO", b, strict=True)}
    arrays |= {"X": wave(2, 3, 4, start=5), "M": np.triu(np.ones((3, 3), bool), 1)}
    return expression, arrays | {"P": np.array([[0, 0, 1], [0, 0, 0]], bool)[:, None]}


@pytest.mark.parametrize("style", STYLES)
def test_torch_multihead_attention(style):
    expression, arrays = layer()
    got = lower(expression, outputs=("projection", "weights"), style=style)(**arrays)
    same(got["projection"], "mha output")
    same(got["weights"], "mha weights")


def test_torch_autograd():
    expression, arrays = layer()
    got = lower(expression, gradient=True)(**arrays, G=wave(2, 3, 4, start=6))
    same(got["output"], "mha output")
    same(got["dX"], "mha dX", 1e-11)
    same(np.concatenate([got["dW_Q"], got["dW_K"], got["dW_V"]]), "mha d in_proj_weight", 1e-11)
    same(np.concatenate([got["db_Q"], got["db_K"], got["db_V"]]), "mha d in_proj_bias", 1e-11)
    same(got["dW_O"], "mha d out_proj.weight", 1e-11)


@pytest.mark.parametrize("style", STYLES)
def test_torch_flex_attention(style):
    """score_mod: 2 tanh(s/2), less ALiBi's distance, hidden ahead."""
    whole, slope = {f"W_{x}": Identity(4) for x in "QKV"}, alibi_slope(2)
    X, Z, U = (MatrixSymbol(x, n, 4) for x in "XZU")
    change = Piecewise((2 * sympy.tanh(z / 2) - slope * (i - j), i >= j), (-S.Infinity, True))
    f = lower(MultiHead(X, Z, U, heads=2, **whole, score_mod=change), outputs=("concat", "lse"), style=style)
    got = f(*(np.moveaxis(wave(1, 2, 3, 2, start=s), 1, 2).reshape(1, 3, 4) for s in range(3)))
    same(np.moveaxis(got["concat"].reshape(1, 3, 2, 2), 2, 1), "flex output")
    same(got["lse"], "flex lse")


@pytest.mark.parametrize("style", STYLES)
def test_onnx_attention(style):
    """Two heads over one key/value head with a cache, softcap before the mask; qk_matmul_output_mode 2."""
    keys, values = Stack(MatrixSymbol("P", p, d_k), K), Stack(MatrixSymbol("R", p, d_v), V)
    f = lower(Attention(Q, keys, values, mask=CausalMask(p), softcap=S.Half), outputs=("output", "masked"), style=style)
    past = {"P": wave(1, 1, 1, 2, start=3), "R": wave(1, 1, 1, 2, start=4)}
    got = f(Q=wave(1, 2, 2, 2), K=wave(1, 1, 2, 2, start=1), V=wave(1, 1, 2, 2, start=2), **past)
    same(got["output"], "onnx output")
    same(got["masked"], "onnx masked")


@pytest.mark.parametrize(("pairs", "name"), [("interleaved", "onnx rotary"), ("halves", "onnx rotary halves")])
def test_onnx_rotary_embedding(pairs, name):
    same(lower(RotaryEmbedding(MatrixSymbol("X", n, m), pairs=pairs))(wave(3, 4)), name)


@pytest.mark.parametrize("style", STYLES)
def test_jax_dot_product_attention(style):
    f = lower(Attention(Q, K, V, mask=WindowMask(1, 0)), style=style)
    same(f(wave(4, 2), wave(4, 2, start=1), wave(4, 2, start=2)), "jax window", 1e-7)
