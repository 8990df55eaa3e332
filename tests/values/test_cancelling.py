"""Digits of what is left where large terms cancel, and zeros that only algebra sees."""

import mpmath
import sympy
from sympy import MatrixSymbol, Rational, exp, sqrt, symbols

from symattn import Attention, CausalMask, FiniteMask, derive, differentiate
from symattn.nodes import as_qk_norm, prepare
from symattn.values import valuation
from symattn.values.exact.exponential_field import collect, is_zero
from tests.samples import derived

n, m, d = symbols("n m d", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d)
QUERIES, KEYS = [[1, 2], [3, 1], [1, 1]], [[1, 0], [2, 1], [1, 1], [0, 1]]
VALUES = [[1, 0], [0, 1], [2, 1], [1, 3]]
G = [[1, 2], [3, 4], [1, 1]]


def test_a_gradient_through_weights_that_a_finite_mask_leaves():
    masked = Attention(Q, K, V, mask=FiniteMask(CausalMask()))
    back = differentiate(derive(masked, {Q: [[1, 2], [3, 1]], K: [[0, 1], [2, 1]], V: [[1, 0], [0, 1]]}), G=G[:2])
    found = back["dS"].evaluate(20)
    with mpmath.workdps(60):  # scores 2 and 4: the second weight of row 1 is e, and dS = ±e (1 - e) (1 - 2)
        e = mpmath.exp(mpmath.sqrt(2) - 10**9)
        e = e / (1 + e)
        assert abs(found[0, 0] / -(e * (1 - e)) - 1) < 1e-19 and abs(found[0, 1] / (e * (1 - e)) - 1) < 1e-19


def test_gradients_by_rows_that_lie_on_an_axis():
    """The gradient by a row is at a right angle to it, since only its direction counts: 0 where the row is not."""
    norm = as_qk_norm("rms")
    expression = Attention(prepare(Q, "Q", sympy.S.false, norm), prepare(K, "K", sympy.S.false, norm), V)
    back = differentiate(derive(expression, {Q: QUERIES, K: KEYS, V: VALUES}), G=G)
    found, digits = back["dK"].evaluate(30), {}
    with mpmath.workdps(60):
        for row, key in enumerate(KEYS):
            assert abs(sum(x * k for x, k in zip(found.tolist()[row], key, strict=True))) < mpmath.mpf(10) ** -29
        for at in ((0, 0), (3, 1)):
            assert found[at] == 0
        for at in ((0, 1), (1, 0), (3, 0)):  # a central difference with 60 digits
            step = mpmath.mpf(10) ** -20
            digits[at] = (_loss(at, step) - _loss(at, -step)) / (2 * step)
            assert abs(found[at] / digits[at] - 1) < 1e-25


def _loss(at, step):
    keys = [[mpmath.mpf(x) for x in row] for row in KEYS]
    keys[at[0]][at[1]] += step
    total = mpmath.mpf(0)
    unit = [[x / mpmath.sqrt(sum(y * y for y in row) / 2) for x in row] for row in keys]
    for query, gradient in zip(QUERIES, G, strict=True):
        size = mpmath.sqrt(mpmath.mpf(sum(x * x for x in query)) / 2)
        weights = [
            mpmath.exp(sum(q * k for q, k in zip(query, key, strict=True)) / size / mpmath.sqrt(2)) for key in unit
        ]
        for weight, value in zip(weights, VALUES, strict=True):
            total += weight / sum(weights) * sum(g * v for g, v in zip(gradient, value, strict=True))
    return total


def test_sums_of_quotients_with_different_denominators():
    a, b = 1 + exp(sqrt(2)) + exp(sqrt(3)), 1 + exp(Rational(1, 3)) + exp(sqrt(5))
    value = sqrt(2) * (sqrt(2) * exp(2) / a**2 + 3 / b**2) - 2 * exp(2) / a**2 - 3 * sqrt(2) / b**2
    assert is_zero(value) is True
    assert is_zero(value + exp(-40) / a) is False
    assert is_zero(sqrt(2) * (1 / a + 1) - sqrt(2)) is False


def test_what_is_left_has_no_large_terms():
    e = exp(sympy.Integer(-(10**9)))
    left = collect(1 / (1 + e) + e - 1)
    assert sympy.simplify(left - e**2 / (1 + e)) == 0
    assert collect(exp(exp(2))) is None


def test_what_algebra_proves_is_asked_once(monkeypatch):
    """cos² 1 + sin² 1 is 1 to two places and to five; a page asks for each of its numbers many times."""
    asked = []
    monkeypatch.setattr(valuation, "is_zero", lambda left: asked.append(left) or is_zero(left))
    made = derive(Attention(Q, K, V), {Q: [[1, 0]], K: [[0, 0]], V: [[sympy.cos(1) ** 2 + sympy.sin(1) ** 2, 0]]})
    output = made.program.steps[-1].name
    shown = [str(made.values.shown(output, 0, 0, places=places).number) for places in (2, 3, 4, 5, 2)]
    assert shown == ["1"] * 5 and len(asked) == 1


SHARED = """[inputs]
E = [[1, 0, 2, 1], [0, 2, 1, -1], [2, 1, 0, 1], [1, 1, -1, 0]]
[stack]
ids = [0, 2]
positions = "sinusoidal"
norm = "rms"
[[layer]]
heads = 2
kv_heads = 1
rope = true
mask = "causal"
W_Q = [[1, 0, 1, 1], [0, 1, -1, 0], [1, 1, 0, 1], [0, -1, 1, 0]]
W_K = [[0, 1], [1, 0], [-1, 1], [0, 1]]
W_V = [[1, 0], [0, 1], [1, -1], [0, 1]]
W_O = [[1, 0, 1, 0], [0, 1, 0, -1], [1, 1, 0, 0], [0, 0, 1, 1]]
"""


def test_a_value_that_two_heads_pass_on_cancels():
    """Row 1 of both heads is that of their common values, (v₁, v₂): Y₁₄ is −v₂ + v₂, whatever these are."""
    derivation = derived(SHARED)
    assert derivation["layer1.projection"].evaluate(10)[0, 3] == 0
    assert "is not proven" not in derivation.to_text()
