"""Sparsemax, entmax-1.5 and sigmoid weights: against bisection in mpmath, finite differences, and by hand."""

from __future__ import annotations

import random

import mpmath
import numpy as np
import pytest
from sympy import Matrix, MatrixSymbol, Rational, log, oo, sqrt, symbols

from symattn import (
    Attention,
    Entmax,
    InputError,
    MultiHead,
    NotSupportedError,
    OnlineAttention,
    ShapeError,
    Weighting,
    derive,
    differentiate,
    lower,
)
from symattn.nodes import CausalMask, PaddingMask, SoftCapped, find_threshold

n, m, d = symbols("n m d_k", integer=True, positive=True)
S = MatrixSymbol("S", n, m)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d)
W = MatrixSymbol("W", d, 4)
DRAW = random.Random(16)
KINDS = {"sparsemax": (2, 1), "entmax-1.5": (Rational(3, 2), 2)}
kinds = pytest.mark.parametrize("kind", KINDS)


def bisect(row, power, digits=60):
    """Weights max(z/p − τ, 0)^p, with τ between the largest z/p − 1 and the largest z/p, by halving."""
    context = mpmath.MPContext()
    context.dps = digits
    shares = [context.mpf(x.p) / x.q / power if isinstance(x, Rational) else x / power for x in row]
    low, high = max(shares) - 1, max(shares)
    for _ in range(4 * digits):
        middle = (low + high) / 2
        more = sum(max(x - middle, 0) ** power for x in shares) > 1
        low, high = (middle, high) if more else (low, middle)
    return [max(x - low, 0) ** power for x in shares]


def drawn(rows, columns, below=6):
    return [[Rational(DRAW.randint(-9, 9), DRAW.randint(1, below)) for _ in range(columns)] for _ in range(rows)]


@kinds
def test_thirty_digits_are_those_of_a_bisection(kind):
    alpha, power = KINDS[kind]
    rows = drawn(30, 6)
    found = derive(Entmax(S, alpha), {S: rows})["weights"].evaluate(30).tolist()
    for row, weights in zip(rows, found, strict=True):
        for weight, wanted in zip(weights, bisect(row, power), strict=True):
            assert abs(wanted - weight) <= wanted * 1e-29


@kinds
def test_digits_of_what_has_no_short_closed_form(kind):
    """Logits that are 2 tanh(s/2): the threshold is enclosed."""
    alpha, power = KINDS[kind]
    rows = [[1, 2, 3], [0, 0, 5]]
    found = derive(Entmax(SoftCapped(S, 2), alpha), {S: rows})
    context = mpmath.MPContext()
    context.dps = 60
    for row, made in zip(rows, found["weights"].evaluate(25).tolist(), strict=True):
        wanted = bisect([2 * context.tanh(context.mpf(x) / 2) for x in row], power)
        assert all(abs(y - x) <= y * 1e-24 for x, y in zip(made, wanted, strict=True))


def test_closed_forms_by_hand():
    sparse = derive(Entmax(S), {S: [[1, Rational(1, 2), -1]]})
    assert (sparse["threshold"].exact, sparse["weights"].exact) == (
        Matrix([Rational(1, 4)]),
        Matrix([[Rational(3, 4), Rational(1, 4), 0]]),
    )
    # z/2 = 1/2, 0, 1: the mean of the two above is 3/4, their squared deviations sum to 1/8
    squared = derive(Entmax(S, Rational(3, 2)), {S: [[1, 0, 2]]})
    assert squared["threshold"].exact == Matrix([Rational(3, 4) - sqrt(7) / 4])


def test_a_logit_on_the_threshold_has_weight_zero():
    found = derive(Entmax(S), {S: [[2, 1, 0], [sqrt(2), sqrt(2) - 1, 0]]})["weights"].exact
    assert found == Matrix([[1, 0, 0], [1, 0, 0]])


def test_support_is_listed_from_the_largest():
    assert find_threshold([Rational(1, 2), -oo, Rational(1), Rational(-3)], 1).support == (2, 0)


