r"""Placeholders in LaTeX: `% symattn mine scores` to `% /symattn`, and `\symattn{mine}{weights[1,2]}{0.67}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.placeholders.pairing import Mark, Marked, MarkError, pair
from symattn.writing.prose import Sentence

_LISTINGS = "verbatim|Verbatim|lstlisting|minted|alltt|comment|filecontents"
_TOKEN = regex(
    r"\\(?:url|href|path|nolinkurl|lstinline|mintinline(?:\{\w*\})?)\*?\{[^{}\n]*\}"  # where % is no comment
    r"|\\(?:(?:New|Renew|Provide|Declare)DocumentCommand|def)\s*\\symattn(?![A-Za-z@])"  # what defines the macro
    rf"|\\begin\{{(?P<listing>(?:{_LISTINGS})\*?)\}}|\\(?:verb|lstinline)\*?(?P<verb>[^A-Za-z\s*{{])|%(?P<comment>[^\n]*)"
    r"|\\symattn(?![A-Za-z@])\s*+(?P<macro>\[[^\]\n]*\]\s*+)?\{|\\[^A-Za-z]"
)
_WORDS = regex(r"%*\s*(?P<close>/?)symattn(?=\s|$)(?P<words>.*)")
_BRACE = regex(r"\\[^\n]|[{}]")
_ARGUMENT = regex(r"\s*\{")


def find_in_latex(text: str) -> list[Marked]:
    r"""The placeholders of a LaTeX file, in their order. Raises MarkError where marks do not fit together.

    >>> text = r"We get \symattn[digits=2]{mine}{weights[1,2]}{0.67}. % \symattn{mine}{scores}{}"
    >>> [(m.words, text[m.start:m.end]) for m in find_in_latex(text)]
    [('mine weights[1,2] digits=2', '0.67')]
    """
    marks: list[Mark] = []
    macros: list[Marked] = []
    for found in _tokens(text):
        if isinstance(found, Mark):
            marks.append(found)
        else:
            macros.append(found)
    blocks = list(pair(text, marks))
    for macro in macros:
        if any(block.start <= macro.at < block.end for block in blocks):
            raise MarkError(Sentence("placeholder_nested", line=text[macro.at : macro.end][:60]), macro.at)
    return sorted((*blocks, *macros), key=lambda m: m.at)


def _tokens(text: str) -> Iterator[Mark | Marked]:
    at = 0
    gone: set[str] = set()  # listings that are not closed any more
    while found := _TOKEN.search(text, at):
        at = found.end()
        if found["listing"]:
            closing = rf"\end{{{found['listing']}}}"
            end = -1 if closing in gone else text.find(closing, at)
            if end < 0:
                gone.add(closing)
            at = max(end, at)
        elif found["verb"]:
            end = text.find(found["verb"], at, (text + "\n").find("\n", at))
            at = end + 1 if end >= 0 else at
        elif found["comment"] is not None:
            said = _WORDS.fullmatch(found["comment"].rstrip("\r"))
            if said and not text[text.rfind("\n", 0, found.start()) + 1 : found.start()].strip(" \t\ufeff"):
                end = found.start() + 1 + len(found["comment"].rstrip("\r"))
                yield Mark(found.start(), end, None if said["close"] else said["words"].strip())
        elif found[0].startswith("\\symattn"):
            macro = _read_macro(text, found)
            at = macro.end
            yield macro


def _read_macro(text: str, found: re.Match[str]) -> Marked:
    r"""`\symattn[options]{worksheet}{what}{filling}`."""
    spans: list[tuple[int, int]] = []
    start = found.end()
    for k in range(3):
        end = _closing(text, start)
        follows = _ARGUMENT.match(text, end + 1) if end is not None and k < 2 else found
        if end is None or follows is None:
            raise MarkError(Sentence("placeholder_macro"), found.start())
        spans.append((start, end))
        start = follows.end()
    worksheet, what = (text[slice(*span)] for span in spans[:2])
    options = (found["macro"] or "").strip().strip("[]").replace(",", " ")
    return Marked(" ".join(f"{worksheet} {what} {options}".split()), found.start(), *spans[2])


def _closing(text: str, start: int) -> int | None:
    """The brace that closes what opens before `start`."""
    depth = 1
    for brace in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if not depth:
            return brace.start()
    return None
