"""What depends on the member of a family, on an entry of a matrix or on letters of one name is not taken for fixed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
import sympy
from sympy import Determinant, Lambda, MatPow, MatrixSymbol, Rational, Symbol, Trace, ZeroMatrix, sqrt, symbols
from sympy.matrices.expressions import MatAdd, MatMul

from symattn import CausalMask, PaddingMask, RelativeBias, WindowMask, clipped_buckets, prove
from symattn.checking.equality.decide import equal
from symattn.checking.equality.indices import Undecided
from symattn.checking.theorems.gradients import Gradient, inner
from symattn.nodes import (
    HEAD,
    Alibi,
    Block,
    Concat,
    ConcatHeads,
    HeadColumns,
    HeadRows,
    Mapped,
    Penalised,
    Retention,
    RotaryEmbedding,
    RowMax,
    Scaled,
    ScaledBy,
    ScoreMod,
    Stack,
    SumHeads,
    Where,
)

pytestmark = pytest.mark.slow

n, m, d, h = symbols("n m d h", integer=True, positive=True)
z, p, q = symbols("z p q")
S, Q, X, Y = (MatrixSymbol(*x) for x in (("S", n, n), ("Q", n, d), ("X", n, n), ("Y", n, m)))
F, s, x = MatrixSymbol("F^(i)", n, n), MatrixSymbol("s^(i)", 1, 1), MatrixSymbol("x", 1, 1)

OF_MEMBERS: dict[str, Any] = {
    "inverse": F.inv(),
    "high power": MatPow(F, 9),
    "negative power": MatPow(F, -2),
    "power": MatPow(S, HEAD),
    "power of entries": sympy.HadamardPower(S, HEAD),
    "entry": Scaled(S, s[0, 0]),
    "trace": Scaled(S, Trace(F)),
    "determinant": Scaled(S, Determinant(F)),
    "formula with an entry": Mapped(S, Lambda(z, sympy.erf(z * s[0, 0]))),
    "formula with a trace": Mapped(S, Lambda(z, sympy.erf(z * Trace(F)))),
    "formula": Mapped(S, Lambda(z, sympy.erf(z * HEAD))),
    "formula of a place": ScoreMod(S, Lambda((z, p, q), sympy.erf(z * HEAD))),
    "slope": Alibi(n, n, HEAD),
    "offset": Alibi(n, n, 1, HEAD),
    "causal": Where(S, CausalMask(HEAD)),
    "window": Where(S, WindowMask(HEAD, 0)),
    "window to the right": Where(S, WindowMask(0, HEAD)),
    "padding": Where(S, PaddingMask(HEAD)),
    "distances": RelativeBias(MatrixSymbol("t", 3, 1), n, n, clipped_buckets(3, HEAD)),
    "penalty": Penalised(S, CausalMask(), -HEAD),
    "decay": Retention(Q, Q, S, MatrixSymbol("g^(i)", 1, 1)),
    "range": Block(Y, 0, n, 0, HEAD) * Block(Y, 0, n, 0, HEAD).T,
    "largest of a range": RowMax(Block(Y, 0, n, 0, HEAD)) * sympy.OneMatrix(1, n),
    "parts": Concat(Block(Y, 0, n, 0, HEAD), Block(Y, 0, n, HEAD, m - HEAD)) * Y.T,
}


@pytest.mark.parametrize("case", OF_MEMBERS)
def test_a_sum_over_members_is_not_so_many_times_one(case: str) -> None:
    """Σ M_i S M_i = (Σ M_i) S (Σ M_i)/h where all members are the same, and not otherwise."""
    M = OF_MEMBERS[case]
    each, total = SumHeads(MatMul(M, S, M), HEAD, h), SumHeads(M, HEAD, h)
    with contextlib.suppress(Undecided):
        assert not equal(each, Scaled(MatMul(total, S, total), 1 / h))


def test_members_of_two_families_have_two_numbers() -> None:
    """Σ_ir F_ir S F_ir is not Σ_r (Σ_i F_ir) S (Σ_i F_ir)/h, in whatever order the name says the letters."""
    r, g = Symbol("r"), Symbol("g", integer=True, positive=True)
    for name in ("F^(i,r)", "F^(r,i)", "F^(decoder,i,r)", "F^(i,decoder,r)"):
        M = MatrixSymbol(name, n, n)
        each, total = SumHeads(SumHeads(MatMul(M, S, M), r, g), HEAD, h), SumHeads(M, HEAD, h)
        assert not equal(each, SumHeads(Scaled(MatMul(total, S, total), 1 / h), r, g))
        assert equal(each, SumHeads(SumHeads(MatMul(M, S, M), HEAD, h), r, g))


@pytest.mark.parametrize("inner_size", [h, d], ids=str)
def test_what_is_summed_over_is_not_the_number_of_the_head(inner_size: sympy.Expr) -> None:
    """Σ_i X_i W 1 is not h Σ_i X_i e_i e_i^T W 1, though there are as many heads as rows of W."""
    Z, W = MatrixSymbol("Z", n, inner_size), MatrixSymbol("W", inner_size, 2)
    assert equal(ConcatHeads(Scaled(Z, HEAD) * W, HEAD, h), ConcatHeads(Scaled(Z * W, HEAD), HEAD, h))
    M, V, ones = MatrixSymbol("M^(i)", n, h), MatrixSymbol("W", h, 2), sympy.OneMatrix(2, 1)
    beside = ConcatHeads(M * V, HEAD, h) * sympy.OneMatrix(2 * h, 1)
    assert equal(beside, SumHeads(M * V * ones, HEAD, h))
    own = SumHeads(HeadColumns(M, HEAD, h) * HeadRows(V, HEAD, h) * ones, HEAD, h)
    assert not equal(beside, Scaled(own, h))


def test_a_permutation_for_every_member_is_not_one() -> None:
    P = MatrixSymbol("P^(i)", n, n)
    each, total = SumHeads(MatMul(P, S, P), HEAD, h), SumHeads(P, HEAD, h)
    for kind in ("permutation", "rotation"):
        with pytest.raises(Undecided, match="node"):
            equal(each, Scaled(MatMul(total, S, total), 1 / h), {P: kind})


def test_what_no_member_says_is_the_same_for_all() -> None:
    for M in (S.inv(), MatPow(S, 9), Mapped(S, Lambda(z, sympy.erf(z))), Scaled(S, x[0, 0]), Alibi(n, n, 1, 2)):
        assert equal(SumHeads(M, HEAD, h), Scaled(M, h)) and not equal(SumHeads(M, HEAD, h), M)


def test_what_is_false_of_members_is_not_called_proven() -> None:
    """No number is found against it, since there is none for an inverse or a trace."""
    for M in (F.inv(), Scaled(S, Trace(F))):
        each, total = SumHeads(MatMul(M, S, M), HEAD, h), SumHeads(M, HEAD, h)
        assert prove(each, Scaled(MatMul(total, S, total), 1 / h)).status != "proven"


def test_a_scalar_that_depends_on_a_matrix_has_a_derivative() -> None:
    """d/dX ⟨S, f(X) S⟩ = ⟨S, S⟩ f′(X), which is not 0; of x ⟨S, X⟩ by X it is x S."""
    for scalar in (X[0, 0], Trace(X), Determinant(X), X[0, 0] ** 2):
        for inside, slope in ((S, ZeroMatrix(n, n)), (X, Scaled(S, scalar))):
            with contextlib.suppress(Undecided):
                assert not equal(Gradient(inner(S, Scaled(inside, scalar)), X), slope)
    assert equal(Gradient(inner(S, Scaled(X, x[0, 0])), X), Scaled(S, x[0, 0]))
    assert equal(Gradient(inner(S, Scaled(X, x[0, 0] ** 2)), x), Scaled(inner(S, X), 2 * x[0, 0]))
    assert equal(Scaled(S, x[0, 0]), ScaledBy(S, x)) and not equal(Scaled(S, x[0, 0]), S)


def test_the_derivative_by_a_member() -> None:
    """Of ⟨S, F_i F_i⟩ by F_i; of ⟨S, Σ_i F_i⟩ by what is no member nobody knows."""
    each = SumHeads(Gradient(inner(S, F * F), F), HEAD, h)
    assert equal(each, SumHeads(MatAdd(S * F.T, F.T * S), HEAD, h)) and not equal(each, SumHeads(S * F.T, HEAD, h))
    within = SumHeads(Gradient(inner(S, MatMul(SumHeads(F, HEAD, h), F)), F), HEAD, h)
    total = SumHeads(F, HEAD, h).T * S
    # ∂/∂F_i ⟨S, (Σ_k F_k) F_i⟩ = S F_iᵀ + (Σ_k F_k)ᵀ S
    assert equal(within, MatAdd(SumHeads(S * F.T, HEAD, h), Scaled(total, h)))
    with pytest.raises(Undecided, match="no_derivative"):
        equal(Gradient(inner(S, SumHeads(F, HEAD, h)), F), S)


def test_letters_of_one_name_are_two() -> None:
    size, other = Symbol("n"), Symbol("n", even=True, positive=True)
    A, B = MatrixSymbol("A", size, size), MatrixSymbol("A", n, other)
    assert not equal(Scaled(A, size), Scaled(A, n)) and equal(Scaled(A, size), Scaled(A, size))
    assert not equal(Scaled(B, n), Scaled(B, other)) and equal(Scaled(B, sqrt(other**2)), Scaled(B, other))
    ones = [sympy.OneMatrix(n, k) * sympy.OneMatrix(k, n) for k in (n, other)]
    assert not equal(*(MatAdd(one, Scaled(B * B.T, 0)) for one in ones))
    plain, rational = Symbol("a", real=True), Symbol("a", rational=True)
    assert not equal(Scaled(S, plain), Scaled(S, rational))


@pytest.mark.parametrize("assumed", [{}, {"positive": True}, {"integer": True}])
def test_sizes_are_positive_integers(assumed: dict[str, bool]) -> None:
    """√n² = n, and n − 1 rows are left below the first one."""
    size = Symbol("n", **assumed)
    A = MatrixSymbol("A", size, size)
    assert equal(Scaled(A, sqrt(size**2)), Scaled(A, size))
    assert equal(Stack(Block(A, 0, 1, 0, size), Block(A, 1, size - 1, 0, size)), A)


@pytest.mark.parametrize(
    "shown", [HEAD * q / h + Rational(1, 2), (HEAD - 1) * q / h, 2 * HEAD * q / h, HEAD**2 * q / h]
)
def test_heads_share_what_their_number_says(shown: sympy.Expr) -> None:
    """⌈i g/h⌉ is another group than ⌈i g/h + 1/2⌉."""
    g = Symbol("g", integer=True, positive=True)
    K = MatrixSymbol("K", n, g * d)
    used, other = (SumHeads(HeadColumns(K, sympy.ceiling(e.subs(q, g)), g), HEAD, h) for e in (HEAD * q / h, shown))
    assert equal(used, used)
    with contextlib.suppress(Undecided):
        assert not equal(used, other)
    of_two = SumHeads(SumHeads(HeadColumns(K, sympy.ceiling(HEAD * p * g / h), g), HEAD, h), p, m)
    with pytest.raises(Undecided, match="formula"):
        equal(of_two, used)


def test_heads_of_numbers_share_what_their_number_says() -> None:
    """⌈i/2⌉ is 1, 1, 2, 2 and ⌈i/2 + 1/4⌉ 1, 2, 2, 3."""
    K = MatrixSymbol("K", n, 4 * d)

    def total(shown: sympy.Expr) -> SumHeads:
        return SumHeads(HeadColumns(K, sympy.ceiling(shown), 4), HEAD, 4)

    def block(k: int) -> HeadColumns:
        return HeadColumns(K, k, 4)

    assert equal(total(HEAD / 2), MatAdd(*[Scaled(block(k), 2) for k in (1, 2)]))
    assert equal(total(HEAD / 2 + Rational(1, 4)), MatAdd(block(1), Scaled(block(2), 2), block(3)))
    assert not equal(total(HEAD / 2 + Rational(1, 4)), total(HEAD / 2))


def refused(ask: Callable[[], object], reason: str) -> None:
    with pytest.raises(Undecided, match=reason):
        ask()


def test_turns_of_other_manners_are_not_taken_for_plain_ones() -> None:
    few, of_four = MatrixSymbol("X", 4, d), MatrixSymbol("X", n, 4)
    positions = MatrixSymbol("p", n, 1)
    three = MatrixSymbol("p", n, 2)
    for turned, plain in (
        (RotaryEmbedding(few, offset=(0, 2, 1, 3)), few),
        (RotaryEmbedding(of_four, rates=(1, Rational(1, 2))), of_four),
        (RotaryEmbedding(of_four, width=2), of_four),
        (RotaryEmbedding(of_four, offset=positions), of_four),
        (RotaryEmbedding(of_four, offset=three, sections=(1, 1)), of_four),
    ):
        for other in (turned, RotaryEmbedding(plain)):
            refused(lambda turned=turned, other=other: equal(turned, other), "blocks_of_heads")  # type: ignore[misc]
