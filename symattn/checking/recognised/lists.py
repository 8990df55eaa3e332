"""The series of numbers that a page shows, in the order in which they stand.

Numbers with nothing but separators between them are a list; lines below each other with as many numbers have columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.checking.recognised.matrices import find_matrices
from symattn.checking.recognised.prints import Line
from symattn.checking.recognised.series import Series
from symattn.checking.recognised.tables import LONGEST, TOLD, WORDS, Table, adds_up, find_alike, find_blocks, line_above
from symattn.patterns import regex

_GOES_ON = regex(r"[)\]\s]*(?:[+·×*/÷−]|\\cdot|\\times|-\s)\s*[\d(\[]")
_FEWEST = 4  # numbers of a list that ends in their sum: three are so often enough


def find_series(lines: Sequence[Line]) -> list[Series]:
    """Lists and rows, then columns of lines below each other, in the order in which they stand."""
    found = [s for k in range(len(lines)) for s in _rows(lines, k)]
    found += find_matrices(found, lines)
    found += (s for block in find_blocks(lines) for s in Table.read(lines, block).series())
    found += (s for block in find_alike(lines) for s in Table.read(lines, block).columns())
    return sorted(found, key=_place)


def _place(series: Series) -> tuple[int, bool, bool, bool]:
    """Where a series comes: a matrix before its rows, a column where it ends, a sum behind what it adds up."""
    at = series.numbers[-1].span[0] if series.column else series.start
    return at, series.column, series.height == 1, len(series.numbers) == 1


def _rows(lines: Sequence[Line], k: int) -> Iterator[Series]:
    line = lines[k]
    since, above = line.start, line_above(lines, k)
    for first, last in line.parts:
        numbers = line.numbers[first:last][:LONGEST]
        said = line.text[max(since - line.start, 0) : numbers[0].span[0] - line.start]
        told, around = f"{above}\n{said}"[-TOLD:], f"{above[-TOLD:]}\n{line.text[:WORDS]}"
        if _GOES_ON.match(line.text, line.numbers[last - 1].span[1] - line.start):
            told = ""  # the words are about the whole of it, sum: 2 + 3 = 5
        inner = numbers[:-1] if len(numbers) >= _FEWEST and adds_up(numbers) else numbers
        yield Series(inner, told, around=around)
        if inner is not numbers:
            yield Series(numbers[-1:], told, around=around, addends=Series(inner, told, around=around))
        since = line.numbers[last - 1].span[1]
