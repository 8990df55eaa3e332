"""Percentages in words that say once more what was printed: "attends 49% to itself, 32% to the next".

A line of them, or lines of one each below one another, is taken for the row of numbers above it of which it has the
digits, each percentage for another entry. Those that repeat a wrong number are left alone, as is anything else: the
error has been told, and where the digits stand in words the patch changes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn.checking.findings import BAD, Claim, Finding
from symattn.reading.articles.article import Article, Passage

MOST_LINES = 30  # between a row and what is said of it
MOST_SAID = 64
_PERCENTAGE = re.compile(r"(?<![\w.,~≈^-])(?P<digits>\d{1,3}(?:\.\d{1,6})?)\s?\\?%(?!\w)")
_DECIMAL = re.compile(r"\d*\.\d{2,}")

Row = list[Finding]


@dataclass(frozen=True)
class _Said:
    """A percentage, and where it stands in the source."""

    text: str
    value: Fraction
    unit: Fraction
    place: tuple[int, int]
    span: tuple[int, int]


def find_percentages(article: Article, claims: Sequence[Claim]) -> Iterator[Claim]:
    """The claims that an article makes in percentages of the rows that were judged."""
    rows = sorted(_rows(claims), key=lambda each: each[0].line or 0)
    taken = {e.span for claim in claims for e in claim.entries}
    for block in article.seen if rows else ():
        for said in _groups(block):
            if 1 < len(said) <= MOST_SAID and not any(each.span in taken for each in said):
                yield from _claim(said, rows)


def _rows(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Row]]:
    """The rows of decimals that were judged, each with its claim."""
    for claim in claims:
        by_row: dict[int, Row] = {}
        for entry in claim.entries:
            by_row.setdefault(entry.row, []).append(entry)
        for row in by_row.values():
            if len(row) > 1 and all(e.right is not None and _DECIMAL.fullmatch(e.printed) for e in row):
                yield claim, row


def _groups(block: Passage) -> Iterator[list[_Said]]:
    """The percentages of each line; those of lines that follow one another and have one each together."""
    held: list[_Said] = []
    at = 0
    for text in block.text.split("\n"):
        found = [_read(block, at, match) for match in _PERCENTAGE.finditer(text)] if "%" in text else []
        if len(found) != 1:
            yield held
            yield found
            held = []
        held += found if len(found) == 1 else []
        at += len(text) + 1
    yield held


def _read(block: Passage, at: int, match: re.Match[str]) -> _Said:
    whole, _, decimals = match["digits"].partition(".")
    unit = Fraction(1, 100 * 10 ** len(decimals))
    start, end = at + match.start(), at + match.end()
    return _Said(match[0], int(whole + decimals) * unit, unit, block.place(start), block.source_span(start, end))


def _claim(said: Sequence[_Said], rows: Sequence[tuple[Claim, Row]]) -> Iterator[Claim]:
    line, column = said[0].place
    for claim, row in reversed(rows):
        if claim.line is None or not 0 <= line - claim.line <= MOST_LINES:
            continue
        entries = _pair(said, row)
        if any(e.verdict in BAD for e in entries):
            return
        if entries:
            judged = tuple(map(_finding, said, entries))
            text = ", ".join(each.text for each in said)
            yield Claim(line, column, claim.subject, text, judged, (1, len(judged)))
            return


def _pair(said: Sequence[_Said], row: Row) -> Row:
    """For each percentage the entry that it is, another one for each; or nothing."""
    left, found = list(row), []
    for each in said:
        entry = next((e for e in left if 2 * abs(Fraction(e.printed) - each.value) <= each.unit), None)
        if entry is None:
            return []
        left.remove(entry)
        found.append(entry)
    return found


def _finding(said: _Said, entry: Finding) -> Finding:
    return Finding(1, entry.column, said.text, said.unit, entry.right, "rounded", None, said.span, entry.own)
