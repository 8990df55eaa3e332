"""Sums of roots against SymPy and against many digits."""

import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, sqrt

from symattn.values.exact.surd_matrices import SurdMatrix
from symattn.values.exact.surds import Surd

numbers = st.lists(
    st.tuples(st.fractions(-9, 9, max_denominator=9), st.sampled_from([1, 2, 3, 5, 6, 7, 10])), max_size=4
).map(lambda pairs: sympy.Add(*[Rational(c.numerator, c.denominator) * sqrt(r) for c, r in pairs]))


@settings(max_examples=60, deadline=None)
@given(numbers, numbers)
def test_arithmetic_is_sympys(x, y):
    a, b = Surd.read(x), Surd.read(y)
    assert a.to_sympy() == x
    assert a.minus(b).to_sympy() == sympy.expand(x - y)
    assert Surd.read(x * y).to_sympy() == sympy.expand(x * y)
    assert Surd.read((x + 1) ** 3).to_sympy() == sympy.expand((x + 1) ** 3)
    assert a.sign() == mpmath.sign(sympy.N(x, 60)) if x else a.sign() == 0


def test_sign_of_what_nearly_cancels():
    # convergents p/q of √2 alternate around it, 1/q² away
    p, q = 1, 1
    for k in range(400):
        expected = -1 if k % 2 == 0 else 1
        assert Surd.read(Rational(p, q) - sqrt(2)).sign() == expected == (1 if p * p > 2 * q * q else -1)
        p, q = p + 2 * q, p + q
    close = sqrt(2) + sqrt(3) - Rational(31462643699419723423, 10**19)
    assert Surd.read(close).sign() == mpmath.sign(sympy.N(close, 80))


@pytest.mark.parametrize(
    "x", [sympy.pi, sympy.E, sqrt(sqrt(2)), sqrt(1 + sqrt(2)), sympy.Symbol("x"), sympy.oo, 1 / (1 + sqrt(2))]
)
def test_what_is_no_sum_of_roots(x):
    assert Surd.read(x) is None


def test_many_factors_are_read_without_writing_them_out():
    product = sympy.Mul(*[1 + sqrt(p) for p in (2, 3, 5, 7, 11, 13, 17)])
    assert len(Surd.read(product).terms) == 128
    assert Surd.read(sympy.Mul(*[1 + sqrt(sympy.prime(k)) for k in range(1, 40)])) is None


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(numbers, min_size=4, max_size=4), st.lists(numbers, min_size=4, max_size=4))
def test_matrix_product_is_sympys(x, y):
    a, b = (SurdMatrix.read([m[:2], m[2:]]) for m in (x, y))
    right = sympy.Matrix(2, 2, x) * sympy.Matrix(2, 2, y)
    assert a.matmul(b).to_sympy() == right.applyfunc(sympy.expand)
    assert a.transpose().to_sympy() == sympy.Matrix(2, 2, x).T
