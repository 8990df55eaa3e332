"""Whether an exact number is zero, decided by algebra: sums and quotients of roots, exponentials, cosines and sines.

By the Lindemann–Weierstrass theorem exponentials of different algebraic numbers are linearly independent over the
algebraic numbers. So Σ c_k e^{a_k}, with a_k and c_k sums of square roots of integers (negative ones too, for cosines
and sines), is zero only if every coefficient is. (A. Baker, Transcendental Number Theory, theorem 1.4.) What is no such
exponent goes by its name: sums whose coefficients are all zero are zero whatever it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import sympy
from sympy import QQ, Expr

from symattn.values.exact.surds import Surd

# an exponent: the rational coefficient of each root. It is the root of an integer (a negative one for i√r); anything
# else stands for itself, beside −1 for i times it, and no more is known of it
Root = int | tuple[int, Expr]
Exponent = frozenset[tuple[Root, Any]]
NO_EXPONENT: Exponent = frozenset()
Sum = dict[tuple[Exponent, int], Any]  # (exponent, radicand) -> rational coefficient of e^exponent·√radicand
MOST_TERMS = 20_000


def is_zero(value: Expr) -> bool | None:
    """Whether the number is exactly 0; None where this algebra does not reach (exponentials of exponentials, ...).

    >>> e = sympy.exp(sympy.sqrt(2))
    >>> is_zero((e + 1) ** 2 - e**2 - 2 * e - 1), is_zero(e - 4), is_zero(sympy.exp(e))
    (True, False, None)
    >>> is_zero(sympy.cos(2) - 1 + 2 * sympy.sin(1) ** 2), is_zero(sympy.cos(1) - sympy.sin(1))
    (True, False)
    """
    parts = _parts(value)
    if parts is not None and not any(parts.values()):
        return True
    quotient = _quotient(value)
    if quotient is None or not quotient[1]:  # beyond this algebra, or divided by zero
        return None
    if not quotient[0]:
        return True
    named = any(isinstance(root, tuple) for part in quotient for exponent, _ in part for root, _ in exponent)
    return None if named else False  # different expressions may be equal numbers


def collect(value: Expr) -> Expr | None:
    """The same number as sums of exponentials over sums of them, like ones added up: what cancels is gone.

    None where this algebra does not reach, or nothing is gained.

    >>> e = sympy.exp(sympy.Integer(-1000))
    >>> collect(1 / (1 + e) - 1)
    -exp(-1000)/(exp(-1000) + 1)
    """
    quotient = _quotient(value)
    if quotient is None or not quotient[1] or not all(_is_real(part) for part in quotient):
        return None
    above, below = (_expression(part) for part in quotient)
    return above / below


def _is_real(total: Sum) -> bool:
    """Whether a sum has neither i nor exponents that go by their names."""
    return all(r > 0 and all(isinstance(x, int) and x > 0 for x, _ in exponent) for exponent, r in total)


def _expression(total: Sum) -> Expr:
    terms = []
    for (exponent, r), c in total.items():
        power = sympy.Add(*(_rational(by) * sympy.sqrt(root) for root, by in exponent))
        terms.append(_rational(c) * sympy.sqrt(r) * sympy.exp(power))
    return sympy.Add(*terms)


def _rational(c: Any) -> Expr:
    return sympy.Rational(int(c.numerator), int(c.denominator))


def _parts(value: Expr) -> dict[frozenset[Any], Sum] | None:
    """A sum of quotients by their denominators, so that those of different rows of weights are not multiplied."""
    factors = sympy.Mul.make_args(value)
    inner = next((x for x in factors if x.is_Add), None)
    if inner is None:
        quotient = _quotient(value)
        return None if quotient is None or not quotient[1] else {frozenset(quotient[1].items()): quotient[0]}
    outer = _quotient(sympy.Mul(*(x for x in factors if x is not inner)))
    if outer is None or not outer[1]:
        return None
    total: dict[frozenset[Any], Sum] = {}
    for term in inner.args:
        found = _parts(term)
        if found is None:
            return None
        for key, above in found.items():
            below = dict(key)
            if len(above) * len(outer[0]) > MOST_TERMS or len(below) * len(outer[1]) > MOST_TERMS:
                return None
            key = frozenset(_times(below, outer[1]).items())
            total[key] = _add(total.get(key, {}), _times(above, outer[0]))
    return total


def _quotient(value: Expr) -> tuple[Sum, Sum] | None:
    one: Sum = {(NO_EXPONENT, 1): QQ(1)}
    surd = Surd.read(value)
    if surd is not None:
        return {(NO_EXPONENT, r): c for r, c in surd.terms}, one
    if value is sympy.S.Exp1:
        return {(frozenset({(1, QQ(1))}), 1): QQ(1)}, one
    if isinstance(value, sympy.exp):
        return {(_exponent(value.exp, 1), 1): QQ(1)}, one
    if isinstance(value, sympy.cos | sympy.sin):
        return _on_the_circle(value), one
    if isinstance(value, sympy.tanh):
        return _quotient(value.rewrite(sympy.exp))
    if not (value.is_Add or value.is_Mul or (value.is_Pow and value.exp.is_Integer and abs(value.exp) < 20)):
        return None
    if value.is_Pow:
        inner = _quotient(value.base)
        parts = [inner if value.exp > 0 or inner is None else inner[::-1]] * abs(int(value.exp))
    else:
        parts = [_quotient(a) for a in value.args]
    above, below = (dict[Any, Any](), one) if value.is_Add else (one, one)
    for part in parts:
        if part is None or len(above) * len(part[1]) > MOST_TERMS or len(below) * max(map(len, part)) > MOST_TERMS:
            return None
        if value.is_Add and part[1] == below:
            above = _add(above, part[0])
        elif value.is_Add:
            above, below = _add(_times(above, part[1]), _times(part[0], below)), _times(below, part[1])
        else:
            above, below = _times(above, part[0]), _times(below, part[1])
    return above, below


def _add(a: Sum, b: Sum) -> Sum:
    total = dict(a)
    for key, c in b.items():
        total[key] = total.get(key, QQ(0)) + c
    return {key: c for key, c in total.items() if c}


def _times(a: Sum, b: Sum) -> Sum:
    total: Sum = {}
    for (x, r), c in a.items():
        for (y, s), d in b.items():
            g = math.gcd(r, s)
            key = (_merge((*x, *y)), r * s // (g * g))
            sign = -1 if r < 0 and s < 0 else 1  # i·i
            total[key] = total.get(key, QQ(0)) + c * d * g * sign
    return {key: c for key, c in total.items() if c}


def _merge(terms: Iterable[tuple[Root, Any]]) -> Exponent:
    total: dict[Root, Any] = {}
    for root, c in terms:
        total[root] = total.get(root, QQ(0)) + c
    return frozenset((root, c) for root, c in total.items() if c)


def _exponent(value: Expr, sign: int) -> Exponent:
    """The roots of a real exponent; with sign −1 those of i times it."""
    found: list[tuple[Root, Any]] = []
    for term in sympy.Add.make_args(value):
        surd = Surd.read(term)
        factor, rest = term.as_coeff_Mul(rational=True)
        if surd is not None:
            found += [(sign * r, c) for r, c in surd.terms]
        else:
            found.append(((sign, rest), QQ(int(factor.p), int(factor.q))))
    return _merge(found)


def _on_the_circle(value: Expr) -> Sum:
    """cos x = (e^{ix} + e^{−ix})/2; sin x = (e^{ix} − e^{−ix})/2i."""
    ahead = _exponent(value.args[0], -1)
    back = frozenset((root, -c) for root, c in ahead)
    half = QQ(1, 2)
    if isinstance(value, sympy.cos):
        return {(ahead, 1): half, (back, 1): half}
    return {(ahead, -1): -half, (back, -1): half}
