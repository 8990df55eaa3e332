"""Products of finite numbers that overflow their type are computed in a wider one."""

import numpy as np
import pytest
from lowering.symbols import K, Q, V
from lowering.test_lowered import numbers
from sympy import MatrixSymbol, Rational, Symbol, exp

from symattn import Attention, CausalMask, LayerNorm, LinearAttention, NormalisedRows, RMSNorm, lower

LARGEST = float(np.finfo(np.float64).max)
LONG = np.finfo(np.longdouble).max > LARGEST
needs_long_doubles = pytest.mark.skipif(not LONG, reason="there is no wider type here")


@needs_long_doubles
@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("more", [0, 200])  # keys that are further away still: one block, or several
def test_scores_beyond_the_largest_double(style, more):
    q = np.array([[1e160, -1e160]])  # scores of -5e309, 5e309 and, for the others, -1e310
    k = np.array([[1e150, 1.5e150], [1.5e150, 1e150], *[[1e150, 2e150]] * more])
    v = np.array([[1.0], [2.0], *[[9.0]] * more])
    with np.errstate(all="ignore"):
        assert lower(Attention(Q, K, V), style=style)(q, k, v) == 2
        assert lower(Attention(Q, K, V), style=style)(q, k[::2], v[::2]) == 1  # all are below the least double
        assert lower(Attention(Q, K, V, softcap=1), style=style)(q, k[:2], v[:2]) == pytest.approx(
            (np.exp(-1) + 2 * np.e) / (np.exp(-1) + np.e)
        )


@needs_long_doubles
@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("options", [{}, {"softcap": 50}, {"sink": 0}, {"mask": CausalMask()}], ids=str)
def test_values_of_the_largest_number(options, style):
    for n in (2, 3, 7, 300):
        x, v = np.ones((n, 2)), np.full((n, 2), LARGEST)
        found = lower(Attention(Q, K, V, scale=Rational(1, 2), **options), style=style)(x, x, v)
        share = n * np.e / (n * np.e + 1) if "sink" in options else 1  # every logit is 1, the sink's 0
        np.testing.assert_allclose(found / LARGEST, share, rtol=1e-15)


@needs_long_doubles
@pytest.mark.parametrize("style", ["plain", "fast"])
def test_gradients_in_a_wider_type_whether_or_not_threads_are_said(style):
    q = np.array([[1e78]])  # with a key of 0: every weight is 1/2, so dQ = 0 and dK = ±q G (v_1 - v_2)/4
    given = {"Q": q, "K": np.zeros((2, 1)), "V": np.array([[3.0], [1.0]]), "G": np.array([[2.0]])}
    for options in [{}, {"threads": None}, {"threads": 1}] if style == "fast" else [{}]:
        found = lower(Attention(Q, K, V, scale=1), style=style, gradient=True)(**given, **options)
        np.testing.assert_allclose(found["dK"], [[1e78], [-1e78]])
        np.testing.assert_allclose(found["dV"], [[1], [1]])
        assert found["output"] == 2 and found["dQ"] == 0


def test_a_number_of_another_type_is_no_array():
    t = numbers(3, 2, dtype=np.float16)
    assert lower(Attention(Q, K, V), gradient=True)(t, t, t, t, threads=np.int64(1))["dQ"].dtype == np.float16


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize(
    ("dtype", "factor"),
    [
        *((np.float32, x) for x in (1e-40, 1e-30, 1e-23, 1e19, 1e38)),
        *((float, x) for x in (1e-310, 1e-200, 1e155, 8e307)),
    ],
)
def test_rows_whose_squares_are_no_ordinary_numbers_are_normalised(style, dtype, factor):
    x, g = (np.array([[1, 2]]) * factor).astype(dtype), np.array([[1, 0]], dtype)
    unit = np.array([[1, 2]]) / np.sqrt(5)
    tolerance = 1e-3 if factor in (1e-40, 1e-310) else 1e-6  # few digits are left of numbers so small
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_allclose(lower(NormalisedRows(Q), style=style)(x), unit, rtol=tolerance)
        if factor > 1:  # beside which epsilon is nothing
            np.testing.assert_allclose(lower(LayerNorm(Q), style=style)(x), [[-1, 1]], rtol=tolerance)
            np.testing.assert_allclose(lower(RMSNorm(Q), style=style)(x), unit * np.sqrt(2), rtol=tolerance)
        elif factor > 1e-300 and (dtype is float or factor > 1e-40):
            found = lower(RMSNorm(Q), style=style)(x)  # x/√ε: epsilon is all that there is
            np.testing.assert_allclose(found / factor, np.array([[1, 2]]) * np.sqrt(1e5), rtol=tolerance)
            found = lower(NormalisedRows(Q), style=style, gradient=True)(x, G=g)["dQ"]  # (g − (g·u) u)/|x|
            np.testing.assert_allclose(found * factor, [[0.8 / np.sqrt(5), -0.4 / np.sqrt(5)]], rtol=tolerance)


@pytest.mark.parametrize("style", ["plain", "fast"])
def test_attention_of_normalised_rows_that_are_tiny_or_huge(style):
    f = lower(Attention(NormalisedRows(Q), NormalisedRows(K), V, scale=1), style=style)
    k, v = np.array([[1, 2], [2, -1]], np.float32), np.array([[1], [2]], np.float32)
    for factor in (1e-35, 1e-23, 1, 1e20, 1e37):  # the query is along the first key
        found = f(np.array([[1, 2]], np.float32) * np.float32(factor), k, v)
        np.testing.assert_allclose(found, (np.e + 2) / (np.e + 1), rtol=1e-6)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("x", [-50, -52, -60, -110, -300])
def test_features_whose_products_vanish_in_float32(x, causal, style):
    q, k, v = (np.array(a, np.float32) for a in ([[x], [x]], [[x], [x - 1]], [[1], [2]]))
    node = LinearAttention(Q, MatrixSymbol("K", *Q.shape), MatrixSymbol("V", Q.shape[0], 1), causal=causal)
    both = (1 + 2 / np.e) / (1 + 1 / np.e)  # weights in proportion to e^x and e^(x - 1)
    with np.errstate(all="raise", under="ignore"):
        found = lower(node, style=style)(q, k, v)
        np.testing.assert_allclose(found, [[1 if causal else both], [both]], rtol=1e-6)
        back = lower(node, style=style, gradient=True)(q, k, v, G=np.array([[0], [1]], np.float32))
    share = np.e / (1 + np.e) ** 2  # a (1 - a), the slope of a weight by its logit
    np.testing.assert_allclose(back["dK"], [[-share], [share]], rtol=1e-5)
    np.testing.assert_allclose(back["dQ"], 0, atol=1e-6)


@needs_long_doubles
@pytest.mark.parametrize("x", [800, 700, -700, -5000])
def test_features_that_overflow_or_vanish_in_float64(x):
    f = lower(LinearAttention(Q, K, V, feature=exp(Symbol("z"))))
    with np.errstate(all="raise", under="ignore"):
        found = f(np.array([[x]]), np.array([[x], [x - 1.0]]), np.array([[1], [2]]))
    np.testing.assert_allclose(found, (1 + 2 / np.e) / (1 + 1 / np.e), rtol=1e-12)
