"""Every kind of attention, lowered in both styles, against long doubles; and torch's and ONNX's conventions."""

import numpy as np
import pytest
from lowering.references import TOLERANCE, attention, error, error_of
from lowering.symbols import B, D, K, M, Q, V, d_k, d_v, m, n
from sympy import Identity, MatrixSymbol, Rational

from symattn import Attention, CausalMask, KeepMask, MultiHead, WindowMask, derive, lower
from tests.sampling import sampled

pytestmark = pytest.mark.slow

STYLES = ("fast", "plain", "compiled")


def numbers(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(dtype)


def positions(rows, columns):
    return np.arange(rows)[:, None], np.arange(columns)


def cases(rows, columns, lead, dtype):
    i, j = positions(rows, columns)
    keep = np.random.default_rng(7).random((*lead, rows, columns)) < 0.5
    keep[..., 0, :] = False
    bias = numbers(rows, columns, dtype=dtype)
    hiding = np.where(keep, dtype(0), dtype(-np.inf))
    return [
        ({}, {}, {}),
        ({"scale": Rational(1, 3)}, {}, {"scale": 1 / np.longdouble(3)}),
        ({"mask": CausalMask()}, {}, {"keep": j <= i}),
        ({"mask": CausalMask(-2)}, {}, {"keep": j <= i - 2}),
        ({"mask": CausalMask(m - n)}, {}, {"keep": j <= i + columns - rows}),
        ({"mask": WindowMask(2, 3)}, {}, {"keep": (j >= i - 2) & (j <= i + 3)}),
        ({"mask": WindowMask(140, None)}, {}, {"keep": j >= i - 140}),
        ({"mask": WindowMask(None, 3)}, {}, {"keep": j <= i + 3}),
        ({"mask": WindowMask()}, {}, {}),
        ({"mask": KeepMask(M)}, {"M": keep}, {"keep": keep}),
        ({"mask": KeepMask(M)}, {"M": keep[..., 1:2, :]}, {"keep": keep[..., 1:2, :]}),
        ({"mask": (KeepMask(M), CausalMask())}, {"M": keep.astype(np.int64)}, {"keep": keep & (j <= i)}),
        ({"bias": B}, {"B": bias}, {"bias": bias}),
        ({"bias": B}, {"B": hiding}, {"keep": keep}),
        (
            {"bias": B, "softcap": 5, "mask": CausalMask(1)},
            {"B": bias},
            {"bias": bias, "softcap": 5, "keep": j <= i + 1},
        ),
    ]


SHAPES = [
    (5, 7, ()),
    (300, 70, (2, 1)),
    (129, 280, (1,)),
    (5, 300, ()),
    (70, 500, (2,)),
    (200, 200, (0, 4)),
    (1, 1, (0,)),
]
TYPES = (np.float32, np.float64)
SIZES = [(*shape, dtype) for k, shape in enumerate(SHAPES) for dtype in (TYPES[k % 2], TYPES[1 - k % 2])]


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "lead", "dtype"), sampled(SIZES, 2))
def test_every_option(rows, columns, lead, dtype):
    q, k, v = (numbers(*lead, a, b, dtype=dtype) for a, b in ((rows, 16), (columns, 16), (columns, 8)))
    for options, given, wanted in cases(rows, columns, lead, dtype) if 0 not in lead else [({}, {}, {})]:
        reference = attention(q, k, v, **wanted)
        for style in STYLES:
            got = lower(Attention(Q, K, V, **options), style=style)(Q=q, K=k, V=v, **given)
            assert got.dtype == dtype, style
            assert got.shape == (*lead, rows, 8), style
            assert error_of(got, v, reference) <= TOLERANCE[got.dtype], (style, options)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e-30, 1e2, 1e4, 1e15])
def test_scores_of_any_size_are_stable(size, dtype, style):
    q, k, v = (numbers(2, 150, 16, dtype=dtype, seed=s) for s in range(3))
    got = lower(Attention(Q, K, V, mask=CausalMask()), style=style)(q * dtype(size), k, v)
    i, j = positions(150, 150)
    assert error(got, q * dtype(size), k, v, keep=j <= i) <= TOLERANCE[got.dtype]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_infinite_bias_leaves_other_rows_alone(dtype):
    q, k, v = (numbers(2, 300, 8, dtype=dtype, seed=s) for s in range(3))
    bias = np.zeros((300, 300), dtype)
    bias[7, 9] = np.inf
    got = lower(Attention(Q, K, V, bias=B))(q, k, v, bias)
    assert np.isnan(got[:, 7]).all()
    rest = np.arange(300) != 7
    assert error(got[:, rest], q[:, rest], k, v) <= TOLERANCE[got.dtype]


