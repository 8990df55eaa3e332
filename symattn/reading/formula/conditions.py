"""Conditions in square brackets: c [j > i] is c where that holds, and 0 elsewhere."""

from __future__ import annotations

from symattn.patterns import regex
from symattn.reading.formula.state import Parser

_CONDITION = regex(
    r"\s*(?P<said>[a-z]\s*(?:[<>≤≥]|\\(?:lt|gt|leq?|geq?)(?![a-z]))\s*[a-z](?:\s*[-−+]\s*\d)?)\s*(?:\\right)?\s*"
)


def condition_in(p: Parser, opening: int) -> str | None:
    """What stands in square brackets, if it compares two letters that count rows and columns."""
    if p.tokens[opening].value != "[" or "relation" not in p.layout.inside[opening]:
        return None
    close = p.layout.partner[opening]
    found = _CONDITION.fullmatch(p.text, p.tokens[opening].end, p.tokens[close].start)
    return None if found is None else found["said"]
