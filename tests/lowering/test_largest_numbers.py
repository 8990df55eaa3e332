"""Products of finite numbers that overflow their type are computed in a wider one."""

import numpy as np
import pytest
from lowering.symbols import K, Q, V
from lowering.test_lowered import numbers
from sympy import Rational

from symattn import Attention, CausalMask, lower

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
