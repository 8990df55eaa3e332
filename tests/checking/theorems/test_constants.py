"""Numbers in a statement that have several forms: what algebra does not find equal is not different for that."""

from __future__ import annotations

import pytest
import sympy
from sympy import Matrix, MatrixSymbol, Rational, cos, log, pi, sqrt, symbols

from symattn import Softmax, prove

pytestmark = pytest.mark.slow

n, m, d = symbols("n m d", integer=True, positive=True)
Q, Z = MatrixSymbol("Q", n, d), MatrixSymbol("Z", n, m)

LOGARITHMS = [
    (log(4) * Q, 2 * log(2) * Q),
    ((log(n) + log(m)) * Z, log(n * m) * Z),
    (log(n**2) * Q, 2 * log(n) * Q),
    (log(12) * Q, (2 * log(2) + log(3)) * Q),
    (log(8) / log(2) * Q, 3 * Q),
    (log(1 / n) * Q, -log(n) * Q),
]


@pytest.mark.parametrize(("left", "right"), LOGARITHMS)
def test_logarithms_of_positive_numbers_come_apart(left: sympy.Expr, right: sympy.Expr) -> None:
    assert prove(left, right).status == "proven"


HEPTAGON = cos(pi / 7) + cos(3 * pi / 7) + cos(5 * pi / 7)  # 1/2
TRUE = [
    (Matrix([[sqrt(3 + 2 * sqrt(2))]]), Matrix([[1 + sqrt(2)]])),
    (sqrt(n + m + 2 * sqrt(n * m)) * Z, (sqrt(n) + sqrt(m)) * Z),
    (HEPTAGON * Q, Q / 2),
]


@pytest.mark.parametrize(("left", "right"), TRUE)
def test_equal_numbers_of_different_forms_refute_nothing(left: sympy.Expr, right: sympy.Expr) -> None:
    assert prove(left, right, seed=1).status in ("tried", "proven")


def test_numbers_that_differ_a_little_refute() -> None:
    assert prove(HEPTAGON * Q, (Rational(1, 2) + Rational(1, 10**20)) * Q).status == "refuted"
    assert prove(log(12) * Q, (2 * log(2) + log(5)) * Q).status == "refuted"
    assert prove(log(3) * Softmax(Z), Softmax(Z)).status == "refuted"


def test_numbers_that_differ_in_their_last_of_many_digits_refute() -> None:
    """√(10^120 + 7) and √(10^120 + 9): some 10^-60 apart, of 60 digits before the point."""
    near, by = sympy.Integer(10) ** 120, sqrt(3 + 2 * sqrt(2)) - sqrt(2)
    assert prove(sqrt(near + 7) * by * Q, sqrt(near + 9) * Q).status == "refuted"
