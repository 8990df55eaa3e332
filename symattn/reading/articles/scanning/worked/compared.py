"""Columns of a table that compare two others, or say what so many parameters take in a format.

`| Q heads | KV heads | saved |` over `| 64 | 8 | 87.5% |`, `| without | with | speedup |` over `| 600 | 12 | 50× |`,
and `| model | FP16 | INT4 |` over `| 8B | 16 GB | 4 GB |`. Which columns are meant is taken from the numbers: they have
to agree in three rows at least, and in all but one. What models take is read only where it holds: 8B may be 8.03B.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.worked.worth import last_place
from symattn.values.spelling import PREFIXES

Cells = Sequence[Located]
SAVED = regex(
    r"sav(?:es?|ed|ings?)\b|reduc(?:ed|tion|ción)|redução|节省|節省|减少|減少|削減|節約|절감|절약"
    r"|ersparnis|einsparung|ahorro|economia|économie",
    re.IGNORECASE,
)
_FASTER = regex(r"speed-?\s?up|faster|加速|beschleunigung|aceleraci[oó]n|aceleração|accélération", re.IGNORECASE)
_COUNT = regex(r"[\s*_`]*(\d{1,3}(?:,\d{3})+|\d{1,12})(?![\d.,])(?:\s+[^\W\d]{1,20})?[\s*_`]*")  # 5,050 operations
_PERCENT = regex(r"[\s*_`~≈]*(\d{1,3}(?:\.\d{1,4})?)\s?\\?%[\s*_`]*")
_TIMES = regex(r"[\s*_`~≈]*(\d{1,6}(?:\.\d{1,4})?)\s?[×x倍][\s*_`]*")
_PARAMETERS = regex(r"[\s*_`~≈]*(\d{1,4}(?:\.\d{1,3})?)\s?B(?!\w)")
_GIGABYTES = regex(r"[\s*_`~≈]*((?:\d{1,3}(?:,\d{3})+|\d{1,6})(?:\.\d{1,3})?)\s?GB[\s*_`]*")
_FORMATS = (  # how many bytes a number takes
    (regex(r"\b(?:FP|float|F)-?32\b|\b32[- ]?bits?\b", re.IGNORECASE), Fraction(4)),
    (regex(r"\b(?:FP|BF|float|bfloat|F)-?16\b|\b16[- ]?bits?\b", re.IGNORECASE), Fraction(2)),
    (regex(r"\b(?:INT|FP|Q)-?8\b|\b8[- ]?bits?\b", re.IGNORECASE), Fraction(1)),
    (regex(r"\b(?:INT|FP|NF|Q)-?4\b|\b4[- ]?bits?\b", re.IGNORECASE), Fraction(1, 2)),
)
_SIDE = r"(?P<{}>\d{{1,3}}(?:,\d{{3}})+|\d{{1,9}})(?P<{}>[KM])?"
_SQUARE = regex(rf"[\s*_`]*{_SIDE.format('n', 'x')}\s?[×x]\s?{_SIDE.format('m', 'y')}[\s*_`]*")
_AMOUNT = regex(r"[\s*_`~≈]*(?P<amount>\d{1,6}(?:\.\d{1,3})?)\s?(?P<power>[KMGT])i?B[\s*_`]*")
_PLAINLY = regex(r"[\s*_`~≈]*(\d{1,3}(?:,\d{3})+|\d{1,12}(?:\.\d{1,4})?)(?:\s?[KMG]i?B)?[\s*_`✅✓❌✗]*")
_TELLING = 10_000  # which two rows do not come to by chance
_LEAST = 3  # rows in which the numbers have to agree
_WIDEST = 12  # columns that are compared, each with each


def find_compared_columns(rows: Sequence[Cells], header: Cells) -> Iterator[tuple[int, Located]]:
    """The equations of such columns, each with the number of its column.

    >>> def cells(*texts):
    ...     return [Located.whole(text) for text in texts]
    >>> rows = [cells("32", "8", "75%"), cells("64", "8", "87.5%"), cells("48", "1", "97.9%")]
    >>> [(k, equation.text) for k, equation in find_compared_columns(rows, cells("Q", "KV", "saved"))][:2]
    [(2, '1 - (8)/(32) = 75%'), (2, '1 - (8)/(64) = 87.5%')]
    """
    whole = [row for row in rows if len(row) == len(header)]
    for k, heading in enumerate(header):
        if SAVED.search(heading.text):
            yield from _by_two(whole, k, _PERCENT, "1 - ({1})/({0}) = ", lambda a, b: 100 * (1 - b / a))
        elif _FASTER.search(heading.text):
            yield from _by_two(whole, k, _TIMES, "({0})/({1}) = ", lambda a, b: a / b)
    yield from _reckoned(whole)
    yield from _stored(whole, header)
    yield from _squares(whole, header)


def _reckoned(rows: Sequence[Cells]) -> Iterator[tuple[int, Located]]:
    """The columns that are the sum or the product of two columns before them, exactly so in every row."""
    cells = [[_PLAINLY.fullmatch(cell.text) for cell in row[:_WIDEST]] for row in rows]
    columns = [k for k in range(len(cells[0]) if len(rows) > 1 else 0) if all(row[k] for row in cells)]
    values = {k: [Fraction(m[1].replace(",", "")) for row in cells if (m := row[k])] for k in columns}
    for a, b, k in combinations(columns, 3):
        for sign, reckon in (("×", operator.mul), ("+", operator.add)):
            results = set(values[k])
            if (
                len(results) < len(rows)
                or 0 in values[a] + values[b]
                or list(map(reckon, values[a], values[b])) != values[k]
            ):
                continue
            if len(rows) >= _LEAST or min(results) >= _TELLING:
                for x, y, cell, row in zip(values[a], values[b], (row[k] for row in cells), rows, strict=True):
                    assert cell is not None
                    yield k, _led(row[k].cut(*cell.span(1)), f"({float(x):.12g}) {sign} ({float(y):.12g}) = ")


def _by_two(
    rows: Sequence[Cells],
    k: int,
    printed: re.Pattern[str],
    written: str,
    value: Callable[[Fraction, Fraction], Fraction],
) -> Iterator[tuple[int, Located]]:
    """The equations of column `k` by the two columns of counts that it compares, if its numbers show which they are."""
    results = [_found(printed, row[k]) for row in rows]
    counts = [[_found(_COUNT, cell) for cell in row[:_WIDEST]] for row in rows]
    best: list[Located] = []
    agreed = 0
    for pair in permutations((c for c in range(len(counts[0]) if rows else 0) if c != k), 2):
        equations, hold = [], 0
        for result, row in zip(results, counts, strict=True):
            numbers = [_plain(cell.text) for c in pair if (cell := row[c]) is not None]
            if result is None or len(numbers) < 2 or not all(numbers):
                continue
            hold += agrees(value(Fraction(numbers[0]), Fraction(numbers[1])), result.text)
            equations.append(_led(result, written.format(*numbers)))
        if hold >= _LEAST and hold >= len(equations) - 1 and hold > agreed:
            best, agreed = equations, hold
    for equation in best:
        yield k, equation


def _stored(rows: Sequence[Cells], header: Cells) -> Iterator[tuple[int, Located]]:
    """What so many billions of parameters take in the formats that the header names."""
    sizes = {k: size for k, cell in enumerate(header) if (size := bytes_in(cell.text)) is not None}
    found = []
    for row in rows if sizes else ():
        counted = next(
            (m[1] for k, cell in enumerate(row) if k not in sizes and (m := _PARAMETERS.match(cell.text))), None
        )
        for k, size in sizes.items() if counted else ():
            taken = _found(_GIGABYTES, row[k])
            if counted and taken is not None and agrees(Fraction(counted) * size, taken.text):
                decimal = "0.5" if size == Fraction(1, 2) else str(size)
                found.append((k, _led(taken, f"({counted}) · 10^9 · {decimal} bytes = ")))
    if len(found) >= _LEAST:
        yield from found


def _squares(rows: Sequence[Cells], header: Cells) -> Iterator[tuple[int, Located]]:
    """What so many scores take in the format that a heading names: `| 1,024 × 1,024 | 4 MB |`."""
    for k, heading in enumerate(header):
        size = bytes_in(heading.text)
        if size is None:
            continue
        found = []
        for row in rows:
            sides = next((m for c, cell in enumerate(row) if c != k and (m := _SQUARE.fullmatch(cell.text))), None)
            taken = _AMOUNT.fullmatch(row[k].text)
            for base in (1_000, 1_024) if sides is not None and taken is not None else ():
                assert sides is not None and taken is not None
                counts = [_counted(sides[first], sides[letter], base) for first, letter in (("n", "x"), ("m", "y"))]
                worth = counts[0] * counts[1] * size
                power = PREFIXES[taken["power"]]
                if any(agrees(worth / unit**power, taken["amount"]) for unit in (1_000, 1_024)):
                    printed = row[k].cut(taken.start("amount"), taken.end("power") + 1)
                    found.append((k, _led(printed, f"{counts[0]} × {counts[1]} × {size} bytes = ")))
                    break
        if len(found) >= _LEAST:
            yield from found


def _counted(number: str, letter: str | None, base: int) -> int:
    factor: int = base ** PREFIXES[letter] if letter else 1
    return int(number.replace(",", "")) * factor


def bytes_in(heading: str) -> Fraction | None:
    """What a number takes in the only format that a heading names."""
    sizes = [size for pattern, size in _FORMATS if pattern.search(heading)]
    return sizes[0] if len(sizes) == 1 else None


def _found(pattern: re.Pattern[str], cell: Located) -> Located | None:
    """The number of a cell, with its unit where that is one of the judge's."""
    match = pattern.match(cell.text)
    if match is None or (pattern is not _GIGABYTES and match.end() < len(cell.text)):
        return None
    end = match.end(1) if pattern in (_COUNT, _TIMES) else len(cell.text.rstrip("*_` "))
    if pattern is _GIGABYTES:
        end = cell.text.index("GB", match.end(1)) + 2
    return cell.cut(match.start(1), end)


def _plain(number: str) -> str:
    return number.replace(",", "").strip("0") and number.replace(",", "")


def agrees(value: Fraction, printed: str) -> bool:
    """Whether a number is what is printed, rounded or cut off."""
    digits = re.sub(r"[^\d.]", "", printed)
    return abs(value - Fraction(digits)) < last_place(digits)


def _led(result: Located, formula: str) -> Located:
    return join([Located.inserted(formula, result.span(0, 0)[0]), result])
