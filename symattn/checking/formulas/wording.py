"""What the words around a formula say of it."""

from __future__ import annotations

import re

from symattn.checking.formulas.statements import Statement

_DISOWNED = re.compile(
    r"\b(?:wrong|incorrect|naive|naïve|mistaken?|mistakes|erroneous|typo|buggy|false|invalid"
    r"|instead of|rather than|not)\b"
    r"|❌|✗|✘|错误|有误|错写|误写|不正确|不对|朴素|而不是|而非|잘못|틀린|誤り|間違",
    re.I,
)
_ENDS = re.compile(r"[.。!?！？;；\n](?=\s|$)|\n")


def is_disowned(statement: Statement) -> bool:
    """Whether the text itself calls the formula wrong, naive or what is not meant: in its sentence or on its line."""
    return _disowns(statement.before, statement.after)


def is_disowned_at(source: str, span: tuple[int, int]) -> bool:
    """Whether the text calls wrong what stands at a place in it."""
    return _disowns(source[max(span[0] - 200, 0) : span[0]], source[span[1] : span[1] + 120])


def _disowns(before: str, after: str) -> bool:
    sentence = _ENDS.split(before.rstrip(" \n$*`"))[-1]
    following = _ENDS.split(after.lstrip("$*` "))[0][:80]
    return _DISOWNED.search(sentence[-120:]) is not None or _DISOWNED.search(following) is not None


def near(statement: Statement, pattern: re.Pattern[str], most: int = 300) -> bool:
    """Whether words stand in front of a formula or behind it."""
    return pattern.search(statement.before[-most:]) is not None or pattern.search(statement.after[:most]) is not None


def in_front(statement: Statement, pattern: re.Pattern[str], most: int = 300) -> re.Match[str] | None:
    """The last of such words in front of a formula."""
    found = list(pattern.finditer(statement.before[-most:]))
    return found[-1] if found else None
