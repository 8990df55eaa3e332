r"""Tables of LaTeX whose labels show that they are one matrix: `\begin{tabular}{lrr} $A$ & I & you \\ ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.finding import Found
from symattn.reading.articles.scanning.tables import Row, find_labelled_matrix

_OPENING = regex(r"\\begin\{(tabular|longtable)\}(?:\[[a-z]*\])?\{[^\n]*\}[ \t]*\n")
_RULES = regex(r"\\(?:hline|(?:top|mid|bottom)rule|end(?:first|last)?(?:head|foot)|c(?:midrule\S*|line\{[\d-]+\}))")
_CELL_OF_SEVERAL = regex(r"\\(?:multicolumn|multirow)\b")
_ROW_END = regex(r"\\\\(?:\[[^\]\n]*\])?")
_BORDER = regex(r"(?<!\\)&")


def find_in_tabulars(text: Located) -> Iterator[tuple[Found, tuple[int, int]]]:
    """The matrix of each table that is one, and where in the text the table stands."""
    for opening in _OPENING.finditer(text.text):
        inside = text.text.find(r"\begin", opening.end())  # a table with another environment in it is not read
        end = text.text.find(rf"\end{{{opening[1]}}}", opening.end(), inside if inside >= 0 else len(text.text))
        if end < 0 or _CELL_OF_SEVERAL.search(text.text, opening.end(), end):
            continue
        inner = text.cut(opening.end(), end)
        header, *rows = [row for row in _rows(inner) if any(cell.text for cell in row)] or [()]
        matrix = find_labelled_matrix([_without_marks(row) for row in rows], _without_marks(header), header)
        if matrix is not None:
            yield Found(matrix, "table"), (opening.start(), end)


def _rows(inner: Located) -> Iterator[Row]:
    blank = _RULES.sub(lambda match: " " * len(match[0]), inner.text)
    text = Located(blank, inner.runs)
    for start, end in _between(_ROW_END, blank, 0, len(blank)):
        yield tuple(text.cut(*span).strip() for span in _between(_BORDER, blank, start, end))


_WRAPPED = regex(r"(?:\\num(?:\[[^\[\]]*\])?)?\{(?P<inside>[^{}]*)\}")  # \num{0.67}, and {cat} over a column of numbers


def _without_marks(row: Row) -> Row:
    cells = (cell.strip("$ ") for cell in row)
    return tuple(cell.cut(*m.span("inside")) if (m := _WRAPPED.fullmatch(cell.text)) else cell for cell in cells)


def _between(mark: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches that a mark divides a text into."""
    for match in mark.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end
