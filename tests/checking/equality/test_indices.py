"""Ranges of sizes that are letters: cut in parts, and compared, held against counting with numbers."""

from __future__ import annotations

import itertools

import pytest
from sympy import Expr, Integer, Symbol, symbols

from symattn.checking.equality.indices import At, Axes, Cut, Grid, Index, Variable, constant, lone
from symattn.checking.equality.terms import Undecided

a, b, c, n = symbols("a b c n", integer=True, positive=True)
NUMBERS = {a: 2, b: 3, c: 4}


def counted(axes: Axes, size: Expr) -> list[int]:
    """All that the indices of a range stand for, where the sizes are numbers."""
    found = []
    for index in axes.positions(size):
        ranges = [range(int(v.size.subs(NUMBERS))) for _, _, v in index.parts]
        for at in itertools.product(*ranges):
            value = index.offset + sum(factor * k for (factor, _, _), k in zip(index.parts, at, strict=True))
            found.append(int(value.subs(NUMBERS)))
    return found


@pytest.mark.parametrize("places", [(a, a + b), (a + b, a)])
def test_two_cuts_in_any_order_leave_every_number_once(places: tuple[Expr, Expr]) -> None:
    axes = Axes()
    for place in places:
        axes.cut(Cut(a + b + c, At(place)))
    sizes = [index.parts[0][2].size for index in axes.positions(a + b + c)]
    assert sizes == [a, b, c]
    assert counted(axes, a + b + c) == list(range(2 + 3 + 4))


def test_a_grid_counts_every_number_once() -> None:
    axes = Axes()
    axes.cut(Cut(a * b, Grid(a, b)))
    assert sorted(counted(axes, a * b)) == list(range(2 * 3))


@pytest.mark.parametrize("parts", [(At(a), Grid(a, b)), (Grid(a, b), At(a))])
def test_a_range_is_not_cut_in_two_ways(parts: tuple[At | Grid, At | Grid]) -> None:
    axes = Axes()
    axes.cut(Cut(a * b, parts[0]))
    with pytest.raises(Undecided, match="two_ways"):
        axes.cut(Cut(a * b, parts[1]))


def test_places_whose_order_is_open_are_not_cut_at() -> None:
    axes = Axes()
    axes.cut(Cut(n, At(a)))
    with pytest.raises(Undecided, match="order_of_sizes"):
        axes.cut(Cut(n, At(b)))


def test_a_range_is_not_cut_twice_at_one_place() -> None:
    axes = Axes()
    axes.cut(Cut(n, At(a)))
    with pytest.raises(Undecided, match="two_ways"):
        axes.cut(Cut(n, At(a)))


def test_short_ranges_are_written_out() -> None:
    """Up to four places, and none of an empty range."""
    for size in range(5):
        assert list(Axes().positions(Integer(size))) == [constant(k) for k in range(size)]
    (index,) = Axes().positions(Integer(5))
    assert index.lone is not None and index.lone.size == 5


I, J, K = (lone(Variable(name, n)) for name in "ijk")
MADE = {
    "i": I,
    "i + 1": I.shifted(Integer(1)),
    "2i": I.times(Integer(2)),
    "−i": I.times(Integer(-1)),
    "i + j": I.plus(J),
    "i + nj": I.plus(J.times(n)),
    "σ(i)": I.permuted("P"),
    "3": constant(3),
}


@pytest.mark.parametrize("made", MADE)
def test_a_letter_alone(made: str) -> None:
    """Only a letter and the image of one may be permuted: σ(i + 1) is none of the indices that there are."""
    index = MADE[made]
    assert (index.lone == I.variables[0]) is (made == "i") and (index.lone is None) is (made != "i")
    if made in ("i", "σ(i)"):
        assert index.permuted("Q").renamed({I.variables[0]: J}) == MADE[made].renamed({I.variables[0]: J}).permuted("Q")
        assert K.permuted("P").renamed({K.variables[0]: index}) == index.permuted("P")
        return
    for ask in (lambda: index.permuted("P"), lambda: K.permuted("P").renamed({K.variables[0]: index})):
        with pytest.raises(Undecided, match="permuted_part"):
            ask()


def test_indices_are_written_apart_and_in_one_order() -> None:
    assert len({index.write(lambda v: str(v.name)) for index in MADE.values()}) == len(MADE)
    assert I.plus(J.times(n)) == J.times(n).plus(I) and J.plus(I) == I.plus(J)
    assert I.times(n).renamed({I.variables[0]: J.times(a)}) == J.times(n * a)
    assert constant(n).times(a - 1) == constant(n * a - n) and I.times(a + b).plus(I.times(-a)) == I.times(b)


def test_only_a_letter_has_its_range_cut() -> None:
    """2i and σ(i) are below a place or not for other i than the first ones."""
    for index in (MADE["2i"], MADE["σ(i)"], MADE["i + j"]):
        with pytest.raises(Undecided, match="order_of_sizes"):
            Axes().below(index, Integer(1))


def test_what_is_never_negative() -> None:
    real, any_integer = Symbol("x", positive=True), Symbol("k", integer=True)
    axes = Axes()
    assert axes.is_nonnegative(a * b - a)  # 2 · 3 − 2, and 0 at the least
    assert not axes.is_nonnegative(a - b)
    assert not axes.is_nonnegative(real - 1)  # 1/2 − 1
    assert not axes.is_nonnegative(any_integer - 1)  # 0 − 1
    axes.facts.add(a - b)
    assert axes.is_nonnegative(a - b) and not axes.is_nonnegative(b - a)


def test_an_index_is_below_a_place() -> None:
    axes = Axes()
    (index,) = axes.positions(n)
    assert axes.below(index, n) and not axes.below(index, Integer(0))
    with pytest.raises(Cut) as cut:
        axes.below(index, Integer(1))
    assert cut.value.size == n and cut.value.parts == At(Integer(1))
    assert axes.bounds(index.plus(Index(Integer(2)))) == (2, n + 1)
