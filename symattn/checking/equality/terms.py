"""Sums of products of entries: what the entry of a matrix is, for every size.

A `Sum` is Σ coefficient · Σ_bound Π atom(indices)^exponent with rational coefficients and exponents. Sizes, roots and
numbers are atoms themselves, so that (n + 1)/√d needs no algebra of its own. An atom that is a function of entries,
such as an exponential or a reciprocal, has the sum that it is taken of inside, over arguments @0, @1, …
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from time import thread_time

import sympy
from sympy import S

from symattn.checking.equality.indices import Index, Undecided, Variable

ONE = Fraction(1)
LONGEST_KEY = 400
LARGEST_FACTORED = 10**12


class Atom:
    """What stands in a product; two are the same if their keys are.

    `kind`: "entry" of a matrix, "opaque" (of a matrix of which nothing is known), "scalar", "prime", "imaginary",
    "position" of an index, "delta", "keep" (0 or 1), "exp", "power" (of a sum that is no product), "function" (anything
    else). `symmetries` are the permutations of the arguments that leave the value as it is.
    """

    __slots__ = ("_rule", "inner", "is_real", "key", "kind", "name", "positive", "symmetries")

    def __init__(
        self,
        kind: str,
        name: str,
        inner: Sum | None = None,
        symmetries: tuple[tuple[int, ...], ...] = (),
        positive: bool = False,
    ) -> None:
        self.kind, self.name, self.inner, self.symmetries, self.positive = kind, name, inner, symmetries, positive
        self.key = _short(f"{kind}:{name}" + ("" if inner is None else f"⟨{inner.key}⟩"))
        self.is_real = kind != "imaginary" and (inner is None or inner.is_real)
        self._rule: object = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return self.key


def _short(key: str) -> str:
    """A long key by its digest: what is nested would double its length at every level."""
    return key if len(key) <= LONGEST_KEY else f"#{sha256(key.encode()).hexdigest()}"


Factor = tuple[Atom, tuple[Index, ...]]


@dataclass(frozen=True)
class Term:
    """A product in its normal form: made by `symattn.equality.canonical` alone."""

    factors: tuple[tuple[Factor, Fraction], ...]
    bound: tuple[Variable, ...]
    key: str

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.key == other.key

    @cached_property
    def free(self) -> frozenset[Variable]:
        return frozenset(v for (_, at), _ in self.factors for i in at for v in i.variables if not v.bound)


@dataclass
class Product:
    """A product on its way to a normal form."""

    coefficient: Fraction
    factors: dict[Factor, Fraction]
    bound: set[Variable]

    def copy(self) -> Product:
        return Product(self.coefficient, dict(self.factors), set(self.bound))

    def multiply(self, factor: Factor, exponent: Fraction) -> None:
        factor = factor[0], least(factor[1], factor[0].symmetries)  # f(i, j) f(j, i) is a square where f is symmetric
        total = self.factors.pop(factor, Fraction(0)) + exponent
        if total:
            self.factors[factor] = total

    def rename(self, new: Mapping[Variable, Index]) -> None:
        before, self.factors = self.factors, {}
        for (atom, at), exponent in before.items():
            self.multiply((atom, tuple(i.renamed(new) for i in at)), exponent)

    def uses(self, variable: Variable) -> int:
        return sum(variable in i.variables for _, at in self.factors for i in at)


class Budget:
    """How much work may be done: products brought to normal form, and seconds."""

    def __init__(self, products: int = 60_000, seconds: float = 10.0) -> None:
        self.products, self.until = products, thread_time() + seconds

    def spend(self, products: int = 1) -> None:
        self.products -= products
        if self.products < 0 or thread_time() > self.until:
            raise Undecided("too_large")


class Sum:
    """A sum of products in normal form; `algebra` makes it."""

    __slots__ = ("_key", "terms")

    def __init__(self, terms: Mapping[Term, Fraction]) -> None:
        self.terms = {t: c for t, c in terms.items() if c}
        self._key: str | None = None

    @property
    def key(self) -> str:
        if self._key is None:
            self._key = " + ".join(sorted(f"{c}·{t.key}" for t, c in self.terms.items()))
        return self._key

    @property
    def free(self) -> set[Variable]:
        return set().union(*(t.free for t in self.terms))

    @property
    def indices(self) -> set[Index]:
        """Every index in it that is no number."""
        return {i for t in self.terms for (_, at), _ in t.factors for i in at if i.parts}

    @property
    def is_real(self) -> bool:
        """Whether there is no i in it."""
        return all(atom.is_real for t in self.terms for (atom, _), _ in t.factors)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def single(self) -> tuple[Term, Fraction] | None:
        """The one term and its coefficient, if there is one term."""
        if len(self.terms) != 1:
            return None
        return next(iter(self.terms.items()))


def prime_powers(value: Fraction) -> list[tuple[Atom, int]]:
    """A positive number as powers of primes; what is too large to be taken apart counts as one."""
    parts = [(value.numerator, 1), (value.denominator, -1)]
    found = []
    for part, sign in parts:
        if part > LARGEST_FACTORED:
            found.append((Atom("prime", str(part), positive=True), sign))
        elif part > 1:
            found += [(Atom("prime", str(p), positive=True), sign * e) for p, e in sympy.factorint(part).items()]
    return found


def name(v: Variable) -> str:
    """How a variable is written in keys."""
    return f"{v.name}" if v.bound else f"'{v.name}"


def least(at: tuple[Index, ...], symmetries: Sequence[tuple[int, ...]]) -> tuple[Index, ...]:
    """Of arguments that may be exchanged the first order."""
    if not symmetries:
        return at
    return min((tuple(at[k] for k in order) for order in symmetries), key=lambda a: [i.write(name) for i in a])


def variables_of(factors: Iterable[Factor]) -> set[Variable]:
    return {v for _, at in factors for i in at for v in i.variables}


def placeholder(number: int) -> Variable:
    """What stands for an argument in the sum inside an atom."""
    return Variable(f"@{number}", S.Zero)
