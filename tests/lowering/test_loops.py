"""What goes on token by token or block by block: loops in the plain style, sums in chunks in the fast one."""

import tracemalloc

import array_api_strict
import dask.array
import numpy as np
import pytest
import sympy
from lowering.references import TOLERANCE, attention, error
from lowering.symbols import D, K, M, Q, V, d_k, d_v, n
from lowering.test_lowered import numbers
from sympy import MatrixSymbol, Rational

from symattn import (
    Alibi,
    Attention,
    BahdanauAttention,
    CausalMask,
    KeepMask,
    LinearAttention,
    MultiHead,
    OnlineAttention,
    WindowMask,
    alibi_slope,
    lower,
)

pytestmark = pytest.mark.slow

STYLES = ("fast", "plain", "compiled")
LINEAR = LinearAttention(Q, MatrixSymbol("K", n, d_k), MatrixSymbol("V", n, d_v), causal=True)
ONLINE = OnlineAttention(Q, K, V, block=4, mask=CausalMask())


def features(x):
    x = x.astype(np.longdouble)
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def running(q, k, v):
    """The weights of causal linear attention, and what they make of v."""
    pairs = np.tril(features(q) @ np.swapaxes(features(k), -1, -2))
    weights = pairs / pairs.sum(axis=-1, keepdims=True)
    return weights, weights @ v.astype(np.longdouble)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("lead", "tokens"), [((), 1), ((2, 3), 65), ((1,), 200)])
def test_linear_attention_token_by_token(style, dtype, lead, tokens):
    q, k, v = (numbers(*lead, tokens, width, dtype=dtype, seed=s) for s, width in enumerate((8, 8, 5)))
    got = lower(LINEAR, style=style)(q, k[..., :1, :, :] if lead == (2, 3) else k, v)
    weights, wanted = running(q, k[..., :1, :, :] if lead == (2, 3) else k, v)
    assert got.dtype == dtype and got.shape == v.shape
    assert (np.abs(got - wanted) <= TOLERANCE[got.dtype] * (weights @ np.abs(v))).all()


def test_any_number_of_threads_gives_the_same():
    q, k, v = (numbers(3, 100, 4, seed=s) for s in range(3))
    one = lower(LINEAR)(q, k, v, threads=1)
    np.testing.assert_array_equal(lower(LINEAR)(q, k, v, threads=7), one)
    with pytest.raises(ValueError, match="threads is 0"):
        lower(LINEAR)(q, k, v, threads=0)


@pytest.mark.parametrize("style", STYLES)
def test_states_on_request(style):
    q, k, v = (numbers(2, 6, width, seed=s) for s, width in enumerate((4, 4, 3)))
    names = ("output", "state", "token_2.state", "token_t.output", "state_0")
    got = lower(LINEAR, outputs=names, style=style)(q, k, v)
    states = np.cumsum(features(k)[..., :, None] * v[..., None, :], axis=-3).astype(float)
    np.testing.assert_allclose(got["state"], states, rtol=1e-13, atol=1e-14)
    np.testing.assert_array_equal(got["token_2.state"], got["state"][:, 1])
    np.testing.assert_allclose(got["output"], running(q, k, v)[1].astype(float), rtol=1e-13, atol=1e-14)
    np.testing.assert_array_equal(got["token_t.output"][:, :, 0], got["output"])
    np.testing.assert_array_equal(got["state_0"], np.zeros((4, 3)))


@pytest.mark.parametrize("style", STYLES)
def test_blocks_of_keys_on_request(style):
    q, k, v = (numbers(2, rows, width, seed=s) for s, (rows, width) in enumerate(((5, 4), (8, 4), (8, 3))))
    got = lower(ONLINE, outputs=("output", "maximum", "block_1.normaliser", "masked"), style=style)(q, k, v)
    output, _, z = attention(q, k, v, keep=np.arange(8) <= np.arange(5)[:, None])
    np.testing.assert_allclose(got["output"], output.astype(float), rtol=1e-13)
    np.testing.assert_allclose(got["masked"], z.astype(float), rtol=1e-13)
    tops = np.stack([z[..., :4].max(-1, keepdims=True), z.max(-1, keepdims=True)], axis=-3)
    np.testing.assert_allclose(got["maximum"], tops.astype(float), rtol=1e-13)
    sums = np.exp(z[..., :4] - tops[:, 0]).sum(-1, keepdims=True)
    np.testing.assert_allclose(got["block_1.normaliser"], sums.astype(float), rtol=1e-13)