@pytest.mark.parametrize("style", STYLES)
def test_leading_axes_broadcast(style):
    f = lower(Attention(Q, K, V, bias=B), style=style)
    q, k, v, bias = numbers(3, 1, 20, 4), numbers(2, 30, 4), numbers(1, 1, 30, 5), numbers(4, 1, 1, 20, 30)
    got = f(q, k, v, bias)
    assert got.shape == (4, 3, 2, 20, 5)
    np.testing.assert_allclose(got, attention(q, k, v, bias=bias)[0].astype(float), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("style", STYLES)
def test_arrays_that_are_not_contiguous(style):
    wide = numbers(2, 40, 3 * 24)
    q, k, v = (np.moveaxis(x.reshape(2, 40, 3, 8), 2, 1) for x in np.split(wide, 3, axis=-1))
    got = lower(Attention(Q, K, V), style=style)(q, k, v)
    assert error(got, q, k, v) <= 1e-13
    assert error(lower(Attention(Q, K, V), style=style)(q[..., ::-1], k[..., ::-1], v), q, k, v) <= 1e-13


def heads_by_hand(a, h, g, keep=None, biases=None):
    """Each head by itself; biases by head."""
    made = []
    for i in range(h):
        j = i * g // h
        q = a["X"] @ np.split(a["W_Q"], h, -1)[i] + np.split(a["b_Q"], h, -1)[i]
        k = a["Z"] @ np.split(a["W_K"], g, -1)[j] + np.split(a["b_K"], g, -1)[j]
        v = a["Z"] @ np.split(a["W_V"], g, -1)[j] + np.split(a["b_V"], g, -1)[j]
        made.append(attention(q, k, v, keep=keep, bias=None if biases is None else biases[..., i, :, :])[0])
    return np.concatenate(made, -1) @ a["W_O"] + a["b_O"]


def layer(h, g, **options):
    X, Z = MatrixSymbol("X", n, D), MatrixSymbol("Z", m, D)
    shapes = {"W_Q": (D, h * d_k), "W_K": (D, g * d_k), "W_V": (D, g * d_v), "W_O": (h * d_v, D)}
    biases = {f"b_{x}": MatrixSymbol(f"b_{x}", 1, shapes[f"W_{x}"][1]) for x in "QKVO"}
    weights = {name: MatrixSymbol(name, *shape) for name, shape in shapes.items()}
    return MultiHead(X, Z, heads=h, kv_heads=g, **weights, **biases, **options)


def layer_arrays(h, g, lead, rows=9, keys=11, width=12, k=4, v=3):
    shapes = {"X": (*lead, rows, width), "Z": (*lead, keys, width), "W_Q": (width, h * k), "W_K": (width, g * k)}
    shapes |= {"W_V": (width, g * v), "W_O": (h * v, width), "b_Q": (1, h * k), "b_K": (1, g * k)}
    shapes |= {"b_V": (1, g * v), "b_O": (1, width)}
    return {name: numbers(*shape, seed=s) for s, (name, shape) in enumerate(shapes.items())}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("h", "g"), [(1, 1), (4, 4), (4, 2), (6, 3), (4, 1)])
