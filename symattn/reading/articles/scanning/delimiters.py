r"""Mathematics between marks: `$…$`, `$$…$$`, `\(…\)`, `\\(…\\)`, `\[…\]`, environments, and code in backticks.

One pass from left to right. An opening mark looks only for the next mark that could close it, so that any
number of unclosed ones costs no more than reading them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from symattn.patterns import regex

# read as a whole, for `&` and `\\` mean something in them
_WORDS_OF_ALIGNED = "align alignat aligned flalign gather gathered multline eqnarray split cases"
ALIGNED = frozenset(_WORDS_OF_ALIGNED.split())
# only a wrapper, so the formula is what stands inside
_WORDS_OF_WRAPPERS = "equation displaymath math"
WRAPPERS = frozenset(_WORDS_OF_WRAPPERS.split())

_MARK = regex(
    r"(?<!\\)\\\\[\[(]"  # `\\(` of a page that is to lose one of its backslashes
    r"|\\begin\{([a-z]+)\*?\}|\\[\[\](){}$\\`]|\$\$|\$|`+|<!--|String\.raw`|\{\{[<%]\s*(?:math|katex)[^\n{}]*[>%]\}\}"
    r"|(?:^|(?<=\n))[ \t]*\[[ \t]*(?=\n|[^\n]{0,400}\\[A-Za-z]{2})"  # of `\[` whose backslash was lost
    r"|(?<![\w)\]}\\])\((?=[^()\n]{0,200}=)"  # and of `\(` on such a page
)
_WORN_END = regex(r"\n[ \t]*\][ \t]*[.,;。，]?[ \t]*(?=\n|\Z)")
_WORN_LINE = regex(r"(?P<inner>[^\n]*=[^\n]*)\][.,;]?[ \t\r]*(?=\n|\Z)")
_LONGEST = 400  # characters of a formula in a line
_HAS_MARKS = regex(r"[$`]|\\[()\[\]]")  # formulas of its own
_OF_TEX = regex(r"\\[A-Za-z]{2,}|[_^]\{?\w|=")
_OF_PROGRAM = regex(r"[\"'#]|^\s*[\[{].*,\s*$", re.MULTILINE)
_BLANK_LINE = regex(r"\n[ \t\r]*\n")
_CLOSING_SHORTCODE = regex(r"\{\{[<%]\s*/\s*(?:math|katex)\s*[>%]\}\}")
_NUMBERS_ONLY = regex(r"(?:[-+−\d.,\s]|\\\\)*|(?:[-+−\d.,()×·\s]|\\\*)*")  # or products of them: 1\*2 + 0\*3
_BLOCK_OF_PROSE = regex(
    r"^\s{0,3}(#{1,6} |[-*•] |\d+\. |```|>)|\barray\(\[\[|[.!?。]\s+[A-Z\u4e00-\u9fff]", re.MULTILINE
)
_WORDS = regex(r"(?<![\\A-Za-z_^{])[A-Za-z]{3,}(?![A-Za-z({_^=])|[\u3040-\u9fff]{2,}")


@dataclass(frozen=True)
class Region:
    """A stretch set off by marks, and what stands inside; `kind` may be "unclosed" or "comment" too."""

    start: int
    end: int
    inner_start: int
    inner_end: int
    kind: str


def find_regions(text: str) -> list[Region]:
    """All regions between marks, in order and not overlapping."""
    return list(_Scan(text).regions())


def joints(text: str, regions: list[Region]) -> Iterator[tuple[int, int]]:
    """The marks between two displayed formulas of which the second goes on with a sum or a product of the first.

    >>> text = "$$y = 2 a$$\\n$$+ 3 b$$"
    >>> [text[start:end] for start, end in joints(text, find_regions(text))]
    ['$$\\n$$']
    """
    for before, after in pairwise(regions):
        if not before.kind == after.kind == "display" or text[before.end : after.start].strip():
            continue
        first, second = text[before.inner_start : before.inner_end], text[after.inner_start : after.inner_end]
        if "\n\n" not in text[before.end : after.start] and _OPEN_SIDE.search(first) and _GOES_ON.match(second):
            yield before.inner_end, after.inner_start


_IN_DOLLARS = regex(r"\s*\$(?P<inner>[^$\n]+)\$\s*")
_GOES_ON = regex(r"(?:\s|\\[ ,;:!]|\\quad\b|&)*(?:\+|\\times\b|\\cdot\b)")
_OPEN_SIDE = regex(r"(?:=|\\approx|≈)(?=[^=≈]*[A-Za-z+×·(\[])(?!.*(?:\\\\|\\end\b))[^=≈]*$", re.DOTALL)


class _Scan:
    """One pass over a text; what later marks are asked for is looked up once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blanks = [m.start() for m in _BLANK_LINE.finditer(text)]
        self.missing: set[str] = set()  # closing marks that do not occur any more
        self.following: dict[str, int] = {}  # where the next of each mark was seen
        self.ticks: dict[int, list[int]] | None = None
        self.environments: dict[int, tuple[int, int]] | None = None
        self.is_worn = any(self.worn(match) for match in _MARK.finditer(text) if match[0].strip() == "[")

    def regions(self) -> Iterator[Region]:
        at = 0
        while match := _MARK.search(self.text, at):
            region = self.region(match)
            if region is None:
                at = match.end()
                continue
            yield region
            at = max(region.end, match.end())

    def region(self, match: re.Match[str]) -> Region | None:
        mark = match[0]
        if mark == "$":
            return self.dollar(match)
        if mark == "$$":
            return self.double_dollar(match)
        if mark in (r"\[", r"\("):
            return self.bracket(match)
        if mark in (r"\\[", r"\\("):
            return self.doubled(match)
        if match[1]:
            return self.environment(match)
        if mark.strip() == "[":
            return self.worn(match)
        if mark == "(":
            return self.worn_in_line(match)
        if mark[0] == "`":
            return self.code(match)
        if mark == "<!--":
            return self.closed(match, "-->", "comment")
        if mark.startswith("String"):
            return self.closed(match, "`", "display")
        if mark.startswith("{{"):
            return self.shortcode(match)
        return None

    def find(self, mark: str, start: int) -> int:
        """The next such mark that is not escaped, or -1; nothing is looked for twice."""
        if self.following.get(mark, -1) >= start:
            return self.following[mark]
        if mark in self.missing:
            return -1
        at = self.text.find(mark, start)
        while at > 0 and mark[0] == "$" and self.text[at - 1] == "\\":
            at = self.text.find(mark, at + 1)
        if at < 0:
            self.missing.add(mark)
        self.following[mark] = at
        return at

    def closed(self, match: re.Match[str], mark: str, kind: str) -> Region | None:
        end = self.find(mark, match.end())
        return Region(match.start(), end + len(mark), match.end(), end, kind) if end >= 0 else None

    def shortcode(self, match: re.Match[str]) -> Region | None:
        """Hugo's `{{< math >}}…{{< /math >}}`."""
        closing = None if "{{" in self.missing else _CLOSING_SHORTCODE.search(self.text, match.end())
        if closing is None:
            self.missing.add("{{")
            return None
        return Region(match.start(), closing.end(), match.end(), closing.start(), "display")

    def paragraph_end(self, start: int) -> int:
        k = bisect_left(self.blanks, start)
        return self.blanks[k] if k < len(self.blanks) else len(self.text)

    def dollar(self, match: re.Match[str]) -> Region | None:
        """`$…$` in one paragraph; money is told by the words between and the space before the second."""
        start = match.end()
        end = self.find("$", start)
        if end < 0 or end > self.paragraph_end(start) or end == start:
            return None
        inner = self.text[start:end]
        if not any(c.isalnum() or c == "\\" for c in inner) or "\n\n" in inner or inner[0] in "，。；、,;":
            return None
        behind = "\\" in inner and inner.rstrip().endswith("=")  # its result stands behind the mark
        opens, closes = not inner[0].isspace(), behind or not inner[-1].isspace()
        follows = self.text[end + 1 : end + 2]
        if opens != closes or follows.isdigit() or (inner[0] + inner[-1] != "``" and "`" in inner):
            return None
        words = len(_WORDS.findall(inner)) if "\\" not in inner else 0
        if words > 1 and (inner[0].isdigit() or words > 3 or not re.search(r"[=^_]", inner)):
            return None
        ticked = len(inner) > 2 and inner[0] == inner[-1] == "`"
        return Region(match.start(), end + 1, start + ticked, end - ticked, "inline")

    def double_dollar(self, match: re.Match[str]) -> Region:
        start = match.end()
        end = self.find("$$", start)
        if end < 0:
            return Region(match.start(), start, match.start(), start, "unclosed")
        inner = self.text[start:end]
        if self.paragraph_end(start) < end and (not inner.strip() or _BLOCK_OF_PROSE.search(inner)):
            return Region(match.start(), start, match.start(), start, "unclosed")
        return Region(match.start(), end + 2, start, end, "display")

    def bracket(self, match: re.Match[str]) -> Region | None:
        r"""`\[…\]` and `\(…\)`, but not Markdown's escaped lists `\[0, 1]` and `\[0, 1\]`."""
        opening = match[0]
        start = match.end()
        end = self.unescaped(r"\]" if opening == r"\[" else r"\)", start)
        if end < 0 or self.unescaped(opening, start, end) >= 0:
            return None
        if _NUMBERS_ONLY.fullmatch(self.text, start, end):
            return None
        kind = "display" if opening == r"\[" else "inline"
        return Region(match.start(), end + 2, start, end, kind)

    def doubled(self, match: re.Match[str]) -> Region | None:
        r"""`\\(…\\)` and `\\[…\\]` in one paragraph, as static site generators have them; `\\[4pt]` breaks a row."""
        opening, start = match[0], match.end()
        end = self.find(r"\\]" if opening == r"\\[" else r"\\)", start)
        if not start < end <= self.paragraph_end(start) or self.text.find(opening, start, end) >= 0:
            return None
        if _NUMBERS_ONLY.fullmatch(self.text, start, end) or self.text.find(r"\\%", start, end) >= 0:
            return None
        return Region(match.start(), end + 3, start, end, "display" if opening == r"\\[" else "inline")

    def worn(self, match: re.Match[str]) -> Region | None:
        r"""`[` and `]` on lines of their own around a formula: `\[` and `\]` on a page that lost these backslashes."""
        start = match.end()
        if self.text[start : start + 1] != "\n":
            return self.worn_line(match)
        end = _WORN_END.search(self.text, start, self.paragraph_end(start) + 1)
        inner = "" if end is None else self.text[start : end.start()]
        if end is None or not _OF_TEX.search(inner) or _OF_PROGRAM.search(inner) or "\n[\n" in inner:
            return None
        return Region(match.start(), end.end(), start, end.start(), "display")

    def worn_line(self, match: re.Match[str]) -> Region | None:
        r"""`[P = \exp(S)]` on a line of its own, which was `\[…\]`; a row of a matrix has no equation in it."""
        found = _WORN_LINE.match(self.text, match.end())
        if found is None or _OF_PROGRAM.search(found["inner"]) or _HAS_MARKS.search(found["inner"]):
            return None
        depth = list(accumulate((c == "[") - (c == "]") for c in found["inner"]))
        if min(depth) < 0 or depth[-1]:
            return None  # [1] and [2], and a formula between
        return Region(match.start(), found.end(), *found.span("inner"), "display")

    def worn_in_line(self, match: re.Match[str]) -> Region | None:
        r"""`(e^2 = 7.39)`, without words, where displays have lost their backslashes: it was `\(e^2 = 7.39\)`."""
        start = end = match.end()
        depth = 1 if self.is_worn else 0
        while depth and end < min(len(self.text), start + _LONGEST) and self.text[end] != "\n":
            depth += (self.text[end] == "(") - (self.text[end] == ")")
            end += 1
        inner = self.text[start : end - 1]
        if end == start or depth or _WORDS.search(inner) or _HAS_MARKS.search(inner):
            return None
        return Region(match.start(), end, start, end - 1, "inline")

    def unescaped(self, mark: str, start: int, stop: int | None = None) -> int:
        """The next such mark whose backslash does not end a row break (as before `[4pt]`), or -1."""
        at = self.find(mark, start) if stop is None else self.text.find(mark, start, stop)
        while at >= 0 and not _even_backslashes(self.text, at):
            at = self.find(mark, at + 1) if stop is None else self.text.find(mark, at + 1, stop)
        return at

    def environment(self, match: re.Match[str]) -> Region | None:
        name = match[1]
        if name not in ALIGNED and name not in WRAPPERS:
            return None
        if self.environments is None:
            self.environments = match_environments(self.text)
        if match.start() not in self.environments:
            return Region(match.start(), match.end(), match.start(), match.end(), "unclosed")
        inner_end, end = self.environments[match.start()]
        if name in WRAPPERS:
            return Region(match.start(), end, match.end(), inner_end, "display")
        return Region(match.start(), end, match.start(), end, "display")

    def code(self, match: re.Match[str]) -> Region | None:
        if self.ticks is None:
            self.ticks = {}
            for m in re.finditer("`+", self.text):
                self.ticks.setdefault(m.end() - m.start(), []).append(m.start())
        width = match.end() - match.start()
        same = self.ticks.get(width, [])
        k = bisect_left(same, match.end())
        if k == len(same) or same[k] > self.paragraph_end(match.end()):
            return None
        start, end = match.end(), same[k]
        marked = _IN_DOLLARS.fullmatch(self.text, start, end)
        if marked is not None:  # `$Q = x W$`, in which x is no sign of multiplication
            start, end = marked.span("inner")
        return Region(match.start(), same[k] + width, start, end, "code" if marked is None else "inline")


def _even_backslashes(text: str, end: int) -> bool:
    start = end
    while start > 0 and text[start - 1] == "\\":
        start -= 1
    return (end - start) % 2 == 0


def match_environments(text: str) -> dict[int, tuple[int, int]]:
    r"""For every `\begin` that is closed, where its `\end` begins and ends."""
    opened: list[tuple[str, int]] = []
    closed: dict[int, tuple[int, int]] = {}
    for match in re.finditer(r"\\(begin|end)\s*\{([A-Za-z]+\*?)\}", text):
        if match[1] == "begin":
            opened.append((match[2], match.start()))
        elif opened and opened[-1][0] == match[2]:
            closed[opened.pop()[1]] = (match.start(), match.end())
    return closed
