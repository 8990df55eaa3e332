"""What `prove` takes, what it says to the rest, and why it could not decide."""

from __future__ import annotations

import pytest
import sympy
from sympy import Eq, Matrix, MatrixSymbol, symbols

from symattn import Attention, TopKMask, prove
from symattn.errors import InputError

n, m, d, e = symbols("n m d e", integer=True, positive=True)
A = Attention(MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e))
x = sympy.Symbol("x")


def test_one_side_alone_asks_for_another() -> None:
    with pytest.raises(InputError, match=r"Attention\(Q, K, V\) is one side alone; write prove\(A, B\)"):
        prove(A)


def test_an_equation_is_its_sides() -> None:
    assert prove(Eq(A, 2 * A, evaluate=False)).status == "refuted"
    assert prove(Eq(2 * A, A + A, evaluate=False)).status == "proven"
    with pytest.raises(InputError, match=r"SymPy made the equation True, .*; write prove\(A, B\)"):
        prove(Eq(A, A))


def test_a_scalar_is_told_to_be_a_matrix() -> None:
    with pytest.raises(InputError, match=r"side 1 is the scalar x\*\*2; .* Matrix\(\[\[x\*\*2\]\]\)"):
        prove(x**2, x * x)
    with pytest.raises(InputError, match="side 2 is the scalar 3"):
        prove(Matrix([[3]]), 3)


def test_why_it_is_not_decided_stands_beside_it() -> None:
    tops = prove(Attention(*A.args[:3], mask=TopKMask(1000)), A)
    assert str(tops).startswith("yours: not decided; the number 1000 in it") and not str(tops).endswith(".")
    assert str(prove("two-keys")) == "two-keys: proven for every size"
