r"""LaTeX files: formulas between marks and in environments, macros without arguments, listings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.articles.article import Article, Located
from symattn.reading.articles.scanning.delimiters import find_regions
from symattn.reading.articles.scanning.finding import Found, gather, seen
from symattn.reading.articles.scanning.macros import Macros
from symattn.reading.articles.scanning.passages import find_in_lines, lines_of
from symattn.reading.articles.scanning.tabular import find_in_tabulars
from symattn.writing.prose import Sentence

_LISTINGS = "verbatim|Verbatim|lstlisting|minted|alltt"
_LISTING = regex(rf"\\begin\{{({_LISTINGS})\*?\}}[^\n]*\n?")
_COMMENT = regex(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_MACRO = regex(r"\\symattn\s*(?:\[[^\]\n]*\]\s*)?\{[^{}\n]*\}\s*\{[^{}\n]*\}\s*(?=\{)")  # before a woven value


def read(source: str, path: str) -> Article:
    r"""The mathematics of a LaTeX file, comments removed, macros expanded; `\input` is not followed.

    >>> [p.text for p in read(r"\newcommand{\T}{^\top} $Q K\T$ % $x$", "a.tex").passages]
    ['Q K^\\top']
    """
    listings, rest = _split(source)
    text = Located.whole(source).without([(a, b) for a, b, _, _ in listings])
    text = text.substitute(_COMMENT, lambda m: m[1]).substitute(_MACRO, lambda _: "")
    listed = [each for _, _, a, b in listings for each in seen(lines_of(_stretch(source, a, b)), "code")]
    found = [each for _, _, a, b in listings for each in find_in_lines(lines_of(_stretch(source, a, b)), "code")]
    return gather(path, source, [*listed, *found, *_find_formulas(text)], Macros.read(rest))


def _stretch(source: str, start: int, end: int) -> Located:
    return Located.whole(source[start:end], at=start)


def _split(source: str) -> tuple[list[tuple[int, int, int, int]], str]:
    """Program listings (all of each, and its inside), and the source without comments, for the macros."""
    listings = []
    at = 0
    gone: set[str] = set()
    while match := _LISTING.search(source, at):
        closing = re.compile(rf"\\end\{{{match[1]}\*?\}}").search(source, match.end()) if match[1] not in gone else None
        at = match.end()
        if closing is None:
            gone.add(match[1])
        elif "%" not in source[source.rfind("\n", 0, match.start()) + 1 : match.start()].replace("\\%", ""):
            listings.append((match.start(), closing.end(), match.end(), closing.start()))
            at = closing.end()
    return listings, _COMMENT.sub(lambda m: m[1], source)


def _find_formulas(text: Located) -> Iterator[Found]:
    yield from seen(lines_of(text), "line")
    tables = list(find_in_tabulars(text))
    for found, _ in tables:
        yield from found
    text = Located(_blanked(text.text, [span for _, span in tables]), text.runs)
    for region in find_regions(text.text):
        inner = text.cut(region.inner_start, region.inner_end)
        if region.kind == "unclosed":
            yield Found(inner, "display", Sentence("formula_not_closed", mark=inner.text))
        elif region.kind not in ("code", "comment"):
            yield Found(inner, region.kind)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with spaces for what stands in these stretches, so that nothing in them is read again."""
    kept, before = [], 0
    for start, end in spans:
        kept += [text[before:start], " " * (end - start)]
        before = end
    return "".join([*kept, text[before:]])
