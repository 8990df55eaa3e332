"""Proven digits against mpmath at far higher precision; ties, zeros, tiny and huge numbers; no global state."""

from decimal import Decimal
from fractions import Fraction

import flint
import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import E, MatrixSymbol, Rational, S, exp, sqrt

from symattn import Attention, Concat, RotaryEmbedding, Softmax, derive
from symattn.errors import NotSupportedError
from symattn.values.decimals import Bounds, nearest_significant, nearest_to_fraction
from symattn.values.enclosures import bounds, enclose, precision
from symattn.values.exact.exponential_field import is_zero


def reference(logits, digits):
    """softmax of one row, at 3N + 50 digits."""
    context = mpmath.MPContext()
    context.dps = 3 * digits + 50
    top = max(context.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in logits)
    powers = [context.exp(context.mpf(Fraction(x).numerator) / Fraction(x).denominator - top) for x in logits]
    return context, [p / context.fsum(powers) for p in powers]


def one_row(logits):
    Z = MatrixSymbol("Z", 1, len(logits))
    return derive(Softmax(Z), {Z: [[str(x) for x in logits]]})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.fractions(-40, 40, max_denominator=50), min_size=2, max_size=4, unique=True), st.integers(1, 60))
def test_nearest_digits(logits, digits):
    context, truth = reference(logits, digits)
    for printed, true in zip(one_row(logits).values.nearest("weights", digits)[0], truth, strict=True):
        assert len(printed.as_tuple().digits) == digits
        unit = context.mpf(10) ** printed.as_tuple().exponent
        assert abs(context.mpf(str(printed)) - true) <= unit / 2


