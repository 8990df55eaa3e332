"""Sums of fractions of exponentials: what products and sums of softmax rows are, as in gradients.

An entry is Σ N/D, a D being a product of the rows' own denominators and an N a sum of exponentials with Surds for
coefficients. Entries are made when they are asked for. Whether one is 0, or a Surd after all, is decided by algebra:
exponentials of different Surds are linearly independent over the algebraic numbers (Lindemann and Weierstrass).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import QQ, Expr

from symattn.errors import NotSupportedError
from symattn.values.exact.closed_form import Form, Writer
from symattn.values.exact.surds import MINUS_ONE, ZERO, Surd, total
from symattn.writing.document import Cell
from symattn.writing.prose import Sentence

Numerator = dict[tuple[int, int], Any]  # (number of an exponent, radicand) -> rational coefficient
Denominator = tuple[tuple[int, int], ...]  # (number of a row's denominator, power), numbers rising
Entry = dict[Denominator, Numerator]
MOST_TERMS = 50_000
LETTERS = 8  # what an exponential with its coefficient takes at the least, more or less


class Exponents:
    """The exponents and denominators met so far, by number; number 0 is the exponent 0."""

    def __init__(self) -> None:
        self.exponents: list[Surd] = [ZERO]
        self.denominators: list[dict[int, int]] = []
        self._numbers: dict[Surd, int] = {ZERO: 0}
        self._known: dict[frozenset[tuple[int, int]], int] = {}
        self._sums: dict[tuple[int, int], int] = {}

    def number(self, exponent: Surd) -> int:
        if exponent not in self._numbers:
            self._numbers[exponent] = len(self.exponents)
            self.exponents.append(exponent)
        return self._numbers[exponent]

    def plus(self, a: int, b: int) -> int:
        """The number of the sum of two exponents."""
        if not a or not b:
            return a or b
        if (a, b) not in self._sums:
            self._sums[a, b] = self._sums[b, a] = self.number(total((self.exponents[a], self.exponents[b])))
        return self._sums[a, b]

    def denominator(self, counts: dict[int, int]) -> int:
        """The number of Σ count·e^exponent."""
        key = frozenset(counts.items())
        if key not in self._known:
            self._known[key] = len(self.denominators)
            self.denominators.append(counts)
        return self._known[key]

    # --- arithmetic

    def add(self, terms: list[Entry]) -> Entry:
        out: Entry = {}
        for term in terms:
            for below, above in term.items():
                if below not in out:
                    out[below] = dict(above)
                    continue
                mine = out[below]
                for key, c in above.items():
                    mine[key] = mine[key] + c if key in mine else c
        return {below: kept for below, above in out.items() if (kept := {k: c for k, c in above.items() if c})}

    def multiply(self, a: Entry, b: Entry) -> Entry:
        if sum(map(len, a.values())) * sum(map(len, b.values())) > MOST_TERMS:
            raise NotSupportedError(Sentence("closed_form_too_long"))
        return self.add(
            [{_join(p, q): self.product(m, n)} for p, m in a.items() for q, n in b.items()]  # one summand for each pair
        )

    def product(self, a: Numerator, b: Numerator) -> Numerator:
        out: Numerator = {}
        for (x, r), c in a.items():
            for (y, s), d in b.items():
                coefficient = c * d
                root = r * s
                if r != 1 and s != 1:
                    g = math.gcd(r, s)
                    root, coefficient = root // (g * g), coefficient * g
                key = (self.plus(x, y), root)
                out[key] = out[key] + coefficient if key in out else coefficient
        return {key: c for key, c in out.items() if c}

    def divide(self, a: Entry, b: Entry) -> Entry:
        """a/b; b is one fraction, with rational coefficients. Raises NotSupportedError for any other."""
        if len(b) != 1 or any(r != 1 for _, r in next(iter(b.values()))):
            raise NotSupportedError(Sentence("closed_form_too_long"))
        ((below, above),) = b.items()
        top = max((self.exponents[x] for x, _ in above), key=functools.cmp_to_key(_compare))
        down = self.number(ZERO.minus(top))  # the largest exponent becomes 0, as in softmax
        counts = {self.plus(x, down): c for (x, _), c in above.items()}
        inverse: Numerator = {(down, 1): QQ(1)}
        for n, power in below:
            for _ in range(power):
                inverse = self.product(inverse, self._poly(n))
        if list(counts) == [0]:
            return self.multiply(a, {(): {key: c / counts[0] for key, c in inverse.items()}})
        return self.multiply(a, {((self.denominator(counts), 1),): inverse})

    def vanishes(self, entry: Entry) -> bool:
        """Whether an entry is 0: over one denominator its numerator has no term left."""
        left = self.combine(entry)
        if len(left) < 2:
            return not left
        powers: dict[int, int] = {}
        for below in left:
            for n, power in below:
                powers[n] = max(power, powers.get(n, 0))
        parts: list[Entry] = []
        for below, above in left.items():
            have = dict(below)
            for n, power in powers.items():
                for _ in range(power - have.get(n, 0)):
                    above = self.product(above, self._poly(n))
            parts.append({(): above})
        return not self.add(parts)

    # --- what an entry is

    def combine(self, entry: Entry) -> Entry:
        """The entry with the fractions over powers of the same denominators as one; those that cancel are gone."""
        groups: dict[tuple[int, ...], list[Denominator]] = {}
        for below in entry:
            groups.setdefault(tuple(n for n, _ in below), []).append(below)
        out: Entry = {}
        for numbers, found in groups.items():
            powers = [max(p[k][1] for p in found) for k in range(len(numbers))]
            parts: list[Entry] = []
            for below in found:
                above = entry[below]
                for (n, power), most in zip(below, powers, strict=True):
                    for _ in range(most - power):
                        above = self.product(above, self._poly(n))
                parts.append({(): above})
            whole = self.add(parts)
            if whole:
                out[tuple(zip(numbers, powers, strict=True))] = whole[()]
        return out

    def _poly(self, number: int) -> Numerator:
        return {(x, 1): QQ(1) * count for x, count in self.denominators[number].items()}

    def closed(self, entry: Entry) -> Surd | None:
        """The entry as a Surd: every fraction is a multiple of 1; None where one is not."""
        sums: list[Surd] = []
        for below, above in self.combine(entry).items():
            poly: Numerator = {(0, 1): QQ(1)}
            for n, power in below:
                for _ in range(power):
                    poly = self.product(poly, self._poly(n))
            share = _multiple(above, poly)
            if share is None:
                return None
            sums.append(share)
        return total(sums) if sums else ZERO

    def to_sympy(self, entry: Entry) -> Expr:
        terms = []
        for below, above in self.combine(entry).items():
            quotient = self._sum(above)
            for n, power in below:
                quotient = quotient / self._sum(self._poly(n)) ** power
            terms.append(quotient)
        return sympy.Add(*terms)

    def _sum(self, above: Numerator) -> Expr:
        by_exponent: dict[int, list[tuple[int, Any]]] = {}
        for (x, r), c in above.items():
            by_exponent.setdefault(x, []).append((r, c))
        return sympy.Add(*[
            Surd(tuple(sorted(terms))).to_sympy() * sympy.exp(self.exponents[x].to_sympy())
            for x, terms in by_exponent.items()
        ])  # fmt: skip


def _compare(x: Surd, y: Surd) -> int:
    return x.minus(y).sign()


def _join(p: Denominator, q: Denominator) -> Denominator:
    if not p or not q:
        return p or q
    powers = dict(p)
    for n, power in q:
        powers[n] = powers.get(n, 0) + power
    return tuple(sorted(powers.items()))


def _multiple(above: Numerator, poly: Numerator) -> Surd | None:
    """s with above = s·poly, if there is one."""
    radicands = sorted({r for _, r in above})
    exponents = {x for x, _ in poly}
    if {x for x, _ in above} != exponents:
        return None
    terms = []
    for r in radicands:
        shares = {above.get((x, r), QQ(0)) / poly[x, 1] for x in exponents}
        if len(shares) > 1:
            return None
        terms.append((r, shares.pop()))
    return Surd(tuple((r, c) for r, c in terms if c))


@dataclass(frozen=True, eq=False)
class Fractions(Form):
    """A matrix of such entries."""

    is_cheap = False
    shape: tuple[int, int]
    make: Callable[[int, int], Entry]
    exponents: Exponents
    _made: dict[tuple[int, int], Entry] = field(default_factory=dict)

    @staticmethod
    def of(a: Form, exponents: Exponents) -> Fractions | None:
        """A matrix in another closed form; None where it is no such sums, or has −∞ in it."""
        if isinstance(a, Fractions):
            return a
        make = a.as_fractions(exponents)
        return None if make is None else Fractions(a.shape, make, exponents)

    def fractions(self, i: int, j: int) -> Entry:
        if (i, j) not in self._made:
            self._made[i, j] = self.make(i, j)
        return self._made[i, j]

    def entry(self, i: int, j: int) -> Expr:
        return self.exponents.to_sympy(self.fractions(i, j))

    def closed(self, i: int, j: int) -> Surd | None:
        """The entry if it is a Surd after all; None too where that would take too long to find out."""
        try:
            return self.exponents.closed(self.fractions(i, j))
        except NotSupportedError:
            return None

    def parts(self, i: int, j: int) -> list[tuple[dict[Surd, Surd], list[tuple[dict[Surd, int], int]]]]:
        """The fractions of an entry: exponent -> coefficient above, exponent -> count for each power below."""
        field = self.exponents
        found = []
        for below, above in field.combine(self.fractions(i, j)).items():
            numerator: dict[Surd, Surd] = {}
            for (x, r), c in sorted(above.items()):
                exponent, term = field.exponents[x], Surd(((r, c),))
                numerator[exponent] = total((numerator[exponent], term)) if exponent in numerator else term
            factors = [({field.exponents[x]: c for x, c in field.denominators[n].items()}, p) for n, p in below]
            found.append((numerator, factors))
        return found

    def is_long(self, room: int) -> bool:
        first = (self.exponents.combine(self.fractions(0, j)) for j in range(self.shape[1]))
        return any(sum(map(len, entry.values())) > room // LETTERS for entry in first)

    def write(self, i: int, j: int, writer: Writer) -> Cell:
        return writer.fractions(self, i, j)

    # --- operations

    def _like(self, shape: tuple[int, int], make: Callable[[int, int], Entry]) -> Fractions:
        return Fractions(shape, make, self.exponents)

    def transpose(self) -> Fractions:
        return self._like(self.shape[::-1], lambda i, j: self.fractions(j, i))

    def matmul(self, other: Fractions) -> Fractions:
        field, inner = self.exponents, range(self.shape[1])
        return self._like(
            (self.shape[0], other.shape[1]),
            lambda i, j: field.add([field.multiply(self.fractions(i, k), other.fractions(k, j)) for k in inner]),
        )

    def add(self, other: Fractions) -> Fractions:
        return self._like(self.shape, lambda i, j: self.exponents.add([self.fractions(i, j), other.fractions(i, j)]))

    def times(self, other: Fractions) -> Fractions:
        return self._like(self.shape, lambda i, j: self.exponents.multiply(self.fractions(i, j), other.fractions(i, j)))

    def add_row(self, row: Fractions) -> Fractions:
        return self.add(row.spread(self.shape))

    def subtract_column(self, column: Fractions) -> Fractions:
        return self.add(column.spread(self.shape).scale(MINUS_ONE))

    def divide_rows(self, column: Fractions) -> Fractions | None:
        """None where a row's divisor is no sum of exponentials with rational coefficients."""
        divide = self.exponents.divide
        one: Entry = {(): {(0, 1): QQ(1)}}
        try:
            for i in range(column.shape[0]):
                divide(one, column.fractions(i, 0))
        except NotSupportedError:
            return None
        return self._like(self.shape, lambda i, j: divide(self.fractions(i, j), column.fractions(i, 0)))

    def scale(self, factor: Surd) -> Fractions:
        by: Entry = {(): {(0, r): c for r, c in factor.terms}} if factor.terms else {}
        return self._like(self.shape, lambda i, j: self.exponents.multiply(self.fractions(i, j), by))

    def spread(self, shape: tuple[int, int]) -> Fractions:
        """A row or a column repeated."""
        row, column = self.shape[0] == 1, self.shape[1] == 1
        return self._like(shape, lambda i, j: self.fractions(0 if row else i, 0 if column else j))

    def block(self, rows: range, columns: range) -> Fractions:
        return self._like((len(rows), len(columns)), lambda i, j: self.fractions(rows.start + i, columns.start + j))
