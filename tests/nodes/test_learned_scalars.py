"""Numbers that are learned: scales, sinks, λ of differential attention, each with its gradient."""

import mpmath
import numpy as np
import pytest
from sympy import Matrix, MatrixSymbol, Rational, symbols

from symattn import (
    Attention,
    DifferentialAttention,
    MultiHead,
    ShapeError,
    derive,
    differential_lambda,
    differentiate,
    lower,
)

n, m, d = symbols("n m d_k", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d)
Q_2, K_2, lam = MatrixSymbol("Q_2", n, d), MatrixSymbol("K_2", m, d), MatrixSymbol("lambda", 1, 1)
RNG = np.random.default_rng(7)


def differences(f, arrays, name, G, step=1e-6):
    """The gradient by central differences."""
    found = np.zeros_like(arrays[name])
    for at in np.ndindex(found.shape):
        ends = []
        for h in (step, -step):
            moved = arrays[name].copy()
            moved[at] += h
            ends.append(float(np.sum(G * f(**{**arrays, name: moved}))))
        found[at] = (ends[0] - ends[1]) / (2 * step)
    return found


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("kv_heads", [2, 4])
def test_a_scale_and_a_sink_for_each_head(style, kv_heads):
    X, W = MatrixSymbol("X", n, 5), MatrixSymbol("W", 5, 8)
    wide = {x: MatrixSymbol(x, 5, 2 * kv_heads) for x in ("W_K", "W_V")}
    row, sinks = MatrixSymbol("c", 1, 4), MatrixSymbol("s", 1, 4)
    layer = MultiHead(X, heads=4, kv_heads=kv_heads, W_Q=W, **wide, scale=row, sink=sinks)
    shapes = {"X": (3, 5), "W": (5, 8), "W_K": (5, 2 * kv_heads), "W_V": (5, 2 * kv_heads), "c": (1, 4), "s": (1, 4)}
    arrays = {name: RNG.normal(size=shape) for name, shape in shapes.items()}
    G = RNG.normal(size=(3, 8))
    f = lower(layer, style=style)
    back = lower(layer, style=style, gradient=True)(**arrays, G=G)
    for name in ("c", "s", "W"):
        np.testing.assert_allclose(back[f"d{name}"], differences(f, arrays, name, G), atol=1e-7)
    heads = np.split(arrays["X"] @ arrays["W"], 4, axis=-1)
    k, v = (np.split(arrays["X"] @ arrays[x], kv_heads, axis=-1) for x in ("W_K", "W_V"))
    wanted = []
    for i, q in enumerate(heads):
        j = i * kv_heads // 4
        E = np.exp(arrays["c"][0, i] * q @ k[j].T)
        wanted.append(E / (E.sum(-1, keepdims=True) + np.exp(arrays["s"][0, i])) @ v[j])
    np.testing.assert_allclose(f(**arrays), np.concatenate(wanted, axis=-1), rtol=1e-12)


def test_a_learned_scale_by_hand():
    """One query 1, keys 0 and ln 2 apart: weights 1/3 and 2/3 at scale 1, so that dc = 2/9 ln 2 (v_2 − v_1)."""
    c = MatrixSymbol("c", 1, 1)
    made = derive(Attention(Q, K, V, scale=c), {Q: [[1]], K: [[0], [2]], V: [[0], [1]], c: [["1/2"]]})
    back = differentiate(made, G=[[1]])
    e = mpmath.e
    assert abs(mpmath.mpf(str(back["dc"].evaluate(20)[0, 0])) - 2 * e / (1 + e) ** 2) < 1e-15


@pytest.mark.parametrize("style", ["plain", "fast"])
def test_differential_attention(style):
    attention = DifferentialAttention(Q, K, Q_2, K_2, V, lam)
    shapes = {"Q": (3, 2), "K": (4, 2), "Q_2": (3, 2), "K_2": (4, 2), "V": (4, 2), "lambda": (1, 1)}
    arrays = {name: RNG.normal(size=shape) for name, shape in shapes.items()}

    def softmax(Z):
        E = np.exp(Z / np.sqrt(2))
        return E / E.sum(-1, keepdims=True)

    weights = softmax(arrays["Q"] @ arrays["K"].T) - arrays["lambda"] * softmax(arrays["Q_2"] @ arrays["K_2"].T)
    f = lower(attention, style=style)
    np.testing.assert_allclose(f(*(arrays[x.name] for x in f.program.inputs)), weights @ arrays["V"], rtol=1e-12)


def test_lambda_of_four_rows():
    """λ = e^(q_1·k_1) − e^(q_2·k_2) + λ_init; dλ/dq_1 = e^(q_1·k_1) k_1."""
    rows = [MatrixSymbol(f"lambda_{x}", 1, d) for x in ("q1", "k1", "q2", "k2")]
    attention = DifferentialAttention(Q, K, Q_2, K_2, V, differential_lambda(*rows, "1/5"))
    zero = {x: [[0, 0]] for x in rows}
    made = derive(attention, {Q: [[0, 0]], K: [[0, 0]], Q_2: [[0, 0]], K_2: [[0, 0]], V: [[3, 5]], **zero})
    assert made["lambda"].exact == Matrix([[Rational(1, 5)]])
    assert made["output"].exact == Matrix([[3, 5]]) * Rational(4, 5)
    values = {**zero, rows[0]: [[0, 0]], rows[1]: [[2, 1]]}
    made = derive(attention, {Q: [[0, 0]], K: [[0, 0]], Q_2: [[0, 0]], K_2: [[0, 0]], V: [[3, 5]], **values})
    assert differentiate(made, G=[[1, 0]])["dlambda_q1"].exact == Matrix([[-6, -3]])


def test_a_scalar_is_one_number():
    with pytest.raises(ShapeError):
        Attention(Q, K, V, scale=MatrixSymbol("c", 1, 2))
