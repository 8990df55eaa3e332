"""Which stretches of a Markdown text are code: fences, indented blocks, spans between backticks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.blocks import FENCE, fence_end, front_matter_end
from symattn.reading.articles.scanning.passages import lines_of

_BLANK = re.compile(r"\n[ \t>]*\r?(?=\n)")
_RUN = re.compile(r"`+")
_QUOTE = re.compile(r"(?:[ ]{0,3}>[ ]?)*")
_ITEM = re.compile(r"[ ]*(?:[-*+]|\d{1,9}[.)])[ ]+")
_DIRECTIVE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(?P<mark>`{3,}|~{3,})[ \t]*\{(?P<name>[^}]+)\}")
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
        self.blocks = list(_blocks(text))

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
        blank, block = bisect_left(self._blank, offset), bisect_left(self.blocks, (offset, 0))
        ends = [*self._blank[blank : blank + 1], *(start for start, _ in self.blocks[block : block + 1])]
        return min(ends, default=len(self.text))

    @cached_property
    def _blank(self) -> list[int]:
        return [m.start() for m in _BLANK.finditer(self.text)]

    @cached_property
    def _runs(self) -> dict[int, list[int]]:
        runs: dict[int, list[int]] = {}
        for m in _RUN.finditer(self.text):
            runs.setdefault(m.end() - m.start(), []).append(m.start())
        return runs


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Settings at the beginning, fences and indented lines, by where they begin and end."""
    lines = lines_of(Located.whole(text))
    starts = [0, *(m.end() for m in re.finditer("\n", text)), len(text)]
    k = front_matter_end(lines)
    if k:
        yield 0, starts[k]
    directives: list[str] = []  # the marks of those that are open
    item, quiet = 0, True  # where the text of the open item of a list begins; no paragraph goes on
    while k < len(lines):
        line = lines[k].text
        fence = FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
        if directives and line.strip(" \t>") == directives[-1]:
            directives.pop()
            yield starts[k], starts[k + 1]
        elif fence and (directive := _DIRECTIVE.match(line)) and directive["name"] in _DIRECTIVES:
            directives.append(directive["mark"])
            yield starts[k], starts[k + 1]
        elif fence:
            end = min(fence_end(lines, k, fence["mark"]) + 1, len(lines))
            yield starts[k], starts[end]
            k, quiet = end, True
            continue
        else:
            quoted = _QUOTE.match(line)
            plain = line[quoted.end() if quoted else 0 :].expandtabs(4)
            indent = len(plain) - len(plain.lstrip())
            if plain.strip() and quiet and indent >= item + 4:
                yield starts[k], starts[k + 1]
            elif plain.strip():
                sign = _ITEM.match(plain)
                item = sign.end() if sign else min(item, indent) if quiet else item
                quiet = False
            else:
                quiet = True
        k += 1
