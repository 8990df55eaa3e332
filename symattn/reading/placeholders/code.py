"""Which stretches of a Markdown text are code: fences, indented blocks, spans between backticks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.blocks import FENCE, front_matter_end
from symattn.reading.articles.scanning.passages import lines_of

_RUN = regex(r"`+")
_QUOTE = regex(r"(?:[ ]{0,3}>[ ]?)*")
_SIGN = regex(r"(?P<mark>[-*+]|\d{1,9}[.)])(?:(?P<gap> +)|$)")  # of an item
_ALONE = regex(r"#{1,6}(?:\s|$)|<!--.*-->\s*$|(?:(?:\*[ ]*){3,}|(?:-[ ]*){3,}|(?:_[ ]*){3,})$")  # no paragraph
_DIRECTIVE = regex(r"(?P<mark>`{3,}|~{3,})[ \t]*\{(?P<name>[^}]+)\}")
_INTERRUPTS = ("```", "~~~", "#", "<!--")  # a paragraph
_WORDS_OF_DIRECTIVES = """
    note warning tip important hint caution attention danger error seealso admonition topic sidebar margin aside
    epigraph dropdown card tab-item tab-set grid grid-item exercise solution example theorem lemma proof definition
    remark prf:theorem prf:lemma prf:proof prf:example prf:definition prf:remark
"""
_DIRECTIVES = frozenset(_WORDS_OF_DIRECTIVES.split())  # MyST's fences whose body is text


class Code:
    """The code of a Markdown text, in time that grows as the text does."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.breaks: list[int] = []  # where a span of code cannot go on: blank lines, and what begins there
        self.blocks = list(_blocks(text, self.breaks))

    def block_end(self, offset: int) -> int | None:
        """Where the block of code ends in which an offset stands."""
        k = bisect_right(self.blocks, (offset, len(self.text) + 1)) - 1
        return self.blocks[k][1] if k >= 0 and offset < self.blocks[k][1] else None

    def span_end(self, start: int, end: int) -> int | None:
        """Where the span ends that the backticks from `start` to `end` open; None where they open none."""
        closing = self._runs.get(end - start, [])
        k = bisect_left(closing, end)
        paragraph = self._paragraph_end(end)
        return closing[k] + end - start if k < len(closing) and closing[k] < paragraph else None

    def _paragraph_end(self, offset: int) -> int:
        k = bisect_left(self.breaks, offset)
        return self.breaks[k] if k < len(self.breaks) else len(self.text)

    @cached_property
    def _runs(self) -> dict[int, list[int]]:
        runs: dict[int, list[int]] = {}
        for m in _RUN.finditer(self.text):
            runs.setdefault(m.end() - m.start(), []).append(m.start())
        return runs


def _blocks(text: str, breaks: list[int]) -> Iterator[tuple[int, int]]:
    """Settings at the beginning, fences and indented lines, by where they begin and end."""
    lines = lines_of(Located.whole(text))
    starts = [0, *(m.end() for m in re.finditer("\n", text)), len(text)]
    k = front_matter_end(lines)
    if k:
        yield 0, starts[k]
    place = _Place()
    directives: list[str] = []  # the marks of those that are open
    while k < len(lines):
        line = lines[k].text
        rest = place.enter(line)
        if not rest or place.begins or place.is_code:
            breaks.append(starts[k])
        fence = FENCE.fullmatch(rest) if rest.startswith(("```", "~~~")) and not place.is_code else None
        if fence and directives and rest.strip() == directives[-1]:
            directives.pop()
            yield starts[k], starts[k + 1]
        elif fence and (directive := _DIRECTIVE.match(rest)) and directive["name"] in _DIRECTIVES:
            directives.append(directive["mark"])
            yield starts[k], starts[k + 1]
        elif fence:
            end = k + 1
            while end < len(lines) and place.holds(lines[end].text):
                end += 1
                if _closes(lines[end - 1].text, fence["mark"]):
                    break
            yield starts[k], starts[end]
            k = end
            place.quiet = True
            continue
        elif place.is_code:
            yield starts[k], starts[k + 1]
        k += 1


def _closes(line: str, mark: str) -> bool:
    closing = line.strip(" \t>\r")
    return len(closing) >= len(mark) and closing == mark[0] * len(closing)


def _quoted(line: str) -> tuple[int, str]:
    """How many signs of a quote a line has, and what stands behind them."""
    quoted = _QUOTE.match(line)
    end = quoted.end() if quoted else 0
    return line[:end].count(">"), line[end:].expandtabs(4)


class _Place:
    """In which quote and which item of a list a line of Markdown stands, and whether it is indented code."""

    def __init__(self) -> None:
        self.quote = 0  # how many signs of a quote the line has
        self.item = 0  # where the text of the open item begins
        self.quiet = True  # no paragraph goes on
        self.is_code = False
        self.begins = False  # what stands on the line goes on with nothing before it

    def enter(self, line: str) -> str:
        """Go on to a line; what stands on it behind the signs of quotes and items."""
        quote, inside = _quoted(line)
        deeper = quote > self.quote
        if quote != self.quote:
            self.quote, self.item, self.quiet = quote, 0, self.quiet or deeper
        rest = inside.lstrip()
        column = len(inside) - len(rest)
        if not rest:
            self.quiet, self.is_code = True, False
            return ""
        self.begins = rest.startswith(_INTERRUPTS) or deeper
        if (self.quiet or self.begins) and column < self.item and not _SIGN.match(rest):
            self.item = 0 if column < 2 else column
        while column < self.item + 4 and (sign := _SIGN.match(rest)) is not None:
            gap = len(sign["gap"] or "")
            column, rest = column + sign.end(), rest[sign.end() :]
            self.item = column - gap + 1 if gap > 4 or not rest else column
            self.quiet = self.begins = True
        self.is_code = self.quiet and column >= self.item + 4
        self.quiet = self.is_code or _ALONE.match(rest) is not None
        return rest

    def holds(self, line: str) -> bool:
        """Whether a further line belongs to the same quote and item."""
        quote, inside = _quoted(line)
        if self.quote:
            return quote >= self.quote
        return not inside.strip() or len(inside) - len(inside.lstrip()) >= self.item
