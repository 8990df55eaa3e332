"""Exact real numbers a + b√2 + c√3 + ….

A number is a tuple of (square-free radicand, rational coefficient). Square roots of different square-free integers
are linearly independent over the rationals, so equality is equality of coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy import QQ, Expr, Rational

from symattn.writing.document import Style

Terms = tuple[tuple[int, Any], ...]
MOST_ROOTS = 500  # a number of more roots than this is no Surd to us
LARGEST_EXPONENT = 10_000


@dataclass(frozen=True, slots=True)
class Surd:
    """One number: Σ coefficient·√radicand, radicands rising, no coefficient zero.

    >>> Surd.read(sympy.sqrt(8) + 3).terms
    ((1, 3), (2, 2))
    """

    terms: Terms

    def __hash__(self) -> int:  # a rational's own hash is slow
        return hash(tuple([(r, int(QQ.numer(c)), int(QQ.denom(c))) for r, c in self.terms]))

    @staticmethod
    def read(value: Expr) -> Surd | None:
        """The number as a Surd, or None if it is no such number."""
        if value.is_Rational:
            return Surd(((1, rational_of(value)),) if value else ())
        terms = _read(value)
        return None if terms is None else Surd(tuple(sorted(terms.items())))

    def to_sympy(self) -> Expr:
        return sympy.Add(*[_to_rational(c) * sympy.sqrt(r) for r, c in self.terms])

    @property
    def rational(self) -> Any | None:
        """The number if it is rational, else None."""
        if not self.terms:
            return QQ(0)
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] == 1 else None

    @property
    def integer(self) -> int | None:
        """The number if it is an integer, else None."""
        c = self.rational
        return int(QQ.numer(c)) if c is not None and QQ.denom(c) == 1 else None

    @property
    def fraction(self) -> Fraction | None:
        """The same as Python has it."""
        c = self.rational
        return None if c is None else Fraction(int(QQ.numer(c)), int(QQ.denom(c)))

    def approximate(self, places: int) -> Fraction:
        """The number with each root cut off after so many places; what is rational as it is.

        >>> Surd.read(sympy.sqrt(2) / 3 + 1).approximate(2)
        Fraction(147, 100)
        """
        unit = 10**places
        parts = (Fraction(math.isqrt(r * unit**2) * int(QQ.numer(c)), unit * int(QQ.denom(c))) for r, c in self.terms)
        return sum(parts, Fraction(0))

    def minus(self, other: Surd) -> Surd:
        return total((self, Surd(tuple((r, -c) for r, c in other.terms))))

    def times(self, count: int) -> Surd:
        return Surd(tuple((r, c * count) for r, c in self.terms)) if count else ZERO

    def divide(self, count: int) -> Surd:
        return self if count == 1 else Surd(tuple((r, c / count) for r, c in self.terms))

    def sign(self) -> int:
        """−1, 0 or 1, decided in integers: the roots to ever more digits, until the sum is far enough from 0."""
        if len(self.terms) <= 1:
            return (1 if self.terms[0][1] > 0 else -1) if self.terms else 0
        below = math.lcm(*[int(QQ.denom(c)) for _, c in self.terms])
        whole = [(r, int(QQ.numer(c * below))) for r, c in self.terms]
        digits = 64
        while True:
            total = sum(c * math.isqrt(r << (2 * digits)) for r, c in whole)
            if abs(total) > sum(abs(c) for _, c in whole):  # each root is short by less than one unit
                return 1 if total > 0 else -1
            digits *= 2

    def write(self, style: Style) -> str:
        """29√2, 3√2/2, 1/3 + √2, −5: terms in the order of their radicands."""
        if not self.terms:
            return "0"
        out = ""
        for r, c in self.terms:
            negative, term = signed_term(r, c, style)
            sign = f" {style.minus if negative else '+'} " if out else style.minus if negative else ""
            out += sign + term
        return out


def signed_term(r: int, c: Any, style: Style) -> tuple[bool, str]:
    """Whether c√r is negative, and its magnitude as written."""
    p, q = int(c.numerator), int(c.denominator)
    above = str(abs(p))
    if r != 1:
        root = style.root(str(r))
        above = root if above == "1" else above + root
    return p < 0, above if q == 1 else style.fraction(above, str(q))


def _read(value: Expr) -> dict[int, Any] | None:
    """Radicand -> coefficient; SymPy's `expand` would write out 2ⁿ terms for n factors, so sums stay collected."""
    if value.is_Rational:
        return {1: rational_of(value)} if value else {}
    radicand = _radicand(value)
    if radicand is not None:
        return {radicand: QQ(1)}
    if value.is_Pow and value.exp.is_Integer and abs(value.exp) <= LARGEST_EXPONENT:
        base = _read(value.base)
        if base is not None and value.exp < 0:
            base = _inverse(base)
        return None if base is None else _power(base, abs(int(value.exp)))
    if not (value.is_Add or value.is_Mul):
        return None
    result: dict[int, Any] | None = {} if value.is_Add else {1: QQ(1)}
    for argument in value.args:
        part = _read(argument)
        if part is None or result is None:
            return None
        result = _plus(result, part) if value.is_Add else _times(result, part)
    return result


