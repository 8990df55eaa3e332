"""A sum is worth what it is said to be made of: counted with numbers for sizes, before and after it is normal."""

from __future__ import annotations

import cmath
import contextlib
import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import pytest
from sympy import Integer, S, symbols

from symattn.checking.equality.algebra import DELTA
from symattn.checking.equality.decide import without_denominators
from symattn.checking.equality.indices import Index, Undecided, Variable, lone
from symattn.checking.equality.normal_form import NormalForms
from symattn.checking.equality.relations import AT_MOST
from symattn.checking.equality.terms import ONE, Atom, Budget, Factor, Product, Sum
from tests.checking.equality.counting import Places, World

pytestmark = pytest.mark.slow

n, m = symbols("n m", integer=True, positive=True)
PERMUTED = {1: [0], 2: [1, 0], 3: [1, 2, 0]}
WORLDS = [World({n: a, m: b}, permutations={"P": PERMUTED[a], "R": PERMUTED[b]}) for a, b in ((1, 2), (2, 3), (3, 1))]
SIZES = (n, m, Integer(2), Integer(3))
FREE = [Variable(name, size) for name, size in (("i", n), ("j", n), ("k", m))]
SUMMED = [Variable("K", n), Variable("L", n), Variable("N", m)]
HALF, INVERSE = Fraction(1, 2), Fraction(-1)


def alike(x: complex, y: complex) -> bool:
    return cmath.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9)


def same_everywhere(total: Sum, worth: Callable[[World, Places], complex], letters: Iterable[Variable] = FREE) -> bool:
    return all(alike(world.worth(total, at), worth(world, at)) for world in WORLDS for at in world.ranges(letters))


def drawn_index(draw: random.Random, letters: list[Variable]) -> Index:
    kind, v, w = draw.random(), draw.choice(letters), draw.choice(letters)
    index = lone(v)
    if kind < 0.1:
        return Index(Integer(draw.randint(0, 2)))
    if kind < 0.25 and v.size in (n, m):
        return index.permuted(draw.choice(["", "~"]) + ("P" if v.size == n else "R"))
    if kind < 0.4:
        return index.shifted(Integer(draw.choice([-1, 1, 2])))
    if kind < 0.5 and v != w:
        return index.plus(lone(w).times(v.size))
    return index


def drawn_factor(draw: random.Random, letters: list[Variable]) -> tuple[Factor, Fraction]:
    kind = draw.random()
    i, j = drawn_index(draw, letters), drawn_index(draw, letters)
    if kind < 0.4:
        return (DELTA, (i, j)), Fraction(draw.choice([1, 1, 1, 2]))
    if kind < 0.6:
        return (AT_MOST, (i.plus(j.times(S.NegativeOne)),)), Fraction(draw.choice([1, 1, 2]))
    if kind < 0.7:
        return (Atom("prime", str(draw.choice([2, 3]))), ()), Fraction(draw.randint(-5, 5), 2)
    if kind < 0.75:
        return (Atom("imaginary", "i"), ()), Fraction(draw.randint(-3, 5))
    return (Atom("entry", draw.choice("ab")), (i, j)), Fraction(draw.choice([-1, 1, 2]))


def drawn_product(draw: random.Random) -> Product:
    bound = {Variable(k, draw.choice(SIZES)) for k in range(draw.randint(0, 3))}
    made = Product(Fraction(draw.randint(1, 5), draw.randint(1, 3)), {}, bound)
    letters = FREE + sorted(bound, key=lambda v: v.name) * 2
    for _ in range(draw.randint(1, 4)):
        made.multiply(*drawn_factor(draw, letters))
    return made


def test_the_normal_form_of_a_product_is_worth_as_much() -> None:
    draw = random.Random(1)
    for _ in range(400):
        product = drawn_product(draw)
        total = NormalForms().normal([product.copy()])
        assert same_everywhere(total, lambda world, at, product=product: world.product(product, at)), product


