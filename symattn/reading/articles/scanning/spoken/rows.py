"""Matrices that a sentence gives by their rows: "`Q` and `K` are `[1, 0]`, `[0, 1]` and `[1, 1]`."

The names are what the sentence begins with, and nothing but words stands between them and the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.matrices import list_of

Span = tuple[int, int]
_NAME = r"`(?:[A-Z]|[A-Z]\w?_?[A-Za-z0-9]{1,3}|[a-z]+_[a-z]+)`"
_NUMBER = r"[-−+]?\d+(?:\.\d+)?"
_ROW = rf"`\[\s*{_NUMBER}(?:\s*,\s*{_NUMBER})+\s*\]`"
_NEXT = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)"
_SPOKEN = regex(
    rf"(?:^|(?<=[.!?]\s))(?P<names>{_NAME}(?:{_NEXT}{_NAME}){{0,5}})\s(?P<words>[^`\[\](){{}}\d=\n.]{{2,80}})"
    rf"(?P<rows>{_ROW}(?:{_NEXT}{_ROW}){{1,30}})",
    re.MULTILINE,
)
_TOLD_OTHERWISE = regex(r"\b(?:not|no|or|either|except|after|between|row|column|becomes?|from|to)\b", re.IGNORECASE)


def find_spoken_rows(text: Located) -> Iterator[tuple[Span, Located]]:
    """Where the rows stand, and the equation that a sentence makes of them.

    >>> [e.text for _, e in find_spoken_rows(Located.whole("`Q` and `K` are `[1, 0]` and `[0, 1]`."))]
    ['Q = K = [[1, 0], [0, 1]]']
    """
    for match in _SPOKEN.finditer(text.text) if "`[" in text.text else ():
        rows = list(re.finditer(r"\[[^\[\]]*\]", match["rows"]))
        widths = {row[0].count(",") for row in rows}
        if len(widths) > 1 or _TOLD_OTHERWISE.search(match["words"]):
            continue
        start = match.start("names")
        names = [text.cut(start + m.start(1), start + m.end(1)) for m in re.finditer(r"`(\w+)`", match["names"])]
        start = match.start("rows")
        matrix = list_of([text.cut(start + row.start(), start + row.end()) for row in rows])
        yield match.span("rows"), join([*names, matrix], " = ")
