"""Mistakes with a name: another formula under which all the printed numbers are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symattn.checking.findings import Reading
from symattn.checking.judging import Definition, Judgement, Place, Printed
from symattn.checking.memory import Memory


def find_reading(
    printed: Printed, found: Mapping[Place, Judgement], definitions: Sequence[Definition], memory: Memory
) -> Reading | None:
    """The reading that explains a claim with wrong entries, if one of those known does."""
    return None