@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
def test_several_heads(h, g, lead, style):
    a = layer_arrays(h, g, lead)
    i, j = positions(9, 11)
    got = lower(layer(h, g, mask=CausalMask(2)), style=style)(**a)
    np.testing.assert_allclose(got, heads_by_hand(a, h, g, keep=j <= i + 2).astype(float), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("style", STYLES)
def test_masks_and_biases_for_each_head(style):
    a = layer_arrays(4, 2, (3,))
    bias = numbers(3, 4, 9, 11)
    f = lower(layer(4, 2, bias=B), style=style)
    np.testing.assert_allclose(f(**a, B=bias), heads_by_hand(a, 4, 2, biases=bias).astype(float), atol=1e-11)
    shared = bias[:, :1]
    wanted = heads_by_hand(a, 4, 2, biases=np.repeat(shared, 4, axis=1)).astype(float)
    np.testing.assert_allclose(f(**a, B=shared[:, 0]), wanted, atol=1e-11)
    np.testing.assert_allclose(f(**a, B=shared), wanted, atol=1e-11)
    thirds = lower(layer(4, 2, bias=2 * B + B), style=style)(**a, B=bias / 3)  # it has its symbols' axis of heads
    np.testing.assert_allclose(thirds, heads_by_hand(a, 4, 2, biases=bias).astype(float), atol=1e-11)
    each = tuple(MatrixSymbol(f"B_{i}", n, m) for i in range(1, 5))
    given = {f"B_{i + 1}": bias[:, i] for i in range(4)}
    got = lower(layer(4, 2, bias=each), style=style)(**a, **given)
    np.testing.assert_allclose(got, heads_by_hand(a, 4, 2, biases=bias).astype(float), atol=1e-11)


@pytest.mark.parametrize("style", STYLES)
def test_heads_that_are_projected_already(style):
    X, Z, U = MatrixSymbol("X", n, 4 * d_k), MatrixSymbol("Z", m, 2 * d_k), MatrixSymbol("U", m, 2 * d_v)
    one = {"W_Q": Identity(4 * d_k), "W_K": Identity(2 * d_k), "W_V": Identity(2 * d_v)}
    f = lower(MultiHead(X, Z, U, heads=4, kv_heads=2, **one), style=style)
    q, k, v = numbers(3, 9, 16), numbers(3, 11, 8, seed=1), numbers(3, 11, 6, seed=2)
    parts = [
        attention(q[..., 4 * i :][..., :4], k[..., i // 2 * 4 :][..., :4], v[..., i // 2 * 3 :][..., :3])[0]
        for i in range(4)
    ]
    np.testing.assert_allclose(f(q, k, v), np.concatenate(parts, -1).astype(float), atol=1e-12)


@pytest.mark.parametrize("style", STYLES)
def test_weights_and_biases_of_each_head(style):
    a = layer_arrays(4, 2, (2,))
    each = {}
    for x, heads in (("Q", 4), ("K", 2), ("V", 2)):
        for letter in "Wb":
            for i, part in enumerate(np.split(a.pop(f"{letter}_{x}"), heads, axis=-1), 1):
                each[f"{letter}_{x}{i}"] = part
    names = {f"{y}_{x}": [s for s in each if s.startswith(f"{y}_{x}")] for x in "QKV" for y in "Wb"}
    widths = {"Q": d_k, "K": d_k, "V": d_v}
    shapes = {s: (D if s[0] == "W" else 1, widths[s[2]]) for s in each}
    tuples = {name: tuple(MatrixSymbol(s, *shapes[s]) for s in found) for name, found in names.items()}
    whole = layer(4, 2)
    split = MultiHead(whole.X, whole.Z, heads=4, kv_heads=2, W_O=whole.W_O, b_O=whole.b_O, **tuples)
    wanted = heads_by_hand(layer_arrays(4, 2, (2,)), 4, 2).astype(float)
    np.testing.assert_allclose(lower(split, style=style)(**a, **each), wanted, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("style", STYLES)
def test_intermediate_results(style):
    i, j = positions(9, 11)
    q, k, v = numbers(2, 9, 4), numbers(2, 11, 4), numbers(2, 11, 3)
    names = ("output", "weights", "masked", "capped", "scaled", "scores", "lse")
    got = lower(Attention(Q, K, V, mask=CausalMask(), softcap=3), outputs=names, style=style)(q, k, v)
    assert tuple(got) == names
    output, weights, z = attention(q, k, v, keep=j <= i, softcap=3)
    scores = q @ np.swapaxes(k, -1, -2)
    sums = np.log(np.exp(z).sum(-1, keepdims=True))
    wanted = [output, weights, z, 3 * np.tanh(scores / 6), scores / 2, scores, sums]
    for name, value in zip(names, wanted, strict=True):
        np.testing.assert_allclose(got[name], value.astype(float), rtol=1e-12, atol=1e-13)
    only = lower(Attention(Q, K, V, mask=CausalMask(), softcap=3), outputs=("output", "lse"), style=style)(q, k, v)
    np.testing.assert_allclose(only["lse"], got["lse"], rtol=1e-12)
    no_cap = lower(Attention(Q, K, V), outputs=("masked",), style=style)(q, k, v)
    np.testing.assert_allclose(no_cap, scores / 2, rtol=1e-12)


def test_one_head_of_several_and_a_derivation():
    a = layer_arrays(4, 2, ())
    got = lower(derive(layer(4, 2)), outputs=("weights", "head_3.weights", "head_3.output", "concat"))(**a)
    np.testing.assert_array_equal(got["weights"][2], got["head_3.weights"])
    np.testing.assert_array_equal(got["concat"][..., 6:9], got["head_3.output"])


def test_sixteen_bits_are_computed_in_float32():
    q, k, v = (numbers(3, 20, 8, seed=s).astype(np.float16) for s in range(3))
    for style in STYLES:
        got = lower(Attention(Q, K, V), style=style)(q, k, v)
        assert got.dtype == np.float16
        wanted = attention(q, k, v)[0]
        assert (np.abs(got - wanted) <= 0.51 * np.spacing(np.abs(wanted).astype(np.float16))).all()
