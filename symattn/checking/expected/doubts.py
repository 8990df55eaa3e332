"""Reasons not to accuse: what a careful reader sees beside a number that does not fit its formula.

They are asked for only where something would be called wrong. Each gives the sentence that says why it is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from symattn.writing.prose import Sentence

_CLOSING = re.compile(r"(?:[$*_`]|\\[)\]])*")
_UNIT = re.compile(r"[A-Za-zµ°%‰²³千百万萬亿億兆倍천만억]")  # right at the number
_WORD = re.compile(
    r"\s*(?:[kKMGTP]i?B\b|[kKMGTPE]i?(?:FLOP|MAC|OP|[Bb]yte|[Bb]it|Hz|W\b|[Pp]aram|[Tt]oken)|[kKMBGT] [a-z]"
    r"|[µmn]s\b|%|‰|percent|per cent|hundred|thousand|million|billion|trillion|dozen|times\b|bits?\b"
    r"|bytes?\b|degrees?\b|°|pi\b|π|mil\b|millones|millions|milliards?|Millionen|Tausend|Prozent|тысяч|миллион|миллиард"
    r"|процент|[千百万萬亿億兆倍천만억])"
)
_KINDS = (
    r"(?:examples?|exercise|problem|question|quiz|scenario|case|ejemplo|ejercicio|exemple|exercice|exemplo|exercício"
    r"|beispiel|aufgabe|пример|задач|örnek|przykład|zadanie|例题?|例題|示例|案例|练习|習題|习题|题目|예제|예시|문제)"
)
_EXAMPLE = re.compile(
    rf"^\s*#{{1,6}}(?![^\n]*(?:step|continu|recap|back to|our example|同じ|继续))[^\n]*(?<![a-z]){_KINDS}(?![a-z])"
    rf"|^[\s>*_/]*{_KINDS}\s*(?:\d|[A-H]\b|[一二三四五①②③]|[*_]*[:：]|[*_.]*\s*$)"
    r"|^[\s/#*]*(?:test(?: case)?|测试?|テスト)\s*\d"
    r"|^[ \t]*(?:[\w:<>*&]+[ \t]+){1,4}test_\w+[ \t]*\(",  # a function that tests states its own inputs
    re.IGNORECASE | re.MULTILINE,
)
_ANOTHER = re.compile(
    r"\b(?:another|a second|a different|a new|a larger|a bigger|a smaller|next) (?:\w+ )?example\b"
    r"|另一个例子|再举|再看一个|換個例子",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"learn|train|updat|random|initial|\bnew\b|\bafter\b|another|epoch|instead|suppose|imagine|\bif\b|\bwere\b|would"
    r"|更新|训练|随机|初始|学习|如果|假设|另|新的|学習|更新|初期|obnov|aktual|neu\b|zufällig|aleatori|después|après|если|новы",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\d+[-–—~]\d+")
MOST_AFTER = 40


def begins_an_example(between: str) -> bool:
    """Whether a worked example begins in a text: a heading or a line that says so, or words such as "another example".

    >>> begins_an_example("## Example 2\\n"), begins_an_example("for example, ")
    (True, False)
    """
    return bool(_EXAMPLE.search(between) or _ANOTHER.search(between))


def unit_after(after: str) -> Sentence | None:
    """Whether a unit or a word that counts follows a number; `after` is what follows it in the file."""
    closed = _CLOSING.match(after.partition("\n")[0])
    rest = after[closed.end() :] if closed is not None else after
    if _WORD.match(rest) or _UNIT.match(rest):
        return Sentence("unit_unread")
    return None


def counts_in(powers: Iterable[int], after: str) -> Sentence | None:
    """Whether a word follows a number that may be the power of ten it is off by, in whatever language: 4.2 ล้าน."""
    closed = _CLOSING.match(after.partition("\n")[0])
    word = _ANY_WORD.match(after, closed.end() if closed is not None else 0)
    return Sentence("unit_unread") if word is not None and any(power > 1 for power in powers) else None


_ANY_WORD = re.compile(r"[ ~]?[^\W\d_]{2}|[ ~]?[^\W\d_a-zA-Z]")


def said_to_change(label: str) -> bool:
    """Whether the words before say that what is printed may differ from what the name stood for."""
    return _CHANGE.search(label) is not None


def is_range(text: str) -> bool:
    """Whether a difference may be from one number to another, as in "pages 10-12".

    >>> is_range("10-12"), is_range("10 - 12")
    (True, False)
    """
    return _RANGE.fullmatch(text) is not None
