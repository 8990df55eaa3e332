"""Letters that are numbers, such as a mask's offset or a scale: given a value they have it, and without one nothing
is computed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import mpmath
import numpy as np
import pytest
from sympy import MatrixSymbol, Symbol

from symattn import (
    Alibi,
    Attention,
    CausalMask,
    InputError,
    PaddingMask,
    RotaryEmbedding,
    TopKMask,
    WindowMask,
    derive,
    lower,
)

p = Symbol("p", integer=True, nonnegative=True)
a = Symbol("a", positive=True)
Q, K, V = MatrixSymbol("Q", 2, 2), MatrixSymbol("K", 4, 2), MatrixSymbol("V", 4, 1)
ROWS = {"Q": [[1, 0], [0, 1]], "K": [[1, 0], [0, 1], [1, 3], [2, 0]], "V": [[1], [2], [4], [8]]}
EXPRESSIONS: list[tuple[Any, Symbol, Any]] = [
    (Attention(Q, K, V, mask=CausalMask(p)), p, 2),
    (Attention(Q, K, V, mask=(CausalMask(p), PaddingMask(3))), p, 1),
    (Attention(Q, K, V, mask=WindowMask(p, 0)), p, 1),
    (Attention(Q, K, V, mask=PaddingMask(p)), p, 3),
    (Attention(Q, K, V, mask=TopKMask(p)), p, 1),
    (Attention(Q, K, V, bias=Alibi(2, 4, 1, p)), p, 2),
    (Attention(RotaryEmbedding(Q, offset=p), K, V), p, 3),
    (Attention(Q, K, V, scale=a), a, Fraction(1, 4)),
    (Attention(Q, K, V, softcap=a), a, Fraction(1, 2)),
    (Attention(Q, K, V, sink=a), a, Fraction(3, 2)),
]
each = pytest.mark.parametrize(("expression", "letter", "number"), EXPRESSIONS)


def _expected(expression: Any, letter: Symbol, number: Any) -> Any:
    """Of the lowered NumPy lines, which are held against other libraries elsewhere."""
    function = lower(expression, style="plain")
    return function(
        **{x: np.array(rows, float) for x, rows in ROWS.items()},
        **{letter.name: number if letter.is_integer else float(number)},
    )


@each
def test_matrices_of_other_libraries(expression: Any, letter: Symbol, number: Any) -> None:
    expected = _expected(expression, letter, number)
    function = lower(expression)
    of_mpmath = function(**{x: mpmath.matrix(rows) for x, rows in ROWS.items()}, **{letter.name: number})
    of_flint = function(**{x: flint.arb_mat(rows) for x, rows in ROWS.items()}, **{letter.name: number})
    for row in range(2):
        assert float(of_mpmath[row, 0]) == pytest.approx(expected[row, 0], rel=1e-14)
        assert float(of_flint[row, 0].mid()) == pytest.approx(expected[row, 0], rel=1e-14)


@each
def test_a_derivation(expression: Any, letter: Symbol, number: Any) -> None:
    expected = _expected(expression, letter, number)
    found = derive(expression, {**ROWS, letter: str(number)})["output"].evaluate(20)
    assert [float(found[row, 0]) for row in range(2)] == pytest.approx(expected[:, 0].tolist(), rel=1e-14)


@pytest.mark.parametrize("mask", [CausalMask(p), WindowMask(p, 0), PaddingMask(p), TopKMask(p)])
def test_a_mask_whose_letter_has_no_number_hides_nothing_by_itself(mask: Any) -> None:
    expression = Attention(Q, K, V, mask=mask)
    with pytest.raises(InputError, match="p has no value"):
        _ = derive(expression, ROWS)["output"].exact
    with pytest.raises(InputError, match="p has no value"):
        lower(expression)(**{x: mpmath.matrix(rows) for x, rows in ROWS.items()})


def test_what_is_no_number_is_named() -> None:
    function = lower(Attention(Q, K, V, scale=a))
    with pytest.raises(InputError, match="a = half"):
        function(**{x: mpmath.matrix(rows) for x, rows in ROWS.items()}, a="half")
    with pytest.raises(InputError, match='p: "two"'):
        derive(Attention(Q, K, V, mask=CausalMask(p)), {**ROWS, "p": "two"})