@kinds
def test_lowered_as_proven(kind):
    rows = [[float(x) for x in row] for row in drawn(20, 7)]
    f = lower(Entmax(S, KINDS[kind][0]))
    wanted = derive(Entmax(S, KINDS[kind][0]), {S: rows})["weights"].evaluate(17).tolist()
    np.testing.assert_allclose(f(S=np.array(rows)), np.array(wanted, float), rtol=0, atol=2e-16 * 8)
    single = f(S=np.array(rows, np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, np.array(wanted, float), rtol=0, atol=2e-6)


@kinds
@pytest.mark.parametrize("shift", [2.0**20, -(2.0**20), 2.0**50])
def test_a_shift_of_all_logits_changes_little(kind, shift):
    f = lower(Entmax(S, KINDS[kind][0]))
    np.testing.assert_allclose(f(S=np.array([[0.0, 1.0, -1.0]]) + shift), f(S=np.array([[0.0, 1.0, -1.0]])), atol=1e-12)


@pytest.mark.parametrize("style", ["plain", "fast"])
def test_hidden_keys_take_nothing_and_give_nothing(style):
    expression = Attention(Q, K, V, mask=PaddingMask(2), weighting="sparsemax")
    q, k, v = (np.array(x, float) for x in ([[1, 2]], [[1, 0], [0, 1], [9, 9]], [[1, 2], [3, 4], [np.nan, np.inf]]))
    second = (1 + 1 / np.sqrt(2)) / 2  # scores 1/√2 and √2
    with np.errstate(invalid="ignore"):
        found = lower(expression, style=style)(Q=q, K=k, V=v)
    np.testing.assert_allclose(found, [[1 + 2 * second, 2 + 2 * second]])


def test_a_row_that_sees_nothing():
    expression = Attention(Q, K, V, mask=CausalMask(-1), weighting="entmax-1.5")
    values = {x: [[1, 2], [3, 4]] for x in (Q, K, V)}
    with pytest.raises(InputError, match="row 1"):
        derive(expression, values)["weights"].evaluate(5)
    arrays = {x.name: np.array(rows, float) for x, rows in values.items()}
    assert not lower(expression)(**arrays)[0].any()
    sigmoid = derive(Attention(Q, K, V, mask=CausalMask(-1), weighting="sigmoid"), values)
    assert sigmoid["output"].exact.row(0) == Matrix([[0, 0]])


@pytest.mark.parametrize("weighting", [*KINDS, "sigmoid", Weighting("sigmoid", -log(m))])
def test_gradients_are_differences(weighting):
    expression = Attention(Q, K, V, weighting=weighting, scale=Rational(1, 2))
    rng = np.random.default_rng(5)
    arrays = {x: rng.normal(size=(4, 3)) for x in "QKV"}
    upstream, step = rng.normal(size=(4, 3)), 1e-6
    back, f = lower(expression, gradient=True)(**arrays, G=upstream), lower(expression)
    for x in "QKV":
        for at in np.ndindex(4, 3):
            ends = []
            for h in (step, -step):
                moved = arrays[x].copy()
                moved[at] += h
                ends.append(float(np.sum(upstream * f(**{**arrays, x: moved}))))
            assert abs((ends[0] - ends[1]) / (2 * step) - back[f"d{x}"][at]) < 1e-7


def test_the_jacobian_of_sparsemax_by_hand():
    """Two keys above the threshold: dZ = G − mean(G) there, and 0 elsewhere (Martins and Astudillo, section 2.5)."""
    back = differentiate(derive(Entmax(S), {S: [[1, 1, -5]]}), G=[[3, 1, 8]])
    assert back["dS"].exact == Matrix([[1, -1, 0]])


def test_of_sigmoid_by_hand():
    b = MatrixSymbol("b", 1, 1)
    made = derive(Attention(Q, K, V, weighting=Weighting("sigmoid", b)), {Q: [[0]], K: [[1]], V: [[2]], b: [[0]]})
    back = differentiate(made, G=[[1]])
    assert made["output"].exact == Matrix([[1]])  # half of 2
    assert back["db"].exact == Matrix([[Rational(1, 2)]])  # 2 a(1 − a)


def test_off_by_one_is_a_sink_of_zero():
    assert Attention(Q, K, V, weighting="softmax-off-by-one") == Attention(Q, K, V, sink=0)
    assert Attention(Q, K, V, weighting="softmax") == Attention(Q, K, V)


def test_log_sums_are_of_exponentials():
    with pytest.raises(InputError, match="lse"):
        lower(Attention(Q, K, V, weighting="sparsemax"), outputs=("output", "lse"))


@pytest.mark.parametrize(
    ("refused", "match"),
    [
        (lambda: Attention(Q, K, V, weighting="hardmax"), "hardmax"),
        (lambda: Attention(Q, K, V, weighting="sparsemax", sink=0), "sink"),
        (lambda: Attention(Q, K, V, weighting="softmax-off-by-one", sink=1), "sink"),
        (lambda: Attention(Q, K, V, weighting="sigmoid", empty_row="uniform"), "empty_row"),
        (lambda: Weighting("sparsemax", 1), "sparsemax"),
        (lambda: Entmax(S, 3), "3"),
        (lambda: OnlineAttention(Q, K, V, weighting="sparsemax"), "sparsemax"),
        (lambda: MultiHead(K, heads=2, W_Q=W, W_K=W, W_V=W, sink=[0, 1], weighting="sigmoid"), "sink"),
    ],
)
def test_refusals_name_what(refused, match):
    with pytest.raises(InputError, match=match):
        refused()


def test_a_bias_of_sigmoid_is_one_number():
    with pytest.raises(ShapeError):
        Weighting("sigmoid", MatrixSymbol("b", 1, 2))


def test_slopes_of_slopes_are_not_told():
    once = differentiate(derive(Entmax(S)))
    with pytest.raises(NotSupportedError):
        differentiate(once)


def test_a_second_gradient_of_entmax_is_refused():
    q, k, v = (MatrixSymbol(x, 2, 2) for x in "QKV")
    once = differentiate(derive(Attention(q, k, v, weighting="entmax-1.5")), [q])
    with pytest.raises(NotSupportedError, match="no gradient is known for"):
        differentiate(once, [q], of="dQ")
