"""Heads whose kind is itself made of heads: each kind has queries, keys and values of its own."""

from typing import Any

import numpy as np
import pytest
from sympy import Matrix, MatrixSymbol, S, eye

from symattn import derive, lower
from symattn.errors import InputError, NotSupportedError
from symattn.nodes import HEAD, Alibi, HeadColumns, MultiHead, Retention, alibi_slope

X = [[1, 0], [0, 1], [1, 1]]
A = Matrix([[2, 1], [0, 3]])
# y = X A has the rows (2, 1), (0, 3), (2, 4); S_t = S_{t-1}/2 + y_t^T y_t and o_t = y_t S_t, by hand
WANTED = Matrix([[10, 5], [3, S(57) / 2], [44, 100]])


def halved(Q: Any, K: Any, V: Any) -> Any:
    return Retention(Q, K, V, S.Half)


def inner(W: Any, heads: int = 1) -> Any:
    return lambda Q, K, V: MultiHead(Q, K, V, heads=heads, W_Q=W, W_K=W, W_V=W, kind=halved)


def outer(x: Any, W: Any, kind: Any, heads: int = 1) -> Any:
    return MultiHead(x, heads=heads, W_Q=W, W_K=W, W_V=W, kind=kind)


def test_the_inner_projections_are_applied() -> None:
    made = outer(Matrix(X), eye(2), inner(A))
    assert made.as_explicit() == WANTED
    assert outer(Matrix(X), eye(2), lambda *_: made).as_explicit() == WANTED
    assert outer(Matrix(X), eye(2), lambda Q, K, V: outer(Q, eye(2), inner(A))).as_explicit() == WANTED


def test_equal_kinds_are_equal() -> None:
    assert outer(Matrix(X), eye(2), inner(A)) == outer(Matrix(X), eye(2), inner(A))


def test_every_outer_head_and_every_pass_applies_them() -> None:
    x, B = MatrixSymbol("X", 3, 2), MatrixSymbol("B", 2, 4)
    made = outer(x, B, inner(A), heads=2)
    wanted = np.hstack([np.array(WANTED, float)] * 2)
    rows = {"X": X, "B": [[1, 0, 1, 0], [0, 1, 0, 1]]}
    np.testing.assert_allclose(lower(made)(**{k: np.array(v, float) for k, v in rows.items()}), wanted)
    assert derive(made, rows)["concat"].evaluate(20).tolist() == wanted.tolist()


def test_what_an_inner_kind_cannot_say_is_refused() -> None:
    def speaks_of_outer(Q: Any, K: Any, V: Any) -> Any:
        return MultiHead(Q, heads=1, W_Q=A, W_K=A, W_V=A, kind=lambda q, k, v: Retention(q, K, v, S.Half))

    def numbered(Q: Any, K: Any, V: Any) -> Any:
        return MultiHead(Q, heads=2, W_Q=A, W_K=A, W_V=A, bias=Alibi(3, 3, alibi_slope(2)))

    with pytest.raises(InputError, match="uses K of the outer kind"):
        outer(Matrix(X), eye(2), speaks_of_outer)
    with pytest.raises(NotSupportedError, match="2 heads"):
        outer(Matrix(X), eye(2), numbered)
    with pytest.raises(NotSupportedError, match="2 heads"):
        outer(Matrix(X), Matrix([[1, 0, 1, 0], [0, 1, 0, 1]]), inner(A, heads=2), heads=2)


def test_the_number_of_an_outer_head_reaches_the_inner_inputs() -> None:
    W = Matrix([[1, 0, 0, 1], [0, 1, 1, 0]])
    x = Matrix(X)

    def kind(Q: Any, K: Any, V: Any) -> Any:
        return inner(HeadColumns(W, HEAD, 2))(Q, K, V)

    both = outer(x, Matrix([[1, 0, 1, 0], [0, 1, 0, 1]]), kind, heads=2).as_explicit()
    assert both == Matrix.hstack(halved(x, x, x).as_explicit(), halved(*(x * W[:, 2:],) * 3).as_explicit())
