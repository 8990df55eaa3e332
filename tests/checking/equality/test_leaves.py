"""What sums are made of: numbers, functions of numbers, explicit matrices and masks, against arithmetic by hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import (
    ImmutableMatrix,
    Matrix,
    MatrixSymbol,
    OneMatrix,
    Rational,
    ZeroMatrix,
    cos,
    exp,
    eye,
    log,
    sin,
    sqrt,
    symbols,
    tanh,
)

from symattn import Attention, CausalMask, HideMask, KeepMask, PaddingMask, TopKMask, WindowMask
from symattn.checking.equality.decide import equal
from symattn.checking.equality.indices import Undecided
from symattn.checking.equality.normal_form import NormalForms
from symattn.checking.equality.numbers import number_of
from symattn.checking.equality.terms import LARGEST_FACTORED, prime_powers
from symattn.nodes import (
    AtBuckets,
    BucketSums,
    GridBuckets,
    Plus,
    RelativeBias,
    RowBucketSums,
    TurnedBuckets,
    Where,
    clipped_buckets,
)

n, d = symbols("n d", integer=True, positive=True)
x, y = symbols("x y", real=True)


def same(left: sympy.Expr, right: sympy.Expr) -> bool:
    """Whether two numbers have one normal form."""
    algebra = NormalForms()
    known = {x: algebra.scalar("x")}
    return number_of(left, known, algebra).key == number_of(right, known, algebra).key


def test_numbers_are_products_of_powers_of_primes() -> None:
    assert {atom.name: power for atom, power in prime_powers(Fraction(360, 49))} == {"2": 3, "3": 2, "5": 1, "7": -2}
    large = LARGEST_FACTORED + 1  # not taken apart, and still a positive number
    ((atom, power),) = prime_powers(Fraction(1, large))
    assert (atom.name, power, atom.positive) == (str(large), -1, True)
    assert all(atom.positive for atom, _ in prime_powers(Fraction(6)))
    assert {atom.name: power for atom, power in prime_powers(Fraction(10**12))} == {"2": 12, "5": 12}


@pytest.mark.parametrize(
    ("left", "right", "are"),
    [
        (sympy.Pow(8, Rational(1, 2), evaluate=False), 2 * sqrt(2), True),
        (sympy.Pow(Rational(1, 2), Rational(1, 2), evaluate=False), sqrt(2) / 2, True),
        (sqrt(2) * sqrt(3), sqrt(6), True),
        (sqrt(2) + sqrt(3), sqrt(5), False),
        (sympy.Pow(2, 3, evaluate=False), sympy.Integer(8), True),
        (tanh(-x, evaluate=False), -tanh(x), True),
        (tanh(-x, evaluate=False), tanh(x), False),
        (tanh(sympy.Add(x, -x, evaluate=False), evaluate=False), sympy.Integer(0), True),
        (sympy.Abs(-x, evaluate=False), sympy.Abs(x), True),
        (sympy.Abs(x), x, False),
        (sympy.Abs(sympy.Add(x, -x, evaluate=False), evaluate=False), sympy.Integer(0), True),
        (exp(x) * exp(-x), sympy.Integer(1), True),
        (log(exp(x), evaluate=False), x, True),
        (sympy.E * exp(x), exp(x + 1), True),
        (sympy.Pow(sympy.E, 2, evaluate=False), exp(2), True),
        (log(sympy.E * n), 1 + log(n), True),
        (sympy.E, exp(2), False),
        # letters that are nothing but numbers: what is positive has a logarithm and real powers
        (log(n * d, evaluate=False), log(n) + log(d), True),
        (log(n + d), log(n) + log(d), False),
        (log(y), log(n), False),
        (2 ** (n + 1), 2 * 2**n, True),
        (2**n, 3**n, False),
        (n**x * d**x, (n * d) ** x, True),
        (sympy.Abs(y), y, False),
        (sympy.Abs(-y, evaluate=False), sympy.Abs(y), True),
        (sympy.erf(y), sympy.erf(n), False),
        (cos(y) ** 2 + sin(y) ** 2, sympy.Integer(1), True),
        (cos(y) ** 2 - sin(y) ** 2, sympy.Integer(1), False),
        (cos(y), sin(y), False),
        (sin(y + n), sin(y) * cos(n) + cos(y) * sin(n), True),
        (sin(y - n), sin(y) * cos(n) + cos(y) * sin(n), False),
        (cos(-y, evaluate=False), cos(y), True),
        (sin(-y, evaluate=False), -sin(y), True),
        (sin(2 * y), 2 * sin(y) * cos(y), True),
        (sin(2 * y), sin(y) * cos(y), False),
        (sympy.Pow(Rational(3, 4), 2, evaluate=False), Rational(9, 16), True),
        (sympy.Pow(-8, 2, evaluate=False), sympy.Integer(64), True),
    ],
)
def test_numbers_are_equal_if_arithmetic_says_so(left: sympy.Expr, right: sympy.Expr, are: bool) -> None:
    assert same(left, right) is are


@pytest.mark.parametrize("number", [sympy.oo, sympy.zoo, sympy.nan, sympy.erf(x), (-2) ** x], ids=str)
def test_what_is_no_number_or_has_no_words_is_not_decided(number: sympy.Expr) -> None:
    with pytest.raises(Undecided) as undecided:
        same(sympy.Add(number, 1, evaluate=False), sympy.Integer(0))
    assert undecided.value.reason == "formula"


def test_explicit_matrices_larger_than_what_is_written_out() -> None:
    Q = MatrixSymbol("Q", 6, d)
    turned = Matrix(6, 6, lambda i, j: int(j == (i + 1) % 6))  # the rows in a ring
    assert equal(eye(6) * Q, Q)
    assert equal(turned**6 * Q, Q)
    assert not equal(turned * Q, Q)
    with pytest.raises(Undecided):
        equal(Matrix([[-sympy.oo]]) * MatrixSymbol("q", 1, d), MatrixSymbol("q", 1, d))


@pytest.mark.parametrize(
    ("mask", "other", "are"),
    [
        (KeepMask(Matrix([[1, 0], [1, 1]])), CausalMask(), True),
        (KeepMask(Matrix([[1, 1], [0, 1]])), CausalMask(), False),
        (HideMask(Matrix([[0, 1], [0, 0]])), CausalMask(), True),
        (HideMask(Matrix([[1, 0], [1, 1]])), CausalMask(), False),
        (WindowMask(1, 0), CausalMask(), True),  # of two tokens
        (WindowMask(None, 0), CausalMask(), True),
        (WindowMask(0, None), HideMask(Matrix([[0, 0], [1, 0]])), True),
        (WindowMask(0, None), CausalMask(), False),
        (PaddingMask(sympy.oo), KeepMask(Matrix([[1, 1], [1, 1]])), True),
        (PaddingMask(1), KeepMask(Matrix([[1, 0], [1, 0]])), True),  # one key is there
        (PaddingMask(keys=[2]), PaddingMask(1), True),
        (PaddingMask(keys=[1]), PaddingMask(1), False),
    ],
)
def test_masks_are_equal_if_they_hide_the_same(mask: object, other: object, are: bool) -> None:
    Q, K, V = (MatrixSymbol(letter, 2, 2) for letter in "QKV")
    assert equal(Attention(Q, K, V, mask=mask), Attention(Q, K, V, mask=other)) is are
    assert equal(Where(Q, mask), Where(Q, other)) is are


def test_masks_of_letters() -> None:
    """What is kept where M is not 0, and what is kept where it is, are all of it."""
    Z, M = MatrixSymbol("Z", n, d), MatrixSymbol("M", n, d)
    kept, hidden = Where(Z, KeepMask(M)), Where(Z, HideMask(M))
    assert equal(Plus(kept, hidden), Z) and equal(Where(kept, KeepMask(M)), kept)
    assert not equal(kept, Z) and not equal(kept, hidden) and not equal(kept, ZeroMatrix(n, d))
    assert equal(Where(Z, KeepMask(ZeroMatrix(n, d))), ZeroMatrix(n, d))
    with pytest.raises(Undecided) as undecided:
        equal(Where(Z, TopKMask(2)), Z)
    assert (undecided.value.reason, undecided.value.what) == ("node", "TopKMask")


def test_buckets_of_distances_by_hand() -> None:
    """Of the distances i − j of two queries and three keys, −1 and less, 0, and 1: buckets 1 0 0 and 2 1 0."""
    near = clipped_buckets(3)
    P, t, Z = (
        ImmutableMatrix([[1, 2, 3], [4, 5, 6]]),
        ImmutableMatrix([7, 8, 9]),
        ImmutableMatrix([[1, 2, 4], [8, 16, 32]]),
    )
    assert equal(AtBuckets(P, 3, near), ImmutableMatrix([[2, 1, 1], [6, 5, 4]]))
    assert equal(AtBuckets(P, 3, TurnedBuckets(near)), ImmutableMatrix([[2, 3, 3], [4, 5, 6]]))  # of j − i
    assert equal(RelativeBias(t, 2, 3, near), ImmutableMatrix([[8, 7, 7], [9, 8, 7]]))
    assert equal(RowBucketSums(Z, near), ImmutableMatrix([[6, 1, 0], [32, 16, 8]]))
    assert equal(BucketSums(Z, near), ImmutableMatrix([38, 17, 8]))


def test_twelve_buckets_that_have_the_same_are_looked_into() -> None:
    near = clipped_buckets(12)
    assert equal(AtBuckets(OneMatrix(n, 12), d, near), OneMatrix(n, d))
    assert not equal(AtBuckets(MatrixSymbol("P", n, 12), d, near), OneMatrix(n, d))


def test_buckets_of_windows_are_not_looked_into() -> None:
    t, window = MatrixSymbol("t", 9, 1), GridBuckets(2, 2)
    bias = RelativeBias(t, 4, 4, window)
    assert equal(bias, bias) and not equal(bias, RelativeBias(t, 4, 4, TurnedBuckets(window)))


def test_buckets_that_are_not_looked_into_are_those_alone() -> None:
    many, shifted = clipped_buckets(2000), clipped_buckets(2000, 1)
    P, t, Z = MatrixSymbol("P", n, 2000), MatrixSymbol("t", 2000, 1), MatrixSymbol("Z", n, d)
    makers: list[Callable[[Any], Any]] = [
        lambda b: AtBuckets(P, d, b),
        lambda b: RelativeBias(t, n, d, b),
        lambda b: RowBucketSums(Z, b),
        lambda b: BucketSums(Z, b),
    ]
    for make in makers:
        assert equal(make(many), make(many)) and not equal(make(many), make(shifted))
