"""Floats of SymPy and arrays and integers of NumPy are taken wherever lists and numbers of Python are."""

import numpy as np
import pytest
from sympy import Float, Matrix, MatrixSymbol, Rational, Symbol, eye, sqrt

from symattn.api.derivation import derive
from symattn.errors import InputError
from symattn.nodes import (
    Attention,
    CausalMask,
    CrossEntropy,
    FiniteMask,
    HideMask,
    KeepMask,
    MultiHead,
    PaddingMask,
    Rotary,
    TopKMask,
    WindowMask,
    yarn_rates,
)
from symattn.nodes.exact_numbers import is_decimal, read_exact

Q, K, V = (MatrixSymbol(name, rows, 1) for name, rows in (("Q", 1), ("K", 2), ("V", 2)))
TENTH = Rational(1, 10)


@pytest.mark.parametrize(
    ("given", "exact"),
    [
        (Float(0.1), TENTH),
        (Float("0.1", 50), TENTH),
        (Float(0.1, 3), TENTH),
        (Float(-2.5), Rational(-5, 2)),
        (Float(0.30000000000000004), Rational("0.30000000000000004")),
        (Float(1e300), 10**300),
        (Float(0), 0),
        (Float(0.5) * sqrt(2), sqrt(2) / 2),
    ],
    ids=str,
)
def test_a_sympy_float_is_the_shortest_decimal_that_prints_it(given, exact):
    assert read_exact(given) == exact
    assert Attention(Q, K, V, scale=given).options["scale"] == exact


@pytest.mark.parametrize("given", [Float("1e99999"), Float(1, 5000) / 3], ids=["far", "long"])
def test_a_sympy_float_that_is_too_long_is_refused(given):
    with pytest.raises(InputError, match="digits"):
        read_exact(given)


def test_sympy_floats_in_matrices_of_nodes_values_and_products():
    assert is_decimal(Float(0.5))
    values = {Q: [[Float("0.1")]], K: Matrix([[0.5], [1]]), V: [[1], [2]]}
    scores = derive(Attention(Q, K, V), values)["scores"].exact
    assert scores == Matrix([[TENTH / 2, TENTH]])
    made = Attention(Matrix([[0.5]]), K, V)
    assert made.args[0] == Matrix([[Rational(1, 2)]]) and Attention(Q, K, V).subs(Q, Matrix([[0.5]])) == made
    assert Attention(0.5 * Q, K, V) == Attention(Q / 2, K, V)
    assert not Attention(Matrix([[0.5]]) * Symbol("t"), K, V).atoms(Float)


def test_numpy_arrays_are_matrices():
    two = np.eye(2)
    assert Attention(two, two, two) == Attention(eye(2), eye(2), eye(2))
    assert Attention(np.array([[0.1]], np.float32), K, V).args[0] == Matrix([[TENTH]])
    assert MultiHead(two, heads=np.int64(1), W_Q=(two,), W_K=two, W_V=two, scale=np.array([0.5])).scale == Matrix(
        [[Rational(1, 2)]]
    )
    for wrong in (np.array(3), np.array([1, 2]), np.zeros((0, 2)), np.array([[np.nan]])):
        with pytest.raises(InputError, match=r"^Q[:,] "):
            Attention(wrong, K, V)


def test_numpy_arrays_and_integers_are_masks():
    lower = np.tril(np.ones((2, 2), bool))
    for kind in (KeepMask, HideMask):
        assert kind(lower) == kind(lower.astype(float)) == kind([[1, 0], [1, 1]])
    assert CausalMask(np.int64(2)) == CausalMask(2) and TopKMask(np.int8(2)) == TopKMask(2)
    assert WindowMask(np.int64(2), np.uint8(0)) == WindowMask(2, 0)
    assert PaddingMask(np.int64(2)) == PaddingMask(2) and PaddingMask(keys=np.array([2, 3])) == PaddingMask(keys=[2, 3])
    for wrong in (np.bool_(True), np.float64(2.5), "2"):
        with pytest.raises(InputError):
            CausalMask(wrong)


def test_numpy_numbers_of_positions_labels_and_widths():
    assert Rotary(offset=np.array([0, 5])) == Rotary(offset=[0, 5])
    assert CrossEntropy(eye(2), np.array([1, 0])) == CrossEntropy(eye(2), [1, 0])
    assert yarn_rates(np.int64(4), 4, 4096) == yarn_rates(4, 4, 4096)


def test_a_finite_mask_of_the_largest_says_what_it_may_be_of():
    with pytest.raises(InputError, match=r"hide by position.* not of top 3"):
        FiniteMask(TopKMask(3))
