"""Totals of amounts below each other: in the columns of a table, or on lines with a label each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from symattn.checking.recognised.operations import SUM_WORD
from symattn.checking.recognised.prints import Line, Print
from symattn.patterns import regex
from symattn.values.enclosures import enclose_fraction
from symattn.values.printed import Ball

_SUM = regex(SUM_WORD, re.IGNORECASE)
_RULE = regex(r"[\s|:+=-]+")
_LEFT = regex(r"remain|\bleft\b|available|balance|剩余|剩餘|rest(?:e|ante)?\b|残り|남은", re.IGNORECASE)
_ENTRY = regex(  # - Tools: -400 tokens
    r"[\s>*+`-]*(?P<label>=?\s?[^\W\d][^:：=|\n]{0,60}?)[\s*`]*[:：=][\s*`~≈$]*(?P<minus>[-−–]\s?)?[\s$]*\d[\d.,]*"
    r"[\s*`]*(?P<unit>[^\W\d][\w/ -]{0,24})?[\s*`.,;]*(?:\([^()\d]*\))?[\s*`.,;]*"
)
_FEWEST = 2
_MOST_BLANK = 2  # lines between two entries


class Total(NamedTuple):
    """A printed total, what it should be, and what it adds up."""

    number: Print
    value: Ball
    parts: tuple[Print, ...]


def find_totals(lines: Sequence[Line]) -> Iterator[Total]:
    """The totals that are right: what a row or a line gives as a total, and is the sum of those above it."""
    yield from _totals_of_columns(lines)
    yield from _totals_of_entries(lines)


def _totals_of_columns(lines: Sequence[Line]) -> Iterator[Total]:
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


def _totals_of_entries(lines: Sequence[Line]) -> Iterator[Total]:
    """Lines that name an amount each, in one unit, and the one below them that adds them up with their signs."""
    above: list[Print] = []
    unit, blank = "", 0
    for line in lines:
        found = _ENTRY.fullmatch(line.text) if len(line.numbers) == 1 else None
        if found is None:
            blank = blank + 1 if not any(c.isalnum() for c in line.text) else _MOST_BLANK + 1
            above = above if blank <= _MOST_BLANK else []
            continue
        [number] = line.numbers
        if above and (found["unit"] or "") != unit:
            above = []
        blank, unit = 0, found["unit"] or ""
        label = found["label"]
        if label.startswith("=") or _SUM.search(label) or _LEFT.search(label):
            if len(above) >= _FEWEST and sum((n.value for n in above), Fraction(0)) == number.value:
                yield Total(number, enclose_fraction(number.value), tuple(above))
            above = []
        else:
            above.append(replace(number, value=-abs(number.value)) if found["minus"] else number)
