"""Arithmetic of sums: every result is in normal form."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from fractions import Fraction

from symattn.checking.equality.canonical import canonical
from symattn.checking.equality.indices import Index, Undecided, Variable, lone
from symattn.checking.equality.terms import (
    ONE,
    Atom,
    Budget,
    Factor,
    Product,
    Sum,
    Term,
    placeholder,
    prime_powers,
    variables_of,
)

MOST_ARGUMENTS = 6
LARGEST_POWER = 8


class Algebra:
    """Sums, within a budget. What a normal form is, says `normal_form`: its rules are written with this arithmetic."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self.one, self.zero = self.number(1), Sum({})

    # --- from products to sums

    def normal(self, products: Iterable[Product]) -> Sum:
        """The normal form of a sum of products."""
        raise NotImplementedError

    def opened(self, term: Term, coefficient: Fraction = ONE, apart: int = 0) -> Product:
        """A term as a product to go on with, its bound indices numbered from `apart`."""
        factors, bound = term.factors, term.bound
        if apart and bound:
            new = {v: lone(Variable(int(v.name) + apart, v.size)) for v in bound}
            renamed = {(a, tuple(i.renamed(new) for i in at)): e for (a, at), e in factors}
            return Product(coefficient, renamed, {Variable(int(v.name) + apart, v.size) for v in bound})
        return Product(coefficient, dict(factors), set(bound))

    def products(self, total: Sum) -> list[Product]:
        return [self.opened(t, c) for t, c in total.terms.items()]

    # --- what sums are made of

    def number(self, value: int | Fraction) -> Sum:
        return Sum({canonical(Product(ONE, {}, set()), self.budget): Fraction(value)})

    def atom(self, atom: Atom, *at: Index, exponent: Fraction = ONE) -> Sum:
        return self.normal([Product(ONE, {(atom, at): exponent}, set())])

    def entry(self, name: str, *at: Index) -> Sum:
        return self.atom(Atom("entry", name), *at)

    def scalar(self, name: str, *, positive: bool = False) -> Sum:
        return self.atom(Atom("scalar", name, positive=positive))

    def delta(self, i: Index, j: Index) -> Sum:
        return self.atom(DELTA, i, j)

    # --- arithmetic

    def add(self, *sums: Sum) -> Sum:
        total: dict[Term, Fraction] = {}
        for one in sums:
            for term, c in one.terms.items():
                total[term] = total.get(term, Fraction(0)) + c
        return Sum(total)

    def scale(self, total: Sum, factor: Fraction | int) -> Sum:
        return Sum({t: c * factor for t, c in total.terms.items()})

    def subtract(self, left: Sum, right: Sum) -> Sum:
        return self.add(left, self.scale(right, -1))

    def multiply(self, *sums: Sum) -> Sum:
        total = self.one
        for one in sums:
            total = self._product(total, one)
        return total

    def _product(self, left: Sum, right: Sum) -> Sum:
        if (number := _number(left)) is not None:
            return self.scale(right, number)
        if (number := _number(right)) is not None:
            return self.scale(left, number)
        return self.normal(self.times(t, c, u, d) for t, c in left.terms.items() for u, d in right.terms.items())

    def times(self, t: Term, c: Fraction, u: Term, d: Fraction) -> Product:
        product, other = self.opened(t, c * d), self.opened(u, apart=len(t.bound))
        product.bound |= other.bound
        for factor, exponent in other.factors.items():
            product.multiply(factor, exponent)
        return product

    def bind(self, total: Sum, variables: Iterable[Variable]) -> Sum:
        """Σ over free indices."""
        chosen = list(variables)
        if not chosen:
            return total
        made = []
        for product in self.products(total):
            count = len(product.bound)
            new = {v: Variable(count + k, v.size) for k, v in enumerate(chosen)}
            product.bound |= set(new.values())
            product.rename({v: lone(w) for v, w in new.items()})
            made.append(product)
        return self.normal(made)

    def rename(self, total: Sum, new: Mapping[Variable, Index]) -> Sum:
        """Other indices in the place of free ones; these must not be bound ones."""
        if not any(v in new for v in total.free):
            return total
        made = []
        for product in self.products(total):
            product.rename(new)
            made.append(product)
        return self.normal(made)

    # --- functions

    def function(self, kind: str, name: str, inner: Sum, *, positive: bool = False) -> Sum:
        """An atom that is a function of a sum; free indices whose name begins with ^ stay inside."""
        return self.atom(*self.template(kind, name, inner, positive=positive))

    def template(self, kind: str, name: str, inner: Sum, *, positive: bool = False) -> tuple[Atom, *tuple[Index, ...]]:
        """The atom with its arguments in canonical order, and what stands in their places."""
        arguments = _arguments(inner)
        if len(arguments) > MOST_ARGUMENTS:
            raise Undecided("too_large")
        ranked: dict[str, list[Index]] = {}
        for index in arguments if len(arguments) > 1 else ():
            others = dict.fromkeys(arguments, "@?")
            key = self._replaced(inner, others | {index: "@*"}).key
            ranked.setdefault(key, []).append(index)
        classes = [ranked[key] for key in sorted(ranked)] if ranked else [arguments]
        best: tuple[str, Sum] | None = None
        found: list[tuple[Index, ...]] = []
        for orders in itertools.product(*map(itertools.permutations, classes)):
            order = tuple(itertools.chain(*orders))
            made = self._replaced(inner, {i: f"@{k}" for k, i in enumerate(order)})
            if best is None or made.key < best[0]:
                best, found = (made.key, made), []
            if made.key == best[0]:
                found.append(order)
        assert best is not None
        at = found[0]
        symmetries = tuple(tuple(at.index(i) for i in order) for order in found) if len(found) > 1 else ()
        return Atom(kind, name, best[1], symmetries, positive), *at

    def _replaced(self, total: Sum, names: Mapping[Index, str]) -> Sum:
        """Whole indices, and free variables within others, by placeholders."""
        if not names:
            return total
        whole = {i: lone(Variable(name, ZERO_SIZE)) for i, name in names.items()}
        single = {i.lone: new for i, new in whole.items() if i.lone is not None}
        made = []
        for product in self.products(total):
            before, product.factors = product.factors, {}
            for (atom, at), exponent in before.items():
                product.multiply((atom, tuple(whole.get(i) or i.renamed(single) for i in at)), exponent)
            made.append(product)
        return self.normal(made)

    def inside(self, atom: Atom, at: tuple[Index, ...]) -> Sum:
        """The sum inside an atom, of its arguments."""
        assert atom.inner is not None
        return self.rename(atom.inner, {placeholder(k): i for k, i in enumerate(at)})

    def exp(self, total: Sum) -> Sum:
        """e to a sum: a product of one exponential for each of its terms."""
        return self.multiply(*(self._exponential(term, c) for term, c in total.terms.items()))

    def _exponential(self, term: Term, c: Fraction) -> Sum:
        """e to a term: with k = 0 or 1 before it 1 + k (e^… − 1); of a logarithm a power."""
        for factor, exponent in term.factors:
            if factor[0].kind in ("keep", "delta") and not any(v.bound for v in variables_of([factor])):
                rest = self.opened(term, c)
                del rest.factors[factor]
                raised = self.exp(self.normal([rest]))
                return self.add(
                    self.one, self.multiply(self.atom(factor[0], *factor[1]), self.subtract(raised, self.one))
                )
            if factor[0].name == "log" and exponent == 1 and len(term.factors) == 1 and not term.bound:
                return self.power(self.inside(*factor), c)
        inner = Sum({term: ONE})
        atom, *at = self.template("exp", "", inner, positive=inner.is_real)
        return self.atom(atom, *at, exponent=c)

    def log(self, total: Sum) -> Sum:
        """The logarithm of a sum: those of its positive factors, and that of what is left."""
        if not total:
            raise Undecided("minus_infinity")
        root, left = self.primitive(total, Fraction(1, 2))  # of which positive factors alone may be taken out
        made = self.zero if _number(left) == 1 else self.function("function", "log", left)
        for product in self.products(root):
            for prime, count in prime_powers(product.coefficient):
                product.multiply((prime, ()), Fraction(count))
            made = self.add(
                made, *(self.scale(self._logarithm(f), 2 * exponent) for f, exponent in product.factors.items())
            )
        return made

    def _logarithm(self, factor: Factor) -> Sum:
        atom, at = factor
        if atom.kind == "exp":
            return self.inside(atom, at)
        return self.function("function", "log", self.inside(atom, at) if atom.kind == "power" else self.atom(atom, *at))

    def power(self, total: Sum, exponent: Fraction) -> Sum:
        """A sum to a rational power. What is below a line is taken not to be 0."""
        if exponent == 0:
            return self.one
        if not total:
            if exponent > 0:
                return self.zero
            raise Undecided("divided_by_zero")
        if exponent.denominator == 1 and exponent > 0:
            if exponent > LARGEST_POWER:
                raise Undecided("too_large")
            return self.multiply(*[total] * int(exponent))
        outside, inside = self.primitive(total, exponent)
        if _number(inside) == 1:
            return outside
        atom, *at = self.template("power", "", inside, positive=_never_negative(inside))
        return self.multiply(outside, self.atom(atom, *at, exponent=exponent))

    def primitive(self, total: Sum, exponent: Fraction) -> tuple[Sum, Sum]:
        """A common factor to the power, and what is left: the same for sums that differ by a factor only."""
        best: tuple[Sum, Sum] | None = None
        for term, c in total.terms.items():
            common, inverse = _outside(term, c, exponent)
            left = self.normal(_with(product, inverse) for product in self.products(total))
            if best is None or left.key < best[1].key:
                best = self.normal([common]), left
        assert best is not None
        return best


