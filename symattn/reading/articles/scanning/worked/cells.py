"""Tables with a column of calculations and one of their results beside it: each row is an equation.

    | Step  | Calculation  | Result |
    |-------|--------------|--------|
    | score | 2 · 3 + 1 · 4 | 10    |

Only cells are read that are nothing but a calculation with numbers, and a number or a list of them. Below headings that
do not say so, the numbers have to show that they are the results: all of them, or below a heading that is no other, all
but one of six or more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.worked.worth import worth_of

_WORKING = regex(
    r"(?:\w+ )?(?:computations?|calculations?|arithmetic|workings?|formulas?|expressions?)"
    r"|公式|表达式|计算(?:过程)?|算式|Rechnung|Berechnung|calcul|cálculo",
    re.IGNORECASE,
)
_RESULT = regex(
    r"(?:(?!(?:b?float|b?fp|bf)\d|measured|observed|masked|smoothed)\w+ )?"
    r"(?:results?|values?|probabilit(?:y|ies)|weights?|scores?|outputs?|vectors?|totals?|answers?)"
    r"|结果|值|概率|权重|Ergebnis|résultat|resultado"
    r"|[^\W\d][\u0300-\u036f](?:_?\w{1,2})?"
    r"|[^\W\dA-Za-z\u0370-\u03ff\u0400-\u04ff\u2e80-\uffff](?:_\w{1,2}|[₀-₉])",  # ẑ_i
    re.IGNORECASE,
)
_WORKED_OF_NAMES = regex(  # what may be the heading of equations in letters too
    r"(?:\w+ )?(?:gradients?|(?:partial )?derivatives?|equations?|operations?)|梯度|导数|等式|运算"
    r"|Gradient|Gleichung|dérivée|équation|derivada|ecuación|gradiente",
    re.IGNORECASE,
)
_VALUES = regex(r"(?:\w+ )?(?:results?|values?)|结果|值|Ergebnis|Wert|résultat|valeur|resultado|valor", re.IGNORECASE)
_PLAINLY_RESULTS = regex(
    r"(?:results?|values?|=|≈|结果|結果|值|Ergebnis(?:se)?|Werte?|résultats?|valeurs?|resultados?|valor(?:es)?"
    r"|risultat[oi]|valor[ei]|kết quả|결과|результат)?",
    re.IGNORECASE,
)
_LOG = regex(r"log(?!_)")  # of any base
_SHARE = regex(r"percent(?:age)?|%|share|百分比", re.IGNORECASE)
_CALCULATION = regex(
    r"(?:\d|[-+−–×x*·⋅∙/÷^√().,\[\]{}\s]|(?<=[\d)])[²³]"
    r"|\\(?:d?frac|cdot|times|div|left|right|exp|ln|log|sqrt|sin|cos|tanh|quad|[,;: !])(?![A-Za-z])"
    r"|(?:exp|ln|log|sqrt|sin|cos|tanh)(?=\()|e(?=\^)|(?<=[\s)\d])=(?=[\s(\d\\]))+"
)
_OPERATES = regex(
    r"\d[\s)\]}]*[-+−–×x*·⋅∙/÷^(]|[√^²³]|\\d?frac|\\cdot|\\times|\\div|\\?(?:exp|ln|log|sqrt|sin|cos|tanh)\b"
)
_FORMULA = regex(  # z = w x = 0.5 \\cdot 2, which ends in no number of its own
    r"[^$=≈]*[^\W\d][^$=≈]*(?:=[^$=≈]+)*=(?!\s*[-−+]?[\d.,]+\s*$)[^$=≈]+"
)
_ENTRY = r"[-−+]?\d[\d,]*(?:\{,\}\d{3})*(?:\.\d+)?"
_PRINT = regex(
    rf"(?P<sign>=|≈|~|\\approx(?![A-Za-z]))?\s*"
    rf"(?P<value>{_ENTRY}(?:\s?\\?%)?|\[\s*{_ENTRY}(?:\s*,(?:\\[ ,;])?\s*{_ENTRY})*\s*\])"
)
_PLAIN = regex(r"[-−+]?\d+(?:\.\d+)?")
_LIST = regex(rf"\[\s*{_PLAIN.pattern}(?:\s*,\s*{_PLAIN.pattern})+\s*\]")
_VALUE = regex(rf"{_ENTRY}|\[\s*{_ENTRY}(?:\s*,\s*(?:{_ENTRY}|\.\.\.|…))+\s*\]")
# n a value, s a sign, o a sign with a number, = an equals sign
_KINDS = {"n": _VALUE, "s": regex(r"[×·*+÷/]"), "o": regex(rf"[×·*÷/]\s*{_ENTRY}"), "=": regex("[=≈]")}
_OWN_RESULT = regex(rf"(?<==)\s*(?:{_PLAIN.pattern}|{_LIST.pattern})$")
_WEIGHTED = regex(r"weighted|contribution|×|加权", re.IGNORECASE)
_PERCENT = regex(rf"{_ENTRY}\s?\\?%")
_COMMA = regex(r",|\{,\}")
_DRESSED = regex(r"(?:[\s*`$]|[\U0001F300-\U0001FAFF\u2600-\u27BF]\ufe0f?)*")


def take_worked_cells(lines: list[Located]) -> tuple[list[Located], list[Located]]:
    """The equations of a table whose first line is its header, and its lines with the cells of these blanked out.

    >>> lines = [Located.whole(line) for line in ("| a | Calculation | Result |", "| 1 | $2 + 3$ | 5 |")]
    >>> found, rest = take_worked_cells(lines)
    >>> [equation.text for equation in found], rest[1].text
    (['2 + 3 = 5'], '| 1 |         |   |')
    """
    names = [lines[0].text[a:b].strip(" *`$") for a, b in _cells(lines[0].text)]
    table = _Table(names, [(line, _cells(line.text)) for line in lines[1:]])
    found_column = _working_column(table)
    if found_column is not None:
        at, scale = found_column
        shared = at + 2 < len(names) and _SHARE.fullmatch(names[at + 2]) is not None
        return _take(
            lines, names, lambda line, cells: _equation(line, cells[at : at + 2 + shared], scale), at, at + 2 + shared
        )
    found, rest = _along_signs(lines, table)
    return (found, rest) if found else _scaled_vectors(lines, table)


@dataclass(frozen=True)
class _Table:
    """The names of the columns, and the lines with the places of their cells."""

    names: list[str]
    lines: list[tuple[Located, list[tuple[int, int]]]]

    def column(self, k: int) -> list[str]:
        """The texts of the cells of a column without their marks; of lines that are whole."""
        whole = ((line, cells) for line, cells in self.lines if len(cells) == len(self.names))
        return [_undressed(line, *cells[k]).text for line, cells in whole]

    def is_full(self, k: int, pattern: re.Pattern[str]) -> bool:
        """Whether the cells of a column are all of one kind, two at least."""
        whole = [(line, cells) for line, cells in self.lines if len(cells) == len(self.names)]
        return len(whole) > 1 and all(pattern.fullmatch(_undressed(line, *cells[k]).text) for line, cells in whole)


def _working_column(table: _Table) -> tuple[int, str | None] | None:
    """A column of calculations with one of results beside it, by its name or since all its cells are calculations.

    With it goes the power that the results count in.
    """
    names = table.names
    for k, (a, b) in enumerate(pairwise(names)):
        if not _RESULT.fullmatch(b):
            continue
        if _VALUES.fullmatch(b) and _WORKED_OF_NAMES.fullmatch(a) and table.is_full(k, _FORMULA):
            return k, _scale_of(table, k)
        worked = table.is_full(k, _CALCULATION) and all(map(_OPERATES.search, table.column(k)))
        if (_WORKING.fullmatch(a) or (worked and table.is_full(k + 1, _PRINT))) and _repeats(table, k):
            return k, _scale_of(table, k)
    for k in range(len(names) - 1):
        scale = _scale_of(table, k)
        if scale is not None or _shows_results(table, k):
            return k, scale
    return None


_SCALES = {
    f"{base}^{power}": Fraction(base) ** power
    for base, step in ((10, 3), (2, 10))
    for power in range(step, 5 * step, step)
}
_FEWEST_DIGITS = 100  # units of a number that shows a scale
_FEWEST_SCALED = 3  # rows that show what one more should be


def _scale_of(table: _Table, k: int) -> str | None:
    """By which power the numbers beside a column of calculations count: 1.180 is 2 · 768 · 768 in 10^6.

    One number may be another where three rows or more show the power.
    """
    pairs = [
        (value, *numbers[0]) for value, numbers, _ in _results(table, k) if value is not None and len(numbers) == 1
    ]
    telling = [(value, number, unit) for value, number, unit in pairs if number >= _FEWEST_DIGITS * unit]
    if len(telling) < len(pairs) or len({number for _, number, _ in telling}) < 2:
        return None
    for name, scale in _SCALES.items():
        fits = [_comes_to(value / scale, number, unit, percent=False) for value, number, unit in telling]
        if all(fits):
            return name
        if sum(fits) == len(fits) - 1 >= _FEWEST_SCALED:
            value, number, unit = telling[fits.index(False)]
            powers = (Fraction(1), *_SCALES.values())
            return None if any(_comes_to(value / x, number, unit, percent=False) for x in powers) else name
    return None


def _results(table: _Table, k: int) -> Iterator[tuple[Fraction | None, list[tuple[Fraction, Fraction]], bool]]:
    """What calculations in a column come to, the numbers beside each, and whether these are percent."""
    for worked, beside in zip(table.column(k), table.column(k + 1), strict=True):
        printed = _PRINT.fullmatch(beside)
        if printed is not None and _CALCULATION.fullmatch(worked) and _OPERATES.search(worked):
            yield worth_of(worked), _numbers(_COMMA.sub("", printed["value"])), "%" in beside


def _shows_results(table: _Table, k: int) -> bool:
    """Whether the numbers beside a column of calculations show that they are what these come to."""
    fits, shown = [], set()
    for value, numbers, percent in _results(table, k):
        fits.append(value is not None and len(numbers) == 1 and _comes_to(value, *numbers[0], percent))
        if fits[-1]:
            shown.add(numbers[0])
    but_one = sum(fits) == len(fits) - 1 >= _LEAST and len({x for x, unit in shown if unit < 1}) > 1
    if but_one and (not _PLAINLY_RESULTS.fullmatch(table.names[k + 1]) or any(map(_LOG.search, table.column(k)))):
        return False
    return len(fits) > 1 and (all(fits) or but_one)


_LEAST = 5  # rows that show what another one should be


def _comes_to(value: Fraction, number: Fraction, unit: Fraction, percent: bool) -> bool:
    """Whether a value is a printed number, rounded or cut off."""
    off = value * (100 if percent else 1) - number
    return 2 * abs(off) <= unit or (abs(off) < unit and (off > 0) == (number > 0))


def _repeats(table: _Table, k: int) -> bool:
    """Whether most calculations that end in a result of their own, `2 + 3 = 5`, have it beside them once more."""
    pairs = zip(table.column(k), table.column(k + 1), strict=True)
    both = [(_numbers(own[0]), _numbers(beside)) for worked, beside in pairs if (own := _OWN_RESULT.search(worked))]
    same = [len(own) == len(beside) and all(map(_is_cut, own, beside)) for own, beside in both]
    return 2 * sum(same) >= len(same)


def _is_cut(number: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> bool:
    """Whether two numbers are the same, or decimals of which one has fewer places."""
    (x, unit), (y, another) = number, other
    return x == y or (max(unit, another) < 1 and abs(x - y) <= max(unit, another))


def _take(
    lines: list[Located],
    names: list[str],
    read: Callable[[Located, list[tuple[int, int]]], Located | None],
    first: int,
    last: int,
) -> tuple[list[Located], list[Located]]:
    """The equations that are read of the lines, and the lines with these cells blanked out."""
    found, rest = [], [lines[0]]
    for line in lines[1:]:
        cells = _cells(line.text)
        equation = read(line, cells) if len(cells) == len(names) else None
        if equation is not None:
            found.append(equation)
            line = _blank(line, cells[first:last])
        rest.append(line)
    return found, rest


def _along_signs(lines: list[Located], table: _Table) -> tuple[list[Located], list[Located]]:
    """Rows that signs in cells of their own make equations: `| 12 | ÷ 8 | 1.5 |`, `| 2 | × | [1, 0] | = | [2, 0] |`."""
    kinds = "".join(
        next((kind for kind, pattern in _KINDS.items() if table.is_full(k, pattern)), "?")
        for k in range(len(table.names))
    )
    match = re.search(r"no=?n|n(?:sn)+=n", kinds)
    if match is None:
        return [], lines
    first, last = match.span()
    if kinds[first:last] == "non":
        trials = [
            _is_borne_out(number, operation, result)
            for number, operation, result in zip(*map(table.column, range(first, last)), strict=True)
        ]
        if 2 * sum(trials) < len(trials):
            return [], lines

    def read(line: Located, cells: list[tuple[int, int]]) -> Located:
        parts: list[Located] = []
        for k in range(first, last):
            part, sign = _undressed(line, *cells[k]), " = " if k == last - 1 and kinds[k - 1] != "=" else " "
            parts.append(part.led_by(sign) if parts else part)
        return join(parts)

    return _take(lines, table.names, read, first, last)


def _scaled_vectors(lines: list[Located], table: _Table) -> tuple[list[Located], list[Located]]:
    """`| 0.5 | [1, 0] | [0.5, 0] |` below "weighted vector", where most of the entries bear it out."""
    for k in range(len(table.names) - 2):
        kinds = (table.is_full(k, _PLAIN), table.is_full(k + 1, _LIST), table.is_full(k + 2, _LIST))
        if not all(kinds) or not _WEIGHTED.search(table.names[k + 2]):
            continue
        trials = [
            abs(_numbers(w)[0][0] * x - y) <= unit
            for w, xs, ys in zip(table.column(k), table.column(k + 1), table.column(k + 2), strict=True)
            for (x, _), (y, unit) in zip(_numbers(xs), _numbers(ys), strict=False)
            if x
        ]
        if 4 * sum(trials) < 3 * len(trials):
            continue

        def read(line: Located, cells: list[tuple[int, int]], k: int = k) -> Located:
            weight, vector, product = (_undressed(line, *cell) for cell in cells[k : k + 3])
            return join([weight, vector.led_by(" × "), product.led_by(" = ")])

        return _take(lines, table.names, read, k, k + 3)
    return [], lines


def _is_borne_out(number: str, operation: str, result: str) -> bool:
    """Whether `12`, `÷ 8` and `1.5` are an equation; of lists nothing is asked."""
    if not _PLAIN.fullmatch(number) or not _PLAIN.fullmatch(result):
        return True
    ((x, _),), ((y, unit),), by = _numbers(number), _numbers(result), _numbers(operation)
    if len(by) != 1 or by[0][0] == 0:
        return False
    return abs((x / by[0][0] if operation[0] in "÷/" else x * by[0][0]) - y) <= unit


def _numbers(text: str) -> list[tuple[Fraction, Fraction]]:
    """The numbers of a cell, each with the unit of its last digit."""
    texts = [x.replace("−", "-") for x in _PLAIN.findall(text)]
    return [(Fraction(x), Fraction(1, 10 ** len(x.partition(".")[2]))) for x in texts]


def _cells(text: str) -> list[tuple[int, int]]:
    bars = [m.start() for m in re.finditer(r"(?<!\\)\|", text)]
    return [(a + 1, b) for a, b in pairwise(bars)]


def _equation(line: Located, cells: list[tuple[int, int]], scale: str | None) -> Located | None:
    """A calculation, the print beside it and perhaps that in percent, where each cell is nothing else."""
    working, result, *share = [_undressed(line, *cell) for cell in cells]
    printed = _PRINT.fullmatch(result.text)
    calculated = _CALCULATION.fullmatch(working.text) and _OPERATES.search(working.text)
    if printed is None or not (calculated or _is_marked_formula(line, cells[0], working)):
        return None
    if scale is not None:
        working = join([working.led_by("("), result.cut(0, 0).led_by(f") / {scale}")])
    sign = " ≈ " if printed["sign"] in ("≈", "~", "\\approx") else " = "
    percents = [percent.led_by(" ≈ ") for percent in share if _PERCENT.fullmatch(percent.text)]
    return join([working, result.cut(*printed.span("value")).led_by(sign), *percents])


def _is_marked_formula(line: Located, cell: tuple[int, int], working: Located) -> bool:
    """Whether a cell is one formula between marks, an equation in letters that ends in no number."""
    return line.text[slice(*cell)].strip(" *\t").startswith("$") and _FORMULA.fullmatch(working.text) is not None


def _undressed(line: Located, start: int, end: int) -> Located:
    """A cell without the marks of Markdown around all of it."""
    before = _DRESSED.match(line.text, start, end)
    start = before.end() if before else start
    while end > start and line.text[end - 1] in " \t*`$":
        end -= 1
    return line.cut(start, end)


def _blank(line: Located, cells: list[tuple[int, int]]) -> Located:
    text = line.text
    for start, end in cells:
        text = text[:start] + " " * (end - start) + text[end:]
    return Located(text, line.runs)
