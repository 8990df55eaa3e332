"""Two layers with their loss: fifty digits, and every gradient by differences at sixty, all by code of its own."""

import itertools
import random
from fractions import Fraction
from functools import cache

import pytest
from sympy import MatrixSymbol

from symattn import (
    CausalMask,
    CrossEntropy,
    Embedding,
    FeedForward,
    LayerNorm,
    LearnedPositions,
    MultiHead,
    Residual,
    WithPositions,
    derive,
    differentiate,
)
from symattn.errors import NotSupportedError
from symattn.nodes import Part
from tests.values.stacks import HEADS, LABELS, TOKENS, Stack, shapes


def stated(layers, activation):
    """The same stack as nodes."""
    P = {name: MatrixSymbol(name, *shape) for name, shape in shapes(layers).items()}
    X = WithPositions(Embedding(P["E"], TOKENS), LearnedPositions(P["P"], len(TOKENS)))
    for k in range(1, layers + 1):
        p = {name.partition("^")[0]: W for name, W in P.items() if name.endswith(f"^(layer{k})")}
        N = LayerNorm(X, p["g_1"], p["c_1"])
        weights = {name: p[name] for name in ("W_Q", "W_K", "W_V", "W_O")}
        H = Residual(X, MultiHead(N, heads=HEADS, mask=CausalMask(), **weights))
        N = LayerNorm(H, p["g_2"], p["c_2"])
        X = Part(Residual(H, FeedForward(N, p["W_1"], p["W_2"], p["b_1"], p["b_2"], activation)), f"layer{k}")
    return CrossEntropy(LayerNorm(X, P["g"], P["c"]) * P["W_U"], LABELS)


def numbers(layers):
    pick = random.Random(layers)
    return {
        name: [[Fraction(pick.choice((-1, 1)) * pick.randint(1, 9), 8) for _ in range(columns)] for _ in range(rows)]
        for name, (rows, columns) in shapes(layers).items()
    }


@cache
def derived(layers, activation):
    """A stack with its numbers, whose exact values are made once."""
    return derive(stated(layers, activation), numbers(layers))


def in_mpmath(mp, given):
    return {name: [[mp.mpf(x.numerator) / x.denominator for x in row] for row in rows] for name, rows in given.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("layers", "activation"), [(2, "gelu"), (1, "gelu-tanh"), (1, "silu"), (1, "relu")])
def test_the_loss_has_fifty_right_digits(layers, activation):
    given = numbers(layers)
    own = Stack(70, activation)
    right = own.loss(in_mpmath(own.mp, given), layers)
    found = derived(layers, activation)["loss"].evaluate(50)[0, 0]
    assert abs(own.mp.mpf(str(found)) - right) < own.mp.mpf(10) ** -49 * abs(right)


@pytest.mark.slow
@pytest.mark.parametrize(("layers", "activation"), [(2, "gelu"), (1, "gelu-tanh"), (1, "silu"), (1, "relu")])
def test_every_gradient_equals_differences_to_twenty_digits(layers, activation):
    """By each parameter along a direction through all entries; differences at sixty digits have thirty right."""
    given = numbers(layers)
    own = Stack(60, activation)
    values = in_mpmath(own.mp, given)
    back = differentiate(derived(layers, activation), G=[[1]])
    by = {str(step.step.by): step for step in back if step.step.by is not None and step.step.by in back.inputs}
    assert by.keys() == given.keys()
    pick = random.Random(5)
    for name, rows in given.items():
        gradient = by[name].evaluate(25)
        along = [[own.mp.mpf(pick.choice((-1, 1)) * pick.randint(1, 9)) / 8 for _ in row] for row in rows]
        difference = own.slope(values, layers, name, along)
        found = own.mp.fdot(itertools.chain(*along), map(own.mp.mpf, map(str, gradient)))
        assert abs(found - difference) <= own.mp.mpf(10) ** -20 * max(1, abs(difference)), name


@pytest.mark.slow
def test_what_has_a_closed_form_keeps_it_and_what_is_too_long_is_not_written():
    d = derived(1, "gelu")
    assert d["layer1.head_1.weights"].exact.shape == (4, 4)
    assert d["layer1.residual"].exact.shape == (4, 8)  # the first attention's averages beside what came in
    with pytest.raises(NotSupportedError, match="too many terms"):
        d["loss"].exact  # noqa: B018
    page = d.to_markdown()
    assert "## 3" in page and r"\approx" in page
    assert d.to_json(digits=20)["steps"][-1]["value"] is None
    assert d["loss"].to_latex(digits=12).count(r"\approx") == 1


@pytest.mark.slow
def test_what_is_0_by_the_mask_alone_is_0_though_nothing_is_written():
    """Each row of a causal softmax of one key has weight 1 and gradient 0, whatever the scores."""
    back = differentiate(derived(2, "gelu"), G=[[1]])
    for name in ("layer2.head_1.weights", "layer2.head_2.dS"):
        found = back[name].evaluate(50)
        assert found[0, 0] == (1 if name.endswith("weights") else 0)
        assert all(found[i, j] == 0 for i in range(4) for j in range(i + 1, 4))
