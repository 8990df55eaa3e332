"""The answers to an exercise: [claims] of a worksheet, a filled sheet (Markdown or notebook), what its page saved."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symattn.errors import InputError
from symattn.patterns import regex
from symattn.reading.folders import files_in
from symattn.reading.worksheets.broken_toml import explain
from symattn.reading.worksheets.worksheet import read_text
from symattn.writing.prose import Sentence

Rows = tuple[tuple[str, ...], ...]
_ANCHOR = regex(r'<a id="eq-([\w.\-]{1,80})"></a>')
_NAME = regex(r"^[*_]{0,3}(?:Name|姓名)[*_ \t]{0,9}[:：](.{1,200})$", re.MULTILINE)
_TITLE = regex(r"\ufeff?\s*# (.{1,200})")
_RULE = regex(r"\|(\s*:?-+:?\s*\|)+")
_MARKS = "✓✔✅☑✗✘❌\ufe0f"  # beside a number
MOST = 100  # rows or columns
LONGEST = 60  # characters of a name or a number


@dataclass(frozen=True)
class Answers:
    """Whose they are, the rows of text for each step (what is empty was left so), and what the file says of its sheet:
    its title in Markdown, its number in what a page saved, its inputs in a worksheet; nothing where it does not say."""

    name: str
    steps: Mapping[str, Rows]
    sheet: str = ""


def read_answers(path: Path) -> Answers:
    """Read a file of answers. Raises InputError with what is wrong with it."""
    if path.is_dir():
        raise InputError(Sentence("answers_no_file"))
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(Sentence("answers_suffix"))
    name, steps, sheet = reader(read_text(path))
    if not steps:
        raise InputError(Sentence("answers_none"))
    return Answers(" ".join(name.split())[:LONGEST] or path.stem[:LONGEST], steps, sheet)


def answers_in(folder: Path) -> list[str]:
    """The files in a folder and below it that may be answers."""
    return files_in(folder, _READERS)


def inputs_of(text: str) -> str:
    """The inputs of a worksheet in one spelling; nothing where it has none."""
    return _inputs(_toml(text))


def plain_title(title: str) -> str:
    """The letters and digits of a title, however it is set."""
    return "".join(c for c in title if c.isalnum())


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise explain(error, text) from None
    except (RecursionError, ValueError) as error:
        raise InputError(Sentence("bad_toml", reason=str(error).lower()[:100])) from None


def _inputs(tables: Mapping[str, Any]) -> str:
    given = tables.get("inputs")
    return json.dumps(given, sort_keys=True, default=str) if given else ""


def _read_toml(text: str) -> tuple[str, dict[str, Rows], str]:
    tables = _toml(text)
    return "", _steps(tables.get("claims", {})), _inputs(tables)


def _read_json(text: str) -> tuple[str, dict[str, Rows], str]:
    try:
        data = json.loads(text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise InputError(Sentence("answers_broken", reason=str(error)[:100])) from None
    answers = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(answers, dict):
        raise InputError(Sentence("answers_broken", reason='"answers"'))
    name, sheet = (x if isinstance(x, str) else "" for x in (data.get("name"), data.get("sheet")))
    return name, _steps(answers), sheet


def _steps(given: Any, before: str = "") -> dict[str, Rows]:
    """Rows of text by the names of steps; those of a head may stand in a table of its own."""
    found: dict[str, Rows] = {}
    for name, rows in given.items() if isinstance(given, dict) else ():
        if isinstance(rows, dict) and not before:
            found |= _steps(rows, f"{name}.")
            continue
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows) or len(rows) > MOST:
            raise InputError(Sentence("not_rows"), place=f"{before}{name}"[:80])
        found[before + name] = tuple(tuple(_clean(x) for x in row[: MOST + 1]) for row in rows)
    return found


def _read_markdown(text: str) -> tuple[str, dict[str, Rows], str]:
    """The tables behind the anchors of steps, without their first row and column, which count."""
    text = text.replace("\r\n", "\n")
    named = _NAME.search(text)
    found: dict[str, Rows] = {}
    anchors = list(_ANCHOR.finditer(text))
    for anchor, after in zip(anchors, [*anchors[1:], None], strict=False):
        inside = text[anchor.end() : after.start() if after else len(text)]
        lines = [line.strip() for line in inside.splitlines()]
        rule = next((k for k, line in enumerate(lines) if _RULE.fullmatch(line)), None)
        if rule is None:
            continue
        rows = []
        for line in lines[rule + 1 : rule + 1 + MOST]:
            if not line.startswith("|"):
                break
            rows.append(tuple(_clean(cell) for cell in line.strip("|").split("|")[1 : MOST + 2]))
        found[anchor[1]] = tuple(rows)
    name = named[1].replace("\\", "").strip(" \t_*`") if named else ""
    title = _TITLE.match(text)
    return name, found, plain_title(title[1]) if title else ""


def _read_notebook(text: str) -> tuple[str, dict[str, Rows], str]:
    """The Markdown sheet whose sections are the cells of a notebook."""
    try:
        cells = json.loads(text)["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
    except (ValueError, RecursionError, TypeError, KeyError) as error:
        raise InputError(Sentence("answers_notebook", reason=str(error)[:100])) from None
    return _read_markdown("\n\n".join(sources))


def _clean(cell: Any) -> str:
    """A number as it was meant: without ticks and dollar signs, with a point, one sign for minus and for infinity."""
    text = str(cell).strip(f" \t\n{_MARKS}").strip("$").strip().replace("−", "-").replace("–", "-")
    text = text.replace(r"\infty", "inf").replace("∞", "inf").replace("- inf", "-inf").replace("-oo", "-inf")
    text = re.sub(r"^(-?)\s*\\[dt]?frac\{(\d{1,9})\}\{(\d{1,9})\}$", r"\1\2/\3", text)
    return re.sub(r"^(-?\d{1,20}),(\d{1,20})$", r"\1.\2", text)[: LONGEST + 1].strip("_ ")


_READERS: Mapping[str, Callable[[str], tuple[str, dict[str, Rows], str]]] = {
    ".toml": _read_toml,
    ".json": _read_json,
    ".md": _read_markdown,
    ".markdown": _read_markdown,
    ".ipynb": _read_notebook,
}
