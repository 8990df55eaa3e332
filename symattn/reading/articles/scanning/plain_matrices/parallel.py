"""Equations side by side that each go down over several lines, one column of text to each.

    Q = X W                 K = X U
      = [[1, 0],              = [[1, 0],
         [0, 1]]                 [0, 1]]
    @ [[2, 0],              @ [[0, 1],
       [0, 2]]                 [1, 0]]

The first line has a name and a sign of equality in each column, a line below begins with a sign in each, and all lines
are empty right before each column.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_HEAD = regex(r"(?:^|(?<=\s{3}))[A-Za-z]\w{0,8}\s?=\s?\S(?:[^=\s]|\s(?!\s{2}))*(?=\s{3}|\s*$)")
_GOES_ON = regex(r"\s*[=≈@×+]\s")
_FEWEST = 3  # lines
_MOST = 200


def part_columns(lines: list[Located]) -> list[Located]:
    """The lines with such columns below one another.

    >>> texts = ("Q = X W        K = X U", "  = [1, 0]       = [0, 1]", "  = [0.5, 0]     = [0, 2]")
    >>> [line.text for line in part_columns([Located.whole(text) for text in texts])]
    ['Q = X W', '  = [1, 0]', '  = [0.5, 0]', '', 'K = X U', '  = [0, 1]', '  = [0, 2]', '']
    """
    found: list[Located] = []
    k = 0
    while k < len(lines):
        starts = _columns_of(lines[k].text)
        end = k + 1
        while starts and end < len(lines) and end - k < _MOST and _fits(lines[end].text, starts):
            end += 1
        if end - k < _FEWEST or not any(_goes_on(line.text, starts) for line in lines[k + 1 : end]):
            found.append(lines[k])
            k += 1
            continue
        for j, start in enumerate(starts):
            found += [_cut(line, start, starts[j + 1] if j + 1 < len(starts) else None) for line in lines[k:end]]
            found.append(lines[k].cut(0, 0))
        k = end
    return found


def _columns_of(text: str) -> list[int]:
    """Where the equations begin that are all of a line; none where it is less than two."""
    heads = list(_HEAD.finditer(text)) if 3 < len(text) < 500 and "   " in text and text.count("=") > 1 else []
    whole = not _HEAD.sub("", text).strip()
    return [head.start() for head in heads] if whole and len(heads) > 1 else []


def _fits(text: str, starts: Sequence[int]) -> bool:
    """Whether a line has something in each column, and nothing right before it."""
    edges = [*starts, len(text)]
    return len(text) < 500 and all(
        text[a:b].strip() and not text[max(a - 2, 0) : a].strip() for a, b in pairwise(edges)
    )


def _goes_on(text: str, starts: Sequence[int]) -> bool:
    return all(_GOES_ON.match(text, start) for start in starts)


def _cut(line: Located, start: int, end: int | None) -> Located:
    part = line.cut(start, min(end or len(line.text), len(line.text)))
    return part.cut(0, len(part.text.rstrip()))
