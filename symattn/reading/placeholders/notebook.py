"""Placeholders in notebooks: comments in Markdown cells, and Markdown cells with a tag: `symattn:mine.toml:scores`.

A tag has neither spaces nor commas: colons stand between its words, and an entry is `weights[1][2]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.articles.notebook import Items, Quoted, Value, find_cells, read_string
from symattn.reading.placeholders.comments import find_in_markdown
from symattn.reading.placeholders.pairing import Marked, MarkError
from symattn.writing.prose import Sentence

_TAG = regex(r"symattn:(?P<words>.*)")
_BREAK = regex(r'"\s*,\s*"')


@dataclass(frozen=True)
class Held:
    """A placeholder with its place in the file, what it holds, and how a content is written there."""

    marked: Marked
    at: int
    start: int
    end: int
    content: str
    spell: Callable[[str], str]


def find_in_notebook(source: str, path: str) -> Iterator[Held]:
    """The placeholders of a notebook. Raises MarkError where marks do not fit, InputError for what is no notebook."""
    for cell in find_cells(source, path):
        if not isinstance(cell, dict):
            continue
        value = cell.get("source", cell.get("input"))
        text = read_string(source, value)
        markdown = read_string(source, cell.get("cell_type")).text == "markdown"
        tag = _tag(source, cell)
        try:
            found = find_in_markdown(text.text) if markdown else []
        except MarkError as error:
            raise MarkError(error.message, text.span(error.offset, error.offset)[0]) from None
        if tag is None:
            yield from (_in_cell(source, text, marked) for marked in found)
        elif not markdown:
            raise MarkError(Sentence("placeholder_no_markdown"), tag[1])
        elif found:
            inner = text.text[found[0].at : found[0].start][:60]
            raise MarkError(Sentence("placeholder_nested", line=inner), text.span(found[0].at, found[0].at)[0])
        elif isinstance(value, Items | Quoted):
            yield _whole(source, text, tag, value)


def _tag(source: str, cell: dict[str, Value]) -> tuple[str, int] | None:
    """The words of a cell's tag, and where it stands."""
    data = cell.get("metadata")
    tags = data.get("tags") if isinstance(data, dict) else None
    for tag in tags if isinstance(tags, Items) else []:
        if isinstance(tag, Quoted) and (found := _TAG.fullmatch(read_string(source, tag).text)):
            return found["words"].replace(":", " "), tag.start
    return None


def _in_cell(source: str, text: Located, marked: Marked) -> Held:
    """A placeholder between comments; where the cell is a list of its lines, what is written is lines of the list."""
    start, end = text.span(marked.start - 1, marked.start)[1], text.span(marked.end, marked.end)[0]
    broken = _BREAK.search(source, start, end)
    at = text.span(marked.at, marked.at)[0]
    write = _writer(source)

    def spell(content: str) -> str:
        lines = content.split("\n")
        return f"\\n{broken[0] if broken else ''}".join(map(write, lines))

    return Held(marked, at, start, end, text.text[marked.start : marked.end], spell)


def _whole(source: str, text: Located, tag: tuple[str, int], value: Items | Quoted) -> Held:
    """A whole cell, as a list of its lines."""
    start, end = (value.start, value.end) if isinstance(value, Items) else (value.start - 1, value.end + 1)
    line = source[source.rfind("\n", 0, start) + 1 : start]
    indent = line[: len(line) - len(line.lstrip())]
    first = f"\n{indent} " if "\n" in source.strip() else ""
    strings = [part for part in value if isinstance(part, Quoted)] if isinstance(value, Items) else []
    if strings:
        first = source[start + 1 : strings[0].start - 1]
    between = source[strings[0].end + 1 : strings[1].start - 1] if len(strings) > 1 else f",{first or ' '}"
    last = f"\n{indent}" if first else ""
    write = _writer(source)

    def spell(content: str) -> str:
        lines = re.findall(r"[^\n]*\n|[^\n]+", content)
        quoted = (f'"{write(line)}"' for line in lines)
        return f"[{first}{between.join(quoted)}{last}]"

    return Held(Marked(tag[0], 0, 0, 0, block=True), tag[1], start, end, text.text, spell)


def _writer(source: str) -> Callable[[str], str]:
    """How a notebook spells what is not ASCII: as it is, or escaped where all of it is."""
    escaped = source.isascii() and "\\u" in source
    return lambda text: json.dumps(text, ensure_ascii=escaped)[1:-1]
