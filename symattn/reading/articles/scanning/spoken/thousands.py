"""Whole numbers whose thousands are parted by spaces, `4096 × 512 = 2 097 152`.

The 1 of "Layer 1 512 × 512" is none of them, nor are the steps of "2 × 3 = 6 100 steps": what is right alone stays so.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_SPACE = "[ \u00a0\u2009\u202f]"
_NUMBER = rf"(?:[1-9]\d{{0,2}}(?:{_SPACE}\d{{3}})+|\d+)(?![.,]?\d)"
_WIDE = r"[ \t]{0,12}"  # columns are set so
_SIGN = rf"{_WIDE}(?:[×*·+−/÷]|-(?=\s)|(?<= )x(?= )){_WIDE}"
_UNIT = r"(?: (?:[Bb]ytes?|octets?|байта?))?"
_EQUATION = regex(  # one side of which is worked out, and all in it whole
    rf"(?<![\w.,)\]×*·+−/÷-])(?<![\d.,)\]×*·+−/÷-] )(?<!\d x )(?<![×*·+−/÷-]  )"
    rf"{_NUMBER}(?:{_SIGN}{_NUMBER})+{_UNIT}{_WIDE}[=≈]{_WIDE}{_NUMBER}(?!{_SPACE}\d|\s?[×*·+−/÷])"
)
_BETWEEN = regex(rf"(?<=\d){_SPACE}(?=\d{{3}}(?!\d))")
_PARTS = regex(r"\d+|[×*·+−/÷=≈-]|(?<= )x(?= )")
_LABEL = regex(r"[^\W\d_] ?\Z")
_NEARLY = 10  # of an amount, behind ≈


def without_spaces_in_numbers(line: Located) -> Located:
    """A line without the spaces that part the thousands in an equation of whole numbers.

    >>> without_spaces_in_numbers(Located.whole("embedding = 4096 × 512 = 2 097 152")).text
    'embedding = 4096 × 512 = 2097152'
    >>> without_spaces_in_numbers(Located.whole("Layer 1 512 × 512 = 262 144")).text
    'Layer 1 512 × 512 = 262144'
    >>> without_spaces_in_numbers(Located.whole("x = 1 200 300")).text
    'x = 1 200 300'
    """
    if not any(space in line.text for space in " \u00a0\u2009\u202f"):
        return line
    equations = (m.span() for m in _EQUATION.finditer(line.text))
    return line.without(gap for a, b in equations for gap in _gaps(line.text, a, b))


def _gaps(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spaces within the numbers of an equation; those of the first and of the last one where it is right so."""
    gaps = [gap.span() for gap in _BETWEEN.finditer(text, start, end)]
    signs = [sign.start() for sign in _PARTS.finditer(text, start, end) if not sign[0].isdigit()]
    first = [gap for gap in gaps if gap[0] < signs[0]]
    last = [gap for gap in gaps if gap[0] > signs[-1]]
    for with_first, with_last in product((True, False), repeat=2):
        a = start if with_first or not first else first[-1][1]
        b = end if with_last or not last else last[0][0]
        inner = [gap for gap in gaps if a <= gap[0] < b]
        if _is_right(_PARTS.findall(_BETWEEN.sub("", text[a:b]))):
            return inner
    return [gap for gap in gaps if gap not in first or not _LABEL.search(text, 0, start)]


def _is_right(parts: Sequence[str]) -> bool:
    """Whether an equation is right: numbers, the signs between them, and a last number behind = or ≈."""
    *left, sign, result = parts
    terms: list[Fraction] = []
    for operator, number in zip(("+", *left[1::2]), left[::2], strict=True):
        value = Fraction(number)
        if operator in "+−-":
            terms.append(value if operator == "+" else -value)
        elif value or operator not in "/÷":
            terms[-1] = terms[-1] / value if operator in "/÷" else terms[-1] * value
    off = abs(sum(terms, -Fraction(result)))
    return off == 0 if sign == "=" else off * _NEARLY <= Fraction(result)
