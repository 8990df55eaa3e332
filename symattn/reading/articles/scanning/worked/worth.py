"""What a calculation with plain numbers comes to, to see whether a number beside it is its result."""

from __future__ import annotations

from decimal import Context, Decimal, DecimalException
from fractions import Fraction

from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f

_THOUSANDS = regex(r"(?<=\d),(?=\d{3}(?!\d))")
_DIGITS = Context(prec=40, Emax=400, Emin=-400)


def last_place(number: str) -> Fraction:
    """What one unit of the last printed digit is worth.

    >>> last_place("0.25"), last_place("3")
    (Fraction(1, 100), Fraction(1, 1))
    """
    return Fraction(1, 10 ** len(number.partition(".")[2]))


def worth_of(text: str) -> Fraction | None:
    """The value of a calculation, to forty digits; None where it is none, or has another meaning than that of numbers.

    >>> worth_of("3 / 4 + e^0"), worth_of("2 × d"), worth_of("2 = 3")
    (Fraction(7, 4), None, None)
    """
    try:
        chains = f.parse(_THOUSANDS.sub("", text))
        if len(chains) != 1 or len(chains[0].sides) != 1:
            return None
        value = _worth(chains[0].sides[0].expression)
        return None if value is None else Fraction(value)
    except (FormulaError, DecimalException, OverflowError, ValueError):
        return None


def _worth(expression: f.Expression) -> Decimal | None:
    if isinstance(expression, f.Number):
        return _DIGITS.divide(Decimal(expression.value.numerator), Decimal(expression.value.denominator))
    parts = [_worth(part) for part in expression.parts]
    values = [value for value in parts if value is not None]
    if not values or len(values) < len(parts):
        return None
    match expression:
        case f.Sum(_, signs):
            return _total([_DIGITS.multiply(sign, value) for sign, value in zip(signs, values, strict=True)])
        case f.Product():
            total = Decimal(1)
            for value in values:
                total = _DIGITS.multiply(total, value)
            return total
        case f.Quotient():
            return _DIGITS.divide(values[0], values[1])
        case f.Power():
            return _DIGITS.power(values[0], values[1])
        case f.Root():
            return _DIGITS.sqrt(values[0])
        case f.Call("exp" | "ln" | "log" | "sqrt" as function, (_,)):
            return {"exp": _DIGITS.exp, "sqrt": _DIGITS.sqrt}.get(function, _DIGITS.ln)(values[0])
    return None


def _total(values: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for value in values:
        total = _DIGITS.add(total, value)
    return total
