"""What a cost is said to be of: the words before it in its clause or sentence, or the head of its row and column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from symattn.patterns import regex

MOST = 200  # characters of a sentence
_RULE = regex(r"[\s|:-]+")
_SENTENCE = regex(r"[.。;；!?！？]\s|[。；！？]|\n\s*\n|\n\s*(?:[-*+•]|\d+[.)])\s")
_CLAUSE = regex(r"[,，、]\s?|\b(?:and|but|while|whereas)\b|而|但")


@dataclass(frozen=True)
class Label:
    """The words of the clause or row itself, those of its sentence, and the head of the column."""

    own: str
    sentence: str
    column: str = ""


def label_of(source: str, start: int) -> Label:
    """What stands in front of a place of the text, or at the head of its row and of its column."""
    line_start = source.rfind("\n", 0, start) + 1
    line = source[line_start : (source + "\n").find("\n", start)]
    if line.lstrip().startswith("|") and line.count("|") > 2:
        cells = _cells(line)
        column = len(_cells(source[line_start:start] + "|")) - 1
        head = _head_above(source[:line_start].split("\n")[:-1])
        return Label(cells[0], cells[0], head[column] if 0 < column < len(head) else "")
    sentence = _SENTENCE.split(source[max(start - MOST, 0) : start])[-1]
    return Label(_CLAUSE.split(sentence)[-1], sentence)


def _cells(line: str) -> Sequence[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))]


def _head_above(lines: Sequence[str]) -> Sequence[str]:
    """The head of the table whose rows these lines end with."""
    rows: list[str] = []
    for line in reversed(lines):
        if "|" not in line:
            break
        rows.append(line)
    return _cells(rows[-1]) if len(rows) > 1 and _RULE.fullmatch(rows[-2]) else []
