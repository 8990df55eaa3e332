"""Calculations listed before one sign and their results behind it: `exp(2), exp(1) = 7.389, 2.718`."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

_WORKED = r"(?:[^\W\d_]\w*\([^(),;=≈]{1,40}\)|e\^(?:\([^(),;=≈]{1,40}\)|[-−]?[\d.]+)|√\(?[\d.]+\)?)"
_NUMBER = r"[-−]?\d+(?:\.\d+)?(?!\d|,\d|\w)"
_LISTS = regex(
    rf"(?<![\w,])(?P<left>{_WORKED}(?:, {_WORKED})+)\s*(?P<sign>[=≈])\s*(?P<right>{_NUMBER}(?:, {_NUMBER})+)"
    r"(?!\s*[=≈·×*/+^%\w])"
)
_DEGREES = regex(r"(?:sin|cos|tan)\([-−]?\d{2}")  # sin(45), cos(45)


def with_pairs(line: Located) -> Located:
    """The line with one equation for each calculation, where there are as many results.

    >>> with_pairs(Located.whole("exp(2), exp(1) = 7.389, 2.718; done")).text
    'exp(2) = 7.389; exp(1) = 2.718; done'
    """
    match = _LISTS.search(line.text) if ", " in line.text and len(line.text) < 1_000 else None
    if match is None or _DEGREES.search(match["left"]):
        return line
    left, right = (
        [m.span() for m in re.finditer(part, line.text[: match.end(side)]) if m.start() >= match.start(side)]
        for side, part in (("left", _WORKED), ("right", _NUMBER))
    )
    if len(left) != len(right):
        return line
    parts = [line.cut(0, match.start())]
    for k, ((a, b), (c, d)) in enumerate(zip(left, right, strict=True)):
        between = line.here("; ", a)
        sign = line.here(f" {match['sign']} ", c)
        parts += [*([between] if k else []), line.cut(a, b), sign, line.cut(c, d)]
    return join([*parts, line.cut(match.end(), len(line.text))])
