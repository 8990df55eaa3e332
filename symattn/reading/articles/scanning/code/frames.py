"""Tables of pandas: the array that `pd.DataFrame(S, index=..., columns=...).round(3)` shows, and what is printed of it.

A frame is printed with a line of columns, which begins with spaces, and a line for each row: its label and its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.matrices import list_of

_MADE = regex(r"(?:pd|pandas)\.DataFrame\(\s*")
_OPTION = regex(r"\s*(?:index|columns|dtype)\s*=(?!=)")
_ROUNDED = regex(r"\s*(?:\.round\(\s*(?:decimals\s*=\s*)?\d*\s*\))?\s*;?\s*")
_PIECE = regex(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\[\](){},]")
_COLUMNS = regex(r"\s{2,}\S.*")
_GAP = regex(r"\s{2,}")
_NUMBER = r"[-−]?\d+(?:\.\d*)?(?:e[-+]?\d+)?"
_MOST = 200  # rows and columns; a larger one is not printed whole


def framed(code: Located) -> Located:
    """What a frame is made of, where code makes one and does nothing to it but to round it; else the code.

    >>> framed(Located.whole('pd.DataFrame(Q @ K.T, index=tokens).round(3)')).text, framed(Located.whole("S")).text
    ('Q @ K.T', 'S')
    """
    made = _MADE.match(code.text)
    if made is None:
        return code
    depth, first = 1, 0
    starts = [made.end()]
    for piece in _PIECE.finditer(code.text, made.end()):
        if piece[0] in "([{":
            depth += 1
        elif piece[0] in ")]}":
            depth -= 1
            if not depth:
                first = piece.start()
                break
        elif piece[0] == "," and depth == 1:
            starts.append(piece.end())
    inside = [code.text[start:] for start in starts[1:] if code.text[start:first].strip()]
    if not first or not _ROUNDED.fullmatch(code.text, first + 1) or not all(map(_OPTION.match, inside)):
        return code
    return code.cut(starts[0], starts[1] - 1 if len(starts) > 1 else first).strip()


def read_frame(lines: Sequence[Located], first: int) -> tuple[Located, int] | None:
    """The numbers of a frame that is printed from a line on, as a nested list, and the line after it.

    >>> lines = ("       k:cat  k:dog", "q:cat   1.00   0.0", "q:dog   0.27   2.0")
    >>> found = read_frame([Located.whole(line) for line in lines], 0)
    >>> found and (found[0].text, found[1])
    ('[[1.00, 0.0], [0.27, 2.0]]', 3)
    """
    if not _COLUMNS.fullmatch(lines[first].text):
        return None
    count = len(_GAP.split(lines[first].text.strip()))
    row = re.compile(rf"(?P<label>\S.*?)(?P<numbers>(?:\s+{_NUMBER}){{{count}}})\s*")
    rows: list[Located] = []
    while first + 1 + len(rows) < len(lines) and len(rows) <= _MOST >= count:
        line = lines[first + 1 + len(rows)]
        if (found := row.fullmatch(line.text)) is None:
            break
        start = found.start("numbers")
        rows.append(list_of([line.cut(*m.span()) for m in re.finditer(r"\S+", line.text) if m.start() >= start]))
    return (list_of(rows), first + 1 + len(rows)) if rows and count > 1 else None
