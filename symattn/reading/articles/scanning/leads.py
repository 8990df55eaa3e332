"""Equations whose left sides are plain text and whose last one is a marked formula: `Scaled = S / √2 ≈ $[0.7, 0]$`."""

from __future__ import annotations

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.delimiters import Region, find_regions
from symattn.reading.articles.scanning.wording import LONGEST_LINE, find_mathematics

_LEADS = regex(r"[^=≈<>!:\s][ \t]*[=≈][ \t]*$")
_OF_PROGRAMS = frozenset("*[]{}\\`")
_WORD = regex(r"[^\W\d_](?:(?![A-Zᵀ])[^\W\d_])+(?![A-Za-z0-9]*\()")  # and no product QKᵀ
_APPLIED = regex(r"(?:softmax|exp|log|tanh|max|ReLU)\b")


def with_leads(text: Located) -> Located:
    """The text with the plain sides of such equations moved into the formula that goes on with them.

    >>> with_leads(Located.whole("Then: α = S / √2 ≈ $0.7$")).text
    'Then: $α = S / √2 ≈ 0.7$'
    """
    if "= $" not in text.text and "≈ $" not in text.text:
        return text
    parts: list[Located] = []
    done = end = 0
    for region in find_regions(text.text):
        lead = _lead(text, region, end)
        end = region.end
        if lead is not None:
            mark = text.cut(region.start, region.inner_start)
            parts += [text.cut(done, lead), mark, _as_tex(text.cut(lead, region.start))]
            done = region.inner_start
    return join([*parts, text.cut(done, len(text.text))]) if parts else text


def _lead(text: Located, region: Region, after: int) -> int | None:
    """Where the plain sides before an inline formula begin, if they end in a sign of equality."""
    if region.kind != "inline" or text.text[region.start] != "$":
        return None
    start = max(text.text.rfind("\n", 0, region.start) + 1, after)
    before = text.text[start : region.start]
    if len(before) > LONGEST_LINE or not _LEADS.search(before):
        return None
    stretch = find_mathematics(before + "0")[-1:]
    if not stretch or stretch[0][1] != len(before) + 1:
        return None
    first = stretch[0][0]
    said, ahead = before[first:], before[:first].rstrip()
    if not said[0].isalpha() or not _OF_PROGRAMS.isdisjoint(said) or _A_NUMBER.search(said):
        return None
    return start + first if not ahead or _MARKER.fullmatch(ahead) or ahead[-1] in _STOPS else None


_A_NUMBER = regex(r"[=≈]\s*[-−+]?[\d.,]+\s*[=≈]\s*$")  # `At t = 1 = $0.9$`
_MARKER = regex(r"\s*(?:[-*+•>]|\d+[.)])")
_STOPS = frozenset(".,;:。，；：、)）*$")  # what no words stand behind, which would be part of it: `sum of a, b = $3$`


def _as_tex(sides: Located) -> Located:
    """Plain sides as TeX says them: a word is one name."""
    return sides.substitute(_WORD, lambda word: word[0] if _APPLIED.match(word[0]) else rf"\text{{{word[0]}}}")
