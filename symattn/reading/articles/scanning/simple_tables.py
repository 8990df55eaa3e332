"""Tables whose columns stand below groups of dashes or equals signs, as Pandoc and reStructuredText have them.

Word   Q         K
------ --------- ---------
I      `[2,0]`   `[0,1]`
love   `[0,2]`   `[2,1]`
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

_RULE = regex(r"[ \t]*(?:-{2,}|={2,})(?: +(?:-{2,}|={2,}))+[ \t]*")
_CROSSED = regex(r"[ \t]*[├|+]?[-─━═=]{2,}(?:[┼╪+|][-─━═=]{2,}){2,}[┤|+]?[ \t]*")  # one parts a matrix from its labels
_UNPARTED = regex(r"[ \t]*[-─━═=]{5,}[ \t]*")
_FUNCTIONS = regex(r"relu|gelu|silu|swish|tanh|sigmoid|softmax|\b(?:exp|log|ln|sin|cos)\b", re.IGNORECASE)  # or models
_BARS = regex(r"[│┃|]")
MOST_ROWS = 1_000


def read_simple_table(lines: Sequence[Located], first: int) -> tuple[list[Located], int] | None:
    """The table whose header is a line, as rows with pipes (header, rule, rows), and the line after it.

    >>> text = " x   y", " -- ---", " 1   2"
    >>> [row.text for row in read_simple_table([Located.whole(line) for line in text], 0)[0]]
    ['| x | y |', '|-|-|', '| 1 | 2 |']
    """
    rule = first + 1
    if rule >= len(lines) or len(lines[rule].text) > 1_000 or not lines[first].text.strip():
        return None
    if _CROSSED.fullmatch(lines[rule].text):
        return _read_crossed(lines, first)
    if _UNPARTED.fullmatch(lines[rule].text):
        return _read_unparted(lines, first)
    if not _RULE.fullmatch(lines[rule].text) or _RULE.fullmatch(lines[first].text):
        return None
    starts = [match.start() for match in re.finditer(r"\S+", lines[rule].text)]
    starts[0] = 0
    end = rule + 1
    while end < len(lines) and end - rule < MOST_ROWS and lines[end].text.strip():
        if _RULE.fullmatch(lines[end].text):
            break
        end += 1
    rows = [_with_pipes(line, starts) for line in (lines[first], *lines[rule + 1 : end])]
    if len(rows) < 2:
        return None
    dashes = Located.inserted("|-" * len(starts) + "|", lines[rule].span(0, 1)[0])
    return [rows[0], dashes, *rows[1:]], min(end + _is_rule(lines, end), len(lines))


def _read_crossed(lines: Sequence[Located], first: int) -> tuple[list[Located], int] | None:
    """A table whose columns stand between bars, to the first line with fewer of them."""
    bars = len(_BARS.findall(lines[first].text))
    end = first + 2
    while end < len(lines) and end - first < MOST_ROWS and 0 < bars == len(_BARS.findall(lines[end].text)):
        end += 1
    if end == first + 2:
        return None
    head, *rows = (lines[k].substitute(_BARS, lambda _: "|") for k in (first, *range(first + 2, end)))
    dashes = Located.inserted("|-" * (bars + 1) + "|", lines[first + 1].span(0, 1)[0])
    return [head, dashes, *rows], end


def _read_unparted(lines: Sequence[Located], first: int) -> tuple[list[Located], int] | None:
    """A table with bars in its rows alone: below a head of single words, one for each column, and a plain rule."""
    head = list(re.finditer(r"\S+", lines[first].text))
    end = first + 2
    while end < len(lines) and end - first < MOST_ROWS and len(_cells(lines[end].text)) == len(head) + 1:
        end += 1
    if len(head) < 2 or end - first < 4 or _BARS.search(lines[first].text) or _FUNCTIONS.search(lines[first].text):
        return None
    titles = [lines[first].cut(*word.span()).led_by(" | ") for word in head]
    rows = [join([lines[k].here("| ", 0), lines[k].substitute(_BARS, lambda _: "|")]) for k in range(first + 2, end)]
    dashes = Located.inserted("|-" * (len(head) + 1) + "|", lines[first + 1].span(0, 1)[0])
    return [join([lines[first].here("|", 0), *titles, lines[first].here(" |", 0)]), dashes, *rows], end


def _cells(row: str) -> list[str]:
    """What stands between the bars of a row; one that closes it is none."""
    return _BARS.split(row.rstrip(" |"))


def _is_rule(lines: Sequence[Located], k: int) -> bool:
    return k < len(lines) and _RULE.fullmatch(lines[k].text) is not None


def _with_pipes(line: Located, starts: Sequence[int]) -> Located:
    """A line cut below the starts of the groups of its rule; a cell that begins before its own is not cut in two."""
    cuts = [0, *(_cut(line.text, start) for start in starts[1:]), len(line.text)]
    cells = [line.cut(a, max(a, b)).strip() for a, b in pairwise(cuts)]
    parts = [line.here("| ", 0)]
    for cell, cut in zip(cells, cuts[1:], strict=True):
        parts += [cell, line.here(" | ", cut)]
    return join(parts).strip()


def _cut(text: str, start: int) -> int:
    while 0 < start < len(text) and not text[start - 1].isspace() and not text[start].isspace():
        start -= 1
    return min(start, len(text))
