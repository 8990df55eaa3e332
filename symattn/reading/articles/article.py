"""Located mathematics: what a reader finds in somebody's document, and where each character of it stood."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading.articles.wordless import blot_out
from symattn.reading.formula import Chain, Commas, parse
from symattn.writing.prose import Sentence

# (offset in the text, offset in the source, length in the source). Where both lengths agree the run is
# verbatim, character by character; otherwise all of its characters stand for all of that stretch
# (`&lt;`, a macro, `\\u2248`).
Run = tuple[int, int, int]

_NOTHING = regex(r"[\s\0]{401,}")
_DIGIT = regex(r"[\d\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468]")


def has_digits(text: str) -> bool:
    """Whether a text has a digit: of any script, or a raised, lowered or circled one.

    >>> has_digits("x²"), has_digits("xᵀ")
    (True, False)
    """
    return _DIGIT.search(text) is not None


class Located(NamedTuple):
    """A text whose every character knows which stretch of the source it came from.

    >>> t = Located.whole("a &lt; b").substitute(re.compile("&lt;"), lambda m: "<")
    >>> t.text, t.span(2, 3), t.cut(4, 5).span(0, 1)
    ('a < b', (2, 6), (7, 8))
    """

    text: str
    runs: tuple[Run, ...]

    @staticmethod
    def whole(source: str, at: int = 0) -> Located:
        """All of a source, or a stretch of it that begins at offset `at`."""
        return Located(source, ((0, at, len(source)),) if source else ())

    @staticmethod
    def inserted(text: str, at: int, length: int = 0) -> Located:
        """A text that is not in the source as such: it stands for `length` characters at offset `at`."""
        return Located(text, ((0, at, length),) if text else ())

    def here(self, text: str, offset: int) -> Located:
        """A text that is not in the source as such, where this one has an offset."""
        return Located.inserted(text, self.span(offset, offset)[0])

    def _as_it_stands(self, end: int) -> bool:
        """Whether text[:end] is one stretch of the source, verbatim, as it mostly is."""
        stop = self.runs[1][0] if len(self.runs) > 1 else len(self.text)
        return end <= stop == self.runs[0][2]

    def _run(self, offset: int) -> int:
        return max(bisect_right(self.runs, offset, key=itemgetter(0)) - 1, 0)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where text[start:end] came from: the offsets in the source of its start and its end."""
        if not self.runs:
            return 0, 0
        if 0 <= start < end and self._as_it_stands(end):
            return self.runs[0][1] + start, self.runs[0][1] + end
        first = self._one(min(start, len(self.text) - 1))
        if end <= start:
            return (first[1], first[1]) if start >= len(self.text) else (first[0], first[0])
        return first[0], self._one(min(end, len(self.text)) - 1)[1]

    def _one(self, offset: int) -> tuple[int, int]:
        k = self._run(offset)
        at, source, length = self.runs[k]
        stop = self.runs[k + 1][0] if k + 1 < len(self.runs) else len(self.text)
        if stop - at == length:
            return source + offset - at, source + offset - at + 1
        return source, source + length

    def cut(self, start: int, end: int) -> Located:
        """The part text[start:end], with its places."""
        start, end = max(start, 0), min(end, len(self.text))
        if start >= end:
            return Located("", ())
        if (start, end) == (0, len(self.text)):
            return self
        if self._as_it_stands(end):
            return Located(self.text[start:end], ((0, self.runs[0][1] + start, end - start),))
        runs = []
        for k in range(self._run(start), self._run(end - 1) + 1):
            at, source, length = self.runs[k]
            stop = self.runs[k + 1][0] if k + 1 < len(self.runs) else len(self.text)
            left, right = max(at, start), min(stop, end)
            if stop - at == length:
                source, length = source + left - at, right - left
            runs.append((left - start, source, length))
        return Located(self.text[start:end], tuple(runs))

    def strip(self, characters: str | None = None) -> Located:
        """Without the white space (or these characters) at both ends."""
        left = len(self.text) - len(self.text.lstrip(characters))
        return self.cut(left, max(len(self.text.rstrip(characters)), left))

    def substitute(self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str | None]) -> Located:
        """Each match replaced, the new text standing for all of it; None leaves a match as it is."""
        new = ((match.span(), replacement(match)) for match in pattern.finditer(self.text))
        return self.replaced((span, self.put(text, *span)) for span, text in new if text is not None)

    def without(self, spans: Iterable[tuple[int, int]]) -> Located:
        """With these parts (in order, not overlapping) left out."""
        return self.replaced((span, Located("", ())) for span in spans)

    def replaced(self, changes: Iterable[tuple[tuple[int, int], Located]]) -> Located:
        """With other texts in the place of these parts (in order, not overlapping)."""
        parts, done = [], 0
        for (start, end), new in changes:
            parts += [self.cut(done, start), new]
            done = end
        return join([*parts, self.cut(done, len(self.text))]) if parts else self

    def put(self, text: str, start: int, end: int) -> Located:
        """A text that stands for the part from `start` to `end`."""
        first, last = self.span(start, end)
        return Located.inserted(text, first, last - first)

    def led_by(self, text: str) -> Located:
        """With a text before it that stands nowhere in the source."""
        return join([Located.inserted(text, self.span(0, 0)[0]), self])


