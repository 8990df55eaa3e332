"""Arithmetic of fractions of exponentials: what products and sums of softmax rows are made of, as in gradients.

An entry is Σ N/D, a D being a product of the rows' own denominators and an N a sum of exponentials with Surds for
coefficients. Whether one is 0, or a Surd after all, is decided by algebra:
exponentials of different Surds are linearly independent over the algebraic numbers (Lindemann and Weierstrass).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import sympy
from sympy import QQ, Expr

from symattn.errors import NotSupportedError
from symattn.values.exact.surds import ZERO, Surd, total
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
