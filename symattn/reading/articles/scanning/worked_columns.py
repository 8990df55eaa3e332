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
_MARKS = r"(?:[\s*]|[\U0001F300-\U0001FAFF\u2600-\u27BF]\ufe0f?)*"  # 🔴
_NUMBER = re.compile(rf"{_MARKS}(?P<number>[-−+]?(?:\d+(?:\.\d+)?|\.\d+)){_MARKS}")
_SUMMARY = re.compile(  # what a last row is called
    r"(?P<sum>(?:column )?(?:sum|total)s?|Σ|\\sum|总和|总计|合计|求和|和|somme|summe|suma|soma|сумма|合計|합계)"
    r"|(?P<mean>mean|average|avg\.?|平均值?|均值|moyenne|mittelwert|media|média)"
    r"|(?P<other>max(?:imum)?|min(?:imum)?|std|var(?:iance)?|median|range|product|norm|最大值?|最小值?|方差|标准差)",
    re.IGNORECASE,
)
_SAID = re.compile(rf"{_MARKS}(?P<label>[^\d:：=≈]{{1,20}})[:：=≈]{_NUMBER.pattern}")
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
    last = next((at for at, row in enumerate(whole) if at and _ends_the_column(row)), len(whole))
    for k, heading in enumerate(names):
        source, pieces = _made_of(heading, names[:k])
        for row in whole[:last] if pieces else ():
            argument, result = _number(row[source]), _number(row[k])
            if argument is not None and result is not None:
                yield k, _equation(pieces, argument, result)
        terms = [_number(row[k]) for row in whole[:last]]
        for row in whole[last:] if pieces and None not in terms and len(terms) > 1 else ():
            called, result = _summary(row, k)
            if called in ("sum", "mean") and result is not None:
                yield k, _summarised([term for term in terms if term is not None], called, result)


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


def _ends_the_column(row: Sequence[Located]) -> bool:
    return any(_summary(row, k)[0] for k in range(len(row)))


def _summary(row: Sequence[Located], k: int) -> tuple[str, Located | None]:
    """What a row below a column says that it is, by its first cell or beside the number: its sum, its mean, another."""
    beside = _SAID.fullmatch(row[k].text)
    if beside is not None:
        return _kind_of(beside["label"]), row[k].cut(*beside.span("number"))
    return _kind_of(row[0].text), _number(row[k])


def _kind_of(label: str) -> str:
    match = _SUMMARY.fullmatch(label.strip("*_`$ "))
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
    lasts = [name.split()[-1:] for name in before]
    for j in range(len(before) - 1, -1, -1):
        name = lasts[j][0] if lasts[j] and lasts.count(lasts[j]) == 1 else before[j]  # "raw score" is a score
        if _NAME.fullmatch(name):
            word = name.isalpha() and len(name) > 1
            pieces = re.split(rf"(?<![\w\\]){re.escape(name)}(?![\w])", heading, flags=re.IGNORECASE if word else 0)
            if len(pieces) > 1 and not (word and _JOINED.search(heading)):
                return j, pieces
    return 0, []
