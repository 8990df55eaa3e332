"""Somebody else's words on a terminal: control characters steer it, and a line without end buries what it says."""

from __future__ import annotations

LONGEST = 1000  # characters of a line of complaint


def visible(text: str) -> str:
    """Without control characters, and on one line.

    >>> visible("a\\x1b[2J\\nb")
    'a�[2J b'
    """
    return "".join(c if c.isprintable() else " " if c.isspace() else "�" for c in text)


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
