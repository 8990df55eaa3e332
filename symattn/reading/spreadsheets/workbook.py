"""An .xlsx file opened: its cells with their formulas, saved values and formats. No macro is run, no link followed.

Source of the layout: ECMA-376, Office Open XML.
"""

from __future__ import annotations

import io
import sys
import warnings
import zipfile
from dataclasses import dataclass, field
from typing import Any

from symattn.errors import InputError, SymattnError
from symattn.reading.spreadsheets.references import MOST_CELLS, read_range
from symattn.writing.prose import Sentence

LARGEST_FILE = 20_000_000
LARGEST_PART = 100_000_000  # bytes of an .xlsx file when unpacked
MOST_PARTS = 2000

Place = tuple[str, int, int]  # sheet, row and column from 1


@dataclass(frozen=True)
class Formula:
    """The formula of a cell, "=A1+1", and the area that it fills; `array` says that it is one of arrays."""

    text: str
    rows: int = 1
    columns: int = 1
    array: bool = False


@dataclass(frozen=True)
class Book:
    """The cells that hold something: what was saved, its format; the formulas; the sheets; the names of areas.

    Names are in small letters, those of a sheet beside its title, those of the whole book beside "".
    """

    values: dict[Place, Any] = field(default_factory=dict)
    formats: dict[Place, str] = field(default_factory=dict)
    formulas: dict[Place, Formula] = field(default_factory=dict)
    sheets: list[str] = field(default_factory=list)
    names: dict[tuple[str, str], str] = field(default_factory=dict)

    def names_in(self, sheet: str) -> dict[str, str]:
        """The names that hold in a sheet, its own before those of the book."""
        return {name: text for scope in ("", sheet) for (of, name), text in self.names.items() if of == scope}


def read_book(data: bytes) -> Book:
    """All cells of a spreadsheet. Raises InputError for what is none, holds macros or unpacks to too much."""
    book = Book()
    try:
        for sheet in open_book(data, formulas=False).worksheets:
            book.sheets.append(sheet.title)
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.value is not None:
                        place = (sheet.title, cell.row, cell.column)
                        book.values[place] = _value(cell.value)
                        book.formats[place] = cell.number_format
                if len(book.values) > MOST_CELLS:
                    raise InputError(Sentence("array_too_large", count=len(book.values), most=MOST_CELLS))
        opened = open_book(data, formulas=True)
        for scope, names in (("", opened.defined_names), *((s.title, s.defined_names) for s in opened.worksheets)):
            book.names.update({(scope, name.lower()): str(x.attr_text or "") for name, x in names.items()})
        for sheet in opened.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.data_type == "f":
                        book.formulas[sheet.title, cell.row, cell.column] = _formula(cell.value)
    except SymattnError:
        raise
    except Exception as error:  # whatever openpyxl meets in a damaged file
        raise InputError(Sentence("cells_broken", reason=type(error).__name__)) from None
    return book


def _value(value: Any) -> Any:
    """What was saved; a number that no spreadsheet holds is a text."""
    beyond = isinstance(value, int | float) and not abs(value) <= sys.float_info.max
    return str(value) if beyond else value


def _formula(value: Any) -> Formula:
    """What openpyxl makes of a formula: text, or an object for those of arrays and of data tables."""
    if isinstance(value, str):
        return Formula(value)
    if not hasattr(value, "text"):
        return Formula("=TABLE()")
    top, left, bottom, right = read_range(value.ref if ":" in value.ref else f"{value.ref}:{value.ref}")
    return Formula(value.text or "=", bottom - top + 1, right - left + 1, array=True)


def open_book(data: bytes, *, formulas: bool) -> Any:
    """The workbook as openpyxl has it, with formulas or with the values that were saved."""
    try:
        import openpyxl
    except ImportError:
        raise InputError(Sentence("cells_extra")) from None
    refuse_bombs(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what openpyxl leaves out
        return openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=not formulas, keep_links=False)


def refuse_bombs(data: bytes) -> None:
    """Refuse what unpacks to too much, macros, and XML that defines entities."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_PART:
                raise InputError(Sentence("cells_too_large", most=LARGEST_PART // 1_000_000))
            if any(part.filename.lower().endswith("vbaproject.bin") for part in parts):
                raise InputError(Sentence("cells_macros"))
            for part in parts:
                with archive.open(part) as file:
                    content = file.read()
                    if any("<!DOCTYPE".encode(code) in content for code in ("ascii", "utf-16-le", "utf-16-be")):
                        raise InputError(Sentence("cells_broken", reason="DOCTYPE"))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError) as error:
        if isinstance(error, SymattnError):
            raise
        raise InputError(Sentence("cells_broken", reason=str(error)[:80])) from None
