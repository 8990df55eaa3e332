"""Lengths and places that each sequence of a batch has of its own, beside every sequence computed in NumPy alone."""

import array_api_strict
import dask.array
import numpy as np
import pytest
from lowering.symbols import D, K, Q, V, d_k
from lowering.symbols import n as rows
from lowering.test_lowered import numbers
from sympy import MatrixSymbol, Symbol

from symattn import Attention, CausalMask, InputError, MultiHead, lower
from symattn.nodes import KeepMask, PaddingMask, Rotary, WindowMask

p, o = Symbol("p", integer=True), Symbol("o", integer=True)
X, M = MatrixSymbol("X", rows, D), MatrixSymbol("M", rows, rows)
LAYER = {w: MatrixSymbol(w, D, 2 * d_k) for w in ("W_Q", "W_K", "W_V")}
STYLES = pytest.mark.parametrize("style", ["plain", "fast", "compiled"])


def attend(q, k, v, length, first, window=None):
    """One sequence: the keys before the length, and none ahead of a query that stands `first` keys later."""
    i, j = np.arange(len(q))[:, None] + first, np.arange(len(k))
    keep = (j < length) & (j <= i) & (True if window is None else j >= i - window)
    E = np.where(keep, np.exp(q @ k.T / np.sqrt(q.shape[1])), 0)
    return E / E.sum(axis=1, keepdims=True)


def turned(x, first):
    """RoPE of interleaved pairs, as products of complex numbers."""
    k = np.arange(x.shape[1] // 2)
    angle = (np.arange(len(x))[:, None] + first) * 10000.0 ** (-2 * k / x.shape[1])
    z = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * angle)
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape)


@STYLES
def test_lengths_and_offsets_of_caches(style):
    q, k, v = numbers(3, 2, 4, 6), numbers(3, 2, 9, 6), numbers(3, 2, 9, 5)
    f = lower(Attention(Q, K, V, mask=(CausalMask(o), PaddingMask(p))), style=style)
    lengths, firsts = [9, 4, 6], [5, 0, 2]
    found = f(q, k, v, p=np.array(lengths)[:, None], o=np.array(firsts)[:, None])
    for b, (length, first) in enumerate(zip(lengths, firsts, strict=True)):
        for h in range(2):
            A = attend(q[b, h], k[b, h], v[b, h], length, first)
            np.testing.assert_allclose(found[b, h], A @ v[b, h], rtol=1e-12, atol=1e-13)


@STYLES
def test_a_window_over_a_cache(style):
    q, k, v = numbers(2, 3, 6), numbers(2, 8, 6), numbers(2, 8, 5)
    found = lower(Attention(Q, K, V, mask=WindowMask(2, 0, o)), style=style)(q, k, v, o=[5, 1])
    for b, first in enumerate([5, 1]):
        np.testing.assert_allclose(found[b], attend(q[b], k[b], v[b], 8, first, 2) @ v[b], rtol=1e-12)


