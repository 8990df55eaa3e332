"""Sums have one normal form: whatever the order, the letters and the way in which they were made."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction

import pytest
import sympy
from sympy import Identity, MatrixSymbol, OneMatrix, ZeroMatrix, symbols

from symattn.checking.equality.decide import equal
from symattn.checking.equality.derivatives import derivative
from symattn.checking.equality.indices import Axes, Cut, Undecided, Variable, lone
from symattn.checking.equality.normal_form import NormalForms
from symattn.checking.equality.numbers import function_of, number_of
from symattn.checking.equality.relations import AT_MOST
from symattn.checking.equality.terms import Atom, Budget, Product
from symattn.checking.theorems.gradients import Gradient, inner
from symattn.nodes import CausalMask, Mapped, Scaled, Where

n, m, d = symbols("n m d", integer=True, positive=True)


@pytest.fixture
def algebra():
    return NormalForms()


def network(algebra, factors, sizes):
    """Σ over every letter of a product of entries, as ("a", "ij")."""
    variables = {letter: Variable(letter, size) for letter, size in sizes.items()}
    product = algebra.multiply(*(algebra.entry(name, *(lone(variables[x]) for x in at)) for name, at in factors))
    return algebra.bind(product, [v for v in variables.values() if v.name.isupper()])


def test_networks_are_equal_if_their_graphs_are(algebra):
    sizes = dict.fromkeys("IJK", n)
    trace = network(algebra, [("a", "IJ"), ("b", "JK"), ("c", "KI")], sizes)
    turned = network(algebra, [("b", "IJ"), ("c", "JK"), ("a", "KI")], sizes)
    other = network(algebra, [("a", "IJ"), ("c", "JK"), ("b", "KI")], sizes)
    assert trace.key == turned.key != other.key


def test_a_symmetric_function_has_its_letters_in_either_order(algebra):
    """Σ_ij b_i c_j e^(a_i a_j) = Σ_ij b_j c_i e^(a_i a_j), which Σ_ij b_i b_j e^(a_i a_j) is not."""
    letters = [Variable(letter, n) for letter in "ij"]
    i, j = map(lone, letters)
    power = algebra.exp(algebra.multiply(algebra.entry("a", i), algebra.entry("a", j)))
    forth, back, other = (
        algebra.bind(algebra.multiply(power, algebra.entry("b", x), algebra.entry(name, y)), letters)
        for x, y, name in ((i, j, "c"), (j, i, "c"), (i, j, "b"))
    )
    assert forth.key == back.key != other.key


def test_a_path_of_symmetric_functions_is_one_from_any_end(algebra):
    """Σ_ijk e^(a_i a_j) e^(a_j a_k), whatever its letters are called."""
    keys = set()
    for names in itertools.permutations("ijk"):
        letters = [Variable(name, n) for name in names]
        a = [algebra.entry("a", lone(v)) for v in letters]
        steps = [algebra.exp(algebra.multiply(a[k], a[k + 1])) for k in (0, 1)]
        keys.add(algebra.bind(algebra.multiply(*steps), sorted(letters, key=lambda v: v.name)).key)
    assert len(keys) == 1


def test_a_symmetric_function_times_itself_is_its_square(algebra):
    """e^(a_i a_j) e^(a_k a_i) δ_jk c is e^(2 a_i a_j) δ_jk c, whatever the letters are called."""
    for names in itertools.permutations("ijk"):
        i, j, k = (lone(Variable(name, n)) for name in names)
        forth, back = (
            algebra.exp(algebra.multiply(algebra.entry("a", x), algebra.entry("a", y))) for x, y in ((i, j), (k, i))
        )
        delta, c = algebra.delta(j, k), algebra.scalar("c")
        product = algebra.multiply(algebra.multiply(forth, back, delta), c)
        assert product.key == algebra.multiply(forth, forth, delta, c).key
        assert product.key != algebra.multiply(forth, delta, c).key


def test_what_is_regular_is_told_apart(algebra):
    """Two triangles and a hexagon: every index meets two others in both."""
    sizes = dict.fromkeys("ABCDEF", n)
    triangles = network(algebra, [("a", x) for x in ("AB", "BC", "CA", "DE", "EF", "FD")], sizes)
    hexagon = network(algebra, [("a", x) for x in ("AB", "BC", "CD", "DE", "EF", "FA")], sizes)
    again = network(algebra, [("a", x) for x in ("CE", "EA", "AF", "FB", "BD", "DC")], sizes)
    assert triangles.key != hexagon.key == again.key


@pytest.mark.parametrize(
    ("factors", "sizes"),
    [
        (["aIJ", "bJK", "aKL", "bLI"], {"I": n, "J": n, "K": n, "L": n}),  # I and K alike, J and L alike
        (["aIL", "aJL", "aKL"], {"I": n, "J": m, "K": d, "L": d}),  # alike but for their sizes
        (["aIJ", "aJK", "aLM", "aLN"], dict.fromkeys("IJKLMN", n)),  # a path beside a fork
        (["aIp", "aJq"], dict.fromkeys("IJpq", n)),  # alike but for what is not summed over
    ],
)
def test_sums_do_not_depend_on_the_order_of_their_letters(factors, sizes):
    algebra, draw = NormalForms(), random.Random(1)
    word = [(name, at) for name, *at in factors]
    orders = [dict(draw.sample(list(sizes.items()), len(sizes))) for _ in range(12)]
    assert len({network(algebra, draw.sample(word, len(word)), order).key for order in orders}) == 1


def test_sums_that_are_alike_in_many_orders_are_not_waited_for():
    """Of six letters each of which meets all others, 6! = 720 orders would have to be tried."""
    pairs = [("a", pair) for pair in itertools.permutations("ABCDEF", 2)]
    with pytest.raises(Undecided) as undecided:
        network(NormalForms(Budget(products=300)), pairs, dict.fromkeys("ABCDEF", n))
    assert undecided.value.reason == "too_large"
    path = [("a", pair) for pair in itertools.pairwise("ABCDEFGH")]  # each of another distance from the end: one order
    assert network(NormalForms(Budget(products=100)), path, dict.fromkeys("ABCDEFGH", n))


def test_a_budget_is_spent_to_its_end():
    budget = Budget(products=3)
    budget.spend(2)
    budget.spend()
    for spent in (budget, Budget(seconds=-1.0)):
        with pytest.raises(Undecided, match="too_large"):
            spent.spend()


def test_permutations_of_like_names_are_told_apart():
    """Σ_v a(v) b(σ1(v)) with v the letter 2 is not Σ_v a(v) b(σ(v)) with v the letter 12."""
    X, Y, ones = MatrixSymbol("P", n, n), MatrixSymbol("P1", n, n), OneMatrix(n, 1)
    columns = [MatrixSymbol(f"a{k:02}", n, 1) for k in range(13)]

    def product(number, P):
        b = MatrixSymbol("b", n, 1)
        return sympy.MatMul(*(a.T * (P * b if k == number else ones) for k, a in enumerate(columns)))

    kinds = {X: "permutation", Y: "permutation"}
    assert not equal(product(2, Y), product(12, X), kinds)


def test_sizes_tell_sums_apart(algebra):
    assert network(algebra, [("a", "I")], {"I": n}).key != network(algebra, [("a", "I")], {"I": m}).key


def test_a_sum_over_nothing_is_its_size(algebra):
    i = Variable("i", n)
    assert algebra.bind(algebra.one, [i]).key == number_of(n, {}, algebra).key
    assert algebra.bind(algebra.delta(lone(i), lone(i)), [i]).key == number_of(n, {}, algebra).key


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sympy.sqrt(d / n) * sympy.sqrt(n), sympy.sqrt(d)),
        (sympy.sqrt(8), 2 * sympy.sqrt(2)),
        ((n + 1) ** 2, n**2 + 2 * n + 1),
        (sympy.cos(n) ** 2 + sympy.sin(n) ** 2, sympy.Integer(1)),
        (sympy.Rational(2) ** (-8 * n / d), sympy.Rational(4) ** (-4 * n / d)),
        (sympy.sqrt(n**2 + 2 * n + 1) ** 2, (n + 1) ** 2),
    ],
)
def test_numbers(algebra, left, right):
    assert number_of(left, {}, algebra).key == number_of(right, {}, algebra).key


@pytest.mark.parametrize("make", [lambda a: (sympy.sqrt(a**2), a), lambda a: (sympy.Abs(a), a), lambda a: (a, -a)])
def test_a_sign_is_not_forgotten(algebra, make):
    left, right = make(sympy.Symbol("a", real=True))
    assert number_of(left, {}, algebra).key != number_of(right, {}, algebra).key


def test_letters_of_one_name_may_be_two(algebra):
    a, b = sympy.Symbol("a"), sympy.Symbol("a", positive=True)
    assert number_of(a, {}, algebra).key != number_of(b, {}, algebra).key


def test_a_reciprocal_times_its_sum_is_one(algebra):
    i, k = Variable("i", n), Variable("k", m)
    row = algebra.bind(algebra.exp(algebra.entry("z", lone(i), lone(k))), [k])
    for below in (row, algebra.add(row, algebra.one), algebra.scale(row, 3)):
        assert algebra.multiply(algebra.power(below, Fraction(-1)), below).key == algebra.one.key
    root = algebra.power(row, Fraction(-1, 2))
    assert algebra.multiply(root, root, row).key == algebra.one.key
    assert [algebra.power(row, Fraction(k)).key for k in (0, 1)] == [algebra.one.key, row.key]


def test_derivatives(algebra):
    """∂(x e^{xy})/∂x = e^{xy} + xy e^{xy}; ∂√(x + y)/∂x = 1/(2√(x + y))."""
    x, y = algebra.entry("x"), algebra.entry("y")
    power = algebra.exp(algebra.multiply(x, y))
    slope = derivative(algebra.multiply(x, power), "x", (), algebra)
    assert slope.key == algebra.add(power, algebra.multiply(x, y, power)).key
    root = algebra.power(algebra.add(x, y), Fraction(1, 2))
    half = algebra.scale(algebra.power(algebra.add(x, y), Fraction(-1, 2)), Fraction(1, 2))
    assert derivative(root, "x", (), algebra).key == half.key


def test_derivatives_of_functions(algebra):
    """log′ = 1/x, tanh′ = 1 − tanh²; of what does not depend on x 0; of a function without a rule nobody knows."""
    x, y = algebra.entry("x"), algebra.entry("y")
    below = algebra.add(algebra.multiply(x, x), y)
    slope = derivative(algebra.log(below), "x", (), algebra)
    assert slope.key == algebra.scale(algebra.multiply(x, algebra.power(below, Fraction(-1))), 2).key
    bent = function_of("tanh", algebra.scale(x, 3), algebra)
    flat = algebra.scale(algebra.subtract(algebra.one, algebra.multiply(bent, bent)), 3)
    assert derivative(bent, "x", (), algebra).key == flat.key
    i, j = (lone(Variable(letter, n)) for letter in "ij")
    of_entry = function_of("tanh", algebra.entry("x", i), algebra)
    flat = algebra.subtract(algebra.one, algebra.multiply(of_entry, of_entry))
    assert derivative(of_entry, "x", (j,), algebra).key == algebra.multiply(flat, algebra.delta(i, j)).key
    others = [y, algebra.scalar("x"), function_of("tanh", y, algebra), algebra.log(y), function_of("f", y, algebra)]
    assert not any(derivative(other, "x", (), algebra) for other in others)
    with pytest.raises(Undecided) as undecided:
        derivative(function_of("f", x, algebra), "x", (), algebra)
    assert (undecided.value.reason, undecided.value.what) == ("formula", "f")
    a = sympy.Symbol("a")
    cosine, sine = (number_of(f(a), {a: x}, algebra) for f in (sympy.cos, sympy.sin))
    assert derivative(cosine, "x", (), algebra).key == algebra.scale(sine, -1).key


def test_functions_without_a_rule_are_not_odd_and_not_0_at_0():
    Z, z = MatrixSymbol("Z", n, m), sympy.Symbol("z")
    plain, shifted = (sympy.Lambda(z, sympy.erf(z + k)) for k in (0, 1))
    assert not equal(Mapped(Scaled(Z, -1), plain), Mapped(Z, plain))
    assert not equal(Mapped(ZeroMatrix(n, m), shifted), ZeroMatrix(n, m))


def test_a_function_of_0_and_1_is_not_that_of_0():
    """1/(z + 2) of the identity is 1/3 on the diagonal, of a causal triangle of ones 1/3 below it; 1/2 elsewhere."""
    z = sympy.Symbol("z")
    half, third = (Scaled(OneMatrix(n, n), Fraction(1, k)) for k in (2, 3))
    for Z in (Identity(n), Where(OneMatrix(n, n), CausalMask()), Where(OneMatrix(n, n), CausalMask(1))):
        below = Mapped(Z, sympy.Lambda(z, 1 / (z + 2)))
        assert equal(below, below) and not equal(below, half) and not equal(below, third)


def test_work_is_bounded():
    algebra = NormalForms(Budget(products=300))
    total = algebra.add(*(algebra.entry(f"x{k}") for k in range(8)))
    with pytest.raises(Undecided, match="too_large"):
        algebra.power(total, Fraction(8))


def test_ranges_are_cut_where_it_is_known_that_the_place_is_within():
    axes = Axes()
    whole = lone(Variable("s", n + m))
    with pytest.raises(Cut):
        axes.below(whole, n)
    with pytest.raises(Undecided):
        axes.below(lone(Variable("s", n)), m)
    assert axes.below(lone(Variable("s", n)), n + m) and not axes.below(lone(Variable("s", n)).shifted(m), m)


def test_a_matrix_that_is_not_looked_into_has_no_derivative():
    """It may depend on X, so that the derivative is not 0."""
    A, X = MatrixSymbol("A", n, n), MatrixSymbol("X", n, n)
    for hidden in (X**9, X.inv(), X**-2):
        with pytest.raises(Undecided):
            equal(Gradient(inner(A, hidden), X), ZeroMatrix(n, n))
        assert equal(Gradient(inner(A, hidden), A), hidden)


def test_letters_of_other_assumptions_are_others():
    Z = MatrixSymbol("Z", n, n)
    assert not equal(Scaled(Z, sympy.Symbol("a")), Scaled(Z, sympy.Symbol("a", real=True)))
    assert not equal(Scaled(Z, sympy.Symbol("log 2")), Scaled(Z, sympy.log(2)))
    offsets = [sympy.Symbol("n", integer=True), sympy.Symbol("n", integer=True, even=True), n, sympy.Symbol("m")]
    for s, t in itertools.combinations(offsets, 2):
        assert not equal(Where(Z, CausalMask(s)), Where(Z, CausalMask(t)))
        assert equal(Where(Z, CausalMask(s)), Where(Z, CausalMask(s)))
    for name in ("Z", "n"):  # as a matrix, another matrix or a size
        a, wide, high = sympy.Symbol(name), MatrixSymbol("Z", n, m), MatrixSymbol("Z", m, n)
        assert equal(wide * Scaled(high * Z, a), Scaled(wide * high, a) * Z)
        assert not equal(wide * high, Z * Z) and not equal(Scaled(Z, a), Scaled(Z, n))


def alike(a, b, sizes):
    """Whether the letters of one network may be exchanged, for letters of the same size, so that it is the other."""
    letters = sorted(sizes)
    for order in itertools.permutations(letters):
        new = dict(zip(letters, order, strict=True))
        if all(sizes[x] == sizes[y] for x, y in new.items()) and sorted(b) == sorted(
            (name, "".join(new[x] for x in at)) for name, at in a
        ):
            return True
    return False


def test_networks_are_equal_if_and_only_if_some_exchange_of_letters_makes_them_so():
    """Every exchange is tried; half of the pairs are alike, and half differ in one place."""
    draw, answers = random.Random(1), Counter()
    for _ in range(150):
        letters = "ABCD"[: draw.randint(2, 4)]
        sizes = {x: draw.choice([n, n, m]) for x in letters}
        first = [(draw.choice("aab"), "".join(draw.choices(letters, k=2))) for _ in range(draw.randint(2, 6))]
        first += [("c", x) for x in letters]  # every letter occurs
        new = {x: y for s in (n, m) for x, y in _shuffled([x for x in letters if sizes[x] == s], draw)}
        second = [(name, "".join(new[x] for x in at)) for name, at in first]
        if draw.random() < 0.5:
            k = draw.randrange(len(second))
            second[k] = (second[k][0], "".join(draw.choices(letters, k=len(second[k][1]))))
        draw.shuffle(second)
        true = alike(first, second, sizes)
        answers[true] += 1
        algebra = NormalForms()
        assert (network(algebra, first, sizes).key == network(algebra, second, sizes).key) == true
    assert min(answers.values()) > 30


def _shuffled(letters, draw):
    return zip(letters, draw.sample(letters, len(letters)), strict=True)


def test_a_row_over_its_sum_is_one_only_over_the_same_range(algebra):
    """Σ_k e_ik / Σ_j e_ij is 1 where k runs as far as j; over another range nothing is known."""
    i, j = Variable("i", m), Variable("J", n)
    below = algebra.power(algebra.bind(algebra.entry("e", lone(i), lone(j)), [j]), Fraction(-1))
    for size, is_one in ((n, True), (d, False)):
        k = Variable("K", size)
        quotient = algebra.multiply(algebra.bind(algebra.entry("e", lone(i), lone(k)), [k]), below)
        assert (quotient.key == algebra.one.key) is is_one


def test_a_root_times_itself_at_an_index_summed_over(algebra):
    """Σ_ij √r_i √r_σ(j) δ_iσ(j) is Σ_i r_i, r_i = Σ_k e_ik, and not n Σ_i e_ii."""
    i, j, k = (Variable(x, n) for x in "ijk")
    row = algebra.bind(algebra.exp(algebra.entry("e", lone(i), lone(k))), [k])
    root, turned = algebra.power(row, Fraction(1, 2)), lone(j).permuted("P")
    product = algebra.multiply(root, algebra.rename(root, {i: turned}), algebra.delta(lone(i), turned))
    for both in ([i, j], [j, i]):
        assert algebra.bind(product, both).key == algebra.bind(row, [i]).key


def test_roots_times_themselves_within_what_is_multiplied_out(algebra):
    """Σ_i (1 + Σ_k √r_ik √r_jk) is n + Σ_ik r_ik where j = i, r_ik = x_ik + y_ik."""
    i, j, k = (Variable(x, n) for x in "ijk")

    def root(v):
        each = algebra.add(*(algebra.entry(name, lone(v), lone(k)) for name in "xy"))
        return algebra.power(each, Fraction(1, 2))

    total = algebra.add(algebra.one, algebra.bind(algebra.multiply(root(i), root(j)), [k]))
    atom, *_ = algebra.template("power", "", total)
    bound = Variable(0, n)
    found = algebra.normal([Product(Fraction(1), {(atom, (lone(bound), lone(bound))): Fraction(1)}, {bound})])
    entries = (algebra.bind(algebra.entry(name, lone(i), lone(k)), [i, k]) for name in "xy")
    assert found.key == algebra.add(number_of(n, {}, algebra), *entries).key


def test_powers_tell_products_apart(algebra):
    sizes = {"I": n, "J": n}
    keys = {
        network(algebra, [("a", "IJ")] * k + [("b", "IJ")] * l, sizes).key for k in range(1, 4) for l in range(1, 4)
    }
    assert len(keys) == 9


def test_what_has_i_inside_is_not_real(algebra):
    i = algebra.atom(Atom("imaginary", "i"))
    assert not i.is_real and not Atom("exp", "", i).is_real and not algebra.add(i, algebra.one).is_real
    assert algebra.one.is_real and Atom("exp", "", algebra.one).is_real


@pytest.mark.parametrize(
    ("terms", "never_negative"),
    [
        ([(1, "aa"), (3, "bb")], True),
        ([(1, "aa"), (2, "pb"), (1, "bb")], False),  # p is positive, b may be negative
        ([(3, "aa"), (2, "pp"), (1, "p")], True),
        ([(1, "aa"), (-2, "bb")], False),
        ([(-1, "aa"), (-2, "pp")], False),
        ([(1, "ab"), (1, "cc")], False),
    ],
)
def test_a_root_is_positive_where_no_term_below_it_can_be_negative(algebra, terms, never_negative):
    letters = {x: algebra.scalar(x, positive=x == "p") for x in "abcp"}
    total = algebra.add(*(algebra.scale(algebra.multiply(*(letters[x] for x in word)), c) for c, word in terms))
    product, coefficient = algebra.power(total, Fraction(1, 2)).single()
    roots = [atom for (atom, _), _ in product.factors if atom.kind == "power"]
    assert coefficient == 1 and [root.positive for root in roots] == [never_negative]


@pytest.mark.parametrize(
    ("root", "never_negative"),
    [(lambda f, c, k: f.add(f.multiply(c, c), k), True), (lambda f, c, k: f.subtract(f.multiply(c, c), k), False)],
)
def test_a_root_of_what_is_0_or_1_and_a_square(algebra, root, never_negative):
    """c² + [i ≤ j] is not negative, c² − [i ≤ j] may be, as e^2iφ + e^−2iφ = 2 cos 2φ is, though that is of squares."""
    i, j = (lone(Variable(x, n)) for x in "ij")
    keep = algebra.atom(AT_MOST, i.plus(j.times(sympy.S.NegativeOne)))
    turn = algebra.exp(algebra.multiply(algebra.atom(Atom("imaginary", "i")), algebra.scalar("φ")))
    back = algebra.power(turn, Fraction(-2))
    for total, positive in (
        (root(algebra, algebra.scalar("c"), keep), never_negative),
        (root(algebra, algebra.scalar("c"), algebra.delta(i, j)), never_negative),
        (algebra.add(algebra.multiply(turn, turn), back), False),
    ):
        product, _ = algebra.power(total, Fraction(1, 2)).single()
        assert [atom.positive for (atom, _), _ in product.factors if atom.kind == "power"] == [positive]


def test_powers_of_powers(algebra):
    """√(√x) is x^(1/4), since √x has no sign; √(x^−2) is not 1/x, which may be negative."""
    x, y, z = map(algebra.scalar, "xyz")
    for total in (x, algebra.add(x, y)):
        root = algebra.power(total, Fraction(1, 2))
        assert algebra.power(root, Fraction(1, 2)).key == algebra.power(total, Fraction(1, 4)).key
        below = algebra.power(total, Fraction(-2))
        assert algebra.power(below, Fraction(1, 2)).key != algebra.power(total, Fraction(-1)).key
        once = algebra.power(algebra.multiply(z, algebra.power(total, Fraction(-1))), Fraction(1, 2))
        apart = algebra.multiply(algebra.power(z, Fraction(1, 2)), algebra.power(total, Fraction(-1, 2)))
        assert once.key != apart.key
        for c in (4, Fraction(1, 4), Fraction(2, 3)):
            scaled = algebra.power(algebra.scale(total, c), Fraction(1, 2))
            assert scaled.key == algebra.multiply(algebra.power(algebra.number(c), Fraction(1, 2)), root).key
    product = algebra.power(algebra.multiply(x, algebra.add(y, z)), Fraction(-1))
    each = [algebra.power(total, Fraction(-1)) for total in (x, algebra.add(y, z))]
    assert product.key == algebra.multiply(*each).key


def test_functions_of_a_ring_of_letters(algebra):
    """e^(a_ij a_jk a_ki) may be read from any letter on, but not backwards."""
    named = {x: Variable(x, n) for x in "ijk"}

    def total(ring, word):
        power = algebra.exp(algebra.multiply(*(algebra.entry("a", *(lone(named[x]) for x in pair)) for pair in ring)))
        others = [algebra.entry(name, lone(named[x])) for name, x in zip("bcd", word, strict=True)]
        return algebra.bind(algebra.multiply(power, *others), named.values()).key

    forth, back = ("ij", "jk", "ki"), ("ji", "kj", "ik")
    assert total(forth, "ijk") == total(forth, "jki") == total(back, "jik") == total(back, "kji")
    assert total(forth, "ijk") != total(forth, "jik") == total(back, "ijk")


def test_functions_of_many_letters(algebra):
    """Of six, in any order; those of more are not looked at."""
    letters = [lone(Variable(x, n)) for x in "abcdefg"]
    power = algebra.exp(algebra.multiply(algebra.entry("x", *letters[:6]), algebra.entry("y", *letters[5::-1])))
    again = algebra.exp(algebra.multiply(algebra.entry("y", *letters[5::-1]), algebra.entry("x", *letters[:6])))
    assert power.key == again.key
    with pytest.raises(Undecided, match="too_large"):
        algebra.exp(algebra.entry("x", *letters))


def test_powers_of_0_and_high_powers(algebra):
    for exponent in (2, Fraction(1, 2), 1):
        assert algebra.power(algebra.zero, Fraction(exponent)).key == algebra.zero.key
    for exponent in (-1, Fraction(-1, 2)):
        with pytest.raises(Undecided, match="divided_by_zero"):
            algebra.power(algebra.zero, Fraction(exponent))
    x, one = algebra.scalar("x"), algebra.one
    eighth, twice = algebra.power(algebra.add(x, one), Fraction(8)), algebra.power(algebra.add(x, one), Fraction(2))
    assert eighth.key == algebra.multiply(twice, twice, twice, twice).key
    with pytest.raises(Undecided, match="too_large"):
        algebra.power(algebra.add(x, one), Fraction(9))


def test_a_logarithm_keeps_what_is_no_factor(algebra):
    """log(e^x (1 + e^y)) is x + log(1 + e^y), and neither x alone nor log(1 + e^y)."""
    x, y = algebra.scalar("x"), algebra.scalar("y")
    one_more = algebra.add(algebra.one, algebra.exp(y))
    whole = algebra.log(algebra.multiply(algebra.exp(x), one_more))
    assert whole.key == algebra.add(x, algebra.log(one_more)).key
    assert len({whole.key, x.key, algebra.log(one_more).key, algebra.zero.key}) == 4
    twice = algebra.log(algebra.multiply(algebra.exp(x), algebra.exp(x), one_more))
    assert algebra.subtract(twice, whole).key == x.key


def test_a_function_of_two_indices_alike_is_symmetric(algebra):
    """Σ_ij exp(a_i b_j + a_j b_i) c_i is the same with c_j, and Σ_ij exp(a_i b_j) c_i is another than with c_j."""
    I, J = Variable("I", n), Variable("J", n)
    for both, same in ((True, True), (False, False)):
        inner_ = algebra.multiply(algebra.entry("a", lone(I)), algebra.entry("b", lone(J)))
        if both:
            turned = algebra.multiply(algebra.entry("a", lone(J)), algebra.entry("b", lone(I)))
            inner_ = algebra.add(inner_, turned)
        sums = [
            algebra.bind(algebra.multiply(algebra.exp(inner_), algebra.entry("c", lone(x))), [I, J]).key for x in (I, J)
        ]
        assert (sums[0] == sums[1]) == same


def test_deltas_of_shifted_indices(algebra):
    """δ_{i+s, j+s} is δ_ij for every s, and δ_{i, i+s} is 0 for s other than 0, either way round."""
    i, j = (lone(Variable(x, n)) for x in "ij")
    for s in (-1, 1, 2):
        assert algebra.delta(i.shifted(s), j.shifted(s)).key == algebra.delta(i, j).key
        assert algebra.delta(i, i.shifted(s)).key == algebra.delta(i.shifted(s), i).key == algebra.zero.key
        assert algebra.delta(i, j.shifted(s)).key not in (algebra.zero.key, algebra.delta(i, j).key)
