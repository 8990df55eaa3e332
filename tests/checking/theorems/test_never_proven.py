"""False statements that hold at small sizes, at a few scalars, or for whole numbers, each with where it fails."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import (
    Abs,
    I,
    Integer,
    Lambda,
    Matrix,
    MatrixSymbol,
    Max,
    Min,
    OneMatrix,
    Rational,
    Symbol,
    ZeroMatrix,
    cos,
    exp,
    expand,
    floor,
    oo,
    pi,
    prod,
    sin,
    sqrt,
    symbols,
    tanh,
)

from symattn import prove
from symattn.checking.theorems.gradients import Gradient, inner
from symattn.nodes import (
    Activation,
    AddRow,
    Alibi,
    Block,
    CausalMask,
    ColumnSum,
    Concat,
    Constant,
    Entmax,
    FeedForward,
    KeepMask,
    Mapped,
    Masked,
    Plus,
    RowMax,
    RowSum,
    Scaled,
    Softmax,
    Where,
    WindowMask,
)

n, m, e = symbols("n m e", integer=True, positive=True)
a, b, z = Symbol("a", real=True), Symbol("b", imaginary=True), Symbol("z")
Z, S, A, B, V = (MatrixSymbol(name, *shape) for name, shape in
                 {"Z": (n, m), "S": (n, n), "A": (n, n), "B": (n, n), "V": (n, e)}.items())  # fmt: skip
ROW, WIDE, X, M = MatrixSymbol("Z", 1, n), MatrixSymbol("Z", 100, 100), MatrixSymbol("X", n, 2), MatrixSymbol("M", n, m)
NO, ONES = ZeroMatrix(n, m), OneMatrix(n, m)
HIDDEN = Masked(Z, KeepMask(M))
BEFORE = Where(S, CausalMask(-12))
FEW = list(map(Rational, ("-1", "2", "1/2", "-2", "3", "1", "-3/2", "5/3")))


def of(formula: Any) -> Any:
    return Mapped(Z, Lambda(z, formula))


FALSE = {
    "the largest is in column 51": (RowMax(WIDE), RowMax(Block(WIDE, 0, 100, 0, 50))),
    "5999 and 6999": (RowMax(Alibi(1, 6000, 1)), RowMax(Alibi(1, 7000, 1))),
    "199 and 99 at n = 200": (RowMax(Alibi(1, n, 1)), RowMax(Alibi(1, Min(n, 100), 1))),
    "n = 100": (RowMax(ROW), RowMax(Block(ROW, 0, 1, 0, n - floor(n / 100)))),
    "1/6000 and 1/7000": tuple(Block(Entmax(ZeroMatrix(1, k)), 0, 1, 0, 1) for k in (6000, 7000)),
    "1/(m + 1) and 1/m in a hidden row": (
        Block(Softmax(Concat(HIDDEN, Constant(-oo, n, 1)), -1, "uniform"), 0, n, 0, m),
        Softmax(HIDDEN, -1, "uniform"),
    ),
    "b = iπ": (Scaled(Z, sqrt(exp(2 * b))), Scaled(Z, exp(b))),
    "z = π": (of(sqrt(exp(2 * I * z))), of(exp(I * z))),
    "a = 4": (Scaled(Z, expand(prod([a - x for x in FEW]))), NO),
    "a = -6": (Scaled(Z, Max(a, -5)), Scaled(Z, a)),
    "a = -4": (Scaled(Z, Abs(a + 3)), Scaled(Z, a + 3)),
    "a = 1/7": (Scaled(Z, floor(6 * a)), Scaled(Z, 6 * a)),
    "a = 1/7, sine": (Scaled(Z, sin(6 * pi * a)), NO),
    "z = 1/2": (of(floor(z)), Z),
    "z = 1/2, sine": (of(sin(pi * z)), NO),
    "z = 1/2, cosine": (of(cos(2 * pi * z)), ONES),
    "z = 1/2, square": (of(Max(z**2, z)), of(z**2)),
    "M = 1": (Where(MatrixSymbol("x", 1, 1), KeepMask(MatrixSymbol("M", 1, 1))), ZeroMatrix(1, 1)),
    "M_11 = 1": (Block(Where(Z, KeepMask(M)), 0, 1, 0, 1), ZeroMatrix(1, 1)),
    "entries above 10⁶": (
        FeedForward(X, MatrixSymbol("W", 2, 2), MatrixSymbol("U", 2, 2), Matrix([[-(10**6), -(10**6)]])),
        ZeroMatrix(n, 2),
    ),
    "entries above 1000": (
        Mapped(AddRow(X, Matrix([[-1000, -1000]])), Lambda(z, Max(z, 0))),
        ZeroMatrix(n, 2),
    ),
    "entries above 1000, by ones": (Mapped(Plus(Z, Scaled(ONES, -1000)), Lambda(z, Max(z, 0))), NO),
    "z = -1000": (Activation(Plus(Z, Scaled(ONES, 1000)), "gelu"), Plus(Z, Scaled(ONES, 1000))),
    "an entry above 1000": (RowMax(Concat(Z, Scaled(OneMatrix(n, 1), 1000))), Scaled(OneMatrix(n, 1), 1000)),
    "n = 26": (Where(S, WindowMask(12, 0, -12)), BEFORE),
    "n = 26, a square": (BEFORE * BEFORE, ZeroMatrix(n, n)),
    "n = 21": (Where(S, CausalMask(-5)) ** 4, ZeroMatrix(n, n)),
    "z = 10⁻⁹": (of(tanh(10**9 * z)), of(tanh(2 * 10**9 * z))),
    "3^^4 and one more": tuple(Scaled(Z, exp(exp(exp(exp(Integer(3))))) + k) for k in (0, 1)),
}
REFUTED = {case for case in FALSE if case[:2] in ("1/", "a ", "M ", "M_", "n ", "z ")} - {
    "1/6000 and 1/7000", "n = 100", "z = π", "z = 10⁻⁹", "z = -1000"}  # fmt: skip


@pytest.mark.parametrize("case", FALSE)
def test_what_is_false_is_never_said_to_be_true(case: str) -> None:
    assert prove(*FALSE[case]).status == ("refuted" if case in REFUTED else "undecided")


def test_where_scalars_are_drawn_no_chance_is_stated() -> None:
    x, y = MatrixSymbol("x", n, 1), MatrixSymbol("y", n, 1)
    found = prove(Scaled(RowMax(Concat(x, y)), a), Scaled(RowMax(Concat(y, x)), a))
    assert found.status == "tried" and "no probability" in " ".join(found.to_text().split())


def test_the_gradient_by_what_does_not_stand_in_it_is_0() -> None:
    assert prove(Gradient(ColumnSum(RowSum(B)), A), ZeroMatrix(n, n)).status == "proven"
    both = Gradient(inner(V, Plus(V, A * V)), A)
    assert prove(Plus(Gradient(inner(V, V), A), Gradient(inner(V, A * V), A)), both).status == "proven"


@pytest.mark.parametrize("sides", [(Scaled(A, A[0, 1]), Scaled(A, A[1, 0])), (A[0:2, :], Block(A, 0, 2, 0, n))])
def test_entries_of_small_matrices_that_are_not_there_are_no_fault(sides: tuple[Any, Any]) -> None:
    assert prove(*sides).status == "undecided"


def test_a_counterexample_without_sizes_names_none() -> None:
    x = MatrixSymbol("x", 1, 1)
    found = prove(Scaled(x, 2), x)
    assert "A counterexample:" in found.to_text() and "反例：" in found.to_text(language="zh")
