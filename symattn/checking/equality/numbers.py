"""Exact scalars of SymPy -> sums: sizes and letters as atoms, roots as rational powers, cos and sin as exponentials."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy
from sympy import Expr, MatrixSymbol, S, Symbol

from symattn.checking.equality.algebra import Algebra
from symattn.checking.equality.indices import Undecided
from symattn.checking.equality.terms import Atom, Sum

IMAGINARY = Atom("imaginary", "i")
Known = Mapping[Symbol, Sum]  # what letters stand for that are no numbers of their own


def number_of(e: Expr, known: Known, algebra: Algebra) -> Sum:
    """The sum that a scalar is."""

    def of(x: Expr) -> Sum:
        return number_of(x, known, algebra)

    if e.is_Rational:
        return algebra.number(Fraction(int(e.p), int(e.q)))
    if e is S.ImaginaryUnit:
        return algebra.atom(IMAGINARY)
    if isinstance(e, Symbol) and e in known:
        return known[e]
    if e.is_real is False:
        raise Undecided("formula", e)  # roots and exponentials of real numbers are positive, of others they need not be
    if isinstance(e, Symbol):
        known_of_it = sorted(e.assumptions0.items())
        return algebra.scalar(f"{e.name!r}{known_of_it}", positive=bool(e.is_positive))
    if e.is_Add:
        return algebra.add(*map(of, e.args))
    if e.is_Mul:
        return algebra.multiply(*map(of, e.args))
    if isinstance(e, sympy.exp):
        return algebra.exp(of(e.exp))  # of E**x the second argument
    if e is S.Exp1:
        return algebra.exp(algebra.one)
    if e.is_Pow:
        return _power(e, known, algebra)
    if isinstance(e, sympy.cos | sympy.sin):
        return _turned(of(e.args[0]), isinstance(e, sympy.sin), algebra)
    if isinstance(e, sympy.tanh | sympy.log | sympy.Abs):
        return function_of(type(e).__name__, of(e.args[0]), algebra)
    if not e.has(*known, MatrixSymbol, S.Infinity, S.NegativeInfinity, S.NaN, sympy.zoo):
        return algebra.scalar(sympy.srepr(e), positive=bool(e.is_positive))  # equal to itself
    raise Undecided("formula", e)


def _power(e: Expr, known: Known, algebra: Algebra) -> Sum:
    base, exponent = e.as_base_exp()
    if exponent.is_Rational:
        return algebra.power(number_of(base, known, algebra), Fraction(int(exponent.p), int(exponent.q)))
    if base.is_positive is not True:
        raise Undecided("formula", e)
    return algebra.exp(
        algebra.multiply(number_of(exponent, known, algebra), algebra.log(number_of(base, known, algebra)))
    )


def _turned(angle: Sum, sine: bool, algebra: Algebra) -> Sum:
    """cos φ = (e^iφ + e^−iφ)/2, sin φ = (e^iφ − e^−iφ)/2i."""
    i = algebra.atom(IMAGINARY)
    forth, back = (algebra.exp(algebra.scale(algebra.multiply(i, angle), way)) for way in (1, -1))
    if not sine:
        return algebra.scale(algebra.add(forth, back), Fraction(1, 2))
    return algebra.scale(algebra.multiply(i, algebra.subtract(forth, back)), Fraction(-1, 2))


def function_of(name: str, inside: Sum, algebra: Algebra) -> Sum:
    """An atom f(inside); what is odd or even does not depend on a sign."""
    if name == "log":
        return algebra.log(inside)
    if name not in ("tanh", "Abs"):
        return algebra.function("function", name, inside)
    if not inside:
        return algebra.zero
    turned = algebra.scale(inside, -1)
    if turned.key < inside.key:
        value = algebra.function("function", name, turned)
        return algebra.scale(value, -1) if name == "tanh" else value
    return algebra.function("function", name, inside)