@STYLES
def test_gradients_are_summed_over_what_sequences_share(style):
    """dV = AᵀG and dS = A ∘ (GVᵀ − rowsum(A ∘ GVᵀ)), sequence by sequence; there is one V for all."""
    q, k, v, g = numbers(3, 4, 6), numbers(3, 7, 6), numbers(7, 5), numbers(3, 4, 5, seed=1)
    f = lower(Attention(Q, K, V, mask=PaddingMask(p)), style=style, gradient=True)
    found, lengths = f(q, k, v, g, p=[7, 2, 5]), [7, 2, 5]
    dV = np.zeros_like(v)
    for b, length in enumerate(lengths):
        A = attend(q[b], k[b], v, length, 100)
        dA = g[b] @ v.T
        dS = A * (dA - (A * dA).sum(axis=1, keepdims=True)) / np.sqrt(6)
        dV += A.T @ g[b]
        np.testing.assert_allclose(found["dQ"][b], dS @ k[b], rtol=1e-10, atol=1e-13)
        np.testing.assert_allclose(found["dK"][b], dS.T @ q[b], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(found["dV"], dV, rtol=1e-10, atol=1e-13)


@STYLES
def test_several_heads_whose_tokens_stand_later(style):
    x, w = numbers(3, 5, 4), {name: numbers(4, 8, seed=s) for s, name in enumerate(LAYER)}
    keep = np.tril(np.ones((3, 1, 5, 5), bool))
    f = lower(MultiHead(X, heads=2, **LAYER, mask=KeepMask(M), rotary=Rotary(offset=o)), style=style)
    named = lower(MultiHead(X, heads=2, **LAYER, mask=KeepMask(M), rotary=[Rotary(offset=o), Rotary()]), style=style)
    alike = f(x, **w, M=keep, o=[0, 3, 40])
    found = named(x, **w, M=keep, o=[0, 3, 40])
    for b, first in enumerate([0, 3, 40]):
        for h in range(2):
            q, k, v = (x[b] @ w[name][:, 4 * h : 4 * h + 4] for name in LAYER)
            own = slice(4 * h, 4 * h + 4)
            np.testing.assert_allclose(alike[b, :, own], attend(turned(q, 0), turned(k, 0), v, 5, 0) @ v, rtol=1e-9)
            np.testing.assert_allclose(found[b, :, own], attend(turned(q, first), turned(k, 0), v, 5, 0) @ v, rtol=1e-9)


def test_one_sequence_for_several_lengths():
    q, k, v = numbers(4, 6), numbers(7, 6), numbers(7, 5)
    f = lower(Attention(Q, K, V, mask=PaddingMask(p)), outputs=("output", "weights", "lse"))
    found = f(q, k, v, p=np.array([3, 7], np.int32))
    assert {name: x.shape for name, x in found.items()} == {"output": (2, 4, 5), "weights": (2, 4, 7), "lse": (2, 4, 1)}
    for b, length in enumerate([3, 7]):
        np.testing.assert_allclose(found["weights"][b], attend(q, k, v, length, 100), rtol=1e-12)


def test_results_are_checked_and_put_into_an_array():
    q, k, v = numbers(2, 3, 4), numbers(2, 3, 4), numbers(2, 3, 4)
    f = lower(Attention(Q, K, V, mask=PaddingMask(p)), check=True)
    out = np.empty((2, 3, 4))
    assert f(q, k, v, p=[1, 3], out=out) is out
    np.testing.assert_allclose(out[0], np.broadcast_to(v[0, :1], (3, 4)))


def test_other_libraries():
    q, k, v = numbers(2, 3, 4), numbers(2, 3, 4), numbers(2, 3, 4)
    f = lower(Attention(Q, K, V, mask=PaddingMask(p)))
    strict = f(*map(array_api_strict.asarray, (q, k, v)), p=array_api_strict.asarray([1, 3]))
    np.testing.assert_allclose(np.asarray(strict), f(q, k, v, p=[1, 3]), rtol=1e-13)
    with pytest.raises(InputError, match="p has one number for each sequence, which Dask arrays do not take"):
        f(*map(dask.array.from_array, (q, k, v)), p=[1, 3])


@STYLES
@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (
            np.array([1.0, 2.0]),
            TypeError,
            r"p is float64 of shape .*expected a whole number, or an array of",
        ),
        ([True, False], TypeError, "p is bool of shape"),
        ([1, -1], ValueError, "p is -1, expected at least 0"),
        ([1, 2, 3], ValueError, r"leading axes do not broadcast: .*p \(3,\); expected equal ones, or 1"),
    ],
)
def test_what_is_refused(given, kind, message, style):
    x = np.ones((2, 3, 3))
    with pytest.raises(kind, match=message):
        lower(Attention(Q, K, V, mask=PaddingMask(p)), style=style)(x, x, x, p=given)


def test_a_gradient_of_fewer_sequences_is_refused():
    x = np.ones((3, 3))
    with pytest.raises(ValueError, match=r"G has shape \(3, 3\), expected \(2, 3, 3\), the output's"):
        lower(Attention(Q, K, V, mask=PaddingMask(p)), gradient=True)(x, x, x, x, p=[1, 2])


@STYLES
def test_a_batch_of_no_sequences(style):
    """An array of no lengths: no results, and gradients of nothing for what sequences share."""
    one, none, lengths = numbers(3, 6), np.zeros((0, 3, 6)), np.array([], int)
    f = lower(Attention(Q, K, V, mask=PaddingMask(p)), style=style)
    backward = lower(Attention(Q, K, V, mask=PaddingMask(p)), style=style, gradient=True)
    for arrays in ((none, none, none), (none, none, one), (one, one, one)):
        assert f(*arrays, p=lengths).shape == (0, 3, 6)
        found = backward(*arrays, none, p=lengths)
        assert {name: x.shape for name, x in found.items()} == {
            "output": (0, 3, 6),
            **{f"d{name}": x.shape for name, x in zip("QKV", arrays, strict=True)},
        }
        assert not any(x.any() for x in found.values())
