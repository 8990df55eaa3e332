"""Programs copied from pages that number their lines, with the numbers left in front of the code."""

from __future__ import annotations

import re

from symattn.patterns import regex

_NUMBERED = regex(r"[ \t]*(\d{1,3})(?![\d.,:;)\]}%°/*^+×·-])([A-Za-z_#@]\w*(?:[\[(])?)?")
_ORDINAL = regex(r"st|nd|rd|th")
_UNIT = 3  # letters of a word that is a unit or a name if it stands on every line, 1k / 2k or 1D / 2D


def without_line_numbers(source: str) -> str:
    r"""The text with spaces for numbers 1, 2, 3, ... that stand before neighbouring lines of a program.

    Some of them have to touch a word, which differs from line to line: `1D` above `2D` counts dimensions.

    >>> without_line_numbers("1S = Q @ K^T\n2  = [[1, 0]]\n3sum = 1")
    ' S = Q @ K^T\n   = [[1, 0]]\n sum = 1'
    >>> without_line_numbers("1k = 1000\n2k = 2000")
    '1k = 1000\n2k = 2000'
    """
    lines = source.split("\n")
    at = 0
    while at < len(lines):
        found = _run(lines, at)
        if _are_line_numbers(found):
            for k, match in enumerate(found):
                start, end = match.span(1)
                line = lines[at + k]
                lines[at + k] = line[:start] + " " * (end - start) + line[end:]
        at += max(len(found), 1)
    return "\n".join(lines)


def _run(lines: list[str], start: int) -> list[re.Match[str]]:
    """The lines from one on that begin with 1, 2, 3, ..."""
    found: list[re.Match[str]] = []
    for k in range(start, len(lines)):  # no slice of the lines left, which for every line would be quadratic
        match = _NUMBERED.match(lines[k])
        if match is None or match[1] != str(len(found) + 1):
            break
        found.append(match)
    return found


def _are_line_numbers(found: list[re.Match[str]]) -> bool:
    words = [match[2] for match in found if match[2]]
    if len(found) < 2 or not words or any(_ORDINAL.fullmatch(word) for word in words):
        return False
    alike = len(set(words)) == 1 and len(words) > 1
    return not (alike and len(words[0]) <= _UNIT)
