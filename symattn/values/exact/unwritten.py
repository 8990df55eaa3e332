"""Values whose closed form would be too long for anyone to read: their digits come from enclosures alone.

What a second layer makes of the first is sums of functions of sums of functions, thousands of terms for each entry. It
has no shorter form, so that nothing is written down of it but its shape and what a mask hides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Expr, Lambda, S

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import Keep
from symattn.values.exact.closed_form import Form, Writer
from symattn.values.exact.surds import Surd
from symattn.writing.document import Cell, Spelled
from symattn.writing.prose import Sentence

Places = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Unwritten(Form):
    """A matrix of numbers that are not written down; those at `hidden` are −∞."""

    shape: tuple[int, int]
    hidden: Places = frozenset()
    is_written = False

    @staticmethod
    def of(a: Form) -> Unwritten:
        """A value without its closed form."""
        return a if isinstance(a, Unwritten) else Unwritten(a.shape, a.hidden)

    def entry(self, i: int, j: int) -> Expr:
        raise NotSupportedError(Sentence("closed_form_too_long"))

    def closed(self, i: int, j: int) -> Surd | None:
        return None

    def may_be_rational(self, i: int, j: int) -> bool:
        """It may, but nothing here could prove it."""
        return False

    def is_long(self, room: int) -> bool:
        return True

    def write(self, i: int, j: int, writer: Writer) -> Cell:
        return Spelled(r"\cdots", "…")

    # --- operations, as of Entries

    def transpose(self) -> Unwritten:
        return Unwritten(self.shape[::-1], frozenset((j, i) for i, j in self.hidden))

    def matmul(self, other: Unwritten) -> Unwritten:
        return Unwritten((self.finite().shape[0], other.finite().shape[1]))

    def add(self, other: Unwritten) -> Unwritten:
        return Unwritten(self.shape, self.hidden | other.hidden)

    def times(self, other: Unwritten) -> Unwritten:
        return Unwritten(self.finite().shape, other.finite().hidden)

    def scale(self, factor: Expr) -> Unwritten:
        return self if factor.is_positive else self.finite()

    def add_row(self, row: Unwritten) -> Unwritten:
        return self

    def subtract_column(self, column: Unwritten) -> Unwritten:
        return self

    def divide_rows(self, column: Unwritten) -> Unwritten:
        return self

    def exp(self) -> Unwritten:
        return Unwritten(self.shape)

    def tanh(self) -> Unwritten:
        return self.finite()

    def largest(self) -> Unwritten:
        return Unwritten((self.shape[0], 1), frozenset((i, 0) for i in self.empty_rows()))

    def softmax(self) -> Unwritten:
        for i in self.empty_rows():
            raise InputError(Sentence("empty_row", row=i + 1))
        return Unwritten(self.shape)

    def hide(self, keep: Keep) -> Unwritten:
        rows, columns = self.shape
        more = frozenset((i, j) for i in range(rows) for j in range(columns) if not keep(i, j))
        return Unwritten(self.shape, self.hidden | more)

    def each(self, formula: Lambda) -> Unwritten:
        """Where a formula is −∞ whatever the number, it hides; of what is hidden it is taken as it is of −∞."""
        z, *_ = formula.variables
        if not self.hidden and not formula.expr.has(S.NegativeInfinity):
            return self
        rows, columns = self.shape
        places = ((i, j) for i in range(rows) for j in range(columns))
        found = {(i, j): formula(S.NegativeInfinity if (i, j) in self.hidden else z, i, j) for i, j in places}
        return Unwritten(self.shape, frozenset(at for at, x in found.items() if x is S.NegativeInfinity))

    def fill_rows(self, rows: Sequence[int], value: Expr) -> Unwritten:
        return Unwritten(self.shape, frozenset((i, j) for i, j in self.hidden if i not in rows))

    def block(self, rows: range, columns: range) -> Unwritten:
        hidden = frozenset((i - rows.start, j - columns.start) for i, j in self.hidden if i in rows and j in columns)
        return Unwritten((len(rows), len(columns)), hidden)

    @staticmethod
    def side_by_side(parts: Sequence[Form]) -> Unwritten:
        """The parts as blocks of columns."""
        hidden: set[tuple[int, int]] = set()
        left = 0
        for part in parts:
            hidden |= {(i, left + j) for i, j in part.hidden}
            left += part.shape[1]
        return Unwritten((parts[0].shape[0], left), frozenset(hidden))

    def finite(self) -> Unwritten:
        """The matrix, which must have no −∞: a product with it, or a multiple by 0 or less, means nothing."""
        if self.hidden:
            i, j = min(self.hidden)
            raise InputError(Sentence("minus_infinity_here", row=i + 1, column=j + 1))
        return self
