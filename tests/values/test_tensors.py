"""Small matrices of balls, beside NumPy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from symattn.values.enclosures import precision
from symattn.values.tensors import BITS, MisfitError, Tensor, apart, close, join, largest

A = [[1, -2, 3], [0, 4, -1]]
B = [[2, 1, 0], [1, 3, -2], [0, 1, 1]]


def numbers(tensor: Tensor) -> np.ndarray:
    return np.array([float(x) for x in tensor.entries]).reshape(tensor.shape)


def test_arithmetic_is_that_of_numpy() -> None:
    a, b = np.array(A, float), np.array(B, float)
    with precision(BITS):
        x, y = Tensor.of(A), Tensor.of(B)
        pairs = [
            (x @ y, a @ b),
            (x.turned(), a.T),
            (y.inverse(), np.linalg.inv(b)),
            (x * x, a * a),
            (x.softmax(1), np.exp(a) / np.exp(a).sum(1, keepdims=True)),
            (x.softmax(0), np.exp(a) / np.exp(a).sum(0, keepdims=True)),
            (x.fold(1, "variance"), a.var(1, keepdims=True)),
            (x.fold(0, "max"), a.max(0, keepdims=True)),
            (x - x.fold(1, "mean"), a - a.mean(1, keepdims=True)),
            (join([x, x], 1), np.hstack([a, a])),
            (largest(x, Tensor.number(0)), np.maximum(a, 0)),
            (x.total("norm"), np.linalg.norm(a)),
            (Tensor.number(2).raised(Fraction(1, 2)), np.sqrt(2)),
            (y.diagonal(), np.diag(b).reshape(-1, 1)),
        ]
        for ours, theirs in pairs:
            assert ours.shape == np.shape(theirs)
            assert np.allclose(numbers(ours), theirs)


def test_what_does_not_fit_says_so() -> None:
    with pytest.raises(MisfitError):
        Tensor.of(A) @ Tensor.of(A)
    with pytest.raises(MisfitError):
        Tensor.of(A) + Tensor.of(B)
    with pytest.raises(MisfitError):
        Tensor.of(A).diagonal()
    with pytest.raises(ZeroDivisionError):
        Tensor.of(A).raised(Fraction(-1))


def test_hidden_scores_get_no_weight() -> None:
    with precision(BITS):
        row = join([Tensor.number(1), Tensor.infinity(-1)], 1)
        assert close(row.softmax(1), Tensor.of([[1, 0]]))


def test_close_and_apart_are_proven() -> None:
    with precision(BITS):
        third = Tensor.number(Fraction(1, 3))
        assert close(third * Tensor.number(3), Tensor.number(1))
        assert apart(third, Tensor.number(Fraction(1, 3) + Fraction(1, 10**30)))
        assert not apart(third, third)


def test_numbers_are_tensors_too() -> None:
    with precision(BITS):
        two = Tensor.number(2)
        assert close(two @ Tensor.of(A), two * Tensor.of(A)) and close(two.inverse(), Tensor.number(Fraction(1, 2)))
        assert close(Tensor.full((2, 3), 4) - Tensor.of(A), Tensor.of([[3, 6, 1], [4, 0, 5]]))
        assert close(Tensor.of([[2]]), two) and not close(Tensor.of(A), two)
        assert apart(Tensor.of(A), two) and not apart(Tensor.of([[2]]), two)


def test_infinities_are_compared_and_shown() -> None:
    with precision(BITS):
        low, high = Tensor.infinity(-1), Tensor.infinity(1)
        assert close(low, Tensor.infinity(-1)) and not close(low, high) and not close(low, Tensor.number(1))
        assert apart(low, high) and apart(low, Tensor.number(1)) and not apart(high, Tensor.infinity(1))
        assert not apart(low - low, Tensor.number(0))  # nobody knows what that is
        assert [str(x) for x in (low, high, low - low)] == ["-∞", "∞", "nan"]
