"""Lists of lists that stand side by side over several lines, an equation running through them.

    S = [[2, 0],     [[0, 2],     [[0, 4],
         [0, 2]]  @   [2, 0]]  =   [4, 0]]

The j-th rows are the j-th matrix. What stands between two matrices stands on one of the lines, and is a sign; behind
`=` two without one are multiplied. A row may be worked out of others, `[[0.5 × [1, 2] + 0.5 × [3, 4]],`.

           q (query)     k (key)
    cat:   [1, 0]        [0, 2]
    dog:   [0, 1]        [2, 1]

Below letters, or the words that these stand for, each column of lists is the matrix of that letter.

    Q = [1, 0]    K = [0, 2]         [1/2, 3/2]     [0.5, 1.5]
        [0, 1]        [2, 1]         [2/2, 4/2]  =  [1.0, 2.0]

So are lists that stand right below one another, with a name before each of the first ones, or in an equation of which
every sign is written once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.matrices import list_of

MOST_ROWS = 200
_CELLS = r"[^\[\]=≈→]*+(?:\[[^\[\]=≈→]*+\][^\[\]=≈→]*+)*+"  # of which some may be rows: 0.5 × [1, 2]
_ROW = regex(rf"(?P<open>\[[ \t]*)?(?P<row>\[{_CELLS}\])(?P<close>[ \t]*\])?,?")
_SIGN = regex(r"[=≈+\-−×·*/@]")
_RELATION = regex(r"[=≈]")
_OF_A_PRODUCT = regex(  # `=` alone, which goes on with a formula, or `O = A V =`
    r"[=≈]|(?:.*[=≈])?\s*[^\W\d]\w{0,20}\s?[·×*@ ]\s?[^\W\d]\w{0,20}(?:\^?(?:T|\{T\})|ᵀ)?\s*[=≈]"
)
_TRANSPOSED = regex(r"\^?(?:T|\{T\})\b|ᵀ")
_OPENING, _CLOSING = regex(r"\s*\[\s*"), regex(r"\s*\]\s*,?\s*")


def join_abreast(lines: list[Located]) -> list[Located]:
    """The lines with each such equation as one line of nested lists.

    >>> lines = [Located.whole(x) for x in ("S = [[1, 2],     [[2, 4],", "     [3, 4]] * 2 = [6, 8]]")]
    >>> [line.text for line in join_abreast(lines)]
    ['S = [[1, 2], [3, 4]]  * 2 = [[2, 4], [6, 8]] ']
    """
    found: list[Located] = []
    k = 0
    while k < len(lines):
        if columns := _columns_from(lines, k):
            found += columns[0]
            k += columns[1]
            continue
        if bare := _bare_from(lines, k):
            found += bare[0]
            k += bare[1]
            continue
        read = _read_from(lines, k) if lines[k].text.count("[") > 1 or _OPENING.fullmatch(lines[k].text) else None
        found.append(lines[k] if read is None else read[0])
        k += 1 if read is None else read[1]
    return found


_HEADINGS = {"q": "Q", "query": "Q", "queries": "Q", "k": "K", "key": "K", "keys": "K", "v": "V", "value": "V"}
_HEADINGS |= {"values": "V", "x": "X", "input": "X", "inputs": "X", "embedding": "X"}
_HEADING = regex(r"(?P<word>[^\W\d_]{1,10})(?:\s?\([^()\n]{1,20}\))?")
_LISTED = regex(r"\[\s*[-−]?(?:\d|\.\d)[-−\d.,\s]*\]")
_NUMBER = regex(r"[\d.]+")
_LABEL = regex(r"[\s|]*[^\s\[\]=≈→|]{1,20}[\s:：|]*(?<=[\s|])")


def _columns_from(lines: list[Located], first: int) -> tuple[list[Located], int] | None:
    """The matrices whose rows stand as lists below letters, and how many lines they fill."""
    text = lines[first].text.replace("|", "  ")
    heads = list(_HEADING.finditer(text)) if len(text) < 200 and "  " in text.strip() else []
    names = [_HEADINGS.get(head["word"].lower()) for head in heads]
    if len(names) > 2 and names[0] is None:
        names = names[1:]
    if len(names) < 2 or None in names or len(set(names)) < len(names) or _HEADING.sub("", text).strip():
        return None
    rows: list[list[Located]] = []
    for line in lines[first + 1 : first + 1 + MOST_ROWS]:
        lists = [m.span() for m in _LISTED.finditer(line.text)] if len(line.text) < 5_000 else []
        if len(lists) != len(names) or _LABEL.fullmatch(line.text, 0, lists[0][0]) is None:
            break
        rows.append([line.cut(a, b) for a, b in lists])
    columns = list(zip(*rows, strict=True))
    if len(rows) < 2 or any(len({len(_NUMBER.findall(each.text)) for each in column}) > 1 for column in columns):
        return None
    return [_named(name or "", column) for name, column in zip(names, columns, strict=True)], 1 + len(rows)


def _named(name: str, rows: Sequence[Located]) -> Located:
    matrix = list_of(list(rows))
    return join([Located.inserted(f"{name} = ", matrix.span(0, 1)[0]), matrix])


_BARE = regex(r"(?<![\[\w])(?P<row>\[[^\[\]=≈→]*\d[^\[\]=≈→]*\])(?!\])")
_NAME_BEFORE = regex(r"\s*(?P<name>[A-Za-z]\w{0,5}(?:\^?ᵀ|\^T)?)\s*=\s*")
_ASIDE = 3  # columns by which rows typed by hand stand apart


def _bare_from(lines: list[Located], first: int) -> tuple[list[Located], int] | None:
    """The matrices whose rows stand side by side, each in brackets of its own, and how many lines they fill."""
    rows: list[list[re.Match[str]]] = []
    for line in lines[first : first + MOST_ROWS]:
        row = list(_BARE.finditer(line.text)) if line.text.count("[") > 1 and len(line.text) < 5_000 else []
        if len(row) < 2 or "[[" in line.text or (rows and not _stand_below(rows[-1], row)):
            break
        rows.append(row)
    if len(rows) < 2:
        return None
    taken = lines[first : first + len(rows)]
    names = [_NAME_BEFORE.fullmatch(text) for text in _texts_beside(taken[0], rows[0])[:-1]]
    below = (text.strip() for line, row in zip(taken[1:], rows[1:], strict=True) for text in _texts_beside(line, row))
    if all(names) and not any(below):
        columns = zip(names, zip(*rows, strict=True), strict=True)
        lists = [(name, [a.cut(*b.span()) for a, b in zip(taken, column, strict=True)]) for name, column in columns]
        return [_named(name["name"], column) for name, column in lists if name], len(rows)
    between = _between(taken, rows)
    return None if between is None else ([_written(between, taken, rows)], len(rows))


def _stand_below(above: Sequence[re.Match[str]], row: Sequence[re.Match[str]]) -> bool:
    """Whether lists stand right below others, with as many numbers."""
    return len(above) == len(row) and all(
        abs(a.start() - b.start()) <= _ASIDE and a[0].count(",") == b[0].count(",") > 0
        for a, b in zip(above, row, strict=True)
    )


def _texts_beside(line: Located, row: Sequence[re.Match[str]]) -> list[str]:
    """What stands before each list of a line, and behind the last."""
    starts, ends = [0, *(each.end() for each in row)], [*(each.start() for each in row), len(line.text)]
    return [line.text[a:b] for a, b in zip(starts, ends, strict=True)]


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
    if inner == [""] and _OF_A_PRODUCT.fullmatch(first) and _can_be_multiplied(rows):
        sign = Located.inserted(" @ ", lines[0].span(rows[0][0].end() - 1, rows[0][0].end())[1])
        return [found[0], sign, *(found[2:] if _TRANSPOSED.match(behind) or _SIGN.match(behind) else ())]
    signs = [_SIGN.match(text) for text in inner]
    if not all(signs) or (first and not _RELATION.match(first) and _SIGN.match(first)):
        return None
    if not any(map(_RELATION.search, (first, *inner))):
        return None
    return found if _SIGN.match(behind) else found[:-1]


def _can_be_multiplied(rows: Sequence[Sequence[re.Match[str]]]) -> bool:
    """Whether the first of two matrices has as many columns as the second has rows, or may be square and transposed."""
    return len(rows[0]) == 2 and {row[0]["row"].count(",") + 1 for row in rows} == {len(rows)}


def _written(between: Sequence[Located], lines: Sequence[Located], rows: Sequence[Sequence[re.Match[str]]]) -> Located:
    parts: list[Located] = []
    for j in range(len(rows[0])):
        matrix = list_of([line.cut(*row[j].span("row")) for line, row in zip(lines, rows, strict=True)])
        parts += [between[j], matrix, Located.inserted(" ", matrix.span(0, 0)[0])]
    return join([*parts, *between[len(rows[0]) :]])
