"""Arguments that are numbers: sizes, lengths, scales, threads; and sizes that only a side such as h·d_v tells."""

import re
from fractions import Fraction

import numpy as np
import pytest
from lowering.symbols import D, K, Q, V, d_k, d_v, n
from lowering.test_lowered import numbers
from sympy import MatrixSymbol, Rational, Symbol

from symattn import Attention, CausalMask, MultiHead, lower
from symattn.lowering.kernels import pool
from symattn.nodes import PaddingMask

h, p, o, tau = Symbol("h", integer=True, positive=True), Symbol("p", integer=True), Symbol("o"), Symbol("tau")
X = MatrixSymbol("X", n, D)
HEADS = {"W_Q": MatrixSymbol("W_Q", D, h * d_k), "W_K": MatrixSymbol("W_K", D, h * d_k)}
HEADS |= {"W_V": MatrixSymbol("W_V", D, h * d_v)}
ONE = np.ones((1, 1))
STYLES = pytest.mark.parametrize("style", ["plain", "fast"])


@STYLES
@pytest.mark.parametrize("gradient", [False, True])
def test_heads_that_are_a_symbol(style, gradient):
    arrays = {"X": numbers(3, 4), "W_Q": numbers(4, 6), "W_K": numbers(4, 6, seed=1), "W_V": numbers(4, 2, seed=2)}
    G = {"G": numbers(3, 2)} if gradient else {}
    found = lower(MultiHead(X, heads=h, **HEADS), style=style, gradient=gradient)(**arrays, **G, h=2)
    q, k, v = (np.reshape(arrays["X"] @ arrays[w], (3, 2, -1)) for w in HEADS)
    weights = np.exp(np.einsum("nhd,mhd->hnm", q, k) / np.sqrt(3))
    weights /= weights.sum(axis=-1, keepdims=True)
    wanted = np.reshape(np.einsum("hnm,mhd->nhd", weights, v), (3, 2))
    np.testing.assert_allclose(found["output"] if gradient else found, wanted)


@STYLES
@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (0, ValueError, "h is 0, expected at least 1"),
        (-2, ValueError, "h is -2, expected at least 1"),
        (2.0, TypeError, "h is 2.0, expected a whole number"),
        (True, TypeError, "h is True, expected a whole number"),
        ("2", TypeError, "h is '2', expected a whole number"),
        (4, ValueError, r"W_Q has shape \(4, 6\), expected 4 columns"),
    ],
)
def test_numbers_of_heads(given, kind, message, style):
    f = lower(MultiHead(X, heads=h, **HEADS), style=style)
    with pytest.raises(kind, match=message):
        f(numbers(3, 4), numbers(4, 6), numbers(4, 6), numbers(4, 6), h=given)


@STYLES
@pytest.mark.parametrize(
    ("options", "name", "given", "kind", "message"),
    [
        ({"mask": PaddingMask(p)}, "p", 1.5, TypeError, "p is 1.5, expected a whole number"),
        ({"mask": PaddingMask(p)}, "p", float("nan"), TypeError, "p is nan, expected a whole number"),
        ({"mask": PaddingMask(p)}, "p", -1, ValueError, "p is -1, expected at least 0"),
        ({"mask": CausalMask(o)}, "o", 0.5, TypeError, "o is 0.5, expected a whole number"),
        ({"mask": CausalMask(o)}, "o", None, TypeError, "o is None, expected a whole number"),
        ({"scale": tau}, "tau", None, TypeError, "tau is None, expected a real number"),
        ({"scale": tau}, "tau", 1j, TypeError, "tau is 1j, expected a real number"),
        ({"scale": tau}, "tau", "1", TypeError, "tau is '1', expected a real number"),
        ({"scale": tau}, "tau", np.ones(2), TypeError, "tau is float64 of shape (2,), expected a real number"),
        ({"softcap": tau}, "tau", 1j, TypeError, "tau is 1j, expected a real number"),
    ],
)
def test_lengths_offsets_and_scales(options, name, given, kind, message, style):
    with pytest.raises(kind, match=re.escape(message)):
        lower(Attention(Q, K, V, **options), style=style)(ONE, ONE, ONE, **{name: given})


@STYLES
def test_numbers_of_numpy_are_numbers(style):
    f = lower(Attention(Q, K, V, mask=[CausalMask(o), PaddingMask(p)], scale=tau), style=style)
    for p_, o_, tau_ in ((np.int64(1), np.array(0), np.float32(2)), (1, -0, 2), (np.uint8(1), 0, np.array([2.0]))):
        assert f(ONE, ONE, 3 * ONE, p=p_, o=o_, tau=tau_) == 3


@pytest.mark.parametrize(("given", "kind"), [("2", TypeError), (1.5, TypeError), (True, TypeError), (0, ValueError)])
def test_numbers_of_threads(given, kind):
    with pytest.raises(kind, match=f"threads is {given!r}, expected"):
        lower(Attention(Q, K, V))(ONE, ONE, ONE, threads=given)


def test_blas_takes_no_more_threads_than_it_is_told(monkeypatch):
    now = [8]
    monkeypatch.setattr(pool, "_openblas", lambda: (lambda: now[0], lambda count: now.__setitem__(0, count)))
    seen = []
    pool.limit_threads(3, lambda: seen.append((now[0], pool.limits_threads())))
    pool.limit_threads(1, lambda: pool.run_threads(lambda: seen.append((now[0], None)), 1))
    pool.limit_threads(2, lambda: pool.run_threads(lambda: seen.append((now[0], None)), 2))
    assert seen == [(3, True), (1, None), (1, None), (1, None)]
    assert now == [8] and not pool.limits_threads()
    f = lower(Attention(Q, K, V))
    f(ONE, ONE, ONE, threads=1)
    assert "return limit_threads(threads, attention, Q=Q, K=K, V=V, threads=threads)" in f.source
    with pytest.raises(ZeroDivisionError):
        pool.limit_threads(1, lambda: 1 // 0)
    assert now == [8] and not pool.limits_threads()


@STYLES
@pytest.mark.parametrize("number", [Fraction(1, 2), Rational(1, 2), np.float32(0.5), np.array(0.5)])
def test_a_number_may_be_a_fraction(style, number):
    f = lower(Attention(Q, K, V, scale=tau), style=style)
    arrays = numbers(3, 4), numbers(5, 4), numbers(5, 6)
    np.testing.assert_array_equal(f(*arrays, tau=number), f(*arrays, tau=0.5))
