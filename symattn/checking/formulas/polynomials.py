"""Sides as polynomials of SymPy, by what a reader makes of their letters and functions."""

from __future__ import annotations

from collections.abc import Callable, Container

import sympy
from sympy import Expr, Rational

from symattn.reading import formula as f

# asked first of every part; it may read what stands inside, and gives None for what numbers, sums and products are
Leaf = Callable[[f.Expression, Callable[[f.Expression], Expr]], Expr | None]


class UnreadError(Exception):
    """A part of which it is not known what it is."""


def read_polynomial(e: f.Expression, leaf: Leaf, powers: Container[int] = (), *, roots: bool = False) -> Expr | None:
    """A side multiplied out, with these powers, and roots or none; None where a part is not known.

    >>> [chain] = f.parse("2(x + 1)", algebra=True)
    >>> read_polynomial(chain.sides[0].expression, lambda part, _: sympy.Symbol("x") if part == f.Name("x") else None)
    2*x + 2
    """
    try:
        return read_known(e, leaf, powers, roots=roots)
    except UnreadError:
        return None


def read_known(e: f.Expression, leaf: Leaf, powers: Container[int] = (), *, roots: bool = False) -> Expr:
    """The same. Raises UnreadError where a part is not known."""

    def read(part: f.Expression) -> Expr:
        return read_known(part, leaf, powers, roots=roots)

    if (known := leaf(e, read)) is not None:
        return known
    match e:
        case f.Number(value=value):
            return Rational(value.numerator, value.denominator)
        case f.Sum(terms=terms, signs=signs):
            return sympy.expand(sympy.Add(*(sign * read(term) for sign, term in zip(signs, terms, strict=True))))
        case f.Product(factors=factors):
            return sympy.expand(sympy.Mul(*map(read, factors)))
        case f.Quotient(numerator=top, denominator=bottom):
            above, below = read(top), read(bottom)
            if below:
                return sympy.expand(above / below)
        case f.Power(base=base, exponent=f.Number(value=power)) if power in powers:
            return sympy.expand(read(base) ** int(power))
        case f.Root(radicand=inside) if roots:
            return sympy.sqrt(read(inside))
    raise UnreadError