def drawn_place(draw: random.Random, letters: list[Variable], shape: str) -> Index:
    """An index of a shape: a number, a letter once or twice, permuted or shifted, or a block and a place in it."""
    v, w = draw.sample(letters, 2)
    index, other = lone(v), lone(w)
    if shape == "number":
        return Index(draw.choice([Integer(0), Integer(1), Integer(2), n, n - 1]))
    if shape == "multiple":
        return index.times(Integer(draw.choice([-1, 2])))
    if v.size == n and draw.random() < 0.2:
        index = index.permuted("P")
    if w.size == n and draw.random() < 0.2:
        other = other.permuted("P")
    if shape == "block":
        index = index.times(Integer(draw.choice([1, 1, 1, 1, 2])))
        index = index.plus(other.times(draw.choice([v.size, v.size, v.size, Integer(2), n])))
    return index.shifted(Integer(draw.choice([0, 0, 0, 1])))


def test_a_delta_picks_what_counting_picks() -> None:
    """Σ δ_st f over letters of s and t that are summed over or not, which may have ranges of nothing."""
    draw, shorter = random.Random(4), Variable(5, n - 1)
    letters = [*FREE, Variable(0, n), Variable(1, n), Variable(2, m), Variable(3, Integer(3)), shorter]
    answers = Counter[bool]()
    for _ in range(900):
        shapes = draw.choices(["number", "letter", "multiple", "block"], [1, 3, 1, 5], k=2)
        i, j = (drawn_place(draw, letters, shape) for shape in (shapes if draw.random() < 0.4 else shapes[:1] * 2))
        used = {*i.variables, *j.variables}
        made = Product(ONE, {}, {v for v in used if v.bound})
        made.multiply((Atom("entry", "f"), tuple(lone(v) for v in sorted(used, key=lambda v: str(v.name)))), ONE)
        made.multiply((DELTA, (i, j)), ONE)
        total = NormalForms().normal([made.copy()])
        answers[any(atom.kind == "delta" for t in total.terms for (atom, _), _ in t.factors)] += 1
        free = [v for v in used if not v.bound]
        worth = functools.partial(World.product, product=made)
        assert same_everywhere(total, lambda world, at: worth(world, at=at), free), (i, j)  # noqa: B023
    assert min(answers.values()) > 80


def summed(algebra: NormalForms, letters: str, *factors: tuple[str, Index] | tuple[Index, Index]) -> str:
    """Σ over letters of entries ("a", i) and deltas (i, j), in the order in which they stand."""
    made = Product(ONE, {}, set())
    for x, y in factors:
        made.multiply((Atom("entry", x), (y,)) if isinstance(x, str) else (DELTA, (x, y)), ONE)
    free = {v for _, at in made.factors for i in at for v in i.variables}
    made.rename({v: lone(Variable(k, v.size)) for k, v in enumerate(free) if str(v.name) in letters})
    made.bound = {Variable(k, v.size) for k, v in enumerate(free) if str(v.name) in letters}
    return algebra.normal([made]).key


