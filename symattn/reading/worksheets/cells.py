"""A matrix from a spreadsheet: a range of a .csv or an .xlsx file, each cell an exact number as it stands there.

No formula is computed and no macro run: of a cell with a formula the value is read that was saved with it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symattn.errors import InputError, SymattnError
from symattn.reading.spreadsheets.references import MOST_CELLS, Span, cell_name, read_range
from symattn.reading.spreadsheets.workbook import LARGEST_FILE, open_book
from symattn.values.files import read_bytes
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence
from symattn.writing.reasons import reason_of

SUFFIXES = (".csv", ".xlsx")


def read_cells(path: Path, sheet: str | None, cells: str | None) -> list[list[Any]]:
    """The rows of a range, "B2:D4"; without one all rows. Raises InputError with the file, and with the cell."""
    try:
        span = None if cells is None else read_range(cells)
        data = read_bytes(path, LARGEST_FILE)
        if len(data) > LARGEST_FILE:
            raise InputError(Sentence("file_too_large", most=LARGEST_FILE // 1_000_000))
        rows = _csv(data) if path.suffix.lower() == ".csv" else _xlsx(data, sheet)
        return _cut(rows, span)
    except SymattnError as error:
        raise error.at(str(path)) from None
    except OSError as error:
        raise InputError(Sentence("cannot_open", reason=reason_of(error)), place=str(path)) from None


def _cut(rows: Iterator[list[Any]], span: Span | None) -> list[list[Any]]:
    """The cells of a range; of all rows those before the last that holds something."""
    taken: list[list[Any]] = []
    top, left, bottom, right = span or (1, 1, MOST_CELLS, 0)
    count = 0
    for i, row in enumerate(rows, 1):
        if i > bottom:
            break
        if i >= top:
            cells = row[left - 1 : right] if span else row
            count += len(cells)
            if count > MOST_CELLS:
                raise InputError(Sentence("array_too_large", count=count, most=MOST_CELLS))
            taken.append(cells + [None] * (right - left + 1 - len(cells)) if span else cells)
    if span:
        taken += [[None] * (right - left + 1)] * (bottom - top + 1 - len(taken))
    else:
        while taken and all(x is None for x in taken[-1]):
            taken.pop()
        width = max((k for row in taken for k, x in enumerate(row, 1) if x is not None), default=0)
        taken = [row[:width] + [None] * (width - len(row)) for row in taken]
    for i, row in enumerate(taken, top):
        for j, x in enumerate(row, left):
            if isinstance(x, bool) or not isinstance(x, int | float | str):
                raise InputError(Sentence("empty_cell", cell=cell_name(i, j)))
    return taken


def _csv(data: bytes) -> Iterator[list[Any]]:
    """The rows of text. Between tabs or semicolons, which every line has then, a comma is a decimal one."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(Sentence("not_text", byte=error.start)) from None
    lines = [line for line in text.splitlines() if line.strip()]
    mark = next((x for x in "\t;" if lines and all(x in line for line in lines)), ",")
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True):
            cells = [x.strip() for x in row]
            if mark != ",":
                cells = [re.sub(r"^([+-]?\d+),(\d+)$", r"\1.\2", x) for x in cells]
            yield [x or None for x in cells]
    except csv.Error as error:
        raise InputError(Sentence("cells_broken", reason=str(error)[:80])) from None


def _xlsx(data: bytes, sheet: str | None) -> Iterator[list[Any]]:
    try:
        book = open_book(data, formulas=False)
        names = [found.title for found in book.worksheets]
        if sheet is not None and sheet not in names:
            raise InputError(Sentence("no_sheet", given=sheet[:40], known=listed(sheet, names)))
        for row in (book[sheet] if sheet is not None else book.worksheets[0]).iter_rows(values_only=True):
            yield list(row)
    except SymattnError:
        raise
    except Exception as error:  # whatever openpyxl meets in a damaged file
        raise InputError(Sentence("cells_broken", reason=type(error).__name__)) from None
