"""⌊x⌋, ⌈x⌉ and the nearest whole number, exact where x is a quotient: ⌈35/0.70⌉ hangs on whether that is 50 or more."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction

from symattn.reading import formula as f
from symattn.values import functions
from symattn.values.balls import Balls
from symattn.values.printed import enclose

Lookup = Callable[[f.Expression], Balls | None]


def whole_part(name: str, argument: f.Expression, value: Balls, lookup: Lookup) -> Balls | None:
    """The largest whole number not above x; with `ceil` the smallest not below, with `round` the nearest.

    A range of numbers gives a range of whole ones; None where one number may lie on either side, and for the nearest
    to a half, which some round up and others to even.
    """
    exact = _exactly(argument, lookup)
    if exact is not None:
        whole = math.floor(exact) if name == "floor" else math.ceil(exact) if name == "ceil" else round(exact)
        return None if name == "round" and abs(exact - whole) == Fraction(1, 2) else enclose([[Fraction(whole)]])
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
            terms = _all_exactly(expression.terms, lookup)
            return None if terms is None else sum(map(operator.mul, terms, expression.signs), Fraction(0))
        case f.Product():
            factors = _all_exactly(expression.factors, lookup)
            return None if factors is None else math.prod(factors, start=Fraction(1))
        case f.Quotient():
            above, below = _exactly(expression.numerator, lookup), _exactly(expression.denominator, lookup)
            return None if above is None or not below else above / below
        case f.Call(("max" | "min") as name, arguments) if not expression.label and not expression.options:
            values = _all_exactly(arguments, lookup)
            if values is None or len(values) < 2:
                return None
            return max(values) if name == "max" else min(values)
    return None


def _all_exactly(expressions: Sequence[f.Expression], lookup: Lookup) -> list[Fraction] | None:
    """The values of all of these; None where one has none."""
    known = [x for e in expressions if (x := _exactly(e, lookup)) is not None]
    return known if len(known) == len(expressions) else None


def _whole(known: Balls) -> Fraction | None:
    """A value that is one whole number, nothing around it."""
    if known.shape != (1, 1) or known.hidden or not known.rows[0][0].is_exact():
        return None
    whole = known.rows[0][0].unique_fmpz()
    return None if whole is None else Fraction(int(whole))