def test_deltas_are_solved() -> None:
    f, (i, j, k) = NormalForms(), map(lone, FREE)
    p, q = (lone(Variable(x, n - m)) for x in "pq")  # blocks whose size is a difference
    numbers, first = lone(Variable("t", Integer(6))), Index(S.Zero)
    for left, right in (
        (summed(f, "j", ("a", j), (i, j)), summed(f, "", ("a", i))),
        (summed(f, "j", ("a", j), (j, i)), summed(f, "", ("a", i))),
        (summed(f, "", ("a", j), ("b", i), (i, j)), summed(f, "", (j, i), ("a", i), ("b", i))),
        (summed(f, "", ("a", j), (i, j), (i, j)), summed(f, "", ("a", i), (i, j))),
        (summed(f, "", (j.plus(k.times(n)), i.plus(lone(Variable("l", m)).times(n)))),) * 2,
        (summed(f, "j", ("a", j), (first, j)), summed(f, "", ("a", first))),
        (summed(f, "t", ("a", numbers), (Index(Integer(5)), numbers)), summed(f, "", ("a", Index(Integer(5))))),
        (summed(f, "j", ("a", j), (j.permuted("P"), i)), summed(f, "", ("a", i.permuted("~P")))),
        (summed(f, "", (j.plus(k.times(n)), i.plus(k.times(n)))), summed(f, "", (i, j))),
        (summed(f, "", (p.plus(j.times(n - m)), q.plus(i.times(n - m)))), summed(f, "", (p, q), (i, j))),
        (summed(f, "", (j.plus(k.times(n)).shifted(n), i.plus(k.times(n)).shifted(n))), summed(f, "", (i, j))),
        (summed(f, "j", ("a", j), (Index(Integer(2)), j.shifted(Integer(2)))), summed(f, "", ("a", first))),
    ):
        assert left == right
    turned = k.permuted("R")  # σ(k) apart from k, as the block that an index is in and the place in it
    for block, place in ((turned, i), (k, i.permuted("P")), (turned, i.permuted("P"))):
        blocks = j.plus(lone(Variable("l", m)).times(n)), place.plus(block.times(n))
        assert summed(f, "", blocks) == summed(f, "", (j, place), (lone(Variable("l", m)), block))
        assert summed(f, "", blocks) != summed(f, "", (j, i), (lone(Variable("l", m)), k))
    for x in (i.times(Integer(2)), i.shifted(S.One), i.shifted(S.NegativeOne)):  # which may be out of range
        assert summed(f, "j", ("a", j), (x, j)) != summed(f, "", ("a", x))
    open_order = summed(f, "", (Index(n), Index(m)))
    assert open_order not in (f.one.key, f.zero.key) and f.delta(Index(n), Index(n)).key == f.one.key
    assert len({summed(f, "t", ("a", numbers), (x, numbers)) for x in (Index(n), Index(Integer(3)))}) == 2


def test_orders_imply_and_exclude_each_other() -> None:
    """i ≤ j beside j < i is nothing, beside j ≤ i it is not; i + 1 ≤ j implies i ≤ j."""
    f, (i, j, k) = NormalForms(), map(lone, FREE)

    def at_most(low: Index, high: Index) -> Sum:
        return f.atom(AT_MOST, low.plus(high.times(S.NegativeOne)))

    def both(*orders: Sum) -> str:
        return f.multiply(f.entry("a", i, j, k), *orders).key

    assert both(at_most(i, j), at_most(j.shifted(S.One), i)) == f.zero.key
    assert both(at_most(i, j), at_most(j.shifted(n), i)) == f.zero.key
    assert both(at_most(i, j), at_most(j, i)) not in (f.zero.key, both(at_most(i, j)), both(at_most(j, i)))
    assert both(at_most(i.shifted(S.One), j), at_most(i, j)) == both(at_most(i.shifted(S.One), j))
    assert both(at_most(i.shifted(n), j), at_most(i.shifted(S.One), j)) == both(at_most(i.shifted(n), j))
    assert both(at_most(i, j), at_most(i, j)) == both(at_most(i, j)) != both()
    unrelated = both(at_most(i, j), at_most(k.shifted(S.One), i))
    assert unrelated not in (f.zero.key, both(at_most(i, j)), both(at_most(k.shifted(S.One), i)))
    assert both(at_most(i.shifted(n), j), at_most(i.shifted(m), j)) not in (
        both(at_most(i.shifted(n), j)),
        both(at_most(i.shifted(m), j)),
    )


Worth = Callable[[World, Places], complex]
Made = tuple[Sum, Worth]


def drawn_leaf(draw: random.Random, algebra: NormalForms, special: float) -> Made:
    product = Product(Fraction(draw.randint(1, 3), 2), {}, set())
    for _ in range(draw.randint(0, 2)):
        at = tuple(lone(v) for v in draw.sample(FREE, draw.randint(0, 2)))
        product.multiply((Atom("entry", draw.choice("abc")), at), Fraction(draw.choice([1, 1, 2, -1])))
    if draw.random() < special:
        product.multiply(*drawn_factor(draw, FREE))
    return algebra.normal([product.copy()]), lambda world, at: world.product(product, at)


