"""Lists of lists that stand side by side over several lines, an equation running through them.

    S = [[2, 0],     [[0, 2],     [[0, 4],
         [0, 2]]  @   [2, 0]]  =   [4, 0]]

The j-th rows are the j-th matrix. What stands between two matrices stands on one of the lines, and is a sign. A row may
be worked out of others, `[[0.5 × [1, 2] + 0.5 × [3, 4]],`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.matrices import list_of

MOST_ROWS = 200
_CELLS = r"[^\[\]=≈→]*+(?:\[[^\[\]=≈→]*+\][^\[\]=≈→]*+)*+"  # of which some may be rows: 0.5 × [1, 2]
_ROW = re.compile(rf"(?P<open>\[[ \t]*)?(?P<row>\[{_CELLS}\])(?P<close>[ \t]*\])?,?")
_SIGN = re.compile(r"[=≈+\-−×·*/@]")
_RELATION = re.compile(r"[=≈]")
_OPENING, _CLOSING = re.compile(r"\s*\[\s*"), re.compile(r"\s*\]\s*,?\s*")


def join_abreast(lines: list[Located]) -> list[Located]:
    """The lines with each such equation as one line of nested lists.

    >>> lines = [Located.whole(x) for x in ("S = [[1, 2],     [[2, 4],", "     [3, 4]] * 2 = [6, 8]]")]
    >>> [line.text for line in join_abreast(lines)]
    ['S = [[1, 2], [3, 4]]  * 2 = [[2, 4], [6, 8]] ']
    """
    found: list[Located] = []
    k = 0
    while k < len(lines):
        read = _read_from(lines, k) if lines[k].text.count("[") > 1 or _OPENING.fullmatch(lines[k].text) else None
        found.append(lines[k] if read is None else read[0])
        k += 1 if read is None else read[1]
    return found


def _read_from(lines: list[Located], first: int) -> tuple[Located, int] | None:
    """The equation that begins at a line, and how many lines it fills."""
    framed = _OPENING.fullmatch(lines[first].text) is not None
    rows: list[list[re.Match[str]]] = []
    start = last = first + framed
    while last < len(lines) and len(rows) < MOST_ROWS and len(lines[last].text) < 5_000:
        row = list(_ROW.finditer(lines[last].text))
        if len(row) < 2 or (rows and len(row) != len(rows[0])):
            break
        if {bool(match["open"]) for match in row} != {not rows and not framed}:
            return None  # every matrix opens in the first row; at once, so that each line is looked at a few times only
        rows.append(row)
        last += 1
        if any(match["close"] for match in row):
            break
    if framed and not (last < len(lines) and _CLOSING.fullmatch(lines[last].text)):
        return None
    if len(rows) < 2 or not _closes_last(rows, framed):
        return None
    between = _between(lines[start:last], rows)
    return None if between is None else (_written(between, lines[start:last], rows), last + framed - first)


def _closes_last(rows: Sequence[Sequence[re.Match[str]]], framed: bool) -> bool:
    """Whether every matrix closes in the last row and none before, or all do so together in the frame."""
    closed = [{bool(match["close"]) for match in row} for row in rows]
    return closed == [{False}] * (len(rows) - 1) + [{not framed}]


def _between(lines: Sequence[Located], rows: Sequence[Sequence[re.Match[str]]]) -> list[Located] | None:
    """What stands before each matrix and after the last; None where that is no equation."""
    found: list[Located] = []
    for j in range(len(rows[0]) + 1):
        said = []
        for line, row in zip(lines, rows, strict=True):
            start = row[j - 1].end() if j else 0
            end = row[j].start() if j < len(row) else len(line.text)
            if line.text[start:end].strip():
                said.append(line.cut(start, end))
        if len(said) > 1 and j < len(rows[0]):
            return None
        found.append(said[0] if said else lines[0].cut(0, 0))
    first, *inner, behind = (text.text.strip() for text in found)
    signs = [_SIGN.match(text) for text in inner]
    if not all(signs) or (first and not _RELATION.match(first) and _SIGN.match(first)):
        return None
    if not any(map(_RELATION.search, (first, *inner))):
        return None
    return found if _SIGN.match(behind) else found[:-1]


def _written(between: Sequence[Located], lines: Sequence[Located], rows: Sequence[Sequence[re.Match[str]]]) -> Located:
    parts: list[Located] = []
    for j in range(len(rows[0])):
        matrix = list_of([line.cut(*row[j].span("row")) for line, row in zip(lines, rows, strict=True)])
        parts += [between[j], matrix, Located.inserted(" ", matrix.span(0, 0)[0])]
    return join([*parts, *between[len(rows[0]) :]])
