"""Sums of vectors with a word to each: "[0.3, 1.1](dog) + [0.1, 0.4](place 1) = …", "E[0.1, 0.2] + PE[0, 1] → …".

The words are no factors: nothing is multiplied by a vector that is added. Where no term has decimals each may be an
index, x[0, 1], and in round brackets what a function is of; there the words are dropped only where the sum holds.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_NUMBER = r"[-−]?\d+(?:\.\d+)?"
_ROW = rf"{_NUMBER}(?:\s*,\s*{_NUMBER}){{1,31}}"
_WORD = r"[^\W\d]\w{0,19}"
_AFTER = r"\([^\W\d][\w \"'’-]{0,39}\)"
_TERM = rf"(?:{_WORD}\s?)?(?:\[\s*{_ROW}\s*\]|\(\s*{_ROW}\s*\))(?:\s?{_AFTER})?"
_SUM = regex(
    rf"(?<![\w.)\]*/×·^@+−-]){_TERM}(?:\s*[-+−]\s*{_TERM}){{1,7}}\s*(?P<sign>=|→|->|⇒)\s*{_TERM}(?!\s*[-+−*/×·^@(\[])"
)
_PART = regex(
    rf"(?P<sign>[-+−]?)\s*(?P<word>{_WORD}\s?)?(?P<open>[\[(])\s*(?P<row>{_ROW})\s*[\])](?P<after>\s?{_AFTER})?"
)
_SPLIT = regex(r"\s*,\s*")


def with_bare_vectors(line: Located) -> Located:
    """The line without the words at the vectors of a sum, and with = where an arrow leads to what it comes to.

    >>> with_bare_vectors(Located.whole("[0.3, 1.1](dog) + [0.1, 0.4](place 1) = [0.4, 1.5]")).text
    '[0.3, 1.1] + [0.1, 0.4] = [0.4, 1.5]'
    >>> with_bare_vectors(Located.whole("E[0.1, 0.2] + PE[0, 1] → [0.1, 1.2]")).text
    '[0.1, 0.2] + [0, 1] = [0.1, 1.2]'
    >>> with_bare_vectors(Located.whole("x[0, 1] + x[1, 0] = x[2, 1]")).text
    'x[0, 1] + x[1, 0] = x[2, 1]'
    """
    if "+" not in line.text and "-" not in line.text and "−" not in line.text:
        return line
    changes: list[tuple[tuple[int, int], Located]] = []
    for found in _SUM.finditer(line.text):
        parts = list(_PART.finditer(line.text, *found.span()))
        if not _is_sum_of_vectors(parts):
            continue
        for part in parts:
            for name in ("word", "after"):
                if part[name]:
                    changes.append((part.span(name), Located("", ())))
        if found["sign"] != "=":
            changes.append((found.span("sign"), line.put("=", *found.span("sign"))))
    return line.replaced(sorted(changes, key=lambda change: change[0]))


def _is_sum_of_vectors(parts: list[re.Match[str]]) -> bool:
    """Whether words can be dropped: numbers as many in each, and no index or argument that they may be."""
    rows = [[Fraction(number.replace("−", "-")) for number in _SPLIT.split(part["row"])] for part in parts]
    if len({len(row) for row in rows}) != 1:
        return False
    named = [part for part in parts if part["word"]]
    if all(part["open"] == "[" for part in parts) and any("." in part["row"] for part in parts[:-1]):
        return True
    words = [part["word"].strip() for part in named]
    if any(part["open"] == "(" for part in named) and (len(set(words)) < len(words) or min(map(len, words)) < 3):
        return False
    signs = [-1 if part["sign"] in ("-", "−") else 1 for part in parts[:-1]]
    return all(
        sum(s * x for s, x in zip(signs, column[:-1], strict=True)) == column[-1] for column in zip(*rows, strict=True)
    )
