"""Columns of a table that are worked out from another one, `| x | x − μ | (x − μ)² |` or `| score | exp(score) |`.

The heading is the formula: with the number of the other column in the place of its name it is an equation for each
row. A column called "square" is that of the column before it. A last row called "sum" or "mean" is that of the rows
above it.
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
_SUMMARY = re.compile(  # what a last row is called
    r"(?P<sum>(?:column )?(?:sum|total)s?|Σ|\\sum|总和|总计|合计|求和|和|somme|summe|suma|soma|сумма|合計|합계)"
    r"|(?P<mean>mean|average|avg\.?|平均值?|均值|moyenne|mittelwert|media|média)"
    r"|(?P<other>max(?:imum)?|min(?:imum)?|std|var(?:iance)?|median|range|product|norm|最大值?|最小值?|方差|标准差)",
    re.IGNORECASE,
)
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
    whole = [row for row in rows if len(row) == len(names)]
    last = next((k for k, row in enumerate(whole) if k and _summary(row)), len(whole))
    for k, heading in enumerate(names):
        source, pieces = _made_of(heading, names[:k])
        for row in whole[:last] if pieces else ():
            argument, result = _number(row[source]), _number(row[k])
            if argument is not None and result is not None:
                yield k, _equation(pieces, argument, result)
        for row in whole[last:] if pieces else ():
            terms, result = [_number(above[k]) for above in whole[:last]], _number(row[k])
            if (summary := _summary(row)) and result is not None and None not in terms and len(terms) > 1:
                yield k, _summarised([term for term in terms if term is not None], summary, result)


def _equation(pieces: Sequence[str], argument: Located, result: Located) -> Located:
    at = argument.span(0, 0)[0]
    parts = [Located.inserted(pieces[0], at)]
    for before, piece in pairwise(pieces):
        enclosed = before.endswith("(") and piece.startswith(")")
        opening, closing = ("", piece) if enclosed else ("(", ")" + piece)
        parts += [Located.inserted(opening, at), argument, Located.inserted(closing, at)]
    return join([*parts, Located.inserted(" = ", result.span(0, 0)[0]), result])


def _summarised(terms: Sequence[Located], summary: str, result: Located) -> Located:
    """The sum of a column, or its mean, as an equation."""
    at = result.span(0, 0)[0]
    added = join([Located.inserted("(", at), join(terms, ") + ("), Located.inserted(")", at)])
    closing = f")/{len(terms)} = " if summary == "mean" else ") = "
    return join([Located.inserted("(", at), added, Located.inserted(closing, at), result])


def _summary(row: Sequence[Located]) -> str:
    """What a row below a column says of it by its first cell: its sum, its mean, something else, or nothing."""
    match = _SUMMARY.fullmatch(row[0].text.strip("*_`$ "))
    return (match.lastgroup or "") if match is not None else ""


def _number(cell: Located) -> Located | None:
    match = _NUMBER.fullmatch(cell.text)
    return None if match is None else cell.cut(*match.span("number"))


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
