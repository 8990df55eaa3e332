"""From what was found to an article: macros expanded, empty finds dropped, all in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from symattn.patterns import regex
from symattn.reading.articles.article import Article, LineBreaks, Located, NotChecked, Passage, join
from symattn.reading.articles.scanning.code.names import names_of_programs
from symattn.reading.articles.scanning.commas import find_mixed, read_commas
from symattn.reading.articles.scanning.macros import Macros, drop_definitions
from symattn.reading.formula import Commas
from symattn.writing.prose import Sentence

_STYLED = regex(r"\{\s*\\(?:display|text|script)style\b([^{}]*(?:\{.*\}[^{}]*)?)\}", re.DOTALL)  # as in wikis

_OF_PROGRAMS = ("output", "comment")


@dataclass(frozen=True)
class Found:
    """A stretch of mathematics before macros are expanded, or (with a reason) one that was not read."""

    located: Located
    kind: str
    reason: Sentence | None = None
    seen: bool = False  # whether it is no find, but all that a reader went through

    @property
    def start(self) -> int:
        return self.located.span(0, 1)[0]


def gather(path: str, source: str, found: Iterable[Found], macros: Macros) -> Article:
    """The article of everything found, with the macros expanded in its formulas."""
    breaks = LineBreaks.of(source)
    passages: list[Passage] = []
    not_read: list[NotChecked] = []
    seen: list[Passage] = []
    refused: list[tuple[int, int]] = []
    for each in sorted(found, key=lambda f: f.start):
        if each.seen:
            if each.located.text:
                line, column = breaks.position(each.start)
                seen.append(Passage(each.located.text, each.kind, each.located.runs, line, column, breaks))
            continue
        clean = expand(each, macros)
        if not clean.located.text:
            continue
        line, column = breaks.position(clean.start)
        if clean.reason is not None:
            refused.append(clean.located.span(0, len(clean.located.text)))
            not_read.append(NotChecked(line, column, clean.located.text[:200], clean.reason))
            continue
        text, runs = clean.located.text, clean.located.runs
        passages.append(Passage(text, clean.kind, runs, line, column, breaks))
    known = _with_words(_with_commas(passages), names_of_programs(seen, source))
    return Article(path, source, known, tuple(not_read), seen=tuple(seen), refused=tuple(refused))


def _with_commas(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages with what is known of their commas: a program writes 0.5 though the text around it has 0{,}5."""
    read = [p for p in passages if p.kind not in _OF_PROGRAMS and len(p.text) < 20_000]
    commas = said = read_commas(p.text for p in read)
    if commas is Commas.GROUPING:
        said = read_commas(p.text for p in read if p.kind != "code")
        said = said if said in (Commas.DECIMAL, Commas.POINTED) else commas
    mixed = find_mixed(p.text for p in read if p.kind != "code") if said is Commas.GROUPING else frozenset()
    of_kind = {"code": commas, **dict.fromkeys(_OF_PROGRAMS, Commas.UNKNOWN)}
    own = (Commas.DECIMAL if p.text in mixed else said for p in passages)
    return tuple(replace(p, commas=of_kind.get(p.kind, by_text)) for p, by_text in zip(passages, own, strict=True))


def _with_words(passages: Sequence[Passage], words: frozenset[str]) -> tuple[Passage, ...]:
    """The passages with what a program calls QK, which is no product of Q and K there."""
    return tuple(replace(p, words=words) if words and p.kind in _WITH_NAMES else p for p in passages)


_WITH_NAMES = ("code", "comment", "output", "line")


def expand(found: Found, macros: Macros) -> Found:
    """The find with its macros expanded, or refused where a macro has no end."""
    if found.reason is not None:
        return found
    located = drop_definitions(found.located).strip()
    if style := _STYLED.fullmatch(located.text):
        located = located.cut(*style.span(1)).strip()
    located, refused = macros.expand(located)
    reason = Sentence("endless_macro", name=refused) if refused else None
    return Found(located.strip(), found.kind, reason)


def seen(lines: Sequence[Located], kind: str) -> Iterator[Found]:
    """What a reader went through, to be gone through once more for what it found in no formula."""
    if any(line.text.strip() for line in lines):
        yield Found(join(lines, "\n"), kind, seen=True)
