"""Boxes to be filled in on a page, which says right or wrong by itself when its reader asks."""

from __future__ import annotations

import base64
import html
import json
import zlib
from collections.abc import Callable, Sequence

from symattn.writing.document import Boxes, Cell
from symattn.writing.prose import Sentence

WORDS = {  # that the script says
    "check": "exercise.check",
    "save": "exercise.save",
    "load": "exercise.load",
    "clear": "exercise.clear",
    "name": "exercise.name_label",
    "score": "exercise.score",
    "right": "exercise.right",
    "wrong": "exercise.wrong",
    "few_digits": "exercise.few_digits",
    "unreadable": "exercise.unreadable",
    "not_this_sheet": "exercise.not_this_sheet",
}


def boxes_html(boxes: Boxes, symbol: str, say: Callable[[Cell], str], prefix: str, language: str) -> str:
    """A step's letter and its boxes as a table: fields where answers are looked for, else what stands in them."""
    rows = []
    for i, row in enumerate(boxes.cells, 1):
        cells = []
        for j, cell in enumerate(row, 1):
            label = Sentence("exercise.box", step=boxes.step, row=i, column=j).text(language)
            field = f'<input aria-label="{html.escape(label)}" autocomplete="off" spellcheck="false" size="6">'
            cells.append(f"<td>{field if boxes.answers else say(cell) if cell else ''}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    table = f"<table>{''.join(rows)}</table>"
    step, anchor = html.escape(boxes.step), html.escape(f"eq-{prefix}{boxes.step}")
    return f'<div class="boxes" id="{anchor}" data-step="{step}"><span>{symbol} =</span><div>{table}</div></div>'


def sheet_data(sheet: Sequence[Boxes], language: str) -> str:
    """What the script needs, as JSON: its words, and the answers, which nobody should read by chance."""
    key = _key(sheet)
    words = {
        word: Sentence(key, right="{right}", wrong="{wrong}", empty="{empty}", all="{all}").text(language)
        for word, key in WORDS.items()
    }
    hidden = base64.b64encode(key.encode()).decode()
    data = {"sheet": sheet_number(sheet), "words": words, "key": hidden}
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def sheet_number(sheet: Sequence[Boxes]) -> str:
    """What tells the saved answers of one sheet from those of another."""
    return f"{zlib.crc32(_key(sheet).encode()):08x}"


def _key(sheet: Sequence[Boxes]) -> str:
    return json.dumps({boxes.step: boxes.answers for boxes in sheet}, separators=(",", ":"))
