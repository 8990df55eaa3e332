"""What every closed form of a value answers, so that nobody need know which one it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from sympy import Expr, ImmutableDenseMatrix

from symattn.values.exact.exponents import Entry, Exponents
from symattn.values.exact.surds import Surd


class Form(ABC):
    """A matrix of exact numbers, −∞ and NaN; entries are counted from 0."""

    is_written = True  # whether the entries have a closed form, or their digits alone are known
    is_cheap = True  # whether it takes no time to see which entries are sums of roots
    by_hand = False  # whether a reader can work out an entry from the page: a sum of roots, or one average

    if TYPE_CHECKING:  # a field of some forms, a property of others

        @property
        def shape(self) -> tuple[int, int]: ...

    @property
    def hidden(self) -> frozenset[tuple[int, int]]:
        """The entries that are −∞."""
        return frozenset()

    @abstractmethod
    def entry(self, i: int, j: int) -> Expr:
        """Entry (i, j) as SymPy has it."""

    @abstractmethod
    def closed(self, i: int, j: int) -> Surd | None:
        """Entry (i, j) as a sum of roots, if it is one; None for −∞ and NaN too."""

    @abstractmethod
    def block(self, rows: range, columns: range) -> Form:
        """Some of the rows and columns."""

    def undefined(self, i: int, j: int) -> bool:
        """Whether entry (i, j) is NaN, as `empty_row` may ask for."""
        return False

    def entry_is_closed(self, i: int, j: int) -> bool:
        """Whether entry (i, j) is a sum of roots, −∞ or NaN."""
        return self.closed(i, j) is not None or (i, j) in self.hidden or self.undefined(i, j)

    @cached_property
    def is_closed(self) -> bool:
        """Whether every entry is."""
        rows, columns = self.shape
        return all(self.entry_is_closed(i, j) for i in range(rows) for j in range(columns))

    def may_be_rational(self, i: int, j: int) -> bool:
        """Whether entry (i, j), of which `closed` knows nothing, may be rational after all."""
        return True

    def integers(self) -> list[list[int]] | None:
        """The entries, if all are seen to be integers."""
        return None

    def row_max(self) -> list[Surd | None]:
        """The largest entry of each row, where it is known as a sum of roots."""
        return [None] * self.shape[0]

    def empty_rows(self) -> list[int]:
        """The rows in which everything is −∞."""
        rows, columns = self.shape
        if len(self.hidden) < columns:
            return []
        return [i for i in range(rows) if all((i, j) in self.hidden for j in range(columns))]

    def is_long(self, room: int) -> bool:
        """Whether an entry of the first row surely takes more letters than there is room for, without writing it."""
        return False

    def as_fractions(self, exponents: Exponents) -> Callable[[int, int], Entry] | None:
        """What makes each entry as a sum of fractions of exponentials; None where it is none, or has −∞ in it."""
        return None

    def to_sympy(self) -> ImmutableDenseMatrix:
        return ImmutableDenseMatrix(*self.shape, lambda i, j: self.entry(int(i), int(j)))