def _plus(a: dict[int, Any], b: dict[int, Any]) -> dict[int, Any]:
    added = dict(a)
    for r, c in b.items():
        added[r] = added.get(r, QQ(0)) + c
    return {r: c for r, c in added.items() if c}


def _times(a: dict[int, Any], b: dict[int, Any]) -> dict[int, Any] | None:
    product: dict[int, Any] = {}
    for r, c in a.items():
        for s, d in b.items():
            radicand, factor = product_of_roots(r, s)
            product[radicand] = product.get(radicand, QQ(0)) + c * d * factor
    return {r: c for r, c in product.items() if c} if len(product) <= MOST_ROOTS else None


def _power(base: dict[int, Any], exponent: int) -> dict[int, Any] | None:
    result: dict[int, Any] | None = {1: QQ(1)}
    square: dict[int, Any] | None = base
    while exponent and result is not None and square is not None:
        if exponent % 2:
            result = _times(result, square)
        exponent //= 2
        square = _times(square, square) if exponent else square
    return None if square is None else result


def _inverse(a: dict[int, Any]) -> dict[int, Any] | None:
    """1/(c√r) = √r/(cr); sums of several roots are left alone."""
    if len(a) != 1:
        return None
    ((r, c),) = a.items()
    return {r: 1 / (c * r)}


def _radicand(root: Expr) -> int | None:
    # up to 2³⁰ SymPy has surely taken every square out (it tries all primes below 2¹⁵)
    if root.is_Pow and root.exp == Rational(1, 2) and root.base.is_Integer and 0 < root.base < 1 << 30:
        return int(root.base)
    return None


_fraction = QQ.dtype  # without the checks of QQ(…), which take as long again


def rational_of(value: Expr) -> Any:
    return _fraction(int(value.p), int(value.q))


def _to_rational(c: Any) -> Expr:
    return Rational(int(QQ.numer(c)), int(QQ.denom(c)))


def product_of_roots(r: int, s: int) -> tuple[int, Any]:
    """√r·√s = g·√(rs/g²), g the greatest common divisor of two square-free numbers."""
    g = math.gcd(r, s)
    return r * s // (g * g), QQ(g)


def total(summands: Iterable[Surd]) -> Surd:
    """Their sum."""
    terms = list(summands)
    if len(terms) == 1:
        return terms[0]
    collected: dict[int, Any] = {}
    for x in terms:
        for r, c in x.terms:
            collected[r] = collected.get(r, QQ(0)) + c
    return Surd(tuple(sorted((r, c) for r, c in collected.items() if c)))


def number(value: int) -> Surd:
    return Surd(((1, QQ(value)),) if value else ())


ZERO, ONE, MINUS_ONE = number(0), number(1), number(-1)
