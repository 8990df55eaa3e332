"""Exact real numbers a + b√2 + c√3 + …, and matrices of them.

A number is a tuple of (square-free radicand, rational coefficient); a matrix is one rational `DomainMatrix` for each
radicand, so that √2 stays outside and products are products of rational matrices. Square roots of different
square-free integers are linearly independent over the rationals, so equality is equality of coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import QQ, Expr, Rational
from sympy.polys.matrices import DomainMatrix

from symattn.writing.document import Style

Terms = tuple[tuple[int, Any], ...]
MOST_ROOTS = 500  # a number of more roots than this is no Surd to us
LARGEST_EXPONENT = 10_000


@dataclass(frozen=True, slots=True)
class Surd:
    """One number: Σ coefficient·√radicand, radicands rising, no coefficient zero.

    >>> Surd.read(sympy.sqrt(8) + 3).terms
    ((1, 3), (2, 2))
    """

    terms: Terms

    def __hash__(self) -> int:  # a rational's own hash is slow
        return hash(tuple([(r, int(QQ.numer(c)), int(QQ.denom(c))) for r, c in self.terms]))

    @staticmethod
    def read(value: Expr) -> Surd | None:
        """The number as a Surd, or None if it is no such number."""
        if value.is_Rational:
            return Surd(((1, _rational(value)),) if value else ())
        terms = _read(value)
        return None if terms is None else Surd(tuple(sorted(terms.items())))

    def to_sympy(self) -> Expr:
        return sympy.Add(*[_to_rational(c) * sympy.sqrt(r) for r, c in self.terms])

    @property
    def rational(self) -> Any | None:
        """The number if it is rational, else None."""
        if not self.terms:
            return QQ(0)
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] == 1 else None

    def minus(self, other: Surd) -> Surd:
        return total((self, Surd(tuple((r, -c) for r, c in other.terms))))

    def times(self, count: int) -> Surd:
        return Surd(tuple((r, c * count) for r, c in self.terms)) if count else ZERO

    def divided(self, count: int) -> Surd:
        return self if count == 1 else Surd(tuple((r, c / count) for r, c in self.terms))

    def sign(self) -> int:
        """−1, 0 or 1, decided in integers: the roots to ever more digits, until the sum is far enough from 0."""
        if len(self.terms) <= 1:
            return (1 if self.terms[0][1] > 0 else -1) if self.terms else 0
        below = math.lcm(*[int(QQ.denom(c)) for _, c in self.terms])
        whole = [(r, int(QQ.numer(c * below))) for r, c in self.terms]
        digits = 64
        while True:
            total = sum(c * math.isqrt(r << (2 * digits)) for r, c in whole)
            if abs(total) > sum(abs(c) for _, c in whole):  # each root is short by less than one unit
                return 1 if total > 0 else -1
            digits *= 2

    def write(self, style: Style) -> str:
        """29√2, 3√2/2, 1/3 + √2, −5: terms in the order of their radicands."""
        if not self.terms:
            return "0"
        out = ""
        for r, c in self.terms:
            negative, term = signed_term(r, c, style)
            sign = f" {style.minus if negative else '+'} " if out else style.minus if negative else ""
            out += sign + term
        return out


def signed_term(r: int, c: Any, style: Style) -> tuple[bool, str]:
    """Whether c√r is negative, and its magnitude as written."""
    p, q = int(c.numerator), int(c.denominator)
    above = str(abs(p))
    if r != 1:
        root = style.root(str(r))
        above = root if above == "1" else above + root
    return p < 0, above if q == 1 else style.fraction(above, str(q))


def _read(value: Expr) -> dict[int, Any] | None:
    """Radicand -> coefficient; SymPy's `expand` would write out 2ⁿ terms for n factors, so sums stay collected."""
    if value.is_Rational:
        return {1: _rational(value)} if value else {}
    radicand = _radicand(value)
    if radicand is not None:
        return {radicand: QQ(1)}
    if value.is_Pow and value.exp.is_Integer and abs(value.exp) <= LARGEST_EXPONENT:
        base = _read(value.base)
        if base is not None and value.exp < 0:
            base = _inverse(base)
        return None if base is None else _power(base, abs(int(value.exp)))
    if not (value.is_Add or value.is_Mul):
        return None
    result: dict[int, Any] | None = {} if value.is_Add else {1: QQ(1)}
    for argument in value.args:
        part = _read(argument)
        if part is None or result is None:
            return None
        result = _plus(result, part) if value.is_Add else _times(result, part)
    return result


