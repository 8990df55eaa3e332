"""The closed forms of a value that are no matrix of Surds: averages by exponentials, sums of them, anything else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import sympy
from sympy import QQ, Expr, ImmutableDenseMatrix, S
from sympy.polys.matrices import DomainMatrix

from symattn.values.exact.surds import ONE, Surd, SurdMatrix


@dataclass(frozen=True)
class ExponentialRows:
    """Row i is (Σ_j e^{l_ij} R_j) / (Σ_j e^{l_ij}), or its numerator alone; R is a matrix of Surds, or the identity.

    `filled` has the rows that are 0 or NaN throughout instead, since there was nothing to take a softmax of.
    """

    logits: SurdMatrix
    right: SurdMatrix | None
    normalised: bool
    filled: Mapping[int, Expr] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        return self.logits.shape[0], (self.right or self.logits).shape[1]

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
            return Surd(()) if (i, k) in self.logits.hidden else self._unit(i, k)
        right = self.right
        sums = (
            (x, len(keys), ONE.times(keys.count(k)) if right is None else right.column_sum(keys, k))
            for x, keys in groups
        )
        if not self.normalised:
            return _constant(sums)
        common: Surd | None = None
        for _, count, numerator in sums:
            share = numerator.divided(count)
            if common is not None and share != common:
                return None
            common = share
        return common

    def _unit(self, i: int, k: int) -> Surd | None:
        """e^0 = 1 is the only exponential on its own that is a Surd."""
        return None if self.normalised or (x := self.logits.entry(i, k)) is None or x.terms else ONE

    def coefficient(self, j: int, k: int) -> Surd:
        """What e^{l_ij} is multiplied by in column k."""
        if self.right is None:
            return ONE if j == k else Surd(())
        return self.right.entry(j, k) or Surd(())

    def exponentials(self, i: int) -> list[Expr]:
        if i not in self._rows:
            self._rows[i] = [S.Zero if x is None else sympy.exp(x.to_sympy()) for x in self.logits.row(i)]
        return self._rows[i]

    @cached_property
    def _rows(self) -> dict[int, list[Expr]]:
        return {}

    def to_sympy(self) -> ImmutableDenseMatrix:
        return ImmutableDenseMatrix(*self.shape, lambda i, j: self.entry(int(i), int(j)))


@dataclass(frozen=True)
class RowSums:
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
        total = Surd(())
        for part in self.terms(i, k):
            closed = part.closed(i, k)
            if closed is None:
                return None
            total = total.minus(closed.times(-1))
        return total

    def open_terms(self, i: int, k: int) -> int:
        """How many parts of the entry are no Surds: a single one cannot make a Surd with the others."""
        return sum(part.closed(i, k) is None for part in self.terms(i, k))

    def to_sympy(self) -> ImmutableDenseMatrix:
        return ImmutableDenseMatrix(*self.shape, lambda i, j: self.entry(int(i), int(j)))

    @staticmethod
    def side_by_side(parts: Sequence[ExponentialRows]) -> RowSums:
        """The parts as blocks of columns."""
        width, left, placed = sum(p.shape[1] for p in parts), 0, []
        for part in parts:
            place = placing(part.shape[1], left, width)
            right = place if part.right is None else part.right.matmul(place)
            placed.append(ExponentialRows(part.logits, right, part.normalised))
            left += part.shape[1]
        return RowSums(tuple(placed))


@dataclass(frozen=True)
class Entries:
    """Entries of any kind, as SymPy expressions."""

    matrix: ImmutableDenseMatrix

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.matrix.shape
        return int(rows), int(columns)

    def entry(self, i: int, j: int) -> Expr:
        return self.matrix[i, j]

    def to_sympy(self) -> ImmutableDenseMatrix:
        return self.matrix


def _used_columns(part: ExponentialRows) -> set[int]:
    if part.right is None:
        return set(range(part.shape[1]))
    return {k for table in part.right.tables.values() for row in table for k, x in enumerate(row) if x}


def _adds(part: ExponentialRows, i: int, k: int) -> bool:
    """Whether column k of a part is not 0 in row i, which hides some keys."""
    return any(part.coefficient(j, k).terms for _, keys in part.logits.groups(i) for j in keys)


def placing(width: int, left: int, whole: int) -> SurdMatrix:
    """What puts a block of columns at its place among all: [0 … I … 0]."""
    rows = [[QQ(int(j == left + i)) for j in range(whole)] for i in range(width)]
    return SurdMatrix({1: DomainMatrix(rows, (width, whole), QQ)}, (width, whole))


def _constant(sums: Iterable[tuple[Surd, int, Surd]]) -> Surd | None:
    """Σ s_x e^x where it is s_0 alone."""
    constant = Surd(())
    for x, _, numerator in sums:
        if x.terms and numerator.terms:
            return None
        if not x.terms:
            constant = numerator
    return constant