def drawn_sum(draw: random.Random, algebra: NormalForms, depth: int, special: float = 0.3) -> Made:
    """A sum, and how it is worked out from its parts."""
    if depth == 0 or draw.random() < 0.1:
        return drawn_leaf(draw, algebra, special)
    first, worth = drawn_sum(draw, algebra, depth - 1, special)
    which = draw.choice(["add", "multiply", "bind"] * 2 + ["below", "root", "exp", "log", "rename"])
    if which == "bind":
        v = draw.choice(FREE)
        return algebra.bind(first, [v]), lambda world, at: sum(worth(world, {**at, **own}) for own in world.ranges([v]))
    if which == "rename":
        v, w = FREE[:2]
        return algebra.rename(first, {v: lone(w)}), lambda world, at: worth(world, {**at, v: at[w]})
    if which in ("add", "multiply"):
        second, other = drawn_sum(draw, algebra, depth - 1, special)
        if which == "add":
            return algebra.add(first, second), lambda world, at: worth(world, at) + other(world, at)
        return algebra.multiply(first, second), lambda world, at: worth(world, at) * other(world, at)
    return drawn_function(draw, algebra, which, first, worth)


def drawn_function(draw: random.Random, algebra: NormalForms, which: str, inner: Sum, worth: Worth) -> Made:
    if which == "exp":
        factor = Fraction(draw.choice([-1, 1, 1]), 8)
        return algebra.exp(algebra.scale(inner, factor)), lambda world, at: cmath.exp(worth(world, at) * float(factor))
    above = algebra.add(algebra.multiply(inner, inner), algebra.number(2))
    if which == "log":
        return algebra.log(above), lambda world, at: cmath.log(worth(world, at) ** 2 + 2)
    exponent = draw.choice([HALF, -HALF, Fraction(3, 2)] if which == "root" else [INVERSE, Fraction(-2)])
    return algebra.power(above, exponent), lambda world, at: (worth(world, at) ** 2 + 2) ** float(exponent)


def test_a_sum_is_worth_what_its_parts_make_of_it() -> None:
    draw, kinds = random.Random(2), Counter[str]()
    for _ in range(300):
        # what takes long is left, and a logarithm of 1 that is taken out of a sum below a line
        with contextlib.suppress(Undecided, ZeroDivisionError):
            total, worth = drawn_sum(draw, NormalForms(Budget(products=2000)), 3)
            assert same_everywhere(total, worth), total.key
            kinds.update({atom.kind for t in total.terms for (atom, _), _ in t.factors})
    assert {"delta", "keep", "power", "exp", "function", "scalar", "prime"} <= {k for k, c in kinds.items() if c > 10}


def test_a_function_of_a_sum_over_blocks() -> None:
    """exp(Σ_k f(i + nk)/8), of whole indices and of letters that stand elsewhere too; 1/(Σ … + 2)."""
    f, (i, _, k) = NormalForms(), FREE
    place = lone(i).plus(lone(k).times(n))
    turned = lone(k).plus(lone(i).times(m))
    for at, letters in itertools.product(([place], [place, lone(k)], [place, turned], [lone(i), lone(k)]), ([k], [i])):
        factors = [(Atom("entry", f"f{number}"), (index,)) for number, index in enumerate(at)]
        product = Product(Fraction(1, 8), dict.fromkeys(factors, ONE), set())
        inside = f.bind(f.normal([product.copy()]), letters)
        for total, of in (
            (f.exp(inside), cmath.exp),
            (f.power(f.add(inside, f.number(2)), INVERSE), lambda x: 1 / (x + 2)),
        ):

            def worth(world: World, at: Places, product=product, letters=letters, of=of) -> complex:  # type: ignore[no-untyped-def]
                return of(sum(world.product(product, {**at, **own}) for own in world.ranges(letters)))  # type: ignore[no-any-return]

            assert same_everywhere(total, worth), total.key


