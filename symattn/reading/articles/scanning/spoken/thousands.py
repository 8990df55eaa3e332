"""Whole numbers whose thousands are parted by spaces, `4096 × 512 = 2 097 152`."""

from __future__ import annotations

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_SPACE = "[ \u00a0\u2009\u202f]"
_NUMBER = rf"(?:[1-9]\d{{0,2}}(?:{_SPACE}\d{{3}})+|\d+)(?![.,]?\d)"
_SIGN = r"\s?(?:[×*·+−/÷]|-(?=\s))\s?"
_EQUATION = regex(  # one side of which is worked out, and all in it whole
    rf"(?<![\w.,)\]×*·+−/÷-])(?<![\d.,)\]×*·+−/÷-] ){_NUMBER}(?:{_SIGN}{_NUMBER})+\s?[=≈]\s?{_NUMBER}"
    rf"(?!{_SPACE}\d|\s?[×*·+−/÷])"
)
_BETWEEN = regex(rf"(?<=\d){_SPACE}(?=\d{{3}}(?!\d))")


def without_spaces_in_numbers(line: Located) -> Located:
    """A line without the spaces that part the thousands in an equation of whole numbers.

    >>> without_spaces_in_numbers(Located.whole("embedding = 4096 × 512 = 2 097 152")).text
    'embedding = 4096 × 512 = 2097152'
    >>> without_spaces_in_numbers(Located.whole("x = 1 200 300")).text
    'x = 1 200 300'
    """
    if not any(space in line.text for space in " \u00a0\u2009\u202f"):
        return line
    equations = (m.span() for m in _EQUATION.finditer(line.text))
    return line.without(gap.span() for a, b in equations for gap in _BETWEEN.finditer(line.text, a, b))