def join(parts: Iterable[Located], between: str = "") -> Located:
    r"""The parts one after the other; what is put between them stands nowhere in the source, but for line breaks.

    >>> join([Located.whole("ab"), Located.whole("cd", at=9)], between=" ").runs
    ((0, 0, 2), (2, 2, 0), (3, 9, 2))
    >>> join([Located.whole("ab"), Located.whole("cd", at=3)], between="\n").runs
    ((0, 0, 5),)
    """
    texts: list[str] = []
    runs: list[Run] = []
    size = end = put = 0  # `put`: how much was put in since the last part that has a place, which ended at `end`
    for part in parts:
        if texts and between:
            texts.append(between)
            put += len(between)
        texts.append(part.text)
        if part.runs:
            if put:
                broken = between == "\n" and part.runs[0][1] == end + put
                runs.append((size, end, put if broken else 0))
                size, put = size + put, 0
            for at, source, length in part.runs:
                runs.append((size + at, source, length))
                end = source + length
            size += len(part.text)
    if put:
        runs.append((size, end, 0))
    return Located("".join(texts), tuple(_merge(runs, size + put)))


def _merge(runs: list[Run], size: int) -> Iterable[Run]:
    """Verbatim runs that follow each other in the source as one: cutting up and joining costs nothing."""
    held: Run | None = None
    for k, (at, source, length) in enumerate(runs):
        stop = runs[k + 1][0] if k + 1 < len(runs) else size
        if held and stop - at == length and at - held[0] == held[2] and held[1] + held[2] == source:
            held = (held[0], held[1], held[2] + length)
            continue
        if held:
            yield held
        held = (at, source, length)
    if held:
        yield held


@dataclass(frozen=True)
class Passage:
    """One stretch of mathematics as the parser should see it, and its way back into the file.

    `kind` is "display", "inline", "code", "table", "line" (a line of text that is mathematics), "output"
    (a program's print) or "comment" (what a program's comment says that it comes to). `line` and `column` are those of
    its start, from 1.
    """

    text: str
    kind: str
    runs: tuple[Run, ...] = field(repr=False)
    line: int
    column: int
    breaks: LineBreaks = field(repr=False, compare=False)
    commas: Commas = field(default=Commas.UNKNOWN, repr=False, compare=False)  # what is known of its article's
    words: frozenset[str] = field(default=frozenset(), repr=False, compare=False)  # two capitals that are one name

    @cached_property
    def _located(self) -> Located:
        return Located(self.text, self.runs)

    @cached_property
    def parsed(self) -> tuple[Chain, ...] | FormulaError:
        """Its chains of equations, or why it cannot be read; parsed once for all who ask."""
        try:
            return parse(self.text, commas=self.commas, words=self.words)
        except FormulaError as error:
            return error.with_traceback(None)

    @property
    def chains(self) -> tuple[Chain, ...]:
        """Its chains of equations; none where it cannot be read."""
        return () if isinstance(self.parsed, FormulaError) else self.parsed

    @property
    def places(self) -> tuple[int, ...]:
        """For every character of `text` the offset in the file's source where it stood."""
        return tuple(self._located.span(k, k + 1)[0] for k in range(len(self.text)))

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the file's source that text[start:end] came from: put new digits there."""
        return self._located.span(start, end)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column in the file, from 1, of a character of `text` (or of its end)."""
        return self.breaks.position(self.source_span(offset, offset)[0])


@dataclass(frozen=True)
class LineBreaks:
    """Where the lines of a source begin.

    >>> LineBreaks.of("ab\\ncd").position(4)
    (2, 2)
    """

    starts: tuple[int, ...]
    marked: bool = False  # a byte order mark in front, which is no column

    @staticmethod
    def of(source: str) -> LineBreaks:
        starts = (0, *(m.end() for m in re.finditer("\n", source)))
        return LineBreaks(starts, source.startswith("\ufeff"))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of an offset in the source."""
        line = bisect_right(self.starts, offset)
        mark = 1 if self.marked and line == 1 else 0
        return line, max(offset - self.starts[line - 1] - mark, 0) + 1


