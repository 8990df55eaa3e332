"""What can be read of a display that is not understood as a whole: its rows, each by itself.

Brackets without a partner are left out. What is blanked keeps its length, so that places stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from symattn.errors import FormulaError
from symattn.patterns import is_found_by, regex
from symattn.reading import formula as f

LONGEST = 2_000  # characters of a display
_ALIGNED = regex(
    r"\\(?:begin|end)\{(?:aligned|align|split|gather|gathered|equation|array)\*?\}(?:\{[lcr| ]*\})?"
    r"|\\(?:large|Large|small)\b|\\right\."
)
# lines under one brace that are equations, and no values by cases
_SYSTEM = regex(r"\s*(?:\\text\{[^{}]*\}\s*:?\s*)?\\begin\{cases\}(.*)\\end\{cases\}[\s.,]*", re.DOTALL)
_CASES = regex(r"[^=\n]{1,80}=\s*\\left\s*\\\{.*?\\right\s*\.", re.DOTALL)
# `\text{(for all } i \text{)}` behind an equation
_REMARK = regex(r"&?\s*\\text\{[(（][^{}]*\}(?:(?!\\\\|\n).){0,200}?\\text\{[^{}]*[)）]\}")
_MATRIX = regex(r"\\(?P<mark>begin|end)\{(?:[bpBvV]?(?:small)?matrix|cases|array)\*?\}")
_BRACKET = regex(r"\\[{}]|(?P<font>\\(?:math|text|bold)[a-z]+)?(?P<open>[{(\[])|(?P<close>[})\]])")
_ROW = regex(r"\\\\(?:\[[^\]\n]*\])?|\\newline|\\q?quad(?![a-z])|\\hspace\*?\{\d+(?:em|pt)\}|[,，](?=\s*[a-z]\s*=)")
_END = regex(r"[\s.,;]*(?:\\\\|\Z)")
_GOES_ON = regex(r"\s*&?\s*(?:[-+*/|×·,)}\]]|\\(?:times|cdot|odot|circ|right|pm)\b)")
_PARTNERS = {"(": ")", "[": "]", "{": "}"}


def read_rows(text: str) -> Sequence[f.Chain]:
    """The chains of the rows that can be read; one that begins with a relation goes on with the row before."""
    if len(text) > LONGEST or ("=" not in text and r"\leftarrow" not in text):
        return ()
    plain = _without_loose_brackets(_REMARK.sub(_blank, _ALIGNED.sub(_blank, _CASES.sub(_blank, text))))
    if plain is None:
        return ()
    found: list[f.Chain] = []
    begun = False  # whether the equation of the row before has been read
    for start, end in _rows(plain):
        try:
            read = f.parse(" " * start + _without_alignment(_joined(plain[start:end])), algebra=True)
        except (FormulaError, RecursionError):
            begun = begun and _GOES_ON_EQUAL.match(plain, start) is not None
            continue
        kept = [chain for chain in read if len(chain.sides) > 1 or (begun and chain.sides[0].relation)]
        begun = bool(kept)
        found += kept
    return found


def rows_of(chain: f.Chain, text: str) -> Sequence[f.Chain]:
    """A chain cut at its line ends, `a = b \\\\ = c`: its first row, and others that begin with a relation."""
    rows = [[chain.sides[0]]]
    for before, side in pairwise(chain.sides):
        if r"\\" in text[before.end : side.start] and len(rows[0]) > 1:
            rows.append([])
        rows[-1].append(side)
    made = [f.Chain(tuple(rows[0]), chain.start, rows[0][-1].end)]
    for above, row in pairwise(rows):
        start = _RELATION_OF_ROW.match(text, above[-1].end)
        made.append(f.Chain(tuple(row), row[0].start if start is None else start.end(), row[-1].end))
    return made


_RELATION_OF_ROW = regex(r"(?:[\s&.,;]|\\\\(?:\[[^\]\n]*\])?)*")
_GOES_ON_EQUAL = regex(r"[\s&]*=")


def read_system(text: str) -> Sequence[f.Chain]:
    """The equations under one brace, a line for each; none where values stand there, each with its condition."""
    found = _SYSTEM.fullmatch(text)
    if found is None or len(text) > LONGEST:
        return ()
    inside = _ALIGNED.sub(_blank, found[1])
    rows = [row.strip().removeprefix("&") for row in inside.split(r"\\")]
    if not all("=" in row.partition("&")[0] for row in rows if row):
        return ()
    return read_rows(" " * found.start(1) + inside)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _joined(row: str) -> str:
    """A row without the line ends inside its round brackets, where no matrix has rows of its own."""
    return row if r"\begin" in row else row.replace(r"\\", "  ")


def _without_alignment(row: str) -> str:
    """A row without the marks that align it; those between the cells of a matrix stay."""
    if r"\begin" not in row:
        return row.replace("&", " ")
    depth, kept, last = 0, "", 0
    for mark in _MATRIX.finditer(row):
        piece = row[last : mark.start()]
        kept += (piece if depth else piece.replace("&", " ")) + mark[0]
        depth += 1 if mark["mark"] == "begin" else -1
        last = mark.end()
    return kept + row[last:].replace("&", " ")


def _without_loose_brackets(text: str) -> str | None:
    """The text without a font's brace that is never closed and a bracket too many at the end; None with other ones."""
    opened: list[re.Match[str]] = []
    loose: list[re.Match[str]] = []
    for match in _BRACKET.finditer(text):
        if match["open"]:
            opened.append(match)
        elif match["close"]:
            if opened and _PARTNERS[opened[-1]["open"]] == match["close"]:
                opened.pop()
            elif _END.match(text, match.end()):
                loose.append(match)
            else:
                return None
    if not all(match["font"] for match in opened):
        return None
    for match in (*opened, *loose):
        text = text[: match.start()] + _blank(match) + text[match.end() :]
    return text


def _rows(text: str) -> Iterator[tuple[int, int]]:
    """Where the rows stand: cut at line ends outside of brackets and matrices, where the next row does not go on with
    a sign."""
    depth, start = 0, 0
    found = (each for pattern in (_BRACKET, _MATRIX, _ROW) for each in pattern.finditer(text))
    for mark in sorted(found, key=lambda m: m.start()):
        if is_found_by(mark, _MATRIX):
            depth += 1 if mark["mark"] == "begin" else -1
        elif is_found_by(mark, _BRACKET):
            depth += bool(mark["open"]) - bool(mark["close"])
        elif depth == 0 and not _GOES_ON.match(text, mark.end()):
            yield start, mark.start()
            start = mark.end()
    yield start, len(text)
