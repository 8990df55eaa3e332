"""What a mask hides is hidden: nan and infinities among hidden keys and values reach no row that does not see them."""

import numpy as np
import pytest
from lowering.symbols import K, M, Q, V
from lowering.test_lowered import numbers
from sympy import MatrixSymbol, symbols

from symattn import (
    Attention,
    CausalMask,
    HideMask,
    KeepMask,
    LinearAttention,
    MultiHead,
    OnlineAttention,
    RelativeAttention,
    clipped_buckets,
    lower,
)
from symattn.nodes import PaddingMask, WindowMask

N, AT = 130, 70  # blocks of rows begin before and after
rows, columns = np.indices((N, N))
SEEN = {
    "causal": (CausalMask(), columns <= rows),
    "window": (WindowMask(3, 2), (columns >= rows - 3) & (columns <= rows + 2)),
    "padding": (PaddingMask(AT), columns < AT),
    "keep": (KeepMask(M), (rows + columns) % 3 > 0),
    "hide": (HideMask(M), (rows + columns) % 3 > 0),
}


def call(name, style, gradient, **arrays):
    mask, seen = SEEN[name]
    given = {"M": seen == (name == "keep")} if name in ("keep", "hide") else {}
    return lower(Attention(Q, K, V, mask=mask), style=style, gradient=gradient)(**arrays, **given)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", SEEN)
def test_rows_that_do_not_see_it_are_as_ever(name, value, style):
    seen = SEEN[name][1][:, AT]
    arrays = {x: numbers(N, 4, seed=s) for s, x in enumerate("QKV")}
    clean = call(name, style, False, **arrays)
    for which in "KV":
        spoilt = {**arrays, which: arrays[which].copy()}
        spoilt[which][AT, 1] = value
        with np.errstate(all="ignore"):
            found = call(name, style, False, **spoilt)
        np.testing.assert_allclose(found[~seen], clean[~seen], rtol=1e-10, atol=1e-13)
        if which == "V":  # a weight that is not 0 times what is not finite
            assert not np.isfinite(found[seen, 1]).any() and np.isfinite(found[:, 0]).all()


@pytest.mark.parametrize("style", ["plain", "fast", "compiled"])
def test_tables_of_positions_do_not_see_it(style):
    """A key that no query sees is scored against positions too, and its products with them reach no table."""
    tables = {x: MatrixSymbol(f"T_{x}", 5, K.shape[1]) for x in ("keys", "queries")}
    node = RelativeAttention(Q, K, V, clipped_buckets(5), **tables, mask=PaddingMask(AT))
    arrays = {x: numbers(N, 4, seed=s) for s, x in enumerate("QKVG")}
    arrays |= {t.name: numbers(5, 4, seed=7) for t in tables.values()}
    spoilt = {**arrays, "K": arrays["K"].copy(), "V": arrays["V"].copy()}
    spoilt["K"][AT:], spoilt["V"][AT:] = np.nan, np.inf
    f = lower(node, style=style, gradient=True)
    clean = f(**arrays)
    with np.errstate(all="ignore"):
        found = f(**spoilt)
    for name, x in clean.items():
        np.testing.assert_allclose(found[name], x, rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("name", ["causal", "padding", "keep"])
def test_gradients_of_rows_that_do_not_see_it_are_as_ever(name, style):
    seen = SEEN[name][1][:, AT]
    arrays = {x: numbers(N, 4, seed=s) for s, x in enumerate("QKVG")}
    clean = call(name, style, True, **arrays)
    spoilt = {x: X.copy() for x, X in arrays.items()}
    spoilt["K"][AT, 1] = spoilt["V"][AT, 2] = np.nan
    with np.errstate(all="ignore"):
        found = call(name, style, True, **spoilt)
    np.testing.assert_allclose(found["dQ"][~seen], clean["dQ"][~seen], rtol=1e-9, atol=1e-12)
    if not seen.any():
        for x in ("dK", "dV"):
            np.testing.assert_allclose(found[x], clean[x], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("style", ["plain", "fast"])
def test_heads_blocks_of_keys_and_tokens_hide_too(style):
    n = symbols("n", integer=True, positive=True)
    X, W = MatrixSymbol("X", n, 4), [MatrixSymbol(x, 4, 4) for x in ("W_Q", "W_K", "W_V")]
    heads = MultiHead(X, heads=2, **{w.name: w for w in W}, mask=CausalMask())
    x = numbers(20, 4)
    x[12] = np.nan
    with np.errstate(all="ignore"):
        for node in (
            heads,
            OnlineAttention(X, X, X, block=5, mask=CausalMask()),
            LinearAttention(X, X, X, causal=True),
        ):
            weights = [numbers(4, 4, seed=s) for s in range(3)] if node is heads else []
            found = lower(node, style=style)(x, *weights)
            short = lower(node, style=style)(x[:10], *weights)
            np.testing.assert_allclose(found[:10], short, rtol=1e-12)
            assert np.isnan(found[12:]).all()


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("weighting", [None, "sparsemax", "entmax-1.5", "sigmoid"])
def test_nothing_is_warned_of_that_a_mask_hides(weighting, value, style):
    node = Attention(Q, K, V, mask=PaddingMask(2), weighting=weighting)
    q, k, v, g = (numbers(3, 4, seed=s) for s in range(4))
    clean = lower(node, style=style, gradient=True)(q, k[:2], v[:2], g)
    k[2], k[2, 0], v[2] = value, -value, value
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_allclose(lower(node, style=style)(q, k, v), clean["output"])
        found = lower(node, style=style, gradient=True)(q, k, v, g)
    np.testing.assert_allclose(found["dQ"], clean["dQ"], atol=1e-15)
    for name in ("dK", "dV"):
        np.testing.assert_allclose(found[name], [*clean[name], [0] * 4], atol=1e-15)
