"""Ratios that are equal to one another, a:b = 2:3: what stands between the colons, b = 2, says nothing of b."""

from __future__ import annotations

from symattn.patterns import regex

_BEFORE = regex(r"(?<![^\W_])\w{1,9}[$ ]?[:∶：] ?\Z")
_BEHIND = regex(r" ?[:∶：] ?\d")
_EQUATION = regex(r"\w{1,9}\s*[=≈]\s*[\d.,]+")
_FAR = 20  # characters


def is_between_colons(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text consists of the inner halves of two ratios.

    >>> is_between_colons("a:b = 2:3", 2, 7), is_between_colons("so: b = 2", 4, 9)
    (True, False)
    """
    if not _BEHIND.match(text, end) or not _EQUATION.fullmatch(text, start, end):
        return False
    return _BEFORE.search(text[max(start - _FAR, 0) : start]) is not None