@dataclass(frozen=True)
class NotChecked:
    """What was not read or not checked, and why."""

    line: int | None
    column: int | None
    text: str
    reason: Sentence


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook, counted from 1, or what it put out: its text, which knows where in the file it stands."""

    number: int
    text: Located
    output: bool = False

    def index_at(self, offset: int) -> int | None:
        """Which character of the cell an offset in the file's source belongs to."""
        k = bisect_right(self.text.runs, offset, key=itemgetter(1)) - 1
        if k < 0:
            return None
        at, source, length = self.text.runs[k]
        if offset >= source + length:
            return None
        stop = self.text.runs[k + 1][0] if k + 1 < len(self.text.runs) else len(self.text.text)
        return at + offset - source if stop - at == length else at

    def line_at(self, offset: int) -> int | None:
        """The line of the cell, from 1, that an offset in the file's source stands on."""
        index = self.index_at(offset)
        return None if index is None else self.text.text.count("\n", 0, index) + 1


@dataclass(frozen=True)
class Article:
    """A document somebody wrote: its source as decoded, its passages in order, what was not read, its encoding."""

    path: str
    source: str
    passages: tuple[Passage, ...]
    not_read: tuple[NotChecked, ...] = ()
    encoding: str = "utf-8"
    cells: tuple[Cell, ...] = ()  # of a notebook
    seen: tuple[Passage, ...] = ()  # all text, code, prints and tables as they stand, by `kind`
    refused: tuple[tuple[int, int], ...] = ()  # where in the source it stands that was not read
    wordless: tuple[tuple[int, int], ...] = ()  # and what of a page nobody reads

    @cached_property
    def words(self) -> str:
        """The source as it is gone through for words: what nobody reads, fonts, styles, programs, is blotted out."""
        return blot_out(self.source, self.wordless)

    @cached_property
    def said(self) -> str:
        """The words with long stretches of nothing cut short: where it matters whether they are there, and not where.

        >>> len(Article("a.html", "rows" + " " * 10_000 + "columns", ()).said)
        411
        """
        return _NOTHING.sub(lambda found: found[0][:200] + found[0][-200:], self.words)

    @cached_property
    def shown(self) -> str:
        """The source with nothing but what a reader of a notebook sees; what holds it together there is blanks.

        >>> cell = Cell(1, join([Located.whole("a\\n", at=4), Located.whole("b", at=11)]))
        >>> Article("n.ipynb", '[  "a', (), cells=()).shown, len(Article("n.ipynb", " " * 14, (), cells=(cell,)).shown)
        ('[  "a', 14)
        """
        if not self.cells:
            return self.words
        written = [" "] * len(self.source)
        for cell in self.cells:
            text, runs = cell.text.text, cell.text.runs
            for k, (at, start, length) in enumerate(runs):
                stop = runs[k + 1][0] if k + 1 < len(runs) else len(text)
                put = text[at:stop][:length]
                written[start : start + len(put)] = put
            for before in (runs[0][1] - 1, runs[0][1] - 2) if runs else ():
                written[max(before, 0)] = "\n"
        return "".join(written)