@pytest.mark.parametrize("style", STYLES)
def test_rows_that_see_no_key_of_the_first_blocks_or_none_at_all(style):
    q, k, v = (numbers(2, 12, 4, seed=s) * 1e2 for s in range(3))
    i, j = np.arange(12)[:, None], np.arange(12)
    with np.errstate(all="raise", under="ignore"):
        got = lower(OnlineAttention(Q, K, V, block=4, mask=WindowMask(1, 0)), style=style)(q, k, v)
        assert error(got, q, k, v, keep=(j >= i - 1) & (j <= i)) <= 1e-13
        keep = np.ones((12, 12), bool)
        keep[5] = False
        got = lower(OnlineAttention(Q, K, V, block=3, mask=KeepMask(M)), style=style)(q, k, v, keep)
    assert error(got, q, k, v, keep=keep) <= 1e-13 and not got[:, 5].any()


@pytest.mark.parametrize("style", STYLES)
def test_keys_that_are_no_whole_number_of_blocks(style):
    q, k = numbers(2, 5, 4), numbers(2, 10, 4)
    with pytest.raises(ValueError, match=r"K has shape \(2, 10, 4\), expected 8 rows \(blocks of 4\)"):
        lower(ONLINE, style=style)(q, k, k)


@pytest.mark.parametrize("style", STYLES)
def test_finite_numbers_never_give_nan(style):
    for size in (1e4, 1e30):
        q, k, v = (np.abs(numbers(1, 70, 4, dtype=np.float32, seed=s)) * np.float32(size) for s in range(3))
        with np.errstate(all="raise", under="ignore"):
            got = lower(LINEAR, style=style)(q, k, v)
        weights, wanted = running(q, k, v)
        assert (np.abs(got - wanted) <= 2e-5 * (weights @ np.abs(v))).all()
    assert np.isfinite(lower(LINEAR, style=style)(-q, -k, v)).all()  # every feature vanishes


def test_other_libraries():
    q, k, v = (numbers(2, 8, 4, seed=s) for s in range(3))
    for expression in (LINEAR, ONLINE):
        wanted = lower(expression)(q, k, v)
        got = lower(expression)(*map(array_api_strict.asarray, (q, k, v)))
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-13, atol=1e-15)
        got = lower(expression)(*(dask.array.from_array(x, chunks=(1, 3, 3)) for x in (q, k, v)))
        np.testing.assert_allclose(got.compute(scheduler="sync"), wanted, rtol=1e-13, atol=1e-15)
        got = sympy.lambdify(expression.args[:3], expression)(q, k, v)
        np.testing.assert_allclose(got, wanted, rtol=1e-13, atol=1e-15)


def test_a_loop_reads_as_the_recurrence_does():
    source = lower(LINEAR, style="plain").source
    for line in (
        "for t in range(1, n + 1):",
        "    state = state + np.swapaxes(K_features[..., t - 1 : t, :], -1, -2) @ V[..., t - 1 : t, :]",
        "    normaliser = Q_features[..., t - 1 : t, :] @ key_sum",
        "output: Array = np.concatenate(token_outputs, axis=-2)",
    ):
        assert f"    {line}\n" in source


