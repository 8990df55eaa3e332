"""The answers to an exercise: a worksheet's [claims], a filled sheet in Markdown, or what its page saved as JSON."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symattn.errors import InputError
from symattn.reading.worksheets.worksheet import read_text
from symattn.writing.prose import Sentence

Rows = tuple[tuple[str, ...], ...]
_ANCHOR = re.compile(r'<a id="eq-([\w.\-]{1,80})"></a>')
_NAME = re.compile(r"^(?:Name|姓名)[ \t]*[:：][ \t]*(.{1,200}?)[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"\|(\s*:?-+:?\s*\|)+")
MOST = 100  # rows or columns
LONGEST = 60  # characters of a name or a number


@dataclass(frozen=True)
class Answers:
    """Whose they are, and the rows of text for each step; what is empty was left so."""

    name: str
    steps: Mapping[str, Rows]


def read_answers(path: Path) -> Answers:
    """Read a file of answers. Raises InputError with what is wrong with it."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(Sentence("answers_suffix"))
    name, steps = reader(read_text(path))
    if not steps:
        raise InputError(Sentence("answers_none"))
    return Answers(" ".join((name or path.stem).split())[:LONGEST], steps)


def _read_toml(text: str) -> tuple[str, dict[str, Rows]]:
    try:
        claims = tomllib.loads(text, parse_float=str).get("claims", {})
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise InputError(Sentence("bad_toml", reason=str(error).lower()[:100])) from None
    return "", _steps(claims)


def _read_json(text: str) -> tuple[str, dict[str, Rows]]:
    try:
        data = json.loads(text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise InputError(Sentence("answers_broken", reason=str(error)[:100])) from None
    answers = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(answers, dict):
        raise InputError(Sentence("answers_broken", reason='"answers"'))
    name = data.get("name", "")
    return name if isinstance(name, str) else "", _steps(answers)


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


def _read_markdown(text: str) -> tuple[str, dict[str, Rows]]:
    """The tables behind the anchors of steps, without their first row and column, which count."""
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
    name = named[1].replace("\\", "").strip(" _") if named else ""
    return name, found


def _clean(cell: Any) -> str:
    """A number as it was meant: without dollar signs, with a point, one sign for minus and for infinity."""
    text = str(cell).strip().strip("$").strip().replace("−", "-").replace("–", "-")
    text = text.replace(r"\infty", "inf").replace("∞", "inf").replace("- inf", "-inf").replace("-oo", "-inf")
    text = re.sub(r"^(-?)\s*\\[dt]?frac\{(\d{1,9})\}\{(\d{1,9})\}$", r"\1\2/\3", text)
    return re.sub(r"^(-?\d{1,20}),(\d{1,20})$", r"\1.\2", text)[: LONGEST + 1].strip("_ ")


_READERS: Mapping[str, Callable[[str], tuple[str, dict[str, Rows]]]] = {
    ".toml": _read_toml,
    ".json": _read_json,
    ".md": _read_markdown,
    ".markdown": _read_markdown,
}
