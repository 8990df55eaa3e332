"""Tables as grids of located cells: a labelled matrix, or formulas in the cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from symattn.article import Located
from symattn.readers.scanning.cleaning import words_before
from symattn.readers.scanning.finding import Found
from symattn.readers.scanning.matrices import list_of
from symattn.readers.scanning.wording import find_mathematics

Row = tuple[Located, ...]

_DELIMITER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_NUMBER = re.compile(r"\**\s*([-−+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?%?|[-−]?(?:∞|inf))\s*\**")
_NAME = re.compile(r"[A-Za-z]\w{0,20}(?:[_^]\{?\w+\}?)*")


def is_delimiter(text: str) -> bool:
    """The line of dashes under a pipe table's header.

    >>> is_delimiter("|---|:-:|"), is_delimiter("---")
    (True, False)
    """
    return "|" in text and len(text) < 5_000 and "-" in text and not text.strip("|:- \t\r")


def cells_of(line: Located) -> Row:
    r"""The cells of a line of a pipe table; `\|` is no border."""
    bars = [m.start() for m in re.finditer(r"(?<!\\)\|", line.text)]
    edges = [-1, *bars, len(line.text)]
    cells = [line.cut(a + 1, b).strip() for a, b in pairwise(edges)]
    if bars and not cells[0].text:
        cells = cells[1:]
    if bars and cells and not cells[-1].text:
        cells = cells[:-1]
    return tuple(cells)


def find_in_table(rows: list[Row], header: Row = ()) -> Iterator[Found]:
    """The table as one matrix where its labels show that it is one, and else the mathematics in its cells."""
    matrix = _matrix(rows, header)
    if matrix is not None:
        yield Found(matrix, "table", words_before(header[0].text) if header else "")
        return
    for row in rows:
        label = row[0].text if row else ""
        for k, cell in enumerate(row):
            heading = header[k].text if k < len(header) else ""
            context = " ".join(w for w in (label if k else "", heading) if w)
            for start, end in find_mathematics(cell.text):
                yield Found(cell.cut(start, end), "table", words_before(context))


def _matrix(rows: list[Row], header: Row) -> Located | None:
    """The grid of numbers, if the first column names the rows and the header says the same or nothing."""
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 3:
        return None
    labels = [row[0].text.strip("*` ") for row in rows]
    if any(_NUMBER.fullmatch(label) for label in labels):
        return None
    names = [cell.text.strip("*` ") for cell in header[1:]]
    unnamed = all(not n or n.isdigit() or re.fullmatch(r"(?:dim|d|列|维度?)\s*_?\d+", n, re.IGNORECASE) for n in names)
    if not header or not (unnamed or sorted(names) == sorted(labels) or names == labels):
        return None
    numbers = [[_number(cell) for cell in row[1:]] for row in rows]
    grid = [list_of([n for n in row if n is not None]) for row in numbers if None not in row]
    return list_of(grid) if len(grid) == len(rows) else None


def _number(cell: Located) -> Located | None:
    match = _NUMBER.fullmatch(cell.text)
    return cell.cut(*match.span(1)) if match else None
