"""Formulas of scores as NumPy source: their values, their types, and their gradients."""

import numpy as np
import pytest
import sympy
from lowering.references import attention
from lowering.symbols import K, Q, V
from lowering.test_lowered import STYLES, numbers
from sympy import Piecewise, S, symbols

from symattn import Attention, lower

z, i, j = symbols("z i j")
ROWS, COLUMNS = np.arange(9.0)[:, None], np.arange(11.0)
FAR = np.abs(ROWS - COLUMNS)
PARITY = sympy.Eq((i - j) % 2, 0)
FORMULAS = {
    "remainder": (z - (i + j) % 3, lambda s: s - (ROWS + COLUMNS) % 3),
    "every other": (Piecewise((z, PARITY), (-S.Infinity, True)), lambda s: np.where(FAR % 2, -np.inf, s)),
    "functions": (sympy.sinh(z) / 9 - sympy.sign(i - j), lambda s: np.sinh(s) / 9 - np.sign(ROWS - COLUMNS)),
    "bounded": (2 * sympy.atan(z) + sympy.asinh(z), lambda s: 2 * np.arctan(s) + np.arcsinh(s)),
    "logarithm": (z - sympy.log(1 + sympy.Abs(i - j)), lambda s: s - np.log(1 + FAR)),
    "leaky": (Piecewise((z, z > 0), (z / 10, True)), lambda s: np.where(s > 0, s, s / 10)),
    "bent": (sympy.Max(z, 0) + sympy.Abs(z) / 2, lambda s: np.maximum(s, 0) + np.abs(s) / 2),
    "places": (-sympy.Abs(i - j) / 3, lambda s: 0 * s - FAR / 3),
    "numbers": (z + Piecewise((S.Half / 3, i > j), (S.Half, True)), lambda s: s + np.where(ROWS > COLUMNS, 1 / 6, 0.5)),
}


def drawn(dtype):
    return {name: numbers(2, *s, dtype=dtype) for name, s in (("Q", (9, 4)), ("K", (11, 4)), ("V", (11, 3)))}


def by_hand(a, change):
    scores = np.einsum("...id,...jd->...ij", *(a[x].astype(np.longdouble) for x in "QK")) / 2
    return attention(a["Q"], a["K"], a["V"], scale=0, bias=change(scores))


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values_keep_their_type(name, dtype):
    formula, change = FORMULAS[name]
    a = drawn(dtype)
    output, weights, _ = by_hand(a, change)
    for style in STYLES:
        got = lower(Attention(Q, K, V, score_mod=formula), outputs=("output", "weights"), style=style)(**a)
        for x, wanted in (("output", output), ("weights", weights)):
            assert got[x].dtype == dtype
            np.testing.assert_allclose(got[x], wanted.astype(float), atol=1e-13 if dtype == np.float64 else 2e-6)


@pytest.mark.parametrize("name", ["leaky", "bent", "remainder", "functions"])
def test_gradients_are_differences_and_keep_their_type(name):
    formula, change = FORMULAS[name]
    a, step = drawn(np.float64), 1e-6
    G = numbers(2, 9, 3, seed=5)
    f = lower(Attention(Q, K, V, score_mod=formula), gradient=True)
    made = f(**a, G=G)["dQ"]
    for at in ((0, 0, 0), (1, 4, 2), (1, 8, 3)):
        change_of = []
        for sign in (1, -1):
            moved = a["Q"].copy()
            moved[at] += sign * step
            change_of.append(np.sum(G * by_hand(a | {"Q": moved}, change)[0]))
        assert abs(made[at] - (change_of[0] - change_of[1]) / (2 * step)) < 1e-8
    halved = f(**{x: y.astype(np.float32) for x, y in a.items()}, G=G.astype(np.float32))["dQ"]
    assert halved.dtype == np.float32
    np.testing.assert_allclose(halved, made, atol=1e-4)


def test_no_value_where_no_condition_holds():
    got = lower(Attention(Q, K, V, score_mod=Piecewise((z, i > 0))), outputs=("weights",), style="plain")(
        **drawn(float)
    )
    assert np.isnan(got[:, 0]).all() and np.isfinite(got[:, 1:]).all()