def test_sums_obey_the_laws_of_sums() -> None:
    """Of commutative rings, of Σ, of reciprocals and roots, of exponentials and logarithms."""
    draw, i, k = random.Random(3), FREE[0], FREE[2]
    for _ in range(80):
        f = NormalForms()
        a, b, c = (drawn_sum(draw, f, depth, special=0)[0] for depth in (2, 1, 1))
        above = f.add(f.multiply(b, b), f.one)
        small = f.scale(c, Fraction(1, 4))
        root = f.power(above, HALF)
        for left, right in (
            (f.multiply(a, b, c), f.multiply(c, f.multiply(b, a))),
            (f.multiply(a, f.add(b, c)), f.add(f.multiply(c, a), f.multiply(a, b))),
            (f.subtract(f.add(a, b), a), b),
            (f.bind(f.add(a, b), [i]), f.add(f.bind(b, [i]), f.bind(a, [i]))),
            (f.bind(a, [i, k]), f.bind(f.bind(a, [k]), [i])),
            (
                f.bind(f.multiply(a, f.entry("v", lone(FREE[1]))), [k]),
                f.multiply(f.bind(a, [k]), f.entry("v", lone(FREE[1]))),
            ),
            (f.multiply(f.power(above, INVERSE), above), f.one),
            (f.multiply(root, root), above),
            (f.power(root, Fraction(-4)), f.power(above, Fraction(-2))),
            (f.exp(f.add(b, small)), f.multiply(f.exp(small), f.exp(b))),
            (f.log(f.multiply(f.exp(small), above)), f.add(f.log(above), small)),
        ):
            assert not without_denominators(f.subtract(left, right), f), (left.key, right.key)


def changed(draw: random.Random, factors: list[tuple[str, tuple[Index, ...], Fraction]]) -> list[Any]:
    """The same factors, one of them perhaps another, left out, twice as often, or with another index."""
    made = list(factors)
    k = draw.randrange(len(made))
    name, at, exponent = made[k]
    place = draw.randrange(len(at))
    other = lone(draw.choice([*FREE, *SUMMED]))
    permuted = at[place].permuted("P" if at[place].variables[0].size == n else "R")
    block = at[place].plus(lone(draw.choice(SUMMED)).times(n))
    moved = draw.choice([at[place].shifted(Integer(1)), at[place].times(Integer(2)), block, permuted, other])
    match draw.randrange(7):
        case 0:
            made.append((draw.choice("efg"), (other,), ONE))
        case 1 if len(made) > 1:
            del made[k]
        case 2:
            made[k] = (name, at, exponent + 1)
        case 3 | 4:
            made[k] = (name, (*at[:place], moved, *at[place + 1 :]), exponent)
        case 5:
            made[k] = (draw.choice("efg"), at, exponent)
    return made


def over_all(algebra: NormalForms, factors: list[Any]) -> Made:
    product = Product(Fraction(3, 2), {}, set())
    for name, at, exponent in factors:
        product.multiply((Atom("entry", f"{name}{len(at)}"), at), exponent)
    letters = [v for v in SUMMED if product.uses(v)]

    def worth(world: World, at: Places) -> complex:
        return sum(world.product(product, {**at, **own}) for own in world.ranges(letters))

    return algebra.bind(algebra.normal([product.copy()]), letters), worth


def test_what_is_multiplied_out_beside_sums_has_letters_of_its_own() -> None:
    """√P √P Σ_ij a_ij = P Σ_ij a_ij, and Σ_i e_kk/P_i is not Σ_i 1, P_i = Σ_k e_ik."""
    f, (i, j, _) = NormalForms(), FREE
    total = f.bind(f.entry("a", lone(i), lone(j)), [i, j])
    above = f.add(f.bind(f.entry("f", lone(i)), [i]), f.number(2))
    root = f.power(above, HALF)
    assert f.multiply(root, total, root).key == f.multiply(above, total).key
    assert same_everywhere(
        f.multiply(root, total, root),
        lambda world, at: (
            (sum(world.entry("f", (x,)) for x in range(world.sizes[n])) + 2)
            * sum(world.entry("a", (x, y)) for x in range(world.sizes[n]) for y in range(world.sizes[n]))
        ),
    )
    for name, beside in (("a", []), ("z", []), ("a", [i]), ("z", [i]), ("z", [i, j])):
        row = f.power(f.bind(f.entry("e", lone(i), lone(j)), [j]), INVERSE)
        others = [f.entry(name, *map(lone, beside)), f.entry("e", lone(j), lone(j))]
        quotient = f.bind(f.multiply(row, *others), [i, j])

        def worth(world: World, at: Places, name: str = name, beside: list[Variable] = beside) -> complex:
            size = range(world.sizes[n])
            rows = [sum(world.entry("e", (x, y)) for y in size) for x in size]
            return sum(
                world.entry(name, tuple({i: x, j: y}[v] for v in beside)) * world.entry("e", (y, y)) / rows[x]
                for x in size
                for y in size
            )

        assert same_everywhere(quotient, worth)


