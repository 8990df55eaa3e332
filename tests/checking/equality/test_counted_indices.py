"""What is said of indices for every size, their order, their bounds and their blocks, held against counting."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import sympy
from sympy import Expr, Integer, Symbol, oo, symbols

from symattn.checking.equality.entries import Entries
from symattn.checking.equality.indices import At, Axes, Cut, Grid, Index, Undecided, Variable, constant, lone
from symattn.checking.equality.normal_form import NormalForms
from tests.checking.equality.counting import World

pytestmark = pytest.mark.slow

n, m = symbols("n m", integer=True, positive=True)
WORLDS = [World({n: a, m: b}) for a, b in ((1, 1), (1, 3), (2, 3), (3, 1), (4, 2))]
LETTERS = [Variable(name, size) for name, size in (("i", n), ("j", n), ("k", m), ("l", n + m), ("b", n * m))]


def drawn_index(draw: random.Random) -> Index:
    offset = draw.choice([Integer(0), Integer(0), Integer(-2), Integer(1), Integer(2), n, m - 1, -n])
    made = constant(offset)
    for v in draw.sample(LETTERS, draw.choice([0, 1, 1, 1, 2])):
        made = made.plus(lone(v).times(draw.choice([Integer(1)] * 4 + [Integer(-1), Integer(2), n, -m, n - m])))
    return made


def values(index: Index, world: World) -> list[int]:
    return [world.index(index, at) for at in world.ranges(index.variables)]


def test_bounds_are_reached_and_not_passed() -> None:
    draw = random.Random(1)
    for _ in range(60):
        index = drawn_index(draw)
        least, most = Axes().bounds(index)
        if any(factor == n - m for factor, _, _ in index.parts):  # of either sign
            assert (least, most) == (-oo, oo)
            continue
        for world in WORLDS:
            found = values(index, world)
            assert (world.number(least), world.number(most)) == (min(found), max(found))


def test_bounds_of_a_factor_that_is_known_not_to_be_negative() -> None:
    axes, index = Axes(), lone(LETTERS[0]).times(n - m)
    axes.facts.add(n - m)
    assert axes.bounds(index) == (0, (n - m) * (n - 1))
    assert Axes().bounds(lone(LETTERS[0]).times(n / m)) == (0, n / m * (n - 1))
    assert Axes().bounds(lone(Variable("@0", Integer(0)))) == (-oo, oo)  # a placeholder, for any index


def test_what_is_never_negative_is_so_for_every_number() -> None:
    draw, answers = random.Random(2), Counter[bool]()
    for _ in range(200):
        amount = sympy.expand(sum((draw.randint(-2, 2) * x for x in (Integer(1), n, m, n * m, n**2)), Integer(0)))
        worth = [amount.subs({n: a, m: b}) for a in range(1, 6) for b in range(1, 6)]
        for facts in (set[Expr](), {amount - n + 1}):
            axes = Axes()
            axes.facts |= facts
            said = axes.is_nonnegative(amount)
            answers[said] += 1
            assert said == bool(facts) or min(worth) >= 0 or not said
            assert not (said and not facts) or min(worth) >= 0
    assert min(answers.values()) > 30


def answer(ask: Callable[[], Any]) -> Any:
    """What is answered, be it that a range has to be cut first, or that nobody knows."""
    try:
        return ask()
    except (Cut, Undecided) as given:
        return given


def test_an_order_is_what_counting_says() -> None:
    """1 where one index is at most another, else 0: whether it is known, written as an atom, or cut."""
    draw, answers = random.Random(3), Counter[str]()
    for _ in range(250):
        low, high = drawn_index(draw), drawn_index(draw)
        known = Entries(NormalForms(), Axes())
        found = answer(lambda: known.at_most(low, high))  # noqa: B023
        if isinstance(found, Cut):
            answers["cut"] += 1
            assert isinstance(found.parts, At)
            for world in WORLDS:  # at a place within the range
                assert 0 <= world.number(found.parts.place) <= world.number(found.size)
            continue
        answers["0" if not found else "1" if found.key == known.algebra.one.key else "open"] += 1
        for world in WORLDS:
            for at in world.ranges({*low.variables, *high.variables}):
                assert world.worth(found, at) == (world.index(low, at) <= world.index(high, at))
    assert set(answers) == {"0", "1", "cut", "open"} and min(answers.values()) > 5, answers


def test_an_index_is_below_a_place_as_counting_says() -> None:
    draw, answers = random.Random(4), Counter[object]()
    for _ in range(150):
        index, place = drawn_index(draw), draw.choice([Integer(0), Integer(1), n, m, n + m, n - 1])
        found = answer(lambda: Axes().below(index, place))  # noqa: B023
        answers[type(found) if isinstance(found, Exception) else found] += 1
        if isinstance(found, Cut):
            assert isinstance(found.parts, At) and index.offset + found.parts.place == place
            assert index == lone(index.variables[0]).shifted(index.offset)
        elif not isinstance(found, Undecided):
            for world in WORLDS:
                assert all((value < world.number(place)) == found for value in values(index, world))
    assert len(answers) == 4 and min(answers.values()) > 4, answers


@pytest.mark.parametrize(("count", "width"), [(n, m), (m, n), (Integer(2), n), (n, Integer(2)), (n, n * m), (n + m, m)])
def test_an_index_is_split_into_a_block_and_a_place_in_it(count: Expr, width: Expr) -> None:
    known = Entries(NormalForms(), Axes())
    block, place, whole = (Variable(*x) for x in (("o", count), ("p", width), ("q", sympy.expand(count * width))))
    world_letters = [block, place]
    for outer in (lone(block), constant(1), constant(0)):
        for inner in (lone(place), constant(0)):
            index = outer.times(width).plus(inner)
            found, within = known.split(index, count, width)
            for world in WORLDS:
                for at in world.ranges(world_letters):
                    assert world.index(found, at) == world.index(outer, at)
                    assert world.index(within, at) == world.index(inner, at)
    with pytest.raises(Cut) as cut:
        known.split(lone(whole), count, width)
    assert cut.value.size == whole.size and cut.value.parts == Grid(count, width)
    with pytest.raises(Undecided, match="blocks_of_heads"):
        known.split(lone(Variable("q", whole.size + 1)), count, width)
    with pytest.raises(Undecided, match="blocks_of_heads"):
        known.split(lone(block).times(width).plus(lone(place)).shifted(Integer(1)), count, width)
    with pytest.raises(Undecided, match="blocks_of_heads"):
        known.split(lone(block).times(width).plus(lone(place)).shifted(Integer(-1)), count, width)


def test_numbers_of_blocks_are_split_like_whole_numbers() -> None:
    known = Entries(NormalForms(), Axes())
    for whole in range(12):
        outer, inner = known.split(constant(whole), Integer(3), Integer(4))
        assert (outer.offset, inner.offset) == divmod(whole, 4)


def test_the_number_that_an_index_is() -> None:
    draw = random.Random(5)
    for _ in range(30):
        index = drawn_index(draw)
        total = Entries(NormalForms(), Axes()).position(index)
        for world in WORLDS:
            assert all(world.worth(total, at) == world.index(index, at) for at in world.ranges(LETTERS))


def test_a_formula_of_letters_is_an_index() -> None:
    p, q = Symbol("p"), Symbol("q")
    known = Entries(NormalForms(), Axes()).with_letter(p, lone(LETTERS[0])).with_letter(q, lone(LETTERS[2]).shifted(n))
    found = known.index(2 * p + n * (q - 3) + m)
    for world in WORLDS:
        for at in world.ranges(LETTERS):
            i, k = at[LETTERS[0]], at[LETTERS[2]]
            size, other = world.sizes[n], world.sizes[m]
            assert world.index(found, at) == 2 * i + size * (k + size - 3) + other
    for formula in (p * q, p**2, sympy.sin(p), 2**q):
        with pytest.raises(Undecided, match="formula"):
            known.index(formula)
