"""Marks of placeholders -> what stands between an opening and its closing one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from symattn.patterns import regex
from symattn.writing.prose import Sentence

# what a line may have before a mark that stands alone on it: quotes, spaces, the sign of an item
_LEAD = regex(r"\ufeff?(?P<quote>[ \t>]*)(?P<item>(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
_QUOTE = regex(r"[ \t>]*")


class MarkError(Exception):
    """Marks do not fit together, at an offset of the text."""

    def __init__(self, message: Sentence, offset: int) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


@dataclass(frozen=True)
class Mark:
    """A mark text[start:end] with its words; a closing one has none."""

    start: int
    end: int
    words: str | None


@dataclass(frozen=True)
class Marked:
    """What is asked for by the mark at `at`, and the stretch of the text from `start` to `end` that it stands for.

    A block has lines of its own: each begins with `lead`, and `last` stands before the closing mark. `apart` is how
    many line ends stand on either side of its text.
    """

    words: str
    at: int
    start: int
    end: int
    block: bool = False
    lead: str = ""
    last: str = ""
    newline: str = "\n"
    apart: int = 1

    def lay(self, text: str) -> str:
        """A text as it stands between the marks.

        >>> Marked("", 0, 0, 0, block=True, lead="> ", last="> ").lay("a\\n\\nb\\n")
        '\\n> a\\n>\\n> b\\n> '
        """
        if not self.block:
            return text
        gap = [""] * (self.apart - 1)
        led = [(self.lead + line).rstrip() if not line else self.lead + line for line in (*gap, *_lines(text), *gap)]
        return self.newline.join(["", *led, self.last])


def _lines(text: str) -> list[str]:
    return text.strip("\n").split("\n")


def pair(text: str, marks: Iterable[Mark], apart: int = 1) -> Iterator[Marked]:
    """Each opening mark with its closing one. Raises MarkError for those that are nested or left open."""
    opened: Mark | None = None
    for mark in marks:
        if mark.words is not None:
            if opened is not None:
                raise MarkError(Sentence("placeholder_nested", line=_line_of(text, opened)), mark.start)
            opened = mark
        elif opened is None:
            raise MarkError(Sentence("placeholder_not_opened"), mark.start)
        else:
            yield _between(text, opened, mark, apart)
            opened = None
    if opened is not None:
        raise MarkError(Sentence("placeholder_not_closed"), opened.start)


def _line_of(text: str, mark: Mark) -> str:
    """The line of a mark, without spaces around."""
    return text[mark.start : mark.end].split("\n")[0].strip()[:60]


def _between(text: str, opened: Mark, closed: Mark, apart: int) -> Marked:
    words = opened.words or ""
    begin = text.rfind("\n", 0, opened.start) + 1
    end = text.find("\n", opened.end)
    lead = _LEAD.fullmatch(text, begin, opened.start)
    last = text.rfind("\n", 0, closed.start) + 1
    after = text[closed.end : (text + "\n").find("\n", closed.end)]
    alone = lead is not None and end >= 0 and not text[opened.end : end].strip()
    if not (alone and last > opened.end and _QUOTE.fullmatch(text, last, closed.start) and not after.strip()):
        return Marked(words, opened.start, opened.end, closed.start)
    assert lead is not None
    newline = "\r\n" if text[end - 1] == "\r" else "\n"
    within = lead["quote"] + " " * len(lead["item"] or "")
    return Marked(
        words, opened.start, opened.end, closed.start, True, within, text[last : closed.start], newline, apart
    )