def total(letters: str, *factors: tuple[str, str] | Index) -> Product:
    """Σ over letters of entries, as ("a", "iK"), and orders."""
    made = Product(ONE, {}, set())
    named = {str(v.name): v for v in (*FREE, *SUMMED)}
    for factor in factors:
        if isinstance(factor, Index):
            made.multiply((AT_MOST, (factor,)), ONE)
        else:
            made.multiply(
                (Atom("entry", f"{factor[0]}{len(factor[1])}"), tuple(lone(named[x]) for x in factor[1])), ONE
            )
    made.rename({named[x]: lone(Variable(k, named[x].size)) for k, x in enumerate(letters)})
    made.bound = {Variable(k, named[x].size) for k, x in enumerate(letters)}
    return made


ORDER = lone(FREE[0]).plus(lone(FREE[1]).times(S.NegativeOne))
BESIDE = {
    # below the line, above it, what is summed over all
    "a factor": ([total("K", ("a", "i"), ("f", "K")), total("")], total("K", ("f", "K")), ""),
    "another factor": ([total("K", ("z", "i"), ("f", "K")), total("")], total("K", ("f", "K")), ""),
    "0 or 1": ([total("K", ORDER, ("f", "K")), total("", ("b", "i"))], total("K", ("f", "K")), ""),
    "1 or 0": ([total("K", ORDER, ("f", "K")), total("", ("g", "i"))], total("K", ORDER, ("f", "K")), ""),
    "0 or 1 of what is summed over": (
        [total("K", lone(SUMMED[0]).plus(lone(FREE[0]).times(S.NegativeOne)), ("f", "K")), total("")],
        total("K", ("f", "K")),
        "",
    ),
    "two sums": (
        [total("K", ("e", "iK")), total("K", ("g", "iK"), ("h", "K"))],
        total("K", ("e", "iK"), ("b", "i")),
        "i",
    ),
    "the other sum": (
        [total("K", ("e", "iK")), total("K", ("g", "iK"), ("h", "K"))],
        total("K", ("g", "iK"), ("h", "K"), ("z", "i")),
        "i",
    ),
    "three sums": (
        [total("K", ("e", "iK")), total("K", ("f", "K")), total("K", ("g", "iK"), ("h", "K"))],
        total("K", ("f", "K"), ("b", "i")),
        "i",
    ),
    "two alike": ([total("K", ("x", "i"), ("f", "K")), total("K", ("y", "i"), ("f", "K"))], total("K", ("f", "K")), ""),
    "one letter for two": ([total("KL", ("f", "K"), ("g", "L")), total("")], total("K", ("f", "K"), ("g", "K")), ""),
    "two letters for one": ([total("K", ("f", "K"), ("g", "K")), total("")], total("KL", ("f", "K"), ("g", "L")), ""),
    "itself twice": ([total("KL", ("f", "K"), ("f", "L")), total("")], total("K", ("f", "K")), ""),
}


