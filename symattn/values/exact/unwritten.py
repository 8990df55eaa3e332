"""Values whose closed form would be too long for anyone to read: their digits come from enclosures alone.

What a second layer makes of the first is sums of functions of sums of functions, thousands of terms for each entry. It
has no shorter form, so that nothing is written down of it but its shape, what a mask hides, and which entries are known
to be the same number: 0, 1, or whatever went in. So x − 1·x is 0 (the first row of a causal softmax, which has one
weight), which no enclosure could show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from sympy import Expr, Lambda, S

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import Keep
from symattn.values.exact.closed_form import Form
from symattn.values.exact.surds import MINUS_ONE, ONE, ZERO, Surd
from symattn.writing.prose import Sentence

Places = frozenset[tuple[int, int]]
_FRESH = count(2)  # numbers that nothing is known of; −k is the opposite of number k, 0 and 1 are themselves
_CLOSED = {0: ZERO, 1: ONE, -1: MINUS_ONE}
Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Unwritten(Form):
    """A matrix of numbers that are not written down; those at `hidden` are −∞. `same` names each number."""

    shape: tuple[int, int]
    hidden: Places = frozenset()
    same: Rows = field(default=(), compare=False)
    is_written = False

    def __post_init__(self) -> None:
        if not self.same:
            rows, columns = self.shape
            object.__setattr__(self, "same", tuple(tuple(next(_FRESH) for _ in range(columns)) for _ in range(rows)))

    @staticmethod
    def of(a: Form) -> Unwritten:
        """A value without its closed form."""
        if isinstance(a, Unwritten):
            return a
        rows, columns = a.shape
        known = [[a.closed(i, j) for j in range(columns)] for i in range(rows)] if a.is_cheap else []
        same = tuple(tuple(_number_of(surd) for surd in row) for row in known)
        return Unwritten(a.shape, a.hidden, same)

    def entry(self, i: int, j: int) -> Expr:
        raise NotSupportedError(Sentence("closed_form_too_long"))

    def closed(self, i: int, j: int) -> Surd | None:
        return None if (i, j) in self.hidden else _CLOSED.get(self.same[i][j])

    def may_be_rational(self, i: int, j: int) -> bool:
        """It may, but nothing here could prove it."""
        return False

    def is_long(self, room: int) -> bool:
        return True

    # --- operations, as of Entries

    def transpose(self) -> Unwritten:
        turned = tuple(zip(*self.same, strict=True))
        return Unwritten(self.shape[::-1], frozenset((j, i) for i, j in self.hidden), turned)

    def matmul(self, other: Unwritten) -> Unwritten:
        columns = tuple(zip(*other.finite().same, strict=True))
        same = tuple(tuple(_dot(row, column) for column in columns) for row in self.finite().same)
        return Unwritten((self.shape[0], other.shape[1]), same=same)

    def add(self, other: Unwritten) -> Unwritten:
        return self._each(lambda x, i, j: _sum(x, other.same[i][j]), self.hidden | other.hidden)

    def times(self, other: Unwritten) -> Unwritten:
        return self.finite()._each(lambda x, i, j: _product(x, other.same[i][j]), other.finite().hidden)

    def scale(self, factor: Expr) -> Unwritten:
        by = {S.One: 1, S.NegativeOne: -1, S.Zero: 0}.get(factor)
        checked = self if factor.is_positive else self.finite()
        return checked._each(lambda x, _i, _j: _product(x, next(_FRESH) if by is None else by), self.hidden)

    def add_row(self, row: Unwritten) -> Unwritten:
        return self._each(lambda x, _, j: _sum(x, row.same[0][j]), self.hidden)

    def subtract_column(self, column: Unwritten) -> Unwritten:
        return self._each(lambda x, i, _: _sum(x, -column.same[i][0]), self.hidden)

    def divide_rows(self, column: Unwritten) -> Unwritten:
        return self._each(lambda x, i, _: x if column.same[i][0] == 1 else _product(x, next(_FRESH)), self.hidden)

    def exp(self) -> Unwritten:
        none = frozenset[tuple[int, int]]()
        return self._each(lambda x, i, j: 0 if (i, j) in self.hidden else 1 if x == 0 else next(_FRESH), none)

    def tanh(self) -> Unwritten:
        return self.finite()._each(lambda x, _i, _j: _product(x, next(_FRESH)), self.hidden)

    def largest(self) -> Unwritten:
        return Unwritten((self.shape[0], 1), frozenset((i, 0) for i in self.empty_rows()))

    def softmax(self) -> Unwritten:
        """What is hidden has weight 0, what is alone in its row weight 1."""
        for i in self.empty_rows():
            raise InputError(Sentence("empty_row", row=i + 1))
        rows, columns = self.shape
        seen = [sum((i, j) not in self.hidden for j in range(columns)) for i in range(rows)]
        none = frozenset[tuple[int, int]]()
        return self._each(lambda _, i, j: 0 if (i, j) in self.hidden else 1 if seen[i] == 1 else next(_FRESH), none)

    def hide(self, keep: Keep) -> Unwritten:
        rows, columns = self.shape
        more = frozenset((i, j) for i in range(rows) for j in range(columns) if not keep(i, j))
        return Unwritten(self.shape, self.hidden | more, self.same)

    def each(self, formula: Lambda) -> Unwritten:
        """Where a formula is −∞ whatever the number, it hides; of what is hidden it is taken as it is of −∞."""
        z, *_ = formula.variables
        if not self.hidden and not formula.expr.has(S.NegativeInfinity):
            return Unwritten(self.shape)
        rows, columns = self.shape
        places = ((i, j) for i in range(rows) for j in range(columns))
        found = {(i, j): formula(S.NegativeInfinity if (i, j) in self.hidden else z, i, j) for i, j in places}
        return Unwritten(self.shape, frozenset(at for at, x in found.items() if x is S.NegativeInfinity))

    def fill_rows(self, rows: Sequence[int], value: Expr) -> Unwritten:
        number = 0 if value == 0 else next(_FRESH)
        hidden = frozenset((i, j) for i, j in self.hidden if i not in rows)
        return self._each(lambda x, i, _: number if i in rows else x, hidden)

    def block(self, rows: range, columns: range) -> Unwritten:
        hidden = frozenset((i - rows.start, j - columns.start) for i, j in self.hidden if i in rows and j in columns)
        same = tuple(self.same[i][columns.start : columns.stop] for i in rows)
        return Unwritten((len(rows), len(columns)), hidden, same)

    @staticmethod
    def side_by_side(values: Sequence[Unwritten]) -> Unwritten:
        """The values as blocks of columns."""
        hidden: set[tuple[int, int]] = set()
        left = 0
        for part in values:
            hidden |= {(i, left + j) for i, j in part.hidden}
            left += part.shape[1]
        rows = range(values[0].shape[0])
        return Unwritten(
            (len(rows), left), frozenset(hidden), tuple(sum((v.same[i] for v in values), ()) for i in rows)
        )

    def finite(self) -> Unwritten:
        """The matrix, which must have no −∞: a product with it, or a multiple by 0 or less, means nothing."""
        if self.hidden:
            i, j = min(self.hidden)
            raise InputError(Sentence("minus_infinity_here", row=i + 1, column=j + 1))
        return self

    def _each(self, change: Callable[[int, int, int], int], hidden: Places) -> Unwritten:
        same = tuple(tuple(change(x, i, j) for j, x in enumerate(row)) for i, row in enumerate(self.same))
        return Unwritten(self.shape, hidden, same)


def _number_of(surd: Surd | None) -> int:
    known = [number for number, closed in _CLOSED.items() if surd == closed]
    return known[0] if known else next(_FRESH)


def _sum(x: int, y: int) -> int:
    """x + 0 is x, x − x is 0; of other sums nothing is known.

    >>> _sum(7, 0), _sum(7, -7), _sum(7, 8) not in (0, 7, 8)
    (7, 0, True)
    """
    return x or y if not x or not y else 0 if x == -y else next(_FRESH)


def _product(x: int, y: int) -> int:
    """x·0 is 0, x·1 is x, x·(−1) is −x."""
    if not x or not y:
        return 0
    return x * y if abs(x) == 1 or abs(y) == 1 else next(_FRESH)


def _dot(row: Sequence[int], column: Sequence[int]) -> int:
    total = 0
    for x, y in zip(row, column, strict=True):
        if x and y:
            total = _sum(total, _product(x, y))
    return total
