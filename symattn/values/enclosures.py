"""Enclosures of one number: Arb balls, which are proven to contain it.

The precision is in bits and local: flint's own context is restored.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import reduce
from typing import TypeVar

import flint
import sympy
from flint import arb, arb_mat, fmpq
from sympy import Expr, Piecewise, S
from sympy.logic.boolalg import Boolean

from symattn.errors import NotSupportedError
from symattn.values.decimals import Bounds
from symattn.writing.prose import Sentence

T = TypeVar("T")
MOST_BITS = 1 << 20  # of working precision
_VAST = arb(10) ** 1000


def precision(bits: int) -> AbstractContextManager[object]:
    """Arb works with `bits` bits inside, and as before afterwards."""
    made: AbstractContextManager[object] = flint.ctx.workprec(bits)
    return made


def bounds(ball: arb) -> Bounds:
    """The two ends of a ball as exact binary fractions."""
    if not ball.is_finite():
        return Bounds(-1, 1, 1 << 14)
    middle, at = map(int, ball.mid().man_exp())
    if ball.is_exact():
        return Bounds(middle, middle, at)
    radius, by = map(int, ball.rad().man_exp())
    if not middle:
        return Bounds(-radius, radius, by)
    farthest = 4 * MOST_BITS  # what lies further apart is rounded outwards, not written out
    if at - by > farthest:
        radius, by = 1 + (radius >> (at - by - farthest)), at - farthest
    elif by - at > farthest:
        return Bounds(-radius - 1, radius + 1, by)
    exponent = min(at, by)
    middle, radius = middle << (at - exponent), radius << (by - exponent)
    return Bounds(middle - radius, middle + radius, exponent)


def whole_of(ball: arb) -> int | None:
    """The one integer in a ball, if there is one. Where exponents are vast FLINT is not asked: it aborts the process.

    >>> whole_of(arb(3)), whole_of(arb(10) ** 10**18), whole_of(arb(10) ** -(10**18))
    (3, None, None)
    """
    if abs(ball) < arb(1) / 2:
        return 0 if ball.contains(0) else None
    found = ball.unique_fmpz() if abs(ball) < _VAST else None
    return None if found is None else int(found)


def raised(base: arb, power: arb) -> arb:
    """A power, where a ball around 0 is raised to a whole number too: FLINT's own goes by its logarithm.

    >>> abs(raised(arb(1) / 3 - arb(1) / 3, arb(2))) < 1, raised(arb(-2), arb(3))
    (True, -8.00000000000000)
    """
    whole = whole_of(power) if base.contains(0) and power.is_exact() else None
    if whole is None or not 0 < whole <= _LARGEST_POWER:
        return base**power
    return reduce(lambda x, y: x * y, [base] * whole)


_LARGEST_POWER = 64


def narrow(
    ball: Callable[[int], arb], question: Callable[[Bounds], T | None], bits: int, most: int = MOST_BITS
) -> T | None:
    """The answer to a question about a number, which is enclosed with twice the precision until there is one."""
    while bits <= most:
        with precision(bits):
            answer = question(bounds(ball(bits)))
        if answer is not None:
            return answer
        bits *= 2
    return None


_FUNCTIONS: Mapping[type, Callable[[arb], arb]] = {
    sympy.exp: lambda x: x.exp(),
    sympy.log: lambda x: x.log(),
    sympy.tanh: lambda x: x.tanh(),
    sympy.cos: lambda x: x.cos(),
    sympy.sin: lambda x: x.sin(),
    sympy.Abs: lambda x: abs(x),
    sympy.erf: lambda x: x.erf(),
}


def enclose(value: Expr, known: Mapping[Expr, arb] | None = None) -> arb:
    """A ball around an exact real number, at the precision in force (0 stands in for −∞, which is hidden).

    `known` has the balls of symbols in it. Raises NotSupportedError for a function of which no ball is known.
    """
    return _enclose(value, dict(known or {}))


def enclose_fraction(value: Fraction) -> arb:
    """A ball around a rational number, at the precision in force."""
    return arb(fmpq(value.numerator, value.denominator))


def _enclose(value: Expr, known: dict[Expr, arb]) -> arb:
    """A part that stands in several places is enclosed once."""
    if value.is_Rational:
        return arb(fmpq(int(value.p), int(value.q)))
    if value not in known:
        known[value] = _apply(value, known)
    return known[value]


def _apply(value: Expr, known: dict[Expr, arb]) -> arb:
    if value in _CONSTANTS:
        return _CONSTANTS[value]()
    if isinstance(value, Piecewise):
        return _choose(value, known)
    arguments = [_enclose(a, known) for a in value.args]
    if value.is_Add:
        return sum(arguments, arb(0))
    if value.is_Mul:
        product = arb(1)
        for a in arguments:
            product *= a
        return product
    if value.is_Pow:
        exponent = value.args[1]
        return raised(arguments[0], arb(int(exponent)) if exponent.is_Integer else arguments[1])
    if isinstance(value, sympy.Max | sympy.Min):
        pick = arb.max if isinstance(value, sympy.Max) else arb.min
        return reduce(pick, arguments)
    if type(value) in _FUNCTIONS:
        return _FUNCTIONS[type(value)](arguments[0])
    raise NotSupportedError(Sentence("no_enclosure", given=str(value)[:60]))


_CONSTANTS: Mapping[Expr, Callable[[], arb]] = {
    S.NegativeInfinity: lambda: arb(0),
    S.NaN: lambda: arb("nan"),
    S.Pi: arb.pi,
    S.Exp1: arb.const_e,
}


def _choose(value: Piecewise, known: dict[Expr, arb]) -> arb:
    """The branch whose condition holds; where a ball does not tell, a ball around all that may be meant."""
    possible: list[arb] = []
    for branch, condition in value.args:
        holds = _holds(condition, known)
        if holds is False:
            continue
        possible.append(_enclose(branch, known))
        if holds:
            break
    if not possible:
        raise NotSupportedError(Sentence("no_enclosure", given=str(value)[:60]))
    return reduce(arb.union, possible)


def _holds(condition: Boolean, known: dict[Expr, arb]) -> bool | None:
    """Whether a condition holds; None where the balls do not tell."""
    if condition in (S.true, S.false):
        return bool(condition)
    if isinstance(condition, sympy.And | sympy.Or):
        parts = [_holds(c, known) for c in condition.args]
        decisive = isinstance(condition, sympy.Or)
        return decisive if decisive in parts else None if None in parts else not decisive
    if type(condition) not in _RELATIONS:
        raise NotSupportedError(Sentence("no_enclosure", given=str(condition)[:60]))
    left, right = (_enclose(a, known) for a in condition.args)
    surely, surely_not = _RELATIONS[type(condition)]
    return True if surely(left, right) else False if surely_not(left, right) else None


# what holds of all numbers in two balls, and what fails for all of them
_RELATIONS: Mapping[type, tuple[Callable[[arb, arb], bool], Callable[[arb, arb], bool]]] = {
    sympy.Gt: (operator.gt, operator.le),
    sympy.Ge: (operator.ge, operator.lt),
    sympy.Lt: (operator.lt, operator.ge),
    sympy.Le: (operator.le, operator.gt),
}


def unit_row(which: int, count: int) -> arb_mat:
    """A row of so many numbers, a 1 among zeros.

    >>> unit_row(1, 3)[0, 1] == 1
    True
    """
    return arb_mat(1, count, [int(k == which) for k in range(count)])
