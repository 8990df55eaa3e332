"""A layer's own nodes as functions: against the certified values, and gradients against these too."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from sympy import MatrixSymbol, symbols

from symattn import (
    Activation,
    CausalMask,
    CrossEntropy,
    Dropout,
    Embedding,
    FeedForward,
    Gated,
    LayerNorm,
    LearnedPositions,
    MultiHead,
    Residual,
    RMSNorm,
    SinusoidalPositions,
    TokenLosses,
    WithPositions,
    derive,
    differentiate,
    lower,
)
from symattn.lowering.kernels.plain import erf, sigmoid, token_losses
from tests.values.test_stacks import numbers, stated

pytestmark = pytest.mark.slow

TORCH = json.loads((Path(__file__).parents[1] / "data" / "two_layers.json").read_text(encoding="utf-8"))
RNG = np.random.default_rng(3)
n, d, f = symbols("n d f", integer=True, positive=True)
X, W, U, W_2 = MatrixSymbol("X", n, d), MatrixSymbol("W", d, f), MatrixSymbol("U", d, f), MatrixSymbol("W_2", f, d)
g, b, b_1 = MatrixSymbol("g", 1, d), MatrixSymbol("b", 1, d), MatrixSymbol("b_1", 1, f)
V4, E, P = MatrixSymbol("V", d, 5), MatrixSymbol("E", 5, d), MatrixSymbol("P", 6, d)
X3, E4 = MatrixSymbol("X", 3, d), MatrixSymbol("E", 5, 4)
SIZES = {n: 3, d: 4, f: 6}
CASES = {
    "layer norm": LayerNorm(X, g, b),
    "rms norm": RMSNorm(X, g),
    "post-norm": LayerNorm(Residual(X, Dropout(FeedForward(X, W, W_2, b_1, b, "gelu"), 0.1))),
    "pre-norm": Residual(X, FeedForward(RMSNorm(X, g), W, W_2, activation="silu", W_3=U)),
    "relu": FeedForward(X, W, W_2, b_1),
    "gelu by tanh": FeedForward(X, W, W_2, activation="gelu-tanh"),
    "gate": Gated(Activation(X, "tanh"), X, MatrixSymbol("G_W", d, d), b),
    "embedding": WithPositions(Embedding(E, (4, 0, 4)), LearnedPositions(P, 3, 2)) * W,
    "sines": WithPositions(Embedding(MatrixSymbol("E", 5, 4), (4, 0, 4)), SinusoidalPositions(3, 4, offset=1))
    * MatrixSymbol("W", 4, f),
    "positions": WithPositions(Embedding(E, (4, 0, 4)), LearnedPositions(P, 3, 2)),
    "losses": TokenLosses(X3 * V4, (4, 0, 2)),
    "loss": CrossEntropy(X3 * V4, (4, 0, 2)),
}


def given_for(expression):
    shapes = {s: tuple(int(k.subs(SIZES)) for k in s.shape) for s in expression.atoms(MatrixSymbol)}
    return {s.name: np.round(RNG.normal(size=shape) * 64) / 64 for s, shape in shapes.items()}


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("name", CASES)
def test_lowered_layers_give_the_certified_values(name, style):
    expression = CASES[name]
    given = given_for(expression)
    derivation = derive(expression, given)
    right = derivation.steps[-1].evaluate(20)
    got = lower(expression, style=style)(**given)
    assert np.allclose(got, np.array(right.tolist(), dtype=float), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize("name", CASES)
def test_lowered_gradients_give_the_certified_values(name, style):
    expression = CASES[name]
    given = given_for(expression)
    derivation = derive(expression, given)
    shape = tuple(int(k) for k in derivation.steps[-1].shape)
    upstream = np.round(RNG.normal(size=shape) * 64) / 64
    back = differentiate(derivation, G=upstream)
    got = lower(expression, style=style, gradient=True)(**given, G=upstream)
    for step in back:
        if step.step.by is not None and step.step.by in back.inputs:
            right = np.array(step.evaluate(20).tolist(), dtype=float)
            assert np.allclose(got[f"d{step.step.by.name}"], right, rtol=1e-11, atol=1e-12), step.name


@pytest.mark.parametrize("style", ["plain", "fast"])
def test_two_layers_with_their_loss_and_every_gradient(style):
    """`tests/data/two_layers.json` is what torch 2.15 finds in float64, by its own layer_norm, gelu and loss."""
    given = numbers(2)
    back = differentiate(derive(stated(2, "gelu"), given), G=[[1]])
    arrays = {name: np.array(rows, dtype=float) for name, rows in given.items()}
    function = lower(stated(2, "gelu"), style=style, gradient=True)
    names = {name: name.replace("^(", "_").rstrip(")") for name in arrays}
    got = function(**{names[name]: x for name, x in arrays.items()}, G=np.ones((1, 1)))
    assert math.isclose(got["output"][0, 0], float(back["loss"].evaluate(20)[0, 0]), rel_tol=1e-12)
    assert math.isclose(got["output"][0, 0], TORCH["loss"], rel_tol=1e-13)
    for step in back:
        if step.step.by is not None and step.step.by in back.inputs:
            right = np.array(step.evaluate(20).tolist(), dtype=float)
            of_torch = TORCH["gradients"][str(step.step.by)]
            assert np.allclose(got[step.name], of_torch, rtol=1e-12, atol=1e-13), step.name
            assert np.allclose(right, of_torch, rtol=1e-12, atol=1e-13), step.name


def test_leading_axes_are_a_batch():
    layer = Residual(X, FeedForward(LayerNorm(X, g, b), W, W_2, b_1, None, "gelu"))
    given = given_for(layer)
    batch = {**given, "X": RNG.normal(size=(2, 5, 3, 4))}
    function = lower(layer, gradient=True)
    whole = function(**batch, G=np.ones((2, 5, 3, 4)))
    parts = [[function(**{**given, "X": x}, G=np.ones((3, 4))) for x in row] for row in batch["X"]]
    assert np.allclose(whole["output"], [[part["output"] for part in row] for row in parts])
    assert np.allclose(whole["dW"], sum(part["dW"] for row in parts for part in row))
    assert lower(layer)(**{name: x.astype(np.float32) for name, x in given.items()}).dtype == np.float32


def test_heads_over_normalised_rows():
    weights = {name: MatrixSymbol(name, d, d) for name in ("W_Q", "W_K", "W_V", "W_O")}
    layer = Residual(X, MultiHead(RMSNorm(X, g), heads=2, mask=CausalMask(), **weights))
    given = given_for(layer)
    right = np.array(derive(layer, given).steps[-1].evaluate(20).tolist(), dtype=float)
    for style in ("plain", "fast"):
        assert np.allclose(lower(layer, style=style)(**given), right, rtol=1e-13, atol=1e-14)


def test_the_error_function_and_the_sigmoid_to_the_last_places():
    x = np.concatenate([np.linspace(-7, 7, 999), np.geomspace(1e-300, 1, 50), [30.0, 1e200, -1e200]])
    right = np.array([math.erf(v) for v in x])
    assert np.max(np.abs(erf(x) - right)) < 3e-16
    assert np.all(np.abs(erf(x) - right) <= 6e-16 * np.abs(right))
    short = np.clip(x, -1e30, 1e30).astype(np.float32)  # its own values, of which math.erf tells to doubles
    assert np.all(np.abs(erf(short) - [math.erf(v) for v in short]) <= 4e-7 * np.abs(right) + 1e-45)
    many = np.resize(x, (3, 9000)).T  # more than one part, and not one after the other in memory
    assert np.array_equal(erf(many), np.resize(erf(x), (3, 9000)).T)
    assert np.array_equal(sigmoid(np.array([-1e4, 0.0, 1e4])), [0, 0.5, 1])
    assert math.isclose(sigmoid(np.array([-40.0]))[0], math.exp(-40), rel_tol=1e-15)


def test_a_loss_beyond_the_range_of_exponentials():
    Z = np.array([[2000.0, 0.0, -np.inf], [-1e300, 1e300, 0.0]])
    assert np.array_equal(token_losses(Z, (1, 0)), [[2000.0], [2e300]])