X = MatrixSymbol("X", n, D)
WEIGHTS = {"W": (64, 64), "U": (64, 64), "w": (64, 1)}
BAHDANAU = BahdanauAttention(Q, K, V, *(MatrixSymbol(x, d_k, d_k if x != "w" else 1) for x in WEIGHTS))
SLANTED = Attention(Q, K, V, bias=Alibi(n, K.shape[0], Rational(1, 8)), mask=CausalMask())
HEADS = MultiHead(
    X, heads=4, **{f"W_{x}": MatrixSymbol(f"W_{x}", D, D) for x in "QKV"}, bias=Alibi(n, n, alibi_slope(4))
)


@pytest.mark.parametrize("expression", [LINEAR, ONLINE, SLANTED, BAHDANAU])
def test_memory_is_that_of_a_block(expression):
    tokens = 1024 if expression != BAHDANAU else 512
    q, k, v = (numbers(1, 2, tokens, 64, dtype=np.float32, seed=s) for s in range(3))
    more = {x: numbers(*s, dtype=np.float32) for x, s in WEIGHTS.items()} if expression == BAHDANAU else {}
    f = lower(expression)
    f(q[..., :8, :], k[..., :8, :], v[..., :8, :], **more, threads=1)
    tracemalloc.start()
    f(q, k, v, **more, threads=1)
    peak = tracemalloc.get_traced_memory()[1] - q.nbytes
    tracemalloc.stop()
    made = 2 * q.nbytes if expression in (LINEAR, BAHDANAU) else 0  # features, or projections
    rows = 160 if expression != BAHDANAU else 160 + 128  # tanh of a block takes as much again
    assert peak <= made + rows * tokens * 4 + (256 << 10)


def test_the_slopes_of_heads_meet_their_heads():
    a = {"X": numbers(2, 150, 8)} | {f"W_{x}": numbers(8, 8, seed=s) for s, x in enumerate("QKV")}
    q, k, v = (np.moveaxis((a["X"] @ a[f"W_{x}"]).reshape(2, 150, 4, 2), 2, 1) for x in "QKV")
    i, j = np.arange(150)[:, None], np.arange(150)
    slopes = np.array([2.0**-2, 2.0**-4, 2.0**-6, 2.0**-8])[:, None, None]
    wanted = np.moveaxis(attention(q, k, v, bias=-slopes * (i - j))[0], 1, 2).reshape(2, 150, 8)
    for style in STYLES:
        np.testing.assert_allclose(lower(HEADS, style=style)(**a), wanted.astype(float), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("n_tokens", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("style", ["fast", "compiled"])
@pytest.mark.parametrize("lead", [(), (2, 3)])
def test_gradients_of_causal_linear_attention_run_on(n_tokens, style, lead):
    arrays = [numbers(*lead, n_tokens, 5 if s in (0, 1) else 3, seed=s) for s in range(4)]
    outputs = [lower(LINEAR, style=s, gradient=True)(*arrays) for s in (style, "plain")]
    for name, wanted in outputs[1].items():
        np.testing.assert_allclose(outputs[0][name], wanted, rtol=1e-10, atol=1e-10)


def test_gradients_of_causal_linear_attention_take_memory_of_the_tokens():
    f = lower(LINEAR, gradient=True)
    assert "running_sum" in f.source and "kept = " not in f.source
    peaks = []
    for tokens in (1000, 2000):
        arrays = [numbers(tokens, 16, seed=s) for s in range(4)]
        f(*arrays)
        tracemalloc.start()
        f(*arrays)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2.2 * peaks[0] and peaks[1] < 2000 * 16 * 8 * 16


def test_what_comes_later_reaches_no_gradient_of_earlier_queries():
    arrays = [numbers(100, 4, seed=s) for s in range(4)]
    clean = lower(LINEAR, gradient=True)(*arrays)
    spoiled = [x.copy() for x in arrays]
    for x in spoiled[1:3]:
        x[70] = np.nan
    found = lower(LINEAR, gradient=True)(*spoiled)
    np.testing.assert_allclose(found["dQ"][:70], clean["dQ"][:70], rtol=1e-10)
    np.testing.assert_allclose(found["output"][:70], clean["output"][:70], rtol=1e-10)
