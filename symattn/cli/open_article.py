"""An article as an editor has it: one text, or the cells of a notebook, each a text of its own.

A place is [part, line, column]: the cell (0 of a plain text), and the line and column in it, from 1.
"""

from __future__ import annotations

import json
import re
from typing import Any

from symattn.patterns import regex
from symattn.reading.articles.article import LineBreaks

Edit = dict[str, Any]  # part, start and end, [line, column], and text
_LETTER = regex(r"\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL)  # of a string in JSON


class PlainText:
    """A text that is checked as it stands."""

    def __init__(self, text: str) -> None:
        self.source = text

    def place(self, line: int, column: int) -> list[int]:
        """Where a line and column of the source are for the editor."""
        return [0, line, column]

    def edits(self, after: str) -> list[Edit]:
        """What to put where to turn the source into another."""
        return [{"part": 0, **edit} for edit in find_edits(self.source, after)]

    def said(self, text: str) -> str:
        """A stretch of the source as the editor shows it."""
        return text


class Notebook(PlainText):
    """Cells, checked as the file that a notebook is: JSON, here with every line of a cell on a line of its own.

    >>> notebook = Notebook([{"kind": "markdown", "text": 'say "2"'}])
    >>> notebook.source.split("\\n")[2]
    '"say \\\\"2\\\\""'
    >>> notebook.place(3, 8)
    [0, 1, 6]
    """

    def __init__(self, cells: list[dict[str, str]]) -> None:
        self.texts = [cell["text"] for cell in cells]
        self.places: dict[int, tuple[int, int]] = {}  # the cell and its line, of a line of the source
        written = ['{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [']
        for k, cell in enumerate(cells):
            outputs = ', "outputs": [], "execution_count": null' if cell["kind"] == "code" else ""
            written.append(f'{{"cell_type": "{cell["kind"]}", "metadata": {{}}{outputs}, "source": [')
            lines = cell["text"].split("\n")
            for number, line in enumerate(lines, 1):
                last = number == len(lines)
                written.append(json.dumps(line + "\n" * (not last), ensure_ascii=False) + "," * (not last))
                self.places[len(written)] = k, number
            written.append("]}" + "," * (k + 1 < len(cells)))
        super().__init__("\n".join([*written, "]}"]))
        self.lines = self.source.split("\n")

    def place(self, line: int, column: int) -> list[int]:
        """Where a line and column of the source are for the editor; what is between two cells ends the former."""
        within = max((number for number in self.places if number <= line), default=0)
        if not within:
            return [0, 1, 1]
        cell, number = self.places[within]
        text = self.texts[cell].split("\n")[number - 1]
        reach = column - 2 if within == line else len(self.lines[within - 1])  # behind the quotation mark
        letters = (match.end() for match in _LETTER.finditer(self.lines[within - 1][1:]))
        return [cell, number, 1 + min(len(text), sum(end <= reach for end in letters))]

    def edits(self, after: str) -> list[Edit]:
        """What to put where in the cells; nothing where they are no longer the same cells."""
        cells = ["".join(cell["source"]) for cell in json.loads(after)["cells"]]
        pairs = enumerate(zip(self.texts, cells, strict=True))
        return [{"part": k, **edit} for k, (was, now) in pairs for edit in find_edits(was, now)]

    def said(self, text: str) -> str:
        """A stretch of a line of the source as the editor shows it."""
        try:
            return str(json.loads(f'"{text}"'))
        except ValueError:  # it ends within an escaped letter, or at another line
            return text


def find_edits(before: str, after: str) -> list[Edit]:
    """What to put where, line by line, to turn one text into another that has as many lines.

    >>> find_edits("a 400\\nb", "a 410\\nb")
    [{'start': [1, 4], 'end': [1, 5], 'text': '1'}]
    """
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        end = LineBreaks.of(before).position(len(before))
        return [{"start": [1, 1], "end": list(end), "text": after}]
    edits = []
    for number, (was, now) in enumerate(zip(old, new, strict=True), 1):
        if was != now:
            head = _common(was, now)
            tail = _common(was[head:][::-1], now[head:][::-1])
            text = now[head : len(now) - tail]
            edits.append({"start": [number, head + 1], "end": [number, len(was) - tail + 1], "text": text})
    return edits


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
