"""Somebody else's words on a terminal: control characters steer it, and a line without end buries what it says."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from symattn.patterns import regex

_STEERING = regex(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LONGEST = 1000  # characters of a line of complaint


def visible(text: str) -> str:
    """Without control characters, and on one line.

    >>> visible("a\\x1b[2J\\nb")
    'a�[2J b'
    """
    return "".join(c if c.isprintable() else " " if c.isspace() else "�" for c in text)


def harmless(text: str) -> str:
    """Without what steers a terminal or turns the order of a line about; its lines and spaces are as they were.

    >>> harmless("a\\x1b[2J\\tb\\u202e")
    'a�[2J\\tb�'
    """
    return _STEERING.sub("�", text)


def one_line(text: str, most: int = LONGEST) -> str:
    """A text on one visible line of bounded length: what is too long loses its middle.

    >>> one_line("a\\n  b\\x07"), one_line("x" * 50 + ": no such file", 30)
    ('a b�', 'xxxxxxxxxxxxxxx…: no such file')
    """
    line = " ".join(visible(text).split())
    if len(line) <= most:
        return line
    return line[: most // 2] + "…" + line[len(line) - (most - most // 2 - 1) :]


def clip(text: str, most: int = 60) -> str:
    """The beginning of a name or a text, on one visible line.

    >>> clip("a" * 9, 5)
    'aaaa…'
    """
    line = " ".join(visible(text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def columns(text: str) -> int:
    """How many columns a text takes, of a terminal or of digits: two for a Chinese character, none for a mark over one.

    >>> columns("ab"), columns("注意")
    (2, 4)
    """
    return len(text) if text.isascii() else sum(map(_columns, text))


@lru_cache(maxsize=4096)  # a page has few characters, each many times
def _columns(c: str) -> int:
    return 0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1


def shorten(name: str, most: int) -> str:
    """A token's name beside its row or column, cut where it takes more columns than that.

    >>> shorten("attention", 6), shorten("注意力机制", 6)
    ('atten…', '注意…')
    """
    if columns(name) <= most:
        return name
    kept = 0
    while kept < len(name) and columns(name[: kept + 1]) < most:
        kept += 1
    return f"{name[:kept]}…"
