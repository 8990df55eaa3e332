"""A bias of the keys has no gradient: the same number is added to all scores of a row, which softmax does not see."""

import numpy as np
import pytest
from sympy import Matrix, MatrixSymbol

from symattn import CausalMask, MultiHead, QKNorm, RMSNorm, derive, differentiate, lower
from symattn.nodes import Vanishing

pytestmark = pytest.mark.slow

X, W, b = MatrixSymbol("X", 3, 2), MatrixSymbol("W", 2, 4), MatrixSymbol("b_K", 1, 4)
NUMBERS = {X: [[1, 2], [0, 1], [1, -1]], W: [[1, 0, 2, 1], [1, 1, 0, -1]], b: [[1, 0, 2, 1]]}
G = [[1, 2, 0, 1], [3, -1, 1, 0], [0, 1, 1, 1]]


def gradient(layer):
    return differentiate(derive(RMSNorm(layer), {s: NUMBERS[s] for s in layer.atoms(MatrixSymbol)}), G=G)


@pytest.mark.parametrize(
    "options", [{}, {"mask": CausalMask()}, {"scale": 3}, {"bias": Matrix(3, 3, range(9))}], ids=str
)
def test_behind_what_has_no_closed_form_it_is_proven_to_be_0(options):
    back = gradient(MultiHead(X, heads=2, W_Q=W, W_K=W, W_V=W, b_K=b, **options))
    assert not any(back["db_K"].evaluate(30))


def test_shared_keys_too():
    narrow = {x: MatrixSymbol(x, 2, 2) for x in ("W_K", "W_V")}
    one = MatrixSymbol("b_1", 1, 2)
    layer = MultiHead(X, heads=2, kv_heads=1, W_Q=W, **narrow, b_K=one)
    values = {**NUMBERS, **{x: [[1, 0], [1, 1]] for x in narrow.values()}, one: [[1, 2]]}
    back = differentiate(derive(RMSNorm(layer), {s: values[s] for s in layer.atoms(MatrixSymbol)}), G=G)
    assert not any(back["db_1"].evaluate(30))


@pytest.mark.parametrize(
    "options",
    [{"rotary": True}, {"sink": 0}, {"softcap": 5}, {"weighting": "sigmoid"}, {"qk_norm": QKNorm("l2")}],
    ids=str,
)
def test_nothing_is_said_where_weights_depend_on_it(options):
    back = gradient(MultiHead(X, heads=2, W_Q=W, W_K=W, W_V=W, b_K=b, **options))
    assert not any(step.expression.has(Vanishing) for step in back.program)
    assert all(back["db_K"].evaluate(5))


def test_programs_compute_the_sum():
    f = lower(MultiHead(X, heads=2, W_Q=W, W_K=W, W_V=W, b_K=b), gradient=True)
    arrays = {s.name: [[float(x) for x in row] for row in rows] for s, rows in NUMBERS.items()}
    found = f(**{name: np.array(rows) for name, rows in arrays.items()}, G=np.array(G, float))
    assert abs(found["db_K"]).max() < 1e-14
