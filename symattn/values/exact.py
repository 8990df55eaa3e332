"""Exact values: every step in closed form, nothing rounded and nothing simplified.

Four forms, the cheapest that holds the value: a matrix of Surds; rows of exponentials over one denominator each
(what softmax makes, and what comes of it by products with known matrices) and sums of such; else plain SymPy entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import QQ, Expr, ImmutableDenseMatrix, S
from sympy.polys.matrices import DomainMatrix

from symattn.errors import InputError
from symattn.nodes import Keep
from symattn.prose import Sentence
from symattn.values.surds import ONE, Surd, SurdMatrix, surd_column


@dataclass(frozen=True)
class ExponentialRows:
    """Row i is (Σ_j e^{l_ij} R_j) / (Σ_j e^{l_ij}), or its numerator alone; R is a matrix of Surds, or the identity."""

    logits: SurdMatrix
    right: SurdMatrix | None
    normalised: bool

    @property
    def shape(self) -> tuple[int, int]:
        return self.logits.shape[0], (self.right or self.logits).shape[1]

    def entry(self, i: int, k: int) -> Expr:
        row = self.exponentials(i)
        if self.right is None:
            above = row[k]
        else:
            above = sympy.Add(*[e * self.coefficient(j, k).to_sympy() for j, e in enumerate(row)])
        return above / sympy.Add(*row) if self.normalised else above

    def closed(self, i: int, k: int) -> Surd | None:
        """The entry if it is a Surd after all: the same average of R over the keys of every logit (else it is none,
        since different exponentials are independent)."""
        groups = self.groups(i)
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

    def groups(self, i: int) -> list[tuple[Surd, list[int]]]:
        """The keys of row i that share a logit; hidden ones are left out."""
        if i not in self._groups:
            groups: dict[Surd, list[int]] = {}
            for j, x in enumerate(self.logits.row(i)):
                if x is not None:
                    groups.setdefault(x, []).append(j)
            self._groups[i] = list(groups.items())
        return self._groups[i]

    @cached_property
    def _groups(self) -> dict[int, list[tuple[Surd, list[int]]]]:
        return {}

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

    def to_sympy(self) -> ImmutableDenseMatrix:
        return ImmutableDenseMatrix(*self.shape, lambda i, j: self.entry(int(i), int(j)))

    @staticmethod
    def side_by_side(parts: Sequence[ExponentialRows]) -> RowSums:
        """The parts as blocks of columns."""
        width, left, placed = sum(p.shape[1] for p in parts), 0, []
        for part in parts:
            place = _placing(part.shape[1], left, width)
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


Exact = SurdMatrix | ExponentialRows | RowSums | Entries


class ExactNumbers:
    """The operations of the nodes on exact matrices."""

    def given(self, rows: Sequence[Sequence[Expr]]) -> Exact:
        return SurdMatrix.read(rows) or Entries(ImmutableDenseMatrix(rows))

    def transpose(self, a: Exact) -> Exact:
        return a.transpose() if isinstance(a, SurdMatrix) else Entries(a.to_sympy().T)

    def matmul(self, a: Exact, b: Exact) -> Exact:
        if isinstance(b, SurdMatrix) and not b.hidden:
            if isinstance(a, SurdMatrix) and not a.hidden:
                return a.matmul(b)
            if isinstance(a, ExponentialRows):
                return _times(a, b)
            if isinstance(a, RowSums):
                return RowSums(tuple(_times(part, b) for part in a.parts))
        return _entries(_finite(a) * _finite(b))

    def add(self, a: Exact, b: Exact) -> Exact:
        if isinstance(a, SurdMatrix) and isinstance(b, SurdMatrix):
            return a.add(b)
        if isinstance(a, ExponentialRows | RowSums) and isinstance(b, ExponentialRows | RowSums):
            return RowSums(_parts(a) + _parts(b))
        return _entries(a.to_sympy() + b.to_sympy())

    def scale(self, a: Exact, factor: Expr) -> Exact:
        surd = Surd.read(factor)
        if isinstance(a, SurdMatrix) and surd is not None and (not a.hidden or surd.sign() > 0):
            return a.scale(surd)
        return _entries((a.to_sympy() if factor.is_positive else _finite(a)) * factor)

    def add_row(self, a: Exact, row: Exact) -> Exact:
        if isinstance(row, SurdMatrix):
            if isinstance(a, SurdMatrix):
                return a.add(_repeated_rows(row, a.shape[0]))
            if isinstance(a, ExponentialRows) and a.normalised and a.right is not None:
                # weights sum to 1, so a row added after the product is a row added to what they weigh
                return ExponentialRows(a.logits, a.right.add(_repeated_rows(row, a.right.shape[0])), True)
        matrix, added = a.to_sympy(), row.to_sympy()
        return _entries(ImmutableDenseMatrix(*matrix.shape, lambda i, j: matrix[i, j] + added[0, j]))

    def subtract_column(self, a: Exact, column: Exact) -> Exact:
        if isinstance(a, SurdMatrix) and isinstance(column, SurdMatrix):
            return a.add(_repeated_columns(column.scale(Surd(((1, QQ(-1)),))), a.shape[1]))
        return self._by_row(a, column, lambda x, y: x - y)

    def divide_rows(self, a: Exact, column: Exact) -> Exact:
        if (
            isinstance(a, ExponentialRows)
            and isinstance(column, ExponentialRows)
            and not a.normalised
            and not column.normalised
            and a.logits == column.logits
            and _is_sum(column)
        ):
            return ExponentialRows(a.logits, a.right, True)
        return self._by_row(a, column, lambda x, y: x / y)

    def _by_row(self, a: Exact, column: Exact, combine: Callable[[Expr, Expr], Expr]) -> Exact:
        matrix, by = a.to_sympy(), column.to_sympy()
        return _entries(ImmutableDenseMatrix(*matrix.shape, lambda i, j: combine(matrix[i, j], by[i, 0])))

    def exp(self, a: Exact) -> Exact:
        if isinstance(a, SurdMatrix):
            return ExponentialRows(a, None, False)
        return _entries(a.to_sympy().applyfunc(sympy.exp))

    def tanh(self, a: Exact) -> Exact:
        return _entries(_finite(a).applyfunc(sympy.tanh))

    def row_sum(self, a: Exact) -> Exact:
        ones = DomainMatrix.ones((a.shape[1], 1), QQ)
        return self.matmul(a, SurdMatrix({1: ones}, (a.shape[1], 1)))

    def row_max(self, a: Exact) -> Exact:
        if isinstance(a, SurdMatrix):
            return surd_column(_shown_max(a))
        matrix = a.to_sympy()
        return _entries(ImmutableDenseMatrix([[sympy.Max(*matrix.row(i))] for i in range(matrix.rows)]))

    def hide(self, a: Exact, keep: Keep) -> Exact:
        if isinstance(a, SurdMatrix):
            return a.hide(keep)
        matrix = a.to_sympy()
        shown = ImmutableDenseMatrix(
            *matrix.shape, lambda i, j: matrix[i, j] if keep(int(i), int(j)) else S.NegativeInfinity
        )
        return _entries(shown)

    def keep(self, mask: Exact) -> Keep:
        matrix = mask.to_sympy()
        if any(x not in (0, 1) for x in matrix.flat()):
            raise InputError(Sentence("mask_entries"))
        return lambda i, j: bool(matrix[i, j] == 1)

    def softmax(self, a: Exact) -> Exact:
        if isinstance(a, SurdMatrix):
            # softmax does not change when the row's maximum is subtracted, and reads best so
            top = surd_column(_shown_max(a)).scale(Surd(((1, QQ(-1)),)))
            return ExponentialRows(a.add(_repeated_columns(top, a.shape[1])), None, True)
        matrix = a.to_sympy()
        for i in range(matrix.rows):
            if all(x is S.NegativeInfinity for x in matrix.row(i)):
                raise InputError(Sentence("empty_row", row=i + 1))
        powers = matrix.applyfunc(sympy.exp)
        totals = [sympy.Add(*powers.row(i)) for i in range(powers.rows)]
        return _entries(ImmutableDenseMatrix(*powers.shape, lambda i, j: powers[i, j] / totals[i]))

    def concat(self, parts: Sequence[Exact]) -> Exact:
        if len(parts) == 1:
            return parts[0]
        if all(isinstance(p, ExponentialRows) for p in parts):
            return RowSums.side_by_side([p for p in parts if isinstance(p, ExponentialRows)])
        return self.given(ImmutableDenseMatrix.hstack(*[p.to_sympy() for p in parts]).tolist())


def _times(a: ExponentialRows, b: SurdMatrix) -> ExponentialRows:
    return ExponentialRows(a.logits, b if a.right is None else a.right.matmul(b), a.normalised)


def _used_columns(part: ExponentialRows) -> set[int]:
    if part.right is None:
        return set(range(part.shape[1]))
    return {k for table in part.right.tables.values() for row in table for k, x in enumerate(row) if x}


def _adds(part: ExponentialRows, i: int, k: int) -> bool:
    """Whether column k of a part is not 0 in row i, which hides some keys."""
    return any(part.coefficient(j, k).terms for _, keys in part.groups(i) for j in keys)


def _parts(a: ExponentialRows | RowSums) -> tuple[ExponentialRows, ...]:
    return a.parts if isinstance(a, RowSums) else (a,)


def _placing(width: int, left: int, whole: int) -> SurdMatrix:
    """What puts a block of columns at its place among all: [0 … I … 0]."""
    rows = [[QQ(int(j == left + i)) for j in range(whole)] for i in range(width)]
    return SurdMatrix({1: DomainMatrix(rows, (width, whole), QQ)}, (width, whole))


def _finite(a: Exact) -> ImmutableDenseMatrix:
    """The matrix, which must have no −∞: a product with it, or a multiple by 0 or less, means nothing."""
    matrix = a.to_sympy()
    for i in range(matrix.rows):
        for j in range(matrix.cols):
            if matrix[i, j] is S.NegativeInfinity:
                raise InputError(Sentence("minus_infinity_here", row=i + 1, column=j + 1))
    return matrix


def _entries(matrix: sympy.MatrixBase) -> Exact:
    return Entries(ImmutableDenseMatrix(matrix))


def _shown_max(a: SurdMatrix) -> list[Surd]:
    found = []
    for i, top in enumerate(a.row_max()):
        if top is None:
            raise InputError(Sentence("empty_row", row=i + 1))
        found.append(top)
    return found


def _repeated_rows(row: SurdMatrix, count: int) -> SurdMatrix:
    ones = SurdMatrix({1: DomainMatrix.ones((count, 1), QQ)}, (count, 1))
    spread = ones.matmul(row)
    hidden = frozenset((i, j) for i in range(count) for _, j in row.hidden)
    return SurdMatrix(spread.parts, spread.shape, hidden)


def _repeated_columns(column: SurdMatrix, count: int) -> SurdMatrix:
    return column.matmul(SurdMatrix({1: DomainMatrix.ones((1, count), QQ)}, (1, count)))


def _constant(sums: Iterable[tuple[Surd, int, Surd]]) -> Surd | None:
    """Σ s_x e^x where it is s_0 alone."""
    constant = Surd(())
    for x, _, numerator in sums:
        if x.terms and numerator.terms:
            return None
        if not x.terms:
            constant = numerator
    return constant


def _is_sum(column: ExponentialRows) -> bool:
    right = column.right
    return right is not None and all(right.entry(j, 0) == ONE for j in range(right.shape[0]))
