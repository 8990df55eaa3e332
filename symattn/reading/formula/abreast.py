"""Calculations set apart by commas whose results are, too: `-(1 · log(0.5)), -(2 · log(0.25)) = 0.693, 2.773`."""

from __future__ import annotations

from itertools import pairwise

from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading.formula.parser import parse
from symattn.reading.formula.tree import Chain

_RELATION = regex(r"=|≈|\\approx(?![A-Za-z])")
_BETWEEN = regex(r",(?=\s)")
_WORKED = regex(r"(?=.*\d.*[-−+*·×/].*\d)(?:[\s\d.()\-−+*·×/^]|\b(?:log|ln|exp|sqrt)(?=\())+")
_NUMBER = regex(r"\s*[-−+]?\d+(?:\.\d+)?[\s.]*")
Span = tuple[int, int]


def parse_abreast(text: str) -> tuple[Chain, ...]:
    """A chain for each of the calculations, at its place in the text; none where these are not as many as results."""
    edges = [(0, 0), *(found.span() for found in _RELATION.finditer(text)), (len(text), len(text))]
    sides = [(stop, start) for (_, stop), (start, _) in pairwise(edges) if text[stop:start].strip()]
    rows = [_items(text, *side) for side in sides]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return ()
    if not all(_WORKED.fullmatch(text[i:j]) for i, j in rows[0]):
        return ()
    if not all(_NUMBER.fullmatch(text[i:j]) for row in rows[1:] for i, j in row):
        return ()
    begin = rows[0][0][0]
    try:
        read = [parse(_alone(text, begin, [row[k] for row in rows])) for k in range(len(rows[0]))]
    except FormulaError:
        return ()
    return tuple(chain for chains in read for chain in chains)


def _items(text: str, start: int, stop: int) -> list[Span]:
    """What stands between the commas of a side that are in no brackets."""
    commas = [
        found.start()
        for found in _BETWEEN.finditer(text, start, stop)
        if text.count("(", start, found.start()) == text.count(")", start, found.start())
    ]
    return list(zip([start, *(at + 1 for at in commas)], [*commas, stop], strict=True))


def _alone(text: str, begin: int, kept: list[Span]) -> str:
    """The text with spaces in place of all but these stretches and the relations between them."""
    shown = [" "] * len(text)
    for start, stop in [*kept, *(found.span() for found in _RELATION.finditer(text, begin))]:
        shown[start:stop] = text[start:stop]
    return "".join(shown)
