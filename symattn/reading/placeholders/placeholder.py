"""A placeholder: a stretch of an author's file that symattn fills, and how new text is put there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symattn.reading.placeholders.request import Request


@dataclass(frozen=True)
class Placeholder:
    """A stretch source[start:end] of a file that is filled; `content` is what it holds.

    `inline` is one that stands within a line; `lay` gives a filling the line ends that it has there, and `spell`
    writes a content as the file has to.
    """

    request: Request
    line: int
    column: int
    start: int
    end: int
    content: str
    inline: bool
    lay: Callable[[str], str]
    spell: Callable[[str], str] = str
