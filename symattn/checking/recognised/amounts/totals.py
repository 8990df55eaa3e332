"""Totals below the columns of a table: whole numbers that a last row adds up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from symattn.checking.recognised.operations import SUM_WORD
from symattn.checking.recognised.prints import Line, Print
from symattn.patterns import regex
from symattn.values.enclosures import enclose_fraction
from symattn.values.printed import Ball

_SUM = regex(SUM_WORD, re.IGNORECASE)
_RULE = regex(r"[\s|:+=-]+")
_FEWEST = 2


class Total(NamedTuple):
    """A printed total, what it should be, and what it adds up."""

    number: Print
    value: Ball
    parts: tuple[Print, ...]


def find_totals(lines: Sequence[Line]) -> Iterator[Total]:
    """The totals that are right: each cell of a row called a total that is the sum of those above it."""
    above: list[list[Print | None]] = []
    for line in lines:
        cells = _cells(line)
        if not cells or (above and len(cells) != len(above[0])):
            above = []
        if not cells:
            continue
        if above and _SUM.search(line.text.split("|")[1] if line.text.lstrip().startswith("|") else line.text):
            yield from _totals(cells, above)
        elif not _RULE.fullmatch(line.text):
            above.append(cells)


def _cells(line: Line) -> list[Print | None]:
    """The last number of each cell of a row, where it ends the cell."""
    texts = line.text.split("|")
    if len(texts) < _FEWEST + 1:
        return []
    found: list[Print | None] = []
    at = line.start
    for text in texts:
        inside = [n for n in line.numbers if at <= n.span[0] < at + len(text)]
        found.append(inside[-1] if len(inside) == 1 else None)
        at += len(text) + 1
    return found


def _totals(cells: Sequence[Print | None], above: Sequence[Sequence[Print | None]]) -> Iterator[Total]:
    for j, cell in enumerate(cells):
        parts = tuple(n for row in above if (n := row[j]) is not None)
        if cell is not None and len(parts) >= _FEWEST and sum((n.value for n in parts), Fraction(0)) == cell.value:
            yield Total(cell, enclose_fraction(cell.value), parts)
