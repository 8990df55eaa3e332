"""Formulas as very different authors print them: none of them is called false, and none with an error said to hold.

tests/data/printed_*.md has blocks, divided by =====, each an article of its own that says what its letters mean. A line
that begins with "! " is the line above it with an error in it, one that begins with "~ " is quoted as a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from symattn.checking import Formula, check_article
from symattn.reading.articles import read_article
from tests.sampling import sampled

DATA = Path(__file__).parents[2] / "data"
BLOCKS = [
    (f"{path.stem}, block {number}", block.splitlines())
    for path in sorted(DATA.glob("printed_*.md"))
    for number, block in enumerate(re.split(r"^=====\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE), 1)
]
LEAST_FOUND = 0.4  # of the errors


class Error(NamedTuple):
    """A block with one of its errors: the line in which it stands, from 0, and how that reads without it."""

    name: str
    lines: list[str]
    at: int
    right: str


def errors() -> Iterator[Error]:
    for name, lines in BLOCKS:
        right = [line for line in lines if not line.startswith("! ")]
        at = -1
        for line in lines:
            if line.startswith("! "):
                yield Error(name, [*right[:at], line.removeprefix("! "), *right[at + 1 :]], at, right[at])
            else:
                at += 1


def judged(lines: list[str]) -> tuple[Formula, ...]:
    text = "\n".join(line.removeprefix("~ ") for line in lines)
    return check_article(read_article("a.md", text + "\n")).formulas


@pytest.mark.slow
def test_no_right_formula_is_called_false():
    alarms = []
    for name, lines in sampled(BLOCKS, 9):
        right = [line for line in lines if not line.startswith("! ")]
        alarms += [(name, each.line, each.text) for each in judged(right) if each.verdict == "fails"]
    assert not alarms


@pytest.mark.slow
def test_no_formula_with_an_error_holds():
    proofs, found = [], 0
    cases = sampled(errors(), 9)
    for name, lines, at, right in cases:
        own = [each for each in judged(lines) if each.line == at + 1]
        found += any(each.verdict == "fails" for each in own)
        proofs += [(name, each.text) for each in own if each.verdict == "holds" and each.text not in right]
    assert not proofs
    assert found >= LEAST_FOUND * len(cases)


@pytest.mark.slow
def test_no_quoted_mistake_holds():
    quoted = [(name, line) for name, lines in BLOCKS for line in lines if line.startswith("~ ")]
    assert len(quoted) > 5
    for name, line in quoted:
        assert not [each.text for each in judged([line]) if each.verdict in ("holds", "fails")], name
