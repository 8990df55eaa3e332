"""Matrices of numbers a + b√2 + c√3 + …: one rational `DomainMatrix` for each radicand.

So √2 stays outside, and products are products of rational matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import QQ, Expr
from sympy.polys.matrices import DomainMatrix

from symattn.values.exact.closed_form import Form
from symattn.values.exact.exponents import Entry, Exponents
from symattn.values.exact.surds import MINUS_ONE, ZERO, Surd, product_of_roots, rational_of, total


@dataclass(frozen=True, eq=False)
class SurdMatrix(Form):
    """A matrix of Surds; entries in `hidden` are −∞."""

    by_hand = True
    parts: Mapping[int, DomainMatrix]
    shape: tuple[int, int]
    hidden: frozenset[tuple[int, int]] = frozenset()

    @staticmethod
    def read(rows: Sequence[Sequence[Expr]]) -> SurdMatrix | None:
        """The matrix, or None if an entry is neither a Surd nor −∞."""
        shape, hidden = (len(rows), len(rows[0])), []
        if all(x.is_Rational for row in rows for x in row):
            return SurdMatrix.rational([[rational_of(x) for x in row] for row in rows])
        tables: dict[int, list[list[Any]]] = {}
        for i, row in enumerate(rows):
            for j, x in enumerate(row):
                if x is sympy.S.NegativeInfinity:
                    hidden.append((i, j))
                    continue
                surd = Surd.read(x)
                if surd is None:
                    return None
                for r, c in surd.terms:
                    tables.setdefault(r, [[QQ(0)] * shape[1] for _ in range(shape[0])])[i][j] = c
        parts = {r: DomainMatrix(t, shape, QQ) for r, t in tables.items()}
        return SurdMatrix(parts, shape, frozenset(hidden))

    @staticmethod
    def rational(rows: list[list[Any]]) -> SurdMatrix:
        shape = (len(rows), len(rows[0]))
        return SurdMatrix({1: DomainMatrix(rows, shape, QQ)}, shape)

    @cached_property
    def tables(self) -> dict[int, list[list[Any]]]:
        """The rational coefficients of each radicand, as lists of rows."""
        return {r: part.to_list() for r, part in sorted(self.parts.items())}

    def integers(self) -> list[list[int]] | None:
        """The entries, if all are integers."""
        if self.hidden or set(self.parts) - {1}:
            return None
        if not self.parts:
            return [[0] * self.shape[1] for _ in range(self.shape[0])]
        if any(c.denominator != 1 for row in self.tables[1] for c in row):
            return None
        return [[int(c.numerator) for c in row] for row in self.tables[1]]

    @property
    def is_closed(self) -> bool:
        return True

    def may_be_rational(self, i: int, j: int) -> bool:
        return False  # what is rational, `closed` says

    def entry(self, i: int, j: int) -> Expr:
        surd = self.closed(i, j)
        return sympy.S.NegativeInfinity if surd is None else surd.to_sympy()

    def closed(self, i: int, j: int) -> Surd | None:
        if (i, j) in self.hidden:
            return None
        return Surd(tuple([(r, c) for r, t in self.tables.items() if (c := t[i][j])]))

    def column_sum(self, rows: Sequence[int], j: int) -> Surd:
        """The sum of some entries of column j."""
        if len(self.tables) == 1:
            r, c = self.table_sum(rows, j)
            return Surd(((r, c),)) if c else ZERO
        return total(self.closed(i, j) or ZERO for i in rows)

    def table_sum(self, rows: Sequence[int], j: int) -> tuple[int, Any]:
        """The same of a matrix of no more than one radicand: (r, c) for c√r."""
        for r, table in self.tables.items():
            c = table[rows[0]][j]
            for i in rows[1:]:
                c += table[i][j]
            return r, c
        return 1, 0

    def row(self, i: int) -> list[Surd | None]:
        if i not in self._rows:
            self._rows[i] = [self.closed(i, j) for j in range(self.shape[1])]
        return self._rows[i]

    def groups(self, i: int) -> list[tuple[Surd, list[int]]]:
        """The columns of row i that share an entry; hidden ones are left out."""
        if i not in self._groups:
            groups: dict[Surd, list[int]] = {}
            for j, x in enumerate(self.row(i)):
                if x is not None:
                    groups.setdefault(x, []).append(j)
            self._groups[i] = list(groups.items())
        return self._groups[i]

    @cached_property
    def _rows(self) -> dict[int, list[Surd | None]]:
        return {}

    @cached_property
    def _groups(self) -> dict[int, list[tuple[Surd, list[int]]]]:
        return {}

    def as_fractions(self, exponents: Exponents) -> Callable[[int, int], Entry] | None:
        def entry(i: int, j: int) -> Entry:
            terms = [((0, r), c) for r, t in self.tables.items() if (c := t[i][j])]
            return {(): dict(terms)} if terms else {}

        return None if self.hidden else entry

    def matmul(self, other: SurdMatrix) -> SurdMatrix:
        pairs = self._pairs(other)
        return _collect(((root, a * b) for root, a, b in pairs), (self.shape[0], other.shape[1]))

    def times(self, other: SurdMatrix) -> SurdMatrix:
        """Entry by entry."""
        return _collect(((root, a.mul_elementwise(b)) for root, a, b in self._pairs(other)), self.shape)

    def _pairs(self, other: SurdMatrix) -> Iterable[tuple[tuple[int, Any], DomainMatrix, DomainMatrix]]:
        """The parts of both, with the product of their roots."""
        return ((product_of_roots(r, s), a, b) for r, a in self.parts.items() for s, b in other.parts.items())

    def scale(self, factor: Surd) -> SurdMatrix:
        scaled = ((product_of_roots(r, s), a * c) for r, a in self.parts.items() for s, c in factor.terms)
        return _collect(scaled, self.shape, self.hidden)

    def add(self, other: SurdMatrix) -> SurdMatrix:
        parts = (((r, QQ(1)), a) for m in (self, other) for r, a in m.parts.items())
        return _collect(parts, self.shape, self.hidden | other.hidden)

    def add_row(self, row: SurdMatrix) -> SurdMatrix:
        count = self.shape[0]
        spread = ones(count, 1).matmul(row)
        hidden = frozenset((i, j) for i in range(count) for _, j in row.hidden)
        return self.add(SurdMatrix(spread.parts, spread.shape, hidden))

    def subtract_column(self, column: SurdMatrix) -> SurdMatrix:
        return self.add(column.scale(MINUS_ONE).matmul(ones(1, self.shape[1])))

    def transpose(self) -> SurdMatrix:
        turned = {r: a.transpose() for r, a in self.parts.items()}
        return SurdMatrix(turned, self.shape[::-1], frozenset((j, i) for i, j in self.hidden))

    def block(self, rows: range, columns: range) -> SurdMatrix:
        parts = {r: a.extract(list(rows), list(columns)) for r, a in self.parts.items()}
        hidden = frozenset((i - rows.start, j - columns.start) for i, j in self.hidden if i in rows and j in columns)
        return SurdMatrix(parts, (len(rows), len(columns)), hidden)

    def fill_rows(self, rows: Sequence[int], value: Surd) -> SurdMatrix:
        """Each entry of these rows becomes the value."""
        filled, terms = set(rows), dict(value.terms)
        tables = {r: [list(row) for row in t] for r, t in self.tables.items()}
        for r in terms.keys() - tables.keys():
            tables[r] = [[QQ(0)] * self.shape[1] for _ in range(self.shape[0])]
        for r, table in tables.items():
            for i in filled:
                table[i] = [terms.get(r, QQ(0))] * self.shape[1]
        parts = {r: DomainMatrix(t, self.shape, QQ) for r, t in tables.items()}
        return SurdMatrix(parts, self.shape, frozenset((i, j) for i, j in self.hidden if i not in filled))

    def hide(self, keep: Callable[[int, int], bool]) -> SurdMatrix:
        rows, columns = self.shape
        more = ((i, j) for i in range(rows) for j in range(columns) if not keep(i, j))
        return SurdMatrix(self.parts, self.shape, self.hidden.union(more))

    def row_max(self) -> list[Surd | None]:
        if len(self.parts) == 1:  # one radicand: the coefficients alone decide
            (r, table), *_ = self.tables.items()
            largest: list[Surd | None] = []
            for i, row in enumerate(table):
                seen = [c for j, c in enumerate(row) if (i, j) not in self.hidden] if self.hidden else row
                top = max(seen, default=None)
                largest.append(None if top is None else Surd(((r, top),) if top else ()))
            return largest
        return [_largest(self.row(i)) for i in range(self.shape[0])]


def surd_column(column: Iterable[Surd]) -> SurdMatrix:
    """A column of Surds as a matrix."""
    rows = list(column)
    radicands = sorted({r for x in rows for r, _ in x.terms})
    shape = (len(rows), 1)
    tables = {r: [[dict(x.terms).get(r, QQ(0))] for x in rows] for r in radicands}
    return SurdMatrix({r: DomainMatrix(t, shape, QQ) for r, t in tables.items()}, shape)


def ones(rows: int, columns: int) -> SurdMatrix:
    return SurdMatrix({1: DomainMatrix.ones((rows, columns), QQ)}, (rows, columns))


def _largest(row: Sequence[Surd | None]) -> Surd | None:
    top: Surd | None = None
    for x in row:
        if x is not None and (top is None or x.minus(top).sign() > 0):
            top = x
    return top


def _collect(
    terms: Iterable[tuple[tuple[int, Any], DomainMatrix]],
    shape: tuple[int, int],
    hidden: frozenset[tuple[int, int]] = frozenset(),
) -> SurdMatrix:
    """The sum of factor·√r times a rational matrix each."""
    parts: dict[int, DomainMatrix] = {}
    for (r, factor), a in terms:
        part = a if factor == 1 else a * factor
        parts[r] = parts[r] + part if r in parts else part
    return SurdMatrix(parts, shape, hidden)
