"""Jupyter notebooks: Markdown cells, literal matrices in code, and what the programs printed.

Positions are those of the .ipynb file itself, so the JSON is walked a second time (after `json` found it
sound) by a small scanner that keeps where every string stands, and the escapes in a string keep the places
of their characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from symattn.errors import InputError
from symattn.patterns import regex
from symattn.reading.articles.article import Article, Cell, Located, join
from symattn.reading.articles.scanning.blocks import find_in_blocks
from symattn.reading.articles.scanning.code.triangles import find_triangles
from symattn.reading.articles.scanning.finding import Found, gather, seen
from symattn.reading.articles.scanning.macros import Macros
from symattn.reading.articles.scanning.passages import find_in_lines, lines_of
from symattn.reading.articles.scanning.programs import find_in_program, pairs_with
from symattn.writing.prose import Sentence

_JSON = regex(r'"(?:[^"\\]++|\\.)*+"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_ESCAPE = regex(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")
_COLOURS = regex("\x1b\\[[0-9;]*m")


@dataclass(frozen=True)
class Quoted:
    """A string of the JSON by where its inside begins and ends."""

    start: int
    end: int


class Items(list["Value"]):
    """A list of the JSON with where it begins and ends, brackets included."""

    start = end = 0


# a value of the JSON, with strings and lists by their places; numbers and the like are None
Value = Quoted | Items | dict[str, "Value"] | None


def read(source: str, path: str) -> Article:
    """The mathematics of a notebook; raises InputError, with its place, for what is none."""
    found: list[Found] = []
    words: list[str] = []
    numbered: list[Cell] = []
    cells = find_cells(source, path)
    masks = find_triangles("\n".join(_programs(source, cells)))
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict):
            text = read_string(source, cell.get("source", cell.get("input")))
            kind = read_string(source, cell.get("cell_type")).text
            if kind == "markdown":
                words.append(text.text)
            found.extend(_find_in_cell(source, cell, text, kind, masks))
            numbered += [Cell(number, text), *(Cell(number, shown, True) for shown in _outputs(source, cell))]
    return replace(gather(path, source, found, Macros.read("\n".join(words))), cells=tuple(numbered))


def find_cells(source: str, path: str) -> list[Value]:
    """The cells of a notebook as its JSON has them; raises InputError, with its place, for what is none."""
    _check(source, path)
    cells = _cells(_walk(source))
    if cells is None:
        raise InputError(Sentence("not_a_notebook"), place=f"{path}:1:1")
    return cells


def _outputs(source: str, cell: dict[str, Value]) -> Iterator[Located]:
    yield from _read_prints(source, cell)
    yield from (read_string(source, data.get("text/latex", data.get("latex"))) for data in _data(cell))


def _programs(source: str, cells: Sequence[Value]) -> Iterator[str]:
    for cell in cells:
        if isinstance(cell, dict) and read_string(source, cell.get("cell_type")).text == "code":
            yield read_string(source, cell.get("source", cell.get("input"))).text


def _find_in_cell(
    source: str, cell: dict[str, Value], text: Located, kind: str, masks: Mapping[str, bool]
) -> Iterator[Found]:
    if kind in ("markdown", "raw", "heading"):
        yield from find_in_blocks(text)
        return
    program, printed = lines_of(text), lines_of(join(_read_prints(source, cell), "\n"))
    paired = pairs_with(program, printed)
    yield from seen(program, "program")
    yield from seen(printed, "output")
    yield from find_in_program(program, printed if paired else (), masks=masks)
    if not paired:
        yield from find_in_lines(printed, "output")
    for data in _data(cell):
        latex = read_string(source, data.get("text/latex", data.get("latex")))
        if latex.text.strip():
            yield from (f if f.seen else Found(f.located, "output", f.reason) for f in find_in_blocks(latex))


def _read_prints(source: str, cell: dict[str, Value]) -> Iterator[Located]:
    """What a cell printed, as text; what it shows as a formula is not among it."""
    for data in _data(cell):
        if not read_string(source, data.get("text/latex", data.get("latex"))).text.strip():
            printed = read_string(source, data.get("text/plain", data.get("text")))
            if printed.text.strip():
                yield printed.substitute(_COLOURS, lambda _: "")


def _data(cell: dict[str, Value]) -> Iterator[dict[str, Value]]:
    """Of each output what it is in several formats; a plain print counts as one of them."""
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        data = output.get("data", output) if isinstance(output, dict) else None
        if isinstance(output, dict) and isinstance(data, dict):
            yield data if data.get("text/plain") else {**data, "text": data.get("text", output.get("text"))}


def _check(source: str, path: str) -> None:
    try:
        json.loads(source.removeprefix("\ufeff"), parse_int=len)  # no integer is made: long ones take their time
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        raise InputError(Sentence("not_json", why=error.msg), place=f"{path}:{line}:{column}") from None
    except RecursionError:
        raise InputError(Sentence("not_json", why="it is nested too deeply"), place=f"{path}:1:1") from None


def _cells(tree: Value) -> list[Value] | None:
    """The cells of format 4, or those of the worksheets of format 3."""
    if not isinstance(tree, dict):
        return None
    sheets = tree.get("worksheets")
    if isinstance(sheets, list):
        held = [s.get("cells") for s in sheets if isinstance(s, dict)]
        return [cell for cells in held if isinstance(cells, list) for cell in cells]
    cells = tree.get("cells")
    return cells if isinstance(cells, list) else None


def _walk(source: str) -> Value:
    """The tree of a JSON known to be sound."""
    top = Items()
    stack: list[Items | dict[str, Value]] = [top]
    keys: list[str | None] = [None]
    for match in _JSON.finditer(source.removeprefix("\ufeff")):
        mark = match[0][0]
        shift = source.startswith("\ufeff")
        if mark in "]}":
            closed = stack.pop()
            if isinstance(closed, Items):
                closed.end = match.end() + shift
            keys.pop()
        elif mark == ",":
            keys[-1] = None
        elif mark != ":":
            _put(source, match.start() + shift, match.end() + shift, stack, keys)
    return top[0] if top else None


def _put(source: str, start: int, end: int, stack: list[Items | dict[str, Value]], keys: list[str | None]) -> None:
    """A value, or the key of one, into what is open."""
    mark, holder = source[start], stack[-1]
    if mark == '"' and isinstance(holder, dict) and keys[-1] is None:
        keys[-1] = _unquote(source, Quoted(start + 1, end - 1)).text if end - start < 100 else ""
        return
    value: Value = Quoted(start + 1, end - 1) if mark == '"' else {} if mark == "{" else None
    if mark == "[":
        value = Items()
        value.start = start
    if isinstance(holder, list):
        holder.append(value)
    else:
        holder[keys[-1] or ""] = value
    if isinstance(value, dict | Items):
        stack.append(value)
        keys.append(None)


def read_string(source: str, value: Value) -> Located:
    """A string, or the list of lines that notebooks make of one."""
    parts = value if isinstance(value, list) else [value]
    return join(_unquote(source, part) for part in parts if isinstance(part, Quoted))


def _unquote(source: str, quoted: Quoted) -> Located:
    inside = Located.whole(source[quoted.start : quoted.end], at=quoted.start)
    return inside.substitute(_ESCAPE, _character) if "\\" in inside.text else inside


def _character(match: re.Match[str]) -> str:
    said = json.loads(f'"{match[0]}"')
    assert isinstance(said, str)
    return said if not 0xD800 <= ord(said[0]) < 0xE000 else "\ufffd"
