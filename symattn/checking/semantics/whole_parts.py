"""⌊x⌋ and ⌈x⌉, exactly where x is a quotient of numbers: ⌈35/0.70⌉ hangs on whether that is 50 or a little more."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from symattn.reading import formula as f
from symattn.values import functions
from symattn.values.balls import Balls
from symattn.values.printed import enclose

Lookup = Callable[[f.Expression], Balls | None]


def whole_part(name: str, argument: f.Expression, value: Balls, lookup: Lookup) -> Balls | None:
    """The largest whole number that is not above x, or with `ceil` the smallest that is not below.

    A range of numbers gives a range of whole ones; None where one number may lie on either side.
    """
    exact = _exactly(argument, lookup)
    if exact is not None:
        return enclose([[Fraction(math.floor(exact) if name == "floor" else math.ceil(exact))]])
    return functions.whole_part(name, value)


def _exactly(expression: f.Expression, lookup: Lookup) -> Fraction | None:
    """The value of arithmetic with numbers as printed, where nothing else is known of these."""
    known = lookup(expression)
    if known is not None:
        return _whole(known)
    match expression:
        case f.Number():
            return expression.value
        case f.Sum():
            terms = [_exactly(term, lookup) for term in expression.terms]
            return _sum([None if x is None else sign * x for x, sign in zip(terms, expression.signs, strict=True)])
        case f.Product():
            return _product([_exactly(factor, lookup) for factor in expression.factors])
        case f.Quotient():
            above, below = _exactly(expression.numerator, lookup), _exactly(expression.denominator, lookup)
            return None if above is None or not below else above / below
        case f.Call(("max" | "min") as name, arguments) if not expression.label and not expression.options:
            values = [_exactly(argument, lookup) for argument in arguments]
            known_values = [x for x in values if x is not None]
            if len(values) < 2 or len(known_values) < len(values):
                return None
            return max(known_values) if name == "max" else min(known_values)
    return None


def _sum(terms: list[Fraction | None]) -> Fraction | None:
    known = [x for x in terms if x is not None]
    return sum(known, Fraction(0)) if len(known) == len(terms) else None


def _product(factors: list[Fraction | None]) -> Fraction | None:
    known = [x for x in factors if x is not None]
    return math.prod(known, start=Fraction(1)) if len(known) == len(factors) else None


def _whole(known: Balls) -> Fraction | None:
    """A value that is one whole number, nothing around it."""
    if known.shape != (1, 1) or known.hidden or not known.rows[0][0].is_exact():
        return None
    whole = known.rows[0][0].unique_fmpz()
    return None if whole is None else Fraction(int(whole))
