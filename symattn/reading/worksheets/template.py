"""A worksheet with the numbers of its inputs left open, to be stated again with others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from symattn.reading.worksheets.keys import OF_LAYER, SIZES
from symattn.reading.worksheets.worksheet import Worksheet, read_tables

_TABLES: Mapping[str, Mapping[str, object]] = {"part": SIZES, "layer": OF_LAYER}  # what stands in [[...]], its inputs
FAR = 10**40  # no worksheet has a number like those that stand for places
OPEN = "\x00"  # where a number goes


@dataclass(frozen=True)
class Template:
    """TOML between the numbers of the inputs, these numbers as TOML has them, and which entries they are.

    `places` has the number of each entry of each input, by the name of its symbol.
    """

    pieces: tuple[str, ...]
    numbers: tuple[str, ...]
    places: Mapping[str, Sequence[Sequence[int]]]


def open_numbers(sheet: Worksheet) -> Template:
    """The template of a worksheet, without its claims. The places are found by reading it with others for numbers."""
    numbers: list[str] = []

    def take(x: Any) -> str:
        numbers.append(write_toml(x))
        return OPEN

    text = _write({key: value for key, value in sheet.tables.items() if key != "claims"}, take)
    counted = iter(range(FAR, FAR + len(numbers)))
    placed = read_tables(_with_numbers(sheet.tables, lambda _: next(counted)))
    values = dict(placed.values or {}) | ({} if placed.upstream is None else {"G": placed.upstream})
    places = {
        name: [[int(x) - FAR for x in row] for row in rows]
        for name, rows in values.items()
        if all(x.is_Integer and x >= FAR for row in rows for x in row)
    }
    return Template(tuple(text.split(OPEN)), tuple(numbers), places)


def _with_numbers(tables: Mapping[str, Any], number: Callable[[Any], Any]) -> dict[str, Any]:
    """The tables with other numbers in the inputs."""
    made = {key: value for key, value in tables.items() if key != "claims"}
    made["inputs"] = {key: _each(value, number) for key, value in tables["inputs"].items()}
    for name, inputs in _TABLES.items():
        if name in tables:
            made[name] = [
                {key: _each(value, number) if key in inputs else value for key, value in part.items()}
                for part in tables[name]
            ]
    return made


def _each(value: Any, number: Callable[[Any], Any]) -> Any:
    """A matrix with other numbers; what is no list is left: a shape, or the name of a part."""
    return [_each(x, number) if isinstance(x, list) else number(x) for x in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class _Open:
    """A number that is written by itself."""

    text: str


def _write(tables: Mapping[str, Any], take: Callable[[Any], str]) -> str:
    """The text of a worksheet."""
    opened = _with_numbers(tables, lambda x: _Open(take(x)))
    plain = [
        key for key, value in opened.items() if key not in _TABLES and (key == "title" or not isinstance(value, dict))
    ]
    lines = [f"{key} = {write_toml(opened[key])}" for key in plain]
    for key, value in opened.items():
        if isinstance(value, dict) and key != "title":
            lines += ["", f"[{key}]", *_rows(value)]
    for name in _TABLES:
        for part in opened.get(name, ()):
            lines += ["", f"[[{name}]]", *_rows(part)]
    return "\n".join(lines) + "\n"


def _rows(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        yield f"{_key(key)} = {write_toml(value)}"


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else write_toml(key)


def write_toml(value: Any) -> str:
    """A value as TOML; what is neither text, a number, a list nor a table as its text.

    >>> write_toml({"en": 'a "b"', "n": [1, Decimal("0.10"), True]})
    '{ en = "a \\\\"b\\\\"", n = [1, 0.10, true] }'
    """
    if isinstance(value, _Open):
        return value.text
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(write_toml, value)) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {write_toml(v)}" for k, v in value.items()) + " }"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
