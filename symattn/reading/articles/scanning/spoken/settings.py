"""Settings that dots part, `L = 6 layers · d = 512 · heads = 8`: no product, and no chain of equations."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_DOT = regex(r"(?<![\w.,])\d[\d,.]{0,15}(?:\s[^\W\d_]{2,20})?\s+(?P<dot>·)\s+(?=[^\W\d]\w{0,20}\s?=\s?\d)")
_FEWEST = 2  # with one, 3 · x = 6 may be an equation


def with_settings(line: Located) -> Located:
    """The line with semicolons for such dots.

    >>> with_settings(Located.whole("L = 6 · d = 512 · heads = 8")).text
    'L = 6 ; d = 512 ; heads = 8'
    >>> with_settings(Located.whole("y = 3 · x = 6")).text
    'y = 3 · x = 6'
    """
    dots: list[re.Match[str]] = list(_DOT.finditer(line.text)) if "·" in line.text else []
    if len(dots) < _FEWEST:
        return line
    return line.replaced((dot.span("dot"), line.put(";", *dot.span("dot"))) for dot in dots)
