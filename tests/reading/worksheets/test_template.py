"""A worksheet stated again: the same calculation, and every number in its own place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symattn.reading.worksheets import library
from symattn.reading.worksheets.template import open_numbers
from symattn.reading.worksheets.worksheet import Worksheet, parse_worksheet
from tests.samples import SHEETS

SHIPPED = {name: str(library.find(name)) for name in library.names()}


def stated(sheet: Worksheet, change: dict[int, str] | None = None) -> str:
    """What a page writes: the pieces with the numbers between them, some changed."""
    template = open_numbers(sheet)
    numbers = [(change or {}).get(k, x) for k, x in enumerate(template.numbers)]
    return "".join(a + b for a, b in zip(template.pieces, [*numbers, ""], strict=True))


@pytest.mark.parametrize("name", [*SHIPPED, *SHEETS])
def test_a_worksheet_stated_again_is_the_same(name: str) -> None:
    text = Path(SHIPPED[name]).read_text(encoding="utf-8") if name in SHIPPED else SHEETS[name]
    sheet = parse_worksheet(text)
    again = parse_worksheet(stated(sheet))
    for what in ("titles", "tokens", "expression", "parts", "show", "notation", "wrt"):
        assert getattr(again, what) == getattr(sheet, what)
    assert {k: [*map(list, v)] for k, v in (again.values or {}).items()} == {
        k: [*map(list, v)] for k, v in (sheet.values or {}).items()
    }


def test_every_number_goes_where_it_came_from() -> None:
    text = (
        "[inputs]\nX = [[1, 0]]\nW_Q = [[[2], [3]], [[4], [5]]]\nW_K = [[[0], [0]], [[0], [0]]]\n"
        'W_V = [[["0.10"], [1]], [[0], [0]]]\nW_O = [[[6]], [[7]]]\n[attention]\nheads = 2\n'
    )
    sheet = parse_worksheet(text)
    places = open_numbers(sheet).places
    changed = parse_worksheet(stated(sheet, {places["W_Q"][1][1]: '"1/3"'}))
    assert changed.values is not None and sheet.values is not None
    assert [[str(x) for x in row] for row in changed.values["W_Q"]] == [["2", "4"], ["3", "1/3"]]
    assert changed.values["W_O"] == sheet.values["W_O"]


@pytest.mark.parametrize("word", ['"""', "a\\b\n[inputs]", "</script>", "'''\t#"])
def test_words_stay_words(word: str) -> None:
    sheet = parse_worksheet(f"title = {json.dumps(word)}\ntokens = [{json.dumps(word)}]\n{SHEETS['one by one']}")
    again = parse_worksheet(stated(sheet))
    assert again.title == word and again.tokens == (word,)
