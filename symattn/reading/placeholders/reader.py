"""From a file to its placeholders, whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from symattn.errors import InputError, Placed
from symattn.reading.articles.article import LineBreaks
from symattn.reading.placeholders.comments import find_in_html, find_in_markdown
from symattn.reading.placeholders.latex import find_in_latex
from symattn.reading.placeholders.notebook import Held, find_in_notebook
from symattn.reading.placeholders.pairing import Marked, MarkError
from symattn.reading.placeholders.placeholder import Placeholder
from symattn.reading.placeholders.request import read_request

_FINDERS: dict[str, Callable[[str], list[Marked]]] = {
    ".tex": find_in_latex,
    ".html": find_in_html,
    ".htm": find_in_html,
}


def find_placeholders(source: str, path: str) -> Iterator[Placeholder]:
    """The placeholders of a file in their order; its suffix says where they stand, anything unknown is Markdown.

    Raises InputError, with file, line and column, where marks do not fit together or words ask for nothing.
    """
    breaks = LineBreaks.of(source)

    def place(offset: int) -> str:
        line, column = breaks.position(offset)
        return f"{path}:{line}:{column}"

    try:
        for held in _find(source, path):
            with Placed(place(held.at)):
                request = read_request(held.marked.words)
            line, column = breaks.position(held.at)
            lay = _whole_cell if not held.marked.end else held.marked.lay
            yield Placeholder(
                request, line, column, held.start, held.end, held.content, not held.marked.block, lay, held.spell
            )
    except MarkError as error:
        raise InputError(error.message, place=place(error.offset)) from None


def _find(source: str, path: str) -> Iterator[Held]:
    suffix = Path(path).suffix.lower()
    if suffix == ".ipynb":
        yield from find_in_notebook(source, path)
        return
    for marked in _FINDERS.get(suffix, find_in_markdown)(source):
        yield Held(marked, marked.at, marked.start, marked.end, source[marked.start : marked.end], str)


def _whole_cell(text: str) -> str:
    """What a cell holds: nothing stands before or after it."""
    return text.strip("\n")
