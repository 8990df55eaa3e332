"""What a spreadsheet shows of a saved number by the number format of its cell: the digits, and the unit of the last.

Source: ECMA-376 part 1, 18.8.31. Saved doubles count with 15 digits, a half is rounded away from zero.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from symattn.patterns import regex

_LITERAL = regex(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_DIGITS = regex(r"(?P<whole>[#0?,]*[#0?])?(?:\.(?P<places>[#0?]*))?(?:[eE](?P<sign>[+-])0+)?(?P<percent>%?)", re.X)
WIDEST = 11  # characters of a number in a cell of the format General
MOST_PLACES = 30  # that a spreadsheet program offers
_ROUND = Context(prec=60, rounding=ROUND_HALF_UP)


def show(value: float, code: str) -> tuple[str, Fraction] | None:
    """The digits shown and their unit, without separators of thousands; None for a format of another kind.

    >>> show(1 / 3, "0.00"), show(-0.125, "0.0%;(0.0%)"), show(1234.5, "0.00E+00")
    (('0.33', Fraction(1, 100)), ('-12.5%', Fraction(1, 1000)), ('1.23E+03', Fraction(10, 1)))
    >>> show(2 / 3, "General"), show(2.5, "General"), show(1, "yyyy")
    (('0.666666667', Fraction(1, 1000000000)), ('2.5', Fraction(1, 1000000000)), None)
    """
    number = Decimal(f"{value:.15g}")
    if not number.is_finite():
        return None
    core = _section(_LITERAL.sub(_bare, code).split(";"), number)
    if not code.strip() or core.strip().lower() in ("general", "@"):
        return _general(number)
    found = _DIGITS.fullmatch(core.strip("-+() $€£¥"))
    if found is None or not (found["whole"] or found["places"]):
        return None
    places = len(found["places"] or "")
    if places > MOST_PLACES:
        return None
    if found["sign"]:
        return None if len(found["whole"] or "0") > 1 else _scientific(number, places)
    scale = 2 if found["percent"] else 0
    text = _fixed(number.scaleb(scale, _ROUND), places)
    optional = len(re.search(r"[#?]*$", found["places"] or "")[0])  # type: ignore[index]
    while optional and text.endswith("0"):
        text, optional = text[:-1].removesuffix("."), optional - 1
    return text + found["percent"], Fraction(1, 10 ** (places + scale))


def _bare(found: re.Match[str]) -> str:
    """Words and colours show no digits; a comma or point in them is no separator."""
    return " " if found[0][0] in '_*"' or found[0][0] == "[" else ""


def _section(sections: list[str], number: Decimal) -> str:
    """Of positive; negative; zero; text the one that a number is shown by."""
    if len(sections) > 2 and not number:
        return sections[2]
    return sections[1] if len(sections) > 1 and number < 0 else sections[0]


def _fixed(number: Decimal, places: int) -> str:
    if number.adjusted() < 25:
        number = number.quantize(Decimal(1).scaleb(-places), context=_ROUND)
    text = format(number, f".{places}f")
    return text if text.strip("-0.") else text.removeprefix("-")


def _scientific(number: Decimal, places: int) -> tuple[str, Fraction]:
    context = Context(prec=places + 1, rounding=ROUND_HALF_UP)
    rounded = context.plus(number)
    exponent = rounded.adjusted() if rounded else 0
    mantissa = f"{rounded:.{places}E}".partition("E")[0]
    return f"{mantissa}E{exponent:+03d}", Fraction(10) ** (exponent - places)


def _general(number: Decimal) -> tuple[str, Fraction]:
    """Up to eleven characters; what is very large or small by a power of ten."""
    exponent = number.adjusted() if number else 0
    if not -5 < exponent < WIDEST:
        text, unit = _scientific(number, 5)
        mantissa, _, power = text.partition("E")
        return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + "E" + power, unit
    places = max(WIDEST - 2 - max(exponent, 0), 0)
    text = _fixed(number, places)
    return (text.rstrip("0").rstrip(".") if "." in text else text), Fraction(1, 10**places)
