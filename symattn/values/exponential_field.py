"""Whether an exact number is zero, decided by algebra: sums and quotients of roots and exponentials of them.

By the Lindemann–Weierstrass theorem exponentials of different algebraic numbers are linearly independent over the
algebraic numbers. So Σ c_k e^{a_k}, with a_k and c_k sums of square roots, is zero only if every coefficient is.
(A. Baker, Transcendental Number Theory, theorem 1.4.)
"""

from __future__ import annotations

import math
from typing import Any

import sympy
from sympy import QQ, Expr

from symattn.values.surds import Surd, Terms

Sum = dict[tuple[Terms, int], Any]  # (exponent, radicand) -> rational coefficient of e^exponent·√radicand
MOST_TERMS = 20_000


def is_zero(value: Expr) -> bool | None:
    """Whether the number is exactly 0; None where this algebra does not reach (exponentials of exponentials, ...).

    >>> e = sympy.exp(sympy.sqrt(2))
    >>> is_zero((e + 1) ** 2 - e**2 - 2 * e - 1), is_zero(e - 4), is_zero(sympy.exp(e))
    (True, False, None)
    """
    quotient = _quotient(value)
    if quotient is None or not quotient[1]:  # beyond this algebra, or divided by zero
        return None
    return not quotient[0]


def _quotient(value: Expr) -> tuple[Sum, Sum] | None:
    one: Sum = {((), 1): QQ(1)}
    surd = Surd.read(value)
    if surd is not None:
        return {((), r): c for r, c in surd.terms}, one
    if value is sympy.S.Exp1:
        return {(((1, QQ(1)),), 1): QQ(1)}, one
    if isinstance(value, sympy.exp):
        exponent = Surd.read(value.args[0])
        return None if exponent is None else ({(exponent.terms, 1): QQ(1)}, one)
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
            above = _added(above, part[0])
        elif value.is_Add:
            above, below = _added(_times(above, part[1]), _times(part[0], below)), _times(below, part[1])
        else:
            above, below = _times(above, part[0]), _times(below, part[1])
    return above, below


def _added(a: Sum, b: Sum) -> Sum:
    total = dict(a)
    for key, c in b.items():
        total[key] = total.get(key, QQ(0)) + c
    return {key: c for key, c in total.items() if c}


def _times(a: Sum, b: Sum) -> Sum:
    total: Sum = {}
    for (x, r), c in a.items():
        for (y, s), d in b.items():
            g = math.gcd(r, s)
            negative = Surd(tuple((q, -v) for q, v in y))
            key = (Surd(x).minus(negative).terms, r * s // (g * g))
            total[key] = total.get(key, QQ(0)) + c * d * g
    return {key: c for key, c in total.items() if c}
