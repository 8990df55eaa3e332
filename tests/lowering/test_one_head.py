"""Layers of one head: masks and biases may have the axis of heads, and formulas may speak of its number."""

import dask.array
import numpy as np
import pytest
from lowering.symbols import B, M, m, n
from lowering.test_lowered import STYLES, heads_by_hand, layer, layer_arrays, numbers
from sympy import symbols

from symattn import Alibi, CausalMask, HideMask, KeepMask, alibi_slope, lower

z, i, j, head = symbols("z i j head")
ROWS, COLUMNS = np.arange(9)[:, None], np.arange(11)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("lead", [(3,), (2, 3)])
def test_masks_and_biases_with_an_axis_of_heads(lead, style):
    a, shape = layer_arrays(1, 1, lead), (*lead, 1, 9, 11)
    keep, bias = numbers(*shape) > 0, numbers(*shape, seed=1)
    keep[..., 0] = True
    got = lower(layer(1, 1, mask=KeepMask(M), bias=B), style=style)(**a, M=keep, B=bias)
    wanted = heads_by_hand(a, 1, 1, keep=keep[..., 0, :, :], biases=bias).astype(float)
    np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-11)
    lengths = numbers(*lead, 1, 1, 1, seed=2) * 3 + 5
    padding = np.maximum(lengths, 1) <= COLUMNS  # as torch's key_padding_mask[:, None, None]
    got = lower(layer(1, 1, mask=HideMask(M)), style=style)(**a, M=padding)
    np.testing.assert_allclose(
        got, heads_by_hand(a, 1, 1, keep=~padding[..., 0, :, :]).astype(float), rtol=1e-11, atol=1e-11
    )


def test_gradients_have_the_shapes_that_were_given():
    a, bias = layer_arrays(1, 1, (3,)), numbers(3, 1, 1, 11)
    f = lower(layer(1, 1, bias=B), gradient=True)
    G = numbers(3, 9, 12)
    made, flat = f(**a, B=bias, G=G), f(**a, B=bias[:, 0], G=G)
    assert made["dB"].shape == bias.shape
    np.testing.assert_array_equal(made["dB"][:, 0], flat["dB"])
    np.testing.assert_allclose(
        made["output"], heads_by_hand(a, 1, 1, biases=bias).astype(float), rtol=1e-11, atol=1e-11
    )


def test_dask_blocks_have_an_axis_of_heads():
    a, bias = layer_arrays(1, 1, (2, 3)), numbers(2, 3, 1, 9, 11)
    f = lower(layer(1, 1, bias=B))
    chunks = {name: (1, 2, -1, -1) if x.ndim == 4 else -1 for name, x in a.items()}
    given = {name: dask.array.from_array(x, chunks=chunks[name]) for name, x in a.items()}
    got = f(**given, B=dask.array.from_array(bias, chunks=(1, 3, 1, 9, 5)))
    np.testing.assert_allclose(got.compute(scheduler="sync"), f(**a, B=bias), rtol=1e-13)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("heads", [1, 4])
def test_formulas_speak_of_the_head(heads, style):
    a = layer_arrays(heads, heads, (2,))
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)[:, None, None]
    wanted = heads_by_hand(a, heads, heads, keep=COLUMNS <= ROWS, biases=-slopes * (ROWS - COLUMNS)).astype(float)
    slope = alibi_slope(heads)
    for options in (
        {"bias": Alibi(n, m, slope)},
        {"score_mod": z - slope * (i - j)},
        {"score_mod": z - alibi_slope(heads, head) * (i - j)},
    ):
        got = lower(layer(heads, heads, mask=CausalMask(), **options), style=style)(**a)
        np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-11)
