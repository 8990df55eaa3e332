"""Placeholders in comments of Markdown and HTML: `<!-- symattn hand-calculation scores -->` to `<!-- /symattn -->`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.placeholders.code import Code
from symattn.reading.placeholders.pairing import Mark, Marked, MarkError, pair
from symattn.writing.prose import Sentence

_RAW = "script|style|textarea|title|xmp"  # elements in which nothing is markup
_MARKDOWN = regex(rf"\\[^\n]|`+|<!--|<(?P<raw>{_RAW})\b", re.IGNORECASE)
_HTML = regex(
    rf"<!--|<(?P<raw>{_RAW})\b|<[a-z][a-z0-9:-]*+(?:[^<>\"']|\"[^\"]{{0,4000}}+\"|'[^']{{0,4000}}+')*+>", re.IGNORECASE
)
_WORDS = regex(r"\s*(?P<close>/?)symattn(?=\s|$)(?P<words>.*)", re.DOTALL)


def find_in_markdown(text: str) -> list[Marked]:
    """The placeholders of a Markdown text; what stands in code is text. Raises MarkError where marks do not fit.

    >>> text = "so <!-- symattn W.toml scores[1,1] -->2<!-- /symattn -->, by `<!-- symattn W.toml scores[1,1] -->`"
    >>> [(m.words, text[m.start:m.end]) for m in find_in_markdown(text)]
    [('W.toml scores[1,1]', '2')]
    """
    return list(pair(text, _marks(text, _MARKDOWN, Code(text)), apart=2))


def find_in_html(text: str) -> list[Marked]:
    """The placeholders of an HTML page. Raises MarkError where marks do not fit."""
    return list(pair(text, _marks(text, _HTML, None)))


def _marks(text: str, pattern: re.Pattern[str], code: Code | None) -> Iterator[Mark]:
    """The comments that are marks; code, attributes, escaped signs and other comments are passed over."""
    at = 0
    gone: set[str] = set()  # closing signs that do not come any more
    while found := pattern.search(text, at):
        at = found.end()
        if code is not None and (end := code.block_end(found.start())) is not None:
            at = end
        elif found[0] == "<!--":
            end = _find(text, "-->", at, gone)
            said = _WORDS.fullmatch(text, at, at + 2000 if end is None else end - 3)
            if said is not None and end is None:
                raise MarkError(Sentence("placeholder_comment"), found.start())
            if said is not None:
                yield Mark(found.start(), end or at, None if said["close"] else said["words"].strip())
            at = end or at
        elif found["raw"]:
            at = _find(text, f"</{found['raw'].lower()}", at, gone) or at
        elif code is not None and found[0][0] == "`":
            at = code.span_end(found.start(), found.end()) or at


def _find(text: str, closing: str, at: int, gone: set[str]) -> int | None:
    """Where a closing sign ends; None where there is none."""
    found = None if closing in gone else re.compile(re.escape(closing), re.IGNORECASE).search(text, at)
    if found is None:
        gone.add(closing)
    return None if found is None else found.end()