@pytest.mark.parametrize("exponent", [INVERSE, -HALF, HALF, Fraction(-2)])
@pytest.mark.parametrize("case", BESIDE)
def test_a_reciprocal_beside_a_part_of_its_sum(case: str, exponent: Fraction) -> None:
    f, (under, over, letters) = NormalForms(), BESIDE[case]
    below, above = f.normal([p.copy() for p in under]), f.normal([over.copy()])
    summed_over = [v for v in FREE if v.name in letters]
    quotient = f.bind(f.multiply(f.power(below, exponent), above), summed_over)

    def worth(world: World, at: Places) -> complex:
        places = ({**at, **own} for own in world.ranges(summed_over))
        return sum(sum(world.product(p, x) for p in under) ** float(exponent) * world.product(over, x) for x in places)

    left = [v for v in FREE if v not in summed_over]
    assert same_everywhere(quotient, worth, left)
    opened, names = over.copy(), {v: Variable(f"B{v.name}", v.size) for v in over.bound}
    opened.rename({v: lone(w) for v, w in names.items()})
    opened.bound = set()  # to be summed over beside what is below the line
    later = f.multiply(f.power(below, exponent), f.normal([opened]))
    assert same_everywhere(f.bind(later, [*summed_over, *names.values()]), worth, left)


def test_sums_over_themselves_are_1() -> None:
    f = NormalForms()
    x, y, (i, j, _) = f.scalar("x"), f.scalar("y"), FREE
    below = f.add(x, y)
    for case, (products, _, _) in BESIDE.items():
        whole = f.normal([p.copy() for p in products])
        if case not in ("0 or 1", "1 or 0", "two alike"):  # what may be 0 is no factor of all
            assert f.multiply(f.power(whole, INVERSE), whole).key == f.one.key
            for other in (below, f.add(f.entry("u", lone(i)), y)):
                over = f.power(other, INVERSE)
                assert f.multiply(over, f.power(whole, INVERSE), whole).key == over.key
    one, two = (f.bind(f.entry(name, lone(i), lone(j)), [j]) for name in "eg")
    forth, back = (f.multiply(f.power(f.add(*both), INVERSE), one) for both in ((one, two), (two, one)))
    assert forth.key == back.key
    # Σ_i b_i Σ_k e^(a_i a_k) / Σ_k e^(a_i a_k) = Σ_i b_i, whichever of i and k is the first letter
    for name, other in itertools.product("az", (j, Variable("c", n))):
        weight = f.exp(f.multiply(f.entry("a", lone(i)), f.entry("a", lone(other))))
        b, row = f.entry(name, lone(i)), f.bind(weight, [other])
        assert f.bind(f.multiply(b, f.power(row, INVERSE), row), [i]).key == f.bind(b, [i]).key
        assert f.bind(f.multiply(b, f.power(row, INVERSE), weight), [other, i]).key == f.bind(b, [i]).key


def test_a_reciprocal_beside_nearly_its_sum() -> None:
    """(Σ f + 2)^−1 Σ g, where f and g differ in one place or not at all, and its sum over free letters."""
    draw, answers = random.Random(6), Counter[bool]()
    for _ in range(150):
        f = NormalForms()
        letters = [*map(lone, FREE), *[lone(v) for v in SUMMED] * 2]
        lead = [
            (draw.choice("efg"), tuple(draw.sample(letters, draw.choice([1, 2]))), Fraction(draw.choice([1, 1, 2, -1])))
            for _ in range(draw.randint(1, 3))
        ]
        (below, under), (above, over) = over_all(f, lead), over_all(f, changed(draw, lead))
        exponent = draw.choice([INVERSE, INVERSE, -HALF, Fraction(-2)])
        quotient = f.multiply(f.power(f.add(below, f.number(2)), exponent), above)
        answers[len(quotient.terms) > 1] += 1
        summed_over = draw.sample(FREE, draw.choice([0, 0, 1, 2]))

        def worth(  # type: ignore[no-untyped-def]
            world: World, at: Places, under=under, over=over, e=exponent, letters=summed_over
        ) -> complex:
            places = ({**at, **own} for own in world.ranges(letters))
            return sum((under(world, x) + 2) ** float(e) * over(world, x) for x in places)

        left = [v for v in FREE if v not in summed_over]
        assert same_everywhere(f.bind(quotient, summed_over), worth, left), (lead, quotient.key)
    assert min(answers.values()) > 10, answers