def _plus(a: dict[int, Any], b: dict[int, Any]) -> dict[int, Any]:
    added = dict(a)
    for r, c in b.items():
        added[r] = added.get(r, QQ(0)) + c
    return {r: c for r, c in added.items() if c}


def _times(a: dict[int, Any], b: dict[int, Any]) -> dict[int, Any] | None:
    product: dict[int, Any] = {}
    for r, c in a.items():
        for s, d in b.items():
            radicand, factor = _product(r, s)
            product[radicand] = product.get(radicand, QQ(0)) + c * d * factor
    return {r: c for r, c in product.items() if c} if len(product) <= MOST_ROOTS else None


def _power(base: dict[int, Any], exponent: int) -> dict[int, Any] | None:
    result: dict[int, Any] | None = {1: QQ(1)}
    square: dict[int, Any] | None = base
    while exponent and result is not None and square is not None:
        if exponent % 2:
            result = _times(result, square)
        exponent //= 2
        square = _times(square, square) if exponent else square
    return None if square is None else result


def _inverse(a: dict[int, Any]) -> dict[int, Any] | None:
    """1/(c√r) = √r/(cr); sums of several roots are left alone."""
    if len(a) != 1:
        return None
    ((r, c),) = a.items()
    return {r: 1 / (c * r)}


def _radicand(root: Expr) -> int | None:
    # up to 2³⁰ SymPy has surely taken every square out (it tries all primes below 2¹⁵)
    if root.is_Pow and root.exp == Rational(1, 2) and root.base.is_Integer and 0 < root.base < 1 << 30:
        return int(root.base)
    return None


_fraction = QQ.dtype  # without the checks of QQ(…), which take as long again


def _rational(value: Expr) -> Any:
    return _fraction(int(value.p), int(value.q))


def _to_rational(c: Any) -> Expr:
    return Rational(int(QQ.numer(c)), int(QQ.denom(c)))


