"""Tables that go on with an earlier table of the same labels, which name the rows or the columns of both.

`| cat | 3.0 |` and then `| cat | 20.09 |` below `e^x`, or `| 3.0 | 20.09 |` at once; `| cat | 5% |` and then
`| cat | 0.05 |`; a matrix and then one row of it with each number over the sum of the row, below a line that names the
row. Nothing says that the labels mean the same numbers: all of them but one in four have to agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.vocabulary import SUM

Cells = Sequence[Located]
_NUMBER = regex(r"[\s*`$~≈]*(?P<number>[-−+]?(?:\d+(?:\.\d+)?|\.\d+)(?P<percent>\s?\\?%)?)[\s*`$]*")
_EXPONENTIAL = regex(
    r"(?:e\s?\^\s?\{?(?:[a-z](?:_\{?[a-z]\}?)?|score)\}?|e[ˣˢᶻ]|\\?exp\((?:[a-z](?:_\{?[a-z]\}?)?|score)\)"
    r"|(?:exp|exponen\w*|exponentials?|指数)(?: \(?(?:e\^x|exp)\)?)?)",
    re.IGNORECASE,
)
_SUM = regex(
    rf"[\s>*_#]*(?:row )?(?:{SUM}|和)"
    r"[\s*_]*[:：=][\s*_]*(?P<rest>.*)",
    re.IGNORECASE,
)
_MOST = 64  # rows and columns
_MOST_TABLES = 16  # that are kept


class EarlierTables:
    """The tables above, the last one first: numbers by the labels of their rows, matrices by those of their columns."""

    def __init__(self) -> None:
        self._columns: list[dict[str, Located]] = []
        self._matrices: list[tuple[list[str], dict[str, list[Located]]]] = []

    def note(self, rows: Sequence[Cells], header: Cells) -> None:
        """Keep a table of two columns, or the numbers of a matrix whose rows and columns have labels."""
        if not 1 < len(header) <= _MOST or not 1 < len(rows) <= _MOST or any(len(row) != len(header) for row in rows):
            return
        numbers = [[_number(cell) for cell in row[1:]] for row in rows]
        labels = [_label(row[0]) for row in rows]
        if len(set(labels)) < len(labels) or not all(labels) or any(None in row for row in numbers):
            return
        found = [[n for n in row if n is not None] for row in numbers]
        if len(header) == 2:
            self._columns = [{k: row[0] for k, row in zip(labels, found, strict=True)}, *self._columns][:_MOST_TABLES]
        else:
            matrix = [_label(cell) for cell in header[1:]], dict(zip(labels, found, strict=True))
            self._matrices = [matrix, *self._matrices][:_MOST_TABLES]

    def find(self, rows: Sequence[Cells], header: Cells, between: Sequence[Located]) -> list[Located]:
        """The equations of a table that goes on with one above, of which lines stand `between`."""
        if len(header) == 2 and 1 < len(rows) <= _MOST and all(rows):
            return self._of_columns(rows, header[1].text)
        if len(rows) == 1 and 2 < len(header) <= _MOST and len(rows[0]) == len(header):
            return self._shares(rows[0], [_label(cell) for cell in header], between)
        return []

    def _of_columns(self, rows: Sequence[Cells], heading: str) -> list[Located]:
        labels = [_label(row[0]) for row in rows]
        results = [_number(row[1]) if len(row) == 2 else None for row in rows]
        above = next((list(column.values()) for column in self._columns if list(column) == labels), [])
        arguments = above or [number for row in rows if (number := _number(row[0])) is not None]
        if len(arguments) != len(rows):
            return []
        pairs = [(argument, result) for argument, result in zip(arguments, results, strict=True) if result]
        percents = ["%" in argument.text for argument, _ in pairs]
        if _EXPONENTIAL.fullmatch(heading.strip("*`$ ")) and not any(percents):
            return _borne_out(pairs, "exp({})", lambda x: Fraction(math.exp(min(float(x), 700.0))))
        if above and all(percents) and not any("%" in result.text for _, result in pairs):
            return _borne_out(pairs, "{}/100", lambda x: x)
        return []

    def _shares(self, row: Cells, labels: list[str], between: Sequence[Located]) -> list[Located]:
        """A row of a matrix over its sum, and the sum if that stands between: of a row that a line between names."""
        names, known = next(((n, m) for n, m in self._matrices if n == labels), ([], {}))
        said = [name for line in between for name in known if re.search(rf"(?<!\w){re.escape(name)}\W*$", line.text)]
        printed = [number for cell in row if (number := _number(cell)) is not None]
        if len(names) < 3 or len(set(said)) != 1 or len(printed) != len(row):
            return []
        terms = known[said[0]]
        total = " + ".join(term.text for term in terms)
        if any(_value(term) < 0 for term in terms) or not sum(map(_value, terms)):
            return []
        whole = sum(map(_value, terms))
        shares = _borne_out(list(zip(terms, printed, strict=True)), f"({{}})/({total})", lambda x: x / whole)
        return [*_sums(between, total), *shares] if shares else []


def _sums(between: Sequence[Located], total: str) -> Iterator[Located]:
    """The number that is said to be a sum, behind the word or on the next line that is not empty."""
    lines = [line for line in between if line.text.strip()]
    for k, line in enumerate(lines):
        said = _SUM.fullmatch(line.text)
        if said is None:
            continue
        rest = line.cut(*said.span("rest"))
        number = _number(rest if rest.text.strip() or k + 1 == len(lines) else lines[k + 1])
        if number is not None:
            yield number.led_by(f"{total} = ")


def _borne_out(
    pairs: Sequence[tuple[Located, Located]], formula: str, value: Callable[[Fraction], Fraction]
) -> list[Located]:
    """The equations of arguments and results, if there are two and all of them agree but for one in four."""
    off = 0
    for argument, result in pairs:
        digits = re.sub(r"[^\d.]", "", result.text).partition(".")[2]
        unit = Fraction(1, 10 ** len(digits)) / (100 if "%" in result.text else 1)
        off += abs(value(_value(argument)) - _value(result)) > unit
    if 4 * off > len(pairs) or len(pairs) < 2:
        return []
    return [result.led_by(f"{formula.format(_plain(argument))} = ") for argument, result in pairs]


def _value(number: Located) -> Fraction:
    digits = Fraction(_plain(number))
    return digits / 100 if "%" in number.text else digits


def _plain(number: Located) -> str:
    return re.sub(r"[^-\d.]", "", number.text.replace("−", "-"))


def _number(cell: Located) -> Located | None:
    match = _NUMBER.fullmatch(cell.text)
    return None if match is None else cell.cut(*match.span("number"))


def _label(cell: Located) -> str:
    text = cell.text.strip("*`$ ")
    return "" if _NUMBER.fullmatch(text) else text
