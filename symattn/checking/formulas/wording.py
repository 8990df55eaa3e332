"""What the words around a formula say of it."""

from __future__ import annotations

import re

from symattn.checking.formulas.statements import Statement

_DISOWNED = re.compile(
    r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|naive|naïve|mistaken?|mistakes|erroneous|typo|misprint|slip|pitfall|buggy|false|invalid"
    r"|instead of|rather than|not)\b"
    r"|❌|✗|✘|错误|有误|错写|误写|笔误|誤植|不正确|不对|朴素|而不是|而非|잘못|틀린|誤り|間違",
    re.I,
)
_CONVENTION = re.compile(r"\b(?:muP|maximal update)\b|[µμ]P\b", re.I)  # another scale on purpose
_ENDS = re.compile(r"[.。!?！？;；\n](?=\s|$)|\n")


def near(statement: Statement) -> str:
    """The words in front of a formula and behind it."""
    return statement.before + " " + statement.after


def is_disowned(statement: Statement) -> bool:
    """Whether the text itself calls the formula wrong, naive or what is not meant: in its sentence or on its line."""
    return _CONVENTION.search(statement.passage.text) is not None or _disowns(statement.before, statement.after)


def is_disowned_at(source: str, span: tuple[int, int]) -> bool:
    """Whether the text calls wrong what stands at a place in it."""
    return _disowns(source[max(span[0] - 200, 0) : span[0]], source[span[1] : span[1] + 120])


def _disowns(before: str, after: str) -> bool:
    if _CONVENTION.search(before[-120:] + " " + after[:120]):
        return True
    sentence = _ENDS.split(before.rstrip(" \n$*`"))[-1]
    following = _ENDS.split(after.lstrip("$*` "))[0][:80]
    return _DISOWNED.search(sentence[-120:]) is not None or _DISOWNED.search(following) is not None
