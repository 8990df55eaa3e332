"""Whose fault it is: the input's, or that of something symattn does not support.

An error carries a message (a string, or a `prose.Sentence` that can be said in each language) and the place
it speaks of. No traceback of one of these reaches a user of the command line.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    from typing import Protocol

    class Said(Protocol):
        """A `prose.Sentence`, of which this module needs only that it can be said."""

        def text(self, language: str) -> str: ...


class SymattnError(Exception):
    """What symattn raises on purpose; `place` says where ("inputs.X, row 2", "sheet.toml:3:7", ...).

    `within` is the end of the place that is another in each language: the row and the column.

    >>> str(InputError("3 is no row", place="inputs.X"))
    'inputs.X: 3 is no row'
    """

    def __init__(self, message: str | Said, *, place: str = "", within: Said | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.outer, self.within = place, within

    @property
    def place(self) -> str:
        """Where, in English."""
        return self._place("en")

    @place.setter
    def place(self, place: str) -> None:
        self.outer, self.within = place, None

    def _place(self, language: str) -> str:
        within = "" if self.within is None else self.within.text(language)
        return f"{self.outer}, {within}" if self.outer and within else self.outer or within

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: str) -> str:
        """What `str` says, in a language."""
        message = self.message if isinstance(self.message, str) else self.message.text(language)
        place = self._place(language)
        return f"{place}: {message}" if place else message

    def at(self, place: str) -> SymattnError:
        """The same error, seen from further out: `place` goes in front."""
        self.outer = f"{place}: {self.outer}" if self.outer else place
        return self


class Placed:
    """Puts a place in front of that of an error which is raised inside; or only before one that has none.

    >>> with Placed("inputs.X"):
    ...     raise InputError("3 is no row", place="row 2")
    Traceback (most recent call last):
        ...
    symattn.errors.InputError: inputs.X: row 2: 3 is no row
    """

    def __init__(self, place: str, *, only_unplaced: bool = False) -> None:
        self.place, self.only_unplaced = place, only_unplaced

    def __enter__(self) -> None:
        """Nothing is done before."""

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if isinstance(error, SymattnError) and not (self.only_unplaced and error.place):
            error.at(self.place)


class InputError(SymattnError, ValueError):
    """The input cannot be used: the message says what would be right.

    >>> isinstance(InputError("0 is no size"), ValueError)
    True
    """


class ShapeError(InputError):
    """Two sizes that must agree do not: the message names both.

    >>> isinstance(ShapeError("columns(Q) = 2, rows(K) = 3"), InputError)
    True
    """


class FormulaError(InputError):
    """A formula was not understood, from character `start` to `end` of its text.

    >>> FormulaError("a bracket is not closed", 3, 4).start
    3
    """

    def __init__(self, message: str | Said, start: int, end: int) -> None:
        super().__init__(message)
        self.start, self.end = start, end


class NotSupportedError(SymattnError):
    """The input is sound, but symattn does not do this (yet): the message says what it does instead.

    >>> str(NotSupportedError("no gradient of dropout").at("step weights"))
    'step weights: no gradient of dropout'
    """
