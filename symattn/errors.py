"""Whose fault it is: the input's, or that of something symattn does not support.

An error carries a message (a string, or a `prose.Sentence` that can be said in each language) and the place
it speaks of. No traceback of one of these reaches a user of the command line.
"""

from __future__ import annotations

from collections.abc import Iterable

from symattn.writing.prose import Sentence

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    from typing import Any


class SymattnError(Exception):
    """What symattn raises on purpose; `place` says where ("inputs.X, row 2", "sheet.toml:3:7", ...).

    >>> str(InputError("3 is no row", place="inputs.X"))
    'inputs.X: 3 is no row'
    """

    def __init__(self, message: object, *, place: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: str) -> str:
        """What `str` says, in a language."""
        message = self.message.text(language) if isinstance(self.message, Sentence) else str(self.message)
        return f"{self.place}: {message}" if self.place else message

    def at(self, place: str) -> SymattnError:
        """The same error, seen from further out: `place` goes in front."""
        self.place = f"{place}: {self.place}" if self.place else place
        return self


class InputError(SymattnError, ValueError):
    """The input cannot be used: the message says what would be right."""


class ShapeError(InputError):
    """Two sizes that must agree do not: the message names both."""


class FormulaError(InputError):
    """A formula was not understood, from character `start` to `end` of its text."""

    def __init__(self, message: object, start: int, end: int) -> None:
        super().__init__(message)
        self.start, self.end = start, end


class NotSupportedError(SymattnError):
    """The input is sound, but symattn does not do this (yet): the message says what it does instead."""


def choice(name: str, given: Any, known: Iterable[Any], *, place: str = "") -> Any:
    """What was given, if it is one of what is known; raises InputError naming these.

    True and 1 are not taken for each other.

    >>> choice("style", "fast", ("fast", "plain"))
    'fast'
    >>> choice("first_index", True, (1, 0))
    Traceback (most recent call last):
    symattn.errors.InputError: "true" is no first_index; choose one of 1, 0
    """
    known = tuple(known)
    if any(isinstance(given, type(k)) and isinstance(given, bool) is isinstance(k, bool) and given == k for k in known):
        return given
    said, *listed = (str(x).lower() if isinstance(x, bool) else str(x) for x in (given, *known))
    raise InputError(Sentence("unknown_choice", name=name, given=said[:40], known=", ".join(listed)), place=place)
