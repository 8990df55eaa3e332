"""Numbers that belong together: a list, a row or a column, with the words that say what they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from symattn.checking.recognised.prints import Print, Span


@dataclass(frozen=True)
class Series:
    """Numbers that belong together: a list, a row or a column, and the words that stand before it."""

    numbers: tuple[Print, ...]
    told: str = ""
    column: bool = False
    height: int = 1  # of a matrix, how many rows it has
    around: str = ""  # all of the line that it begins on and the words above
    mended: bool = False  # whether it has right numbers where wrong ones are printed
    addends: Series | None = None  # the numbers that it stands below or behind, as their sum

    @property
    def start(self) -> int:
        return self.numbers[0].span[0]

    @property
    def said(self) -> str:
        """What its own line or column says of it, or else the line above."""
        own = self.told.rpartition("\n")[2]
        return own if any(c.isalpha() for c in own) else self.told

    @cached_property
    def spans(self) -> frozenset[Span]:
        """Where its numbers stand."""
        return frozenset(n.span for n in self.numbers)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.height, len(self.numbers) // self.height

    @cached_property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(n.value for n in self.numbers)

    @cached_property
    def size(self) -> float:
        """The largest of its numbers, without its sign."""
        return max(abs(n.about) for n in self.numbers) or 1.0

    def corrected(self, right: Mapping[Span, Fraction]) -> Series:
        """The same with other numbers in the place of those that are wrong."""
        numbers = (replace(n, value=right.get(n.span, n.value)) for n in self.numbers)
        return replace(self, numbers=tuple(numbers), mended=True)