@pytest.mark.parametrize("gap", [30, 430, 10_000])
@pytest.mark.parametrize("digits", [1, 7, 40])
def test_tiny_and_nearly_one(gap, digits):
    context, (large, tiny) = reference([gap, 0], digits + gap // 2)
    got = one_row([gap, 0]).values.nearest("weights", digits)[0]
    for printed, true in zip(got, (large, tiny), strict=True):
        assert abs(context.mpf(str(printed)) - true) <= context.mpf(10) ** printed.as_tuple().exponent / 2


def test_digits_that_are_all_nines():
    (one, _) = one_row([60, 0]).values.nearest("weights", 30)[0]
    # 1/(1 + e^-60), e^-60 = 8.756510762696520e-27
    assert str(one) == "0.999999999999999999999999991243"


def test_far_beyond_what_is_written_out():
    # log10(e^-10^8) = -43429448.19032518...: 10^0.80967482 = 6.4517...
    context = mpmath.MPContext()
    context.dps = 60
    (_, tiny) = one_row([10**8, 0]).values.nearest("weights", 12)[0]
    true = context.exp(-(10**8))
    assert abs(context.mpf(str(tiny)) / true - 1) < context.mpf(10) ** -11
    with pytest.raises(NotSupportedError):
        one_row([10**30, 0]).values.nearest("weights", 5)


def test_ties_go_away_from_zero():
    weights = one_row([7] * 8).values
    assert weights.nearest("weights", 2)[0][0] == Decimal("0.13")
    assert weights.nearest("weights", 3)[0][0] == Decimal("0.125")
    assert one_row([3, 3]).values.nearest("weights", 4)[0] == [Decimal("0.5000")] * 2
    for k in range(1, 8):
        expected = [nearest_to_fraction(Fraction(1, 2**k), digits=k)] * 2**k
        assert one_row([1] * 2**k).values.nearest("weights", k)[0] == expected
    assert nearest_significant(Bounds(-1, -1, -3), 2) == Decimal("-0.13")
    assert nearest_to_fraction(Fraction(-1, 8), digits=2) == Decimal("-0.13")


@settings(max_examples=100, deadline=None)
@given(st.fractions(max_denominator=10**6), st.integers(1, 30))
def test_nearest_to_a_fraction(x, digits):
    printed = nearest_to_fraction(x, digits=digits)
    if x:
        assert len(printed.as_tuple().digits) == digits
        assert abs(Fraction(printed) - x) * 2 <= Fraction(10) ** printed.as_tuple().exponent
    else:
        assert printed == 0


def test_zero_in_disguise_is_zero():
    Z, B, C = MatrixSymbol("Z", 2, 2), MatrixSymbol("B", 2, 2), MatrixSymbol("C", 2, 2)
    same = {Z: [[0, 1], [1, "1/2"]], B: [[1, 2], [3, 4]], C: [[1, 2], [3, 4]]}
    d = derive(Softmax(Z) * B - Softmax(Z) * C, same)
    assert d.values.nearest("output", 9) == [[0, 0], [0, 0]]
    tie = derive(Softmax(Z) * B + Softmax(Z) * C, same | {B: [[1, 2], [3, "1/8"]], C: [["-7/8", 0], ["-23/8", "15/8"]]})
    assert tie.values.nearest("output", 2)[0][0] == Decimal("0.13")  # exactly 1/8


def test_more_digits_than_python_writes_integers_of():
    value = one_row([1, 0])["weights"].evaluate(6000)
    context = mpmath.MPContext()
    context.dps = 6100
    assert abs(context.mpf(value[0, 0]) - context.e / (1 + context.e)) < context.mpf(10) ** -5999


def test_no_global_precision_is_touched():
    before = mpmath.mp.dps, mpmath.mp.prec, flint.ctx.prec
    d = one_row([1, 0])
    value = d["weights"].evaluate(50)
    assert (mpmath.mp.dps, mpmath.mp.prec, flint.ctx.prec) == before
    assert value[0, 0].context is not mpmath.mp and value[0, 0].context.dps == 50
    with pytest.raises(NotSupportedError):
        derive(Softmax(MatrixSymbol("Z", 1, 2)), {"Z": [[sympy.zeta(3), 0]]})["weights"].evaluate(5)
    assert (mpmath.mp.dps, mpmath.mp.prec, flint.ctx.prec) == before


@pytest.mark.parametrize("bits", [64, 128, 500])
@pytest.mark.parametrize("logits", [[1, 2, 3], [10_000, 9_999, 0], ["-1/3", "2/7", "0"], [-10_000, 10_000, 5]])
def test_balls_contain_the_truth(bits, logits):
    context, truth = reference(logits, 400)
    for ball, true in zip(one_row(logits).values.balls("weights", bits).rows[0], truth, strict=True):
        ends = bounds(ball)
        assert ends.low * context.mpf(2) ** ends.exponent <= true * (1 + context.mpf(10) ** -1000)
        assert ends.high * context.mpf(2) ** ends.exponent >= true * (1 - context.mpf(10) ** -1000)


@pytest.mark.parametrize(
    "x", [sqrt(2) - 1, exp(sqrt(3)) / 7, sympy.pi * E, sympy.tanh(Rational(1, 3)), sympy.log(5) ** 3]
)
def test_enclosures_of_numbers(x):
    with precision(100):
        ends = bounds(enclose(x))
    low, high = (sympy.Rational(e) * S(2) ** ends.exponent for e in (ends.low, ends.high))
    assert low < x < high and (high - low) < Rational(1, 10**20)


e = exp(sqrt(2))
E_2 = sympy.Pow(E, 2, evaluate=False)  # a power, which SymPy takes for an exponential
ZERO = [
    ((e + 1) ** 2 - e**2 - 2 * e - 1, True),
    (e - 4, False),
    (E - E * 1, True),
    ((1 + E) * E - E - exp(2), True),
    (E - 3, False),
    (sympy.Add(E_2, -exp(2), evaluate=False), True),
    (sympy.Add(E_2, -exp(E), evaluate=False), None),
    (E / (1 + E) + 1 / (1 + E) - 1, True),
    (sympy.tanh(1) - (exp(2) - 1) / (exp(2) + 1), True),
    (sqrt(2) + sqrt(3) - sqrt(5), False),
    (exp(exp(2)), None),
    (sympy.log(2), None),
    (1 / ((1 + E) * E - E - exp(2)), None),
    (S(0), True),
    (Rational(1, 10**40), False),
    ((sqrt(2) - 1) * (sqrt(2) + 1) - 1, True),
]


@pytest.mark.parametrize(("value", "zero"), ZERO, ids=lambda x: str(x)[:30])
def test_zero_is_decided_by_algebra(value, zero):
    assert is_zero(value) is zero


def test_hidden_entries_stay_hidden_beside_others():
    Z, B = MatrixSymbol("Z", 1, 2), MatrixSymbol("B", 1, 2)
    got = derive(Softmax(Concat(Z, B)), {Z: [[1, 0]], B: [["-inf", "exp(1)"]]}).values.nearest("weights", 20)[0]
    context = mpmath.MPContext()
    context.dps = 60
    powers = [context.e, context.mpf(1), context.mpf(0), context.exp(context.e)]
    for printed, p in zip(got, powers, strict=True):
        assert abs(context.mpf(str(printed)) - p / sum(powers)) <= context.mpf(10) ** -20


@pytest.mark.parametrize("name", "QKV")
def test_minus_infinity_is_refused_in_products(name):
    Q, K, V = (MatrixSymbol(x, 2, 2) for x in "QKV")
    given_ = {x: [[1, 0], [0, 1]] for x in "QKV"} | {name: [["-inf", 1], [0, 1]]}
    for ask in (lambda d: d["output"].exact, lambda d: d["output"].evaluate(5)):
        with pytest.raises(ValueError, match=r"(scores|output): −∞ at row 1, column 1"):
            ask(derive(Attention(Q, K, V), given_))


def test_minus_infinity_times_a_negative_is_refused():
    Q, B = MatrixSymbol("Q", 2, 2), MatrixSymbol("B", 2, 2)
    given_ = {Q: [[1, 0], [0, 1]], B: [["-inf", 1], [0, 1]]}
    for bias in (-B, 0 * B + -2 * B):
        with pytest.raises(ValueError, match="−∞"):
            derive(Attention(Q, Q, Q, bias=bias), given_)["weights"].evaluate(5)
    assert derive(Attention(Q, Q, Q, bias=2 * B), given_)["weights"].exact[0, 0] == 0


def test_what_is_proven_to_be_an_integer_is_shown_as_one() -> None:
    """cos² 1 + sin² 1 = 1, though no closed form says so; a number close to 1 is not 1."""
    turned = RotaryEmbedding(MatrixSymbol("X", 2, 2))
    square = derive(turned * turned.T, {MatrixSymbol("X", 2, 2): [[1, 0], [1, 0]]})
    assert "[   1  0.54]" in square.to_text() or "1  0.54" in square.to_text()
    assert "1.00" not in square.to_text()
    close = Softmax(MatrixSymbol("Z", 1, 2))
    assert "1 − 2.06 × 10⁻⁹" in derive(close, {MatrixSymbol("Z", 1, 2): [[20, 0]]}).to_text()
