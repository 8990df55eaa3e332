"""Spreadsheets with formulas and the values that a program saved with them, which openpyxl does not write."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{}'
    '<Override PartName="/xl/styles.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>'
)
SHEET = (
    '<Override PartName="/xl/worksheets/sheet{}.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
)
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LINK = '<Relationship Id="{}" Type="' + OFFICE + '/{}" Target="{}"/>'
RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'

Cell = tuple[str, str, object, str]  # name, formula ("" for none, "{area}..." for an array), saved value, format


def write_book(path: Path, sheets: dict[str, list[Cell]]) -> Path:
    """A workbook of these cells, each sheet's in the order of its rows."""
    formats = list(dict.fromkeys(code for cells in sheets.values() for *_, code in cells))
    codes = "".join(f'<numFmt numFmtId="{200 + k}" formatCode="{escape(c, _QUOTE)}"/>' for k, c in enumerate(formats))
    styles = "".join(f'<xf numFmtId="{200 + k}" fontId="0" fillId="0" borderId="0"/>' for k in range(len(formats)))
    numbered = list(enumerate(sheets.items(), 1))
    names = "".join(f'<sheet name="{escape(n)}" sheetId="{k}" r:id="r{k}"/>' for k, (n, _) in numbered)
    links = "".join(LINK.format(f"r{k}", "worksheet", f"worksheets/sheet{k}.xml") for k, _ in numbered)
    parts = {
        "[Content_Types].xml": TYPES.format("".join(SHEET.format(k) for k, _ in numbered)),
        "_rels/.rels": RELATIONS.format(LINK.format("a", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{OFFICE}"><sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": RELATIONS.format(links + LINK.format("s", "styles", "styles.xml")),
        "xl/styles.xml": (
            f'<styleSheet {MAIN}><numFmts count="{len(formats)}">{codes}</numFmts><fonts count="1"><font/></fonts>'
            '<fills count="1"><fill><patternFill/></fill></fills><borders count="1"><border/></borders>'
            '<cellStyleXfs count="1"><xf/></cellStyleXfs>'
            f'<cellXfs count="{len(formats)}">{styles}</cellXfs></styleSheet>'
        ),
    }
    for k, (_, cells) in numbered:
        rows: dict[str, list[str]] = {}
        for name, formula, value, code in cells:
            row = name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            rows.setdefault(row, []).append(_cell(name, formula, value, formats.index(code)))
        body = "".join(f'<row r="{row}">{"".join(inner)}</row>' for row, inner in rows.items())
        parts[f"xl/worksheets/sheet{k}.xml"] = f"<worksheet {MAIN}><sheetData>{body}</sheetData></worksheet>"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)
    return path


_QUOTE = {'"': "&quot;"}


def _cell(name: str, formula: str, value: object, style: int) -> str:
    area, mark, inner = formula.removeprefix("{").partition("}") if formula.startswith("{") else ("", "", formula)
    kind = f' t="array" ref="{area}"' if mark else ""
    written = f"<f{kind}>{escape(inner)}</f>" if formula else ""
    text = ' t="str"' if isinstance(value, str) else ""
    return f'<c r="{name}" s="{style}"{text}>{written}{"" if value is None else f"<v>{escape(str(value))}</v>"}</c>'