@dataclass(frozen=True, eq=False)
class SurdMatrix:
    """A matrix of Surds; entries in `hidden` are −∞."""

    parts: Mapping[int, DomainMatrix]
    shape: tuple[int, int]
    hidden: frozenset[tuple[int, int]] = frozenset()

    @staticmethod
    def read(rows: Sequence[Sequence[Expr]]) -> SurdMatrix | None:
        """The matrix, or None if an entry is neither a Surd nor −∞."""
        shape, hidden = (len(rows), len(rows[0])), []
        if all(x.is_Rational for row in rows for x in row):
            return SurdMatrix.rational([[_rational(x) for x in row] for row in rows])
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

    def entry(self, i: int, j: int) -> Surd | None:
        """Entry (i, j), counted from 0; None for −∞."""
        if (i, j) in self.hidden:
            return None
        return Surd(tuple([(r, c) for r, t in self.tables.items() if (c := t[i][j])]))

    def column_sum(self, rows: Sequence[int], j: int) -> Surd:
        """The sum of some entries of column j."""
        if len(self.tables) == 1:
            r, c = self.table_sum(rows, j)
            return Surd(((r, c),)) if c else ZERO
        return total(self.entry(i, j) or ZERO for i in rows)

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
            self._rows[i] = [self.entry(i, j) for j in range(self.shape[1])]
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

    def to_sympy(self) -> sympy.ImmutableDenseMatrix:
        def entry(i: int, j: int) -> Expr:
            surd = self.entry(int(i), int(j))
            return sympy.S.NegativeInfinity if surd is None else surd.to_sympy()

        return sympy.ImmutableDenseMatrix(*self.shape, entry)

    def matmul(self, other: SurdMatrix) -> SurdMatrix:
        return _collect((_product(r, s), a * b) for r, a in self.parts.items() for s, b in other.parts.items()).sized(
            (self.shape[0], other.shape[1])
        )

    def scale(self, factor: Surd) -> SurdMatrix:
        scaled = _collect((_product(r, s), a * c) for r, a in self.parts.items() for s, c in factor.terms)
        return SurdMatrix(scaled.parts, self.shape, self.hidden)

    def add(self, other: SurdMatrix) -> SurdMatrix:
        total = _collect(((r, QQ(1)), a) for m in (self, other) for r, a in m.parts.items())
        return SurdMatrix(total.parts, self.shape, self.hidden | other.hidden)

    def transpose(self) -> SurdMatrix:
        turned = {r: a.transpose() for r, a in self.parts.items()}
        return SurdMatrix(turned, self.shape[::-1], frozenset((j, i) for i, j in self.hidden))

    def times(self, other: SurdMatrix) -> SurdMatrix:
        """Entry by entry."""
        return _collect(
            (_product(r, s), a.mul_elementwise(b)) for r, a in self.parts.items() for s, b in other.parts.items()
        ).sized(self.shape)

    def block(self, rows: range, columns: range) -> SurdMatrix:
        parts = {r: a.extract(list(rows), list(columns)) for r, a in self.parts.items()}
        hidden = frozenset((i - rows.start, j - columns.start) for i, j in self.hidden if i in rows and j in columns)
        return SurdMatrix(parts, (len(rows), len(columns)), hidden)

    def empty_rows(self) -> list[int]:
        """The rows in which everything is −∞."""
        rows, columns = self.shape
        if len(self.hidden) < columns:
            return []
        return [i for i in range(rows) if all((i, j) in self.hidden for j in range(columns))]

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
        """The largest entry of each row; None where all are −∞."""
        if len(self.parts) == 1:  # one radicand: the coefficients alone decide
            (r, table), *_ = self.tables.items()
            largest: list[Surd | None] = []
            for i, row in enumerate(table):
                seen = [c for j, c in enumerate(row) if (i, j) not in self.hidden] if self.hidden else row
                top = max(seen, default=None)
                largest.append(None if top is None else Surd(((r, top),) if top else ()))
            return largest
        return [_largest(self.row(i)) for i in range(self.shape[0])]

    def sized(self, shape: tuple[int, int]) -> SurdMatrix:
        return SurdMatrix(self.parts, shape, self.hidden)


def surd_column(column: Iterable[Surd]) -> SurdMatrix:
    """A column of Surds as a matrix."""
    rows = list(column)
    radicands = sorted({r for x in rows for r, _ in x.terms})
    shape = (len(rows), 1)
    tables = {r: [[dict(x.terms).get(r, QQ(0))] for x in rows] for r in radicands}
    return SurdMatrix({r: DomainMatrix(t, shape, QQ) for r, t in tables.items()}, shape)


def _largest(row: Sequence[Surd | None]) -> Surd | None:
    top: Surd | None = None
    for x in row:
        if x is not None and (top is None or x.minus(top).sign() > 0):
            top = x
    return top


def _product(r: int, s: int) -> tuple[int, Any]:
    """√r·√s = g·√(rs/g²), g the greatest common divisor of two square-free numbers."""
    g = math.gcd(r, s)
    return r * s // (g * g), QQ(g)


def _collect(terms: Iterable[tuple[tuple[int, Any], DomainMatrix]]) -> SurdMatrix:
    parts: dict[int, DomainMatrix] = {}
    for (r, factor), a in terms:
        part = a if factor == 1 else a * factor
        parts[r] = parts[r] + part if r in parts else part
    return SurdMatrix(parts, (0, 0))


def total(summands: Iterable[Surd]) -> Surd:
    """Their sum."""
    terms = list(summands)
    if len(terms) == 1:
        return terms[0]
    collected: dict[int, Any] = {}
    for x in terms:
        for r, c in x.terms:
            collected[r] = collected.get(r, QQ(0)) + c
    return Surd(tuple(sorted((r, c) for r, c in collected.items() if c)))


def number(value: int) -> Surd:
    return Surd(((1, QQ(value)),) if value else ())


ZERO, ONE = number(0), number(1)
