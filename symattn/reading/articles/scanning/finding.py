"""From what was found to an article: macros expanded, empty finds dropped, all in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from symattn.reading.articles.article import Article, LineBreaks, Located, NotChecked, Passage, join
from symattn.reading.articles.scanning.macros import Macros, drop_definitions
from symattn.writing.prose import Sentence

_STYLED = re.compile(r"\{\s*\\(?:display|text|script)style\b([^{}]*(?:\{.*\}[^{}]*)?)\}", re.DOTALL)  # as in wikis

_OF_PROGRAMS = ("output", "comment")
_POINT = re.compile(r"(?<![\w.])\d+\.\d")
_COMMA = re.compile(
    r"(?<![\d.,\[({])(?:0,\d\d++|\d{1,3},\d\d)(?![\d.,])|(?<![\d.,])0,\d\d++(?=\s?;)|(?<=;)\s?[-−]?0,\d\d++"
    r"|(?<!\d)[-−]0,\d"  # nobody writes −0
    r"|(?<=[=≈])\s?[-−]?\d{1,3},\d(?=\s*$)",
    re.MULTILINE,
)
_PARTED = re.compile(r"[\[(]\s*[-−]?\d+(?:,\d+)?(?:\s*;\s*[-−]?\d+(?:,\d+)?)+\s*[\])]")
_IN_BRACES = re.compile(r"(?<!\d)0\{,\}\d|\d\{,\}(?!\d{3}(?!\d))\d")  # no list, and no thousands


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
    if _has_decimal_commas(passages):
        passages = [replace(passage, commas=True) for passage in passages]
    return Article(path, source, tuple(passages), tuple(not_read), seen=tuple(seen), refused=tuple(refused))


def _has_decimal_commas(passages: Sequence[Passage]) -> bool:
    """Whether an article writes decimals with a comma, 1{,}5 or, twice and in no list, 0,71; and a point nowhere."""
    texts = [passage.text for passage in passages if passage.kind not in _OF_PROGRAMS and len(passage.text) < 20_000]
    if any(_POINT.search(text) for text in texts):
        return False
    if any(_IN_BRACES.search(text) or _is_ragged(text) for text in texts):
        return True
    return sum(len(_COMMA.findall(text)) for text in texts) > 1


def _is_ragged(text: str) -> bool:
    """Whether a list between semicolons would have rows of one number and of two, [1; 1,2; 0,4], with other commas."""
    lists = (match[0][1:-1].split(";") for match in _PARTED.finditer(text))
    return any(len({item.count(",") for item in items} & {0, 1}) == 2 for items in lists)


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
