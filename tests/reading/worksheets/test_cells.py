"""Inputs from ranges of spreadsheets: exact as they stand, and one line for what cannot be used."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from symattn.errors import InputError
from symattn.reading.spreadsheets.references import read_range
from symattn.reading.worksheets.cells import read_cells
from symattn.reading.worksheets.worksheet import Worksheet, read_worksheet

SHEET = "[inputs]\nQ = {}\nK = [[1, 0]]\nV = [[1]]\n"


def read(folder: Path, given: str) -> Worksheet:
    (folder / "w.toml").write_text(SHEET.format(given), encoding="utf-8")
    return read_worksheet(folder / "w.toml")


def book(path: Path, rows: list[list[Any]], title: str = "Data") -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("0.10,1/3\n2,3\n", None),
        ("0.10;1/3\r\n2;3\r\n\r\n", None),
        ("\ufeffname;a;b\nfirst;0,10;1/3\nsecond;2;3\n", "B2:C3"),
        ('"0.10"\t1/3\n2\t3', "A1:B2"),
        ("by hand; twice,\n0.10,1/3\n2,3\n", "A2:B3"),
    ],
)
def test_a_csv_is_read_exactly(text: str, cells: str | None, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text(text, encoding="utf-8")
    given = '{ file = "q.csv" }' if cells is None else f'{{ file = "q.csv", range = "{cells}" }}'
    values = read(tmp_path, given).values
    assert values is not None
    assert [[str(x) for x in row] for row in values["Q"]] == [["1/10", "1/3"], ["2", "3"]]


def test_an_xlsx_is_read_by_sheet_and_range(tmp_path: Path) -> None:
    book(tmp_path / "q.xlsx", [["a", "b", None], [None, 0.1, "1/3"], [None, 2, 3.0]])
    values = read(tmp_path, '{ file = "q.xlsx", sheet = "Data", range = "B2:C3" }').values
    assert values is not None
    assert [[str(x) for x in row] for row in values["Q"]] == [["1/10", "1/3"], ["2", "3"]]


@pytest.mark.parametrize(
    ("text", "given", "said"),
    [
        ("1,2\n3\n", '{ file = "q.csv" }', "cell B2 holds no number"),
        ("1,2\n", '{ file = "q.csv", range = "A1:C1" }', "cell C1 holds no number"),
        ("1,2\n", '{ file = "q.csv", range = "B1:A1" }', '"B1:A1" is not a range'),
        ("1,2\n", '{ file = "q.csv", range = "A1:ZZZ9999999" }', "is not a range"),
        ("1,2\n", '{ file = "q.csv", key = "x" }', "key does not belong here"),
        ("1,2\n", '{ file = "q.csv", rnge = "A1:B1" }', 'did you mean "range"?'),
        ("1,x\n", '{ file = "q.csv" }', "row 1, column 2"),
        ('1,"2\n', '{ file = "q.csv" }', "damaged or not a spreadsheet"),
        ("", '{ file = "q.csv" }', "a matrix is a list of rows"),
        ("1", '{ file = "none.csv" }', "cannot be read"),
        ("1", '{ file = "q.xlsm" }', 'did you mean ".xlsx"?'),
    ],
)
def test_what_cannot_be_used_is_one_line(text: str, given: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read(tmp_path, given)
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_spreadsheets_that_are_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "q.xlsx", [[1, None], ["=1+1", True]])
    for sheet, cells, said in (
        ("Dat", None, 'did you mean "Data"?'),
        (None, "A1:B1", "cell B1 holds no number"),
        (None, "A2:A2", "cell A2 holds no number"),  # no value was saved with the formula
        (None, "B2:B2", "cell B2 holds no number"),
    ):
        with pytest.raises(InputError, match=said.replace("?", r"\?")):
            read_cells(path, sheet, cells)
    macros = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(macros, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"x")
    for data, said in (
        (macros.getvalue(), "contains macros"),
        (b"PK\x03\x04 nothing", "damaged"),
        (bomb(), "unpacks to more than"),
        (small({"xl/workbook.xml": b'<!DOCTYPE x [<!ENTITY a "a">]><x/>'}), "DOCTYPE"),
        (small({"xl/workbook.xml": b"<!--" + b" " * 5_000 + b"--><!DOCTYPE x><x/>"}), "DOCTYPE"),
        (small({"xl/workbook.xml": "<!DOCTYPE x><x/>".encode("utf-16")}), "DOCTYPE"),
        (small({"xl/workbook.xml": b"<x/>"}), "damaged"),
    ):
        path.write_bytes(data)
        with pytest.raises(InputError, match=said):
            read_cells(path, None, None)


def bomb() -> bytes:
    return small({"xl/workbook.xml": b"\0" * 101_000_000})


def small(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return made.getvalue()


def test_ranges_are_named_as_in_spreadsheets() -> None:
    assert read_range("$A$1:z9") == (1, 1, 9, 26)
    for text in ("", "A1", "A0:B1", "1A:2B", "A1:B", "AAAA1:B2"):
        with pytest.raises(InputError):
            read_range(text)