DELTA = Atom("delta", "", None, ((0, 1), (1, 0)))
ZERO_SIZE = placeholder(0).size


def _number(total: Sum) -> Fraction | None:
    """The number that a sum is, if it is one."""
    single = total.single()
    return single[1] if single is not None and not single[0].factors else None


def _never_negative(total: Sum) -> bool:
    """Whether no term of a sum can be negative, as far as is easily seen."""
    return all(
        c > 0
        and all(a.positive or a.kind in ("keep", "delta") or (a.is_real and e % 2 == 0) for (a, _), e in t.factors)
        for t, c in total.terms.items()
    )


def _arguments(inner: Sum) -> list[Index]:
    """What an atom is a function of: whole indices where their letters occur nowhere else, else the letters."""
    met: dict[Variable, set[Index]] = {}
    for index in inner.indices:
        for v in index.variables:
            if not (isinstance(v.name, str) and v.name.startswith("^")):
                met.setdefault(v, set()).add(index)
    chosen: dict[Index, None] = {}
    for v, within in sorted(met.items(), key=lambda item: str(item[0].name)):
        if v.bound:
            continue
        index = next(iter(within))
        whole = all(not w.bound and met.get(w) == {index} for w in index.variables)
        chosen.setdefault(index if whole else lone(v))
    return list(chosen)


def _outside(term: Term, c: Fraction, exponent: Fraction) -> tuple[Product, Product]:
    """What of a term may stand before a power of a sum: to that power, and its inverse."""
    whole = exponent.denominator == 1
    common, inverse = Product(ONE, {}, set()), Product(ONE, {}, set())
    for factor, e in term.factors:
        atom, at = factor
        free = not any(v.bound for i in at for v in i.variables)
        positive = atom.positive or e.denominator > 1
        if free and atom.kind not in ("keep", "delta") and (whole or positive):
            common.multiply(factor, e * exponent)
            inverse.multiply(factor, -e)
    if whole:
        common.coefficient, inverse.coefficient = c ** int(exponent), 1 / c
    elif c > 0:
        common.coefficient, inverse.coefficient = ONE, 1 / c
        for prime, count in prime_powers(c):
            common.multiply((prime, ()), count * exponent)
    return common, inverse


def _with(product: Product, other: Product) -> Product:
    product.coefficient *= other.coefficient
    for factor, exponent in other.factors.items():
        product.multiply(factor, exponent)
    return product
