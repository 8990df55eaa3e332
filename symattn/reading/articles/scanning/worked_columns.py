"""Columns of a table that are worked out from another one, `| x | x − μ | (x − μ)² |` or `| score | exp(score) |`.

The heading is the formula: with the number of the other column in the place of its name it is an equation for each
row. A column called "square" is that of the column before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from symattn.reading.articles.article import Located, join

_CALCULATES = re.compile(r"[-−–+×·*/^²]|\b(?:exp|sqrt|ln|log)\b|√")
_JOINED = re.compile(r"\w[-+/]|[-+/]\w")  # GPT-2 is a name
_SQUARE = re.compile(r"squares?|squared|squared (?:difference|deviation)|平方|平方差|quadrate?|carrés?", re.IGNORECASE)
_NAME = re.compile(r"\\?[^\W\d](?:[\w{}\\]|(?<=\w)[_^]){0,15}")
_NUMBER = re.compile(r"\**\s*(?P<number>[-−+]?(?:\d+(?:\.\d+)?|\.\d+))\s*\**")
_LONGEST = 60


def find_worked_columns(rows: Sequence[Sequence[Located]], header: Sequence[Located]) -> Iterator[tuple[int, Located]]:
    """The equations of such columns, each with the number of its column.

    >>> def cells(*texts):
    ...     return [Located.whole(text) for text in texts]
    >>> found = find_worked_columns([cells("7.0", "1.9", "3.61")], cells("x", "x − μ", "Square"))
    >>> [(k, equation.text) for k, equation in found]
    [(1, '(7.0) − μ = 1.9'), (2, '(1.9)^2 = 3.61')]
    """
    names = [_formula_in(cell.text) for cell in header]
    for k, heading in enumerate(names):
        source, pieces = _made_of(heading, names[:k])
        for row in rows if pieces else ():
            if len(row) != len(names):
                continue
            argument, value = (_NUMBER.fullmatch(row[j].text) for j in (source, k))
            if argument is None or value is None:
                continue
            number, result = row[source].cut(*argument.span("number")), row[k].cut(*value.span("number"))
            at = number.span(0, 0)[0]
            parts = [Located.inserted(pieces[0], at)]
            for before, piece in pairwise(pieces):
                enclosed = before.endswith("(") and piece.startswith(")")
                opening, closing = ("", piece) if enclosed else ("(", ")" + piece)
                parts += [Located.inserted(opening, at), number, Located.inserted(closing, at)]
            yield k, join([*parts, Located.inserted(" = ", result.span(0, 0)[0]), result])


def _formula_in(heading: str) -> str:
    """The only formula in a heading, of `exponential $e^z$`; else all that it says."""
    formulas = heading.split("$")
    return (formulas[1] if len(formulas) == 3 else heading.replace("$", "")).strip("*` ")


def _made_of(heading: str, before: Sequence[str]) -> tuple[int, list[str]]:
    """Which column a heading is a formula of, and the formula without its name, in pieces."""
    if before and _SQUARE.fullmatch(heading):
        return len(before) - 1, ["", "^2"]
    if len(heading) > _LONGEST or not _CALCULATES.search(heading):
        return 0, []
    for j in range(len(before) - 1, -1, -1):
        if _NAME.fullmatch(before[j]):
            pieces = re.split(rf"(?<![\w\\]){re.escape(before[j])}(?![\w])", heading)
            word = before[j].isalpha() and len(before[j]) > 1
            if len(pieces) > 1 and not (word and _JOINED.search(heading)):
                return j, pieces
    return 0, []
