r"""Tables of LaTeX, `\begin{tabular}{lrr} $A$ & I & you \\ ...`, read as pipe tables are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.blocks import find_in_rows
from symattn.reading.articles.scanning.finding import Found

_OPENING = regex(r"\\begin\{(tabular[*x]?|longtable|tblr)\}(?:\[[a-z]*\])?(?:\{[^\n]*\})?[ \t]*\n")
_RULES = regex(r"\\(?:hline|(?:top|mid|bottom)rule|end(?:first|last)?(?:head|foot)|c(?:midrule\S*|line\{[\d-]+\}))")
_CELL_OF_SEVERAL = regex(r"\\(?:multicolumn|multirow)\b")
_ROW_END = regex(r"\\\\(?:\[[^\]\n]*\])?|\\tabularnewline\b")
_BORDER = regex(r"(?<!\\)&")
_BAR = regex(r"\\?\|")
_NUMBERS = regex(r"\|(?:[^|]*\|)?(?:[ $]*[-−+]?\d+(?:\.\d+)?[ $]*\|)+")  # a row that is no header
_BREAK = regex(r"\s*\n\s*")
_WRAPPED = regex(  # \num{0.67}, \textbf{0.67}, and {cat} over a column of numbers
    r"\$?(?:\\(?:num|textbf|mathbf|textit|emph|underline)(?:\[[^\[\]]*\])?)?\{(?P<inside>[^{}]*)\}\$?"
)


def find_in_tabulars(text: Located) -> Iterator[tuple[list[Found], tuple[int, int]]]:
    """What each table holds, and where in the text the table stands."""
    for opening in _OPENING.finditer(text.text):
        inside = text.text.find(r"\begin", opening.end())  # a table with another environment in it is not read
        end = text.text.find(rf"\end{{{opening[1]}}}", opening.end(), inside if inside >= 0 else len(text.text))
        if end < 0 or _CELL_OF_SEVERAL.search(text.text, opening.end(), end):
            continue
        rows = list(_rows(text.cut(opening.end(), end)))
        if rows:
            yield list(find_in_rows(rows, not _NUMBERS.fullmatch(rows[0].text))), (opening.start(), end)


def _rows(inner: Located) -> Iterator[Located]:
    """The rows as lines of a pipe table: `| $A$ | I | you |`."""
    text = Located(_RULES.sub(lambda match: " " * len(match[0]), inner.text), inner.runs)
    for start, end in _between(_ROW_END, text.text, 0, len(text.text)):
        row = text.cut(start, end).strip()
        if row.text:
            cells = [_cell(row.cut(*span).strip()) for span in _between(_BORDER, row.text, 0, len(row.text))]
            yield join([join(cells, " | ").led_by("| "), Located.inserted(" |", row.span(0, len(row.text))[1])])


def _cell(cell: Located) -> Located:
    wrapped = _WRAPPED.fullmatch(cell.text)
    plain = cell.cut(*wrapped.span("inside")) if wrapped else cell
    return plain.substitute(_BREAK, lambda _: " ").substitute(_BAR, lambda m: r"\Vert " if len(m[0]) > 1 else r"\vert ")


def _between(mark: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches that a mark divides a text into."""
    for match in mark.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end
