"""Theorems that hold for any input, tried on many."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import MatrixSymbol

from symattn import Attention, CausalMask, Softmax, derive
from symattn.values.exact.exponential_field import is_zero

pytestmark = pytest.mark.slow

Q, K, V = (MatrixSymbol(x, *s) for x, s in zip("QKV", ((2, 2), (3, 2), (3, 2)), strict=True))
small = st.fractions(-3, 3, max_denominator=4)
masks = st.sampled_from([None, CausalMask(), CausalMask(1)])


def matrix(rows, columns, entry=small):
    return st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@settings(max_examples=25, deadline=None)
@given(matrix(2, 2), matrix(3, 2), matrix(3, 2), masks)
def test_rows_of_weights_sum_to_one_and_agree_with_floats(q, k, v, mask):
    derived = derive(Attention(Q, K, V, mask=mask), {Q: q, K: k, V: v})
    weights = derived["weights"].exact
    for i in range(2):
        assert is_zero(sum(weights.row(i)) - 1) is True
    a, b, c = (np.array(x, dtype=float) for x in (q, k, v))
    logits = a @ b.T / np.sqrt(2)
    if mask is not None:
        logits[np.arange(3)[None, :] > np.arange(2)[:, None] + int(mask.args[0])] = -np.inf
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    assert np.allclose(np.array(derived["weights"].evaluate(17).tolist(), dtype=float), w, rtol=1e-12)
    assert np.allclose(np.array(derived["output"].evaluate(17).tolist(), dtype=float), w @ c, rtol=1e-11, atol=1e-13)
    certified = derived["weights"].evaluate(25)
    for i in range(2):
        for j in range(3):
            assert abs(sympy.Float(str(certified[i, j]), 40) - weights[i, j].evalf(40)) <= sympy.Float("1e-25", 40)


@settings(max_examples=25, deadline=None)
@given(matrix(2, 3), st.lists(small, min_size=2, max_size=2))
def test_a_shift_of_a_row_changes_nothing(z, shift):
    Z = MatrixSymbol("Z", 2, 3)
    moved = [[x + t for x in row] for row, t in zip(z, shift, strict=True)]
    assert derive(Softmax(Z), {Z: z})["weights"].exact == derive(Softmax(Z), {Z: moved})["weights"].exact


@settings(max_examples=25, deadline=None)
@given(matrix(2, 2), matrix(3, 2), matrix(3, 2), st.permutations(range(3)), st.permutations(range(2)))
def test_permuting_keys_changes_nothing_and_queries_follow(q, k, v, keys, queries):
    derived = derive(Attention(Q, K, V), {Q: q, K: k, V: v})["output"].exact
    moved = derive(Attention(Q, K, V), {Q: [q[i] for i in queries], K: [k[j] for j in keys], V: [v[j] for j in keys]})[
        "output"
    ].exact
    for row, i in enumerate(queries):
        for column in range(2):
            assert is_zero(moved[row, column] - derived[i, column]) is True


@settings(max_examples=25, deadline=None)
@given(matrix(2, 2), matrix(3, 2), st.lists(small, min_size=2, max_size=2))
def test_equal_values_come_out_as_they_are(q, k, v):
    exact = derive(Attention(Q, K, V), {Q: q, K: k, V: [v] * 3})["output"]
    assert exact.derivation.values.nearest("output", 9) is not None
    for j in range(2):
        assert exact.derivation.values.exact["output"].closed(0, j).to_sympy() == sympy.Rational(Fraction(v[j]))
