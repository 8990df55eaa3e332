"""Sizes read off the inputs' values."""

import pytest
from sympy import Integer, MatrixSymbol, Symbol, symbols

from symattn.errors import ShapeError
from symattn.program.shapes import read_sizes, substitute_sizes

n, d, h = symbols("n d h", integer=True, positive=True)


def test_symbols_numbers_and_compounds():
    assert read_sizes({MatrixSymbol("Q", n, d): (3, 2)}) == {n: 3, d: 2}
    assert read_sizes({MatrixSymbol("Q", 3, n): (3, 2)}) == {n: 2}
    assert read_sizes({MatrixSymbol("W", n, h * d): (3, 6), MatrixSymbol("U", h, h): (2, 2)}) == {n: 3, h: 2, d: 3}
    assert substitute_sizes((n, h * d), {n: 3, h: 2, d: 3}) == (Integer(3), Integer(6))


@pytest.mark.parametrize(
    "shapes",
    [
        {MatrixSymbol("Q", n, d): (3, 2), MatrixSymbol("K", n, d): (3, 4)},
        {MatrixSymbol("Q", 3, d): (4, 2)},
        {MatrixSymbol("Q", n, n): (3, 2)},
        {MatrixSymbol("Q", n, 2 * n): (3, 4)},
        {MatrixSymbol("Q", n, 2 * d): (3, 3)},
    ],
    ids=str,
)
def test_sizes_that_disagree_are_refused(shapes):
    with pytest.raises(ShapeError):
        read_sizes(shapes)


def test_a_size_that_is_fixed_is_not_said_to_be_itself() -> None:
    with pytest.raises(ShapeError, match=r"columns\(beta\) is 2; it must be 1$"):
        read_sizes({MatrixSymbol("beta", Symbol("n"), 1): (3, 2)})
