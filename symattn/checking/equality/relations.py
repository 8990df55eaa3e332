"""What is true of atoms: deltas pick an index, 0 or 1 is its own square, a reciprocal times its sum is 1.

Each rule takes a product and gives the products that it is equal to, or None where it does not fit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from sympy import Expr, Integer, S

from symattn.checking.equality.algebra import Algebra
from symattn.checking.equality.indices import Axes, Index, Variable, inverse, lone
from symattn.checking.equality.numbers import number_of
from symattn.checking.equality.terms import ONE, Atom, Factor, Product, Sum, placeholder, variables_of

Rewritten = list[Product] | None
AT_MOST = Atom("keep", "≤ 0")  # 1 where its index is at most 0
AXES = Axes()  # of which nothing is known: bounds that hold always


def rewrite(product: Product, algebra: Algebra) -> Rewritten:
    """One step towards the normal form, or None where there is none left."""
    for rule in (_deltas, _numbers, _zero_one, _orders, _whole_powers, _unused, _bijections, _reciprocals):
        made = rule(product, algebra)
        if made is not None:
            return made
    return None


def _deltas(product: Product, _algebra: Algebra) -> Rewritten:
    """Σ_j δ_ij f(j) = f(i); of two free indices that are equal one is written."""
    for factor, exponent in product.factors.items():
        atom, at = factor
        if atom.kind != "delta":
            continue
        i, j = at
        made = product.copy()
        del made.factors[factor]
        apart = i.plus(j.times(Integer(-1)))
        if _never_zero(apart):
            return []
        if not apart.parts and apart.offset == 0:
            return [made]
        simpler = _simpler(i, j)
        if simpler:
            for pair in simpler:
                made.multiply((atom, pair), ONE)
            return [made]
        if exponent != 1:
            made.factors[factor] = ONE
            return [made]
        solved = _solved(i, j) or _solved(j, i)
        if solved is not None:
            variable, value = solved
            made.bound.discard(variable)
            made.rename({variable: value})
            return [made]
        if (v := i.lone) and (w := j.lone) and not v.bound and not w.bound:
            kept, other = sorted((v, w), key=lambda x: str(x.name))
            if made.uses(other):
                made.rename({other: lone(kept)})
                made.multiply(factor, ONE)
                return [made]
    return None


def _never_zero(difference: Index) -> bool:
    """Whether two indices are in different places for certain."""
    least, most = AXES.bounds(difference)
    return AXES.is_nonnegative(least - 1) or AXES.is_nonnegative(-1 - most)


def _simpler(i: Index, j: Index) -> list[tuple[Index, Index]] | None:
    """What two indices that are made alike are equal by: what both are shifted by, or head and column apart."""
    if i.offset == j.offset != 0:
        return [(i.shifted(-i.offset), j.shifted(-j.offset))]
    if len(i.parts) == len(j.parts) == 2 and i.offset == j.offset == 0:
        (c, p, v), (d, q, w) = sorted(i.parts, key=lambda part: part[0] != 1)
        (c2, p2, v2), (d2, q2, w2) = sorted(j.parts, key=lambda part: part[0] != 1)
        if c == c2 == 1 and d == d2 == v.size == v2.size:
            alike = ((p, v), (p2, v2)), ((q, w), (q2, w2))
            return [(Index(S.Zero, ((S.One, *x),)), Index(S.Zero, ((S.One, *y),))) for x, y in alike]
    return None


def _solved(i: Index, j: Index) -> tuple[Variable, Index] | None:
    """The bound index that a delta of i and j picks: only where what is picked lies in its range for certain."""
    if len(i.parts) != 1 or i.offset != 0 or i.parts[0][0] != 1 or not i.parts[0][2].bound:
        return None
    permutations, v = i.parts[0][1:]
    if v in j.variables:
        return None
    alike = len(j.parts) == 1 and j.offset == 0 and j.parts[0][0] == 1 and j.parts[0][2].size == v.size
    if not alike and (permutations or j.parts or not _within(j.offset, v.size)):
        return None
    value = j
    for name in permutations:
        value = value.permuted(inverse(name))
    return v, value


def _within(place: Expr, size: Expr) -> bool:
    """Of a place that is not outside for certain: a size that is a letter is at least 1, a part may be empty."""
    return bool((place == 0 and size.is_Symbol) or (place.is_Integer and size.is_Integer))


def _numbers(product: Product, _algebra: Algebra) -> Rewritten:
    """√2 √2 = 2, i² = −1."""
    for factor, exponent in product.factors.items():
        kind = factor[0].kind
        base = 2 if kind == "imaginary" else 1
        if kind in ("prime", "imaginary") and not 0 <= exponent < base:
            made = product.copy()
            whole = exponent // base
            made.coefficient *= (Fraction(int(factor[0].name)) if kind == "prime" else Fraction(-1)) ** int(whole)
            del made.factors[factor]
            made.multiply(factor, exponent - whole * base)
            return [made]
    return None


def _zero_one(product: Product, _algebra: Algebra) -> Rewritten:
    for factor, exponent in product.factors.items():
        if factor[0].kind == "keep" and exponent != 1:
            made = product.copy()
            made.factors[factor] = ONE
            return [made]
    return None


def _orders(product: Product, _algebra: Algebra) -> Rewritten:
    """D + 1 ≤ 0 implies D ≤ 0, and excludes −D ≤ 0."""
    orders = [f for f in product.factors if f[0] == AT_MOST]
    for (_, (i,)), (other, (j,)) in itertools.permutations(orders, 2):
        if i.parts == j.parts and AXES.is_nonnegative(i.offset - j.offset):
            made = product.copy()
            del made.factors[other, (j,)]
            return [made]
        total = i.plus(j)
        if not total.parts and AXES.is_nonnegative(total.offset - 1):
            return []
    return None


def _whole_powers(product: Product, algebra: Algebra) -> Rewritten:
    """A sum to a power of 1 or more is multiplied out."""
    for factor, exponent in product.factors.items():
        if factor[0].kind == "power" and exponent >= 1:
            rest = product.copy()
            del rest.factors[factor]
            rest.multiply(factor, exponent - 1)
            atom, at = factor
            assert atom.inner is not None
            return _distributed_at(rest, atom.inner, at, algebra)
    return None


def _distributed(product: Product, total: Sum, algebra: Algebra) -> list[Product]:
    apart = 1 + max((int(v.name) for v in product.bound), default=-1)
    made = []
    for term, c in total.terms.items():
        one, other = product.copy(), algebra.opened(term, apart=apart)
        one.coefficient *= c
        one.bound |= other.bound
        for factor, exponent in other.factors.items():
            one.multiply(factor, exponent)
        made.append(one)
    return made


def _distributed_at(product: Product, total: Sum, at: tuple[Index, ...], algebra: Algebra) -> list[Product]:
    """A product times a sum over arguments: the indices summed over among them have names of their own meanwhile."""
    own = {v for i in at for v in i.variables}
    taken, names = own | variables_of(product.factors), dict[Variable, Index]()
    for v in own:
        if v.bound:
            new = Variable(f"~{v.name}", v.size)
            while new in taken:
                new = Variable(f"~{new.name}", v.size)
            names[v] = lone(new)
    named = algebra.rename(total, {placeholder(k): i.renamed(names) for k, i in enumerate(at)})
    made = _distributed(product, named, algebra)
    back = {new.variables[0]: lone(v) for v, new in names.items()}
    for one in made:
        one.rename(back)
    return made


def _unused(product: Product, algebra: Algebra) -> Rewritten:
    """A summed index that nothing carries is a factor: its size."""
    unused = next((v for v in product.bound if not product.uses(v)), None)
    if unused is None:
        return None
    rest = product.copy()
    rest.bound.discard(unused)
    return _distributed(rest, number_of(unused.size, {}, algebra), algebra)


def _bijections(product: Product, _algebra: Algebra) -> Rewritten:
    """Σ_i f(σ(i)) = Σ_i f(i)."""
    for v in product.bound:
        parts = [p for _, at in product.factors for i in at for p in i.parts if p[2] == v]
        last = {p[1][-1:] for p in parts}
        if len(last) == 1 and (name := next(iter(last))):
            made = product.copy()
            made.rename({v: lone(v).permuted(inverse(name[0]))})
            return [made]
    return None


# --- reciprocals of sums


def _reciprocals(product: Product, algebra: Algebra) -> Rewritten:
    """P^e · lead = P^{e+1} · unit − P^e · rest, for a sum P whose term `lead` has indices summed over."""
    for factor, exponent in product.factors.items():
        atom, at = factor
        if atom.kind != "power" or exponent >= 0:
            continue
        rule = _rule(atom, algebra)
        if rule is None:
            continue
        apart = 1 + max((int(v.name) for v in product.bound), default=-1)
        lead = _instance(rule[0], at, apart)
        for used in _occurrences(lead, product):
            made = product.copy()
            for v in used.bound:
                made.bound.discard(v)
            for one, e in used.factors.items():
                made.multiply(one, -e)
            return _replaced(made, factor, lead, at, rule, algebra)
    return None


def _replaced(
    made: Product,
    factor: Factor,
    lead: Product,
    at: tuple[Index, ...],
    rule: tuple[Product, Sum],
    algebra: Algebra,
) -> list[Product]:
    """What is left, times (P − rest)/(the rest of the lead)."""
    made.coefficient /= lead.coefficient
    for one, e in lead.factors.items():
        if not variables_of([one]) & lead.bound:
            made.multiply(one, -e)
    whole = made.copy()
    whole.multiply(factor, ONE)
    minus = _distributed_at(made, rule[1], at, algebra)
    for product in minus:
        product.coefficient = -product.coefficient
    return [whole, *minus]


def _rule(atom: Atom, algebra: Algebra) -> tuple[Product, Sum] | None:
    """The term of a sum that is replaced (the largest of those with summed indices), and the others."""
    if atom._rule is None:
        atom._rule = (_made(atom, algebra),)
    return atom._rule[0]  # type: ignore[index, no-any-return]


def _made(atom: Atom, algebra: Algebra) -> tuple[Product, Sum] | None:
    assert atom.inner is not None
    ranked = []
    for term, c in atom.inner.terms.items():
        product = algebra.opened(term, c)
        summed = {f: e for f, e in product.factors.items() if variables_of([f]) & product.bound}
        divisible = all(f in summed or f[0].kind not in ("keep", "delta") for f in product.factors)
        if product.bound and divisible:
            inner = algebra.normal([Product(ONE, summed, set(product.bound))])
            ranked.append(((len(summed), inner.key), term, product))
    ranked.sort(key=lambda r: r[0])
    if not ranked or (len(ranked) > 1 and ranked[-1][0] == ranked[-2][0]):
        return None
    _, term, lead = ranked[-1]
    return lead, Sum({t: c for t, c in atom.inner.terms.items() if t != term})


def _instance(lead: Product, at: tuple[Index, ...], apart: int) -> Product:
    """A lead with arguments in the places of its placeholders, its bound indices apart from those of the product."""
    made = lead.copy()
    fresh = {v: Variable(int(v.name) + apart, v.size) for v in lead.bound}
    new = {v: lone(w) for v, w in fresh.items()} | {Variable(f"@{k}", S.Zero): i for k, i in enumerate(at)}
    made.rename(new)
    made.bound = set(fresh.values())
    return made


def _occurrences(lead: Product, product: Product) -> Iterator[Product]:
    """Where the summed part of a lead stands in a product, its indices occurring nowhere else."""
    pattern = [(f, e) for f, e in lead.factors.items() if variables_of([f]) & lead.bound]
    pattern.sort(key=lambda p: len(variables_of([p[0]]) & lead.bound))

    def match(
        k: int, bound: dict[Variable, Variable], used: dict[Factor, Fraction]
    ) -> Iterator[dict[Variable, Variable]]:
        if k == len(pattern):
            yield bound
            return
        (atom, at), exponent = pattern[k]
        for factor, e in product.factors.items():
            if factor in used or e != exponent or factor[0] != atom:
                continue
            for order in atom.symmetries or (tuple(range(len(at))),):
                met = _unified(at, tuple(factor[1][p] for p in order), bound, lead.bound, product.bound)
                if met is not None:
                    yield from match(k + 1, met, used | {factor: e})

    for found in match(0, {}, {}):
        chosen = set(found.values())
        factors = {f: e for f, e in product.factors.items() if variables_of([f]) & chosen}
        if len(chosen) == len(lead.bound) == len(found) and len(factors) == len(pattern):
            yield Product(ONE, factors, chosen)
            return


def _unified(
    pattern: tuple[Index, ...],
    at: tuple[Index, ...],
    bound: dict[Variable, Variable],
    own: set[Variable],
    others: set[Variable],
) -> dict[Variable, Variable] | None:
    """What the pattern's bound indices are, if it is then these indices."""
    found = dict(bound)
    for i, j in zip(pattern, at, strict=True):
        if i.offset != j.offset or len(i.parts) != len(j.parts):
            return None
        for (c, p, v), (d, q, w) in zip(i.parts, j.parts, strict=True):
            if c != d or p != q or (v not in own and v != w):
                return None
            if v in own and (v.size != w.size or w not in others or found.setdefault(v, w) != w):
                return None
    return found
