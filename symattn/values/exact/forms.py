"""Averages by exponentials, which softmax makes of known scores, and sums of them, in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import sympy
from sympy import QQ, Expr, S
from sympy.polys.matrices import DomainMatrix

from symattn.values.exact.closed_form import Form
from symattn.values.exact.exponents import Entry, Exponents, Numerator
from symattn.values.exact.surd_matrices import SurdMatrix
from symattn.values.exact.surds import ONE, ZERO, Surd, total


@dataclass(frozen=True)
class ExponentialRows(Form):
    """Row i is (Σ_j e^{l_ij} R_j) / (Σ_j e^{l_ij}), or its numerator alone; R is a matrix of Surds, or the identity.

    `filled` has the rows that are 0 or NaN throughout instead, since there was nothing to take a softmax of.
    """

    logits: SurdMatrix
    right: SurdMatrix | None
    normalised: bool
    filled: Mapping[int, Expr] = field(default_factory=dict)
    by_hand = True

    @property
    def shape(self) -> tuple[int, int]:
        return self.logits.shape[0], (self.right or self.logits).shape[1]

    @property
    def parts(self) -> tuple[ExponentialRows, ...]:
        return (self,)

    def entry(self, i: int, k: int) -> Expr:
        if i in self.filled:
            return self.filled[i]
        row = self.exponentials(i)
        if self.right is None:
            above = row[k]
        else:
            above = sympy.Add(*[e * self.coefficient(j, k).to_sympy() for j, e in enumerate(row)])
        return above / sympy.Add(*row) if self.normalised else above

    def closed(self, i: int, k: int) -> Surd | None:
        """The entry if it is a Surd after all: the same average of R over the keys of every logit (else it is none,
        since different exponentials are independent)."""
        if i in self.filled:
            return Surd.read(self.filled[i])
        groups = self.logits.groups(i)
        if self.right is None and len(groups) > 1:
            return ZERO if (i, k) in self.logits.hidden else self._unit(i, k)
        right = self.right
        sums = (
            (x, len(keys), ONE.times(keys.count(k)) if right is None else right.column_sum(keys, k))
            for x, keys in groups
        )
        if not self.normalised:
            return _constant(sums)
        common: Surd | None = None
        for _, count, numerator in sums:
            share = numerator.divide(count)
            if common is not None and share != common:
                return None
            common = share
        return common

    def _unit(self, i: int, k: int) -> Surd | None:
        """e^0 = 1 is the only exponential on its own that is a Surd."""
        return None if self.normalised or (x := self.logits.closed(i, k)) is None or x.terms else ONE

    def coefficient(self, j: int, k: int) -> Surd:
        """What e^{l_ij} is multiplied by in column k."""
        if self.right is None:
            return ONE if j == k else ZERO
        return self.right.closed(j, k) or ZERO

    def exponentials(self, i: int) -> list[Expr]:
        if i not in self._rows:
            self._rows[i] = [S.Zero if x is None else sympy.exp(x.to_sympy()) for x in self.logits.row(i)]
        return self._rows[i]

    @cached_property
    def _rows(self) -> dict[int, list[Expr]]:
        return {}

    def undefined(self, i: int, j: int) -> bool:
        return self.filled.get(i) is S.NaN

    def may_be_rational(self, i: int, j: int) -> bool:
        return False  # exponentials of different exponents are independent

    def as_fractions(self, exponents: Exponents) -> Callable[[int, int], Entry] | None:
        return None if self.filled else lambda i, k: self.fraction(i, k, exponents)

    def fraction(self, i: int, k: int, exponents: Exponents) -> Entry:
        above: Numerator = {}
        counts: dict[int, int] = {}
        for x, keys in self.logits.groups(i):
            number = exponents.number(x)
            counts[number] = len(keys)
            for r, c in total(self.coefficient(j, k) for j in keys).terms:
                above[number, r] = c
        if not above:
            return {}
        if not self.normalised:
            return {(): above}
        if list(counts) == [0]:  # all weights are equal
            return {(): {key: c / counts[0] for key, c in above.items()}}
        return {((exponents.denominator(counts), 1),): above}

    # --- operations

    def matmul(self, other: SurdMatrix) -> ExponentialRows:
        return replace(self, right=other if self.right is None else self.right.matmul(other))

    def add_row(self, row: SurdMatrix) -> ExponentialRows | None:
        """Weights sum to 1, so a row added after the product is a row added to what they weigh."""
        if not self.normalised or self.right is None or self.filled:
            return None
        return replace(self, right=self.right.add_row(row))

    def divide_rows(self, column: ExponentialRows) -> ExponentialRows | None:
        """Exponentials over their own sums."""
        if self.normalised or column.normalised or self.logits != column.logits or not column.is_sum:
            return None
        return ExponentialRows(self.logits, self.right, True)

    @property
    def is_sum(self) -> bool:
        """Whether it is the sum of all exponentials of a row."""
        right = self.right
        return right is not None and all(right.closed(j, 0) == ONE for j in range(right.shape[0]))

    def block(self, rows: range, columns: range) -> ExponentialRows:
        right = placement(self.shape[1], 0, self.shape[1]) if self.right is None else self.right
        whole = self.right is None and len(columns) == self.shape[1]
        return ExponentialRows(
            self.logits.block(rows, range(self.logits.shape[1])),
            None if whole else right.block(range(right.shape[0]), columns),
            self.normalised,
            {i - rows.start: x for i, x in self.filled.items() if i in rows},
        )

    def fill_rows(self, rows: Sequence[int], value: Expr) -> ExponentialRows | None:
        if value != 0 and value is not S.NaN:
            return None
        return replace(self, filled={**self.filled, **dict.fromkeys(rows, value)})


@dataclass(frozen=True)
class RowSums(Form):
    """A sum of averages, each over denominators of its own: heads side by side, and their product with a matrix."""

    parts: tuple[ExponentialRows, ...]

    @property
    def shape(self) -> tuple[int, int]:
        return self.parts[0].shape

    def entry(self, i: int, k: int) -> Expr:
        return sympy.Add(*[part.entry(i, k) for part in self.terms(i, k)])

    def terms(self, i: int, k: int) -> list[ExponentialRows]:
        """The parts that are not 0 in entry (i, k)."""
        return [p for p in self._columns[k] if not p.logits.hidden or _adds(p, i, k)]

    @cached_property
    def _columns(self) -> list[list[ExponentialRows]]:
        """For each column the parts that are not 0 in it."""
        used = [_used_columns(p) for p in self.parts]
        return [[p for p, columns in zip(self.parts, used, strict=True) if k in columns] for k in range(self.shape[1])]

    def closed(self, i: int, k: int) -> Surd | None:
        """The entry if every part of it is a Surd."""
        found = []
        for part in self.terms(i, k):
            closed = part.closed(i, k)
            if closed is None:
                return None
            found.append(closed)
        return total(found)

    def may_be_rational(self, i: int, j: int) -> bool:
        """One part that is no Surd makes none with the others."""
        return sum(part.closed(i, j) is None for part in self.terms(i, j)) > 1

    def as_fractions(self, exponents: Exponents) -> Callable[[int, int], Entry] | None:
        if any(part.filled for part in self.parts):
            return None
        return lambda i, k: exponents.add([part.fraction(i, k, exponents) for part in self.terms(i, k)])

    # --- operations

    def matmul(self, other: SurdMatrix) -> RowSums:
        return RowSums(tuple(part.matmul(other) for part in self.parts))

    def block(self, rows: range, columns: range) -> RowSums:
        return RowSums(tuple(part.block(rows, columns) for part in self.parts))

    @staticmethod
    def add(a: ExponentialRows | RowSums, b: ExponentialRows | RowSums) -> RowSums | None:
        """The sum; None where a row is filled with something else."""
        parts = (*a.parts, *b.parts)
        return None if any(part.filled for part in parts) else RowSums(parts)

    @staticmethod
    def side_by_side(parts: Sequence[ExponentialRows]) -> RowSums:
        """The parts as blocks of columns."""
        width, left, placed = sum(p.shape[1] for p in parts), 0, []
        for part in parts:
            shift = placement(part.shape[1], left, width)
            right = shift if part.right is None else part.right.matmul(shift)
            placed.append(ExponentialRows(part.logits, right, part.normalised))
            left += part.shape[1]
        return RowSums(tuple(placed))


def average_of(value: Form) -> ExponentialRows | None:
    """The value, if it is an average over a denominator for each row."""
    return value if isinstance(value, ExponentialRows) and value.normalised else None


def _used_columns(part: ExponentialRows) -> set[int]:
    if part.right is None:
        return set(range(part.shape[1]))
    return {k for table in part.right.tables.values() for row in table for k, x in enumerate(row) if x}


def _adds(part: ExponentialRows, i: int, k: int) -> bool:
    """Whether column k of a part is not 0 in row i, which hides some keys."""
    return any(part.coefficient(j, k).terms for _, keys in part.logits.groups(i) for j in keys)


def placement(width: int, left: int, whole: int) -> SurdMatrix:
    """What puts a block of columns at its place among all: [0 … I … 0]."""
    rows = [[QQ(int(j == left + i)) for j in range(whole)] for i in range(width)]
    return SurdMatrix({1: DomainMatrix(rows, (width, whole), QQ)}, (width, whole))


def _constant(sums: Iterable[tuple[Surd, int, Surd]]) -> Surd | None:
    """Σ s_x e^x where it is s_0 alone."""
    constant = ZERO
    for x, _, numerator in sums:
        if x.terms and numerator.terms:
            return None
        if not x.terms:
            constant = numerator
    return constant
