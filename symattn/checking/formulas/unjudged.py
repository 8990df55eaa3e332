"""Where the numbers stand that were listed as not checked."""

from __future__ import annotations

from symattn.patterns import regex
from symattn.reading.articles.article import LineBreaks, NotChecked

_NUMBER = regex(r"(?<![A-Za-z_\d.])\d[\d,]*(?:\.\d+)?")


def offsets_of_numbers(listed: NotChecked, source: str, breaks: LineBreaks) -> list[int]:
    """The place of what is listed, and of each number behind it where the source has its text in one piece.

    A formula that is judged may hold the first of them and none of the others: of "2 × 28 × 8 bytes, about 0.4 KB"
    a shape may be read, and nothing is said of 0.4.

    >>> from symattn.writing.prose import Sentence
    >>> said = "is 2 × 3 bytes, 6 KB"
    >>> listed = NotChecked(1, 4, said, Sentence("line_unread"))
    >>> offsets_of_numbers(listed, said, LineBreaks.of(said))
    [3, 7, 16]
    """
    assert listed.line is not None and listed.column is not None
    line = breaks.starts[listed.line - 1]
    start = line + listed.column - 1
    at = source.find(listed.text, line, start + len(listed.text))
    if at < 0 or at > start:
        return [start]
    behind = (found.start() for found in _NUMBER.finditer(source, start, at + len(listed.text)))
    return [start, *(offset for offset in behind if offset > start)]


def is_number_anew(listed: NotChecked) -> bool:
    """Whether a result is another than its name had, so that nothing was held against it: no judge of letters did."""
    return listed.reason.key == "defined_anew" and _NUMBER.fullmatch(listed.text.strip()) is not None
