"""Matrices of sums of fractions of exponentials, whose entries are made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sympy import QQ, Expr

from symattn.errors import NotSupportedError
from symattn.values.exact.closed_form import Form
from symattn.values.exact.exponents import LETTERS, Entry, Exponents
from symattn.values.exact.surds import MINUS_ONE, Surd, total


@dataclass(frozen=True, eq=False)
class Fractions(Form):
    """A matrix of such entries."""

    is_cheap = False
    shape: tuple[int, int]
    make: Callable[[int, int], Entry]
    exponents: Exponents
    _made: dict[tuple[int, int], Entry] = field(default_factory=dict)

    @staticmethod
    def of(a: Form, exponents: Exponents) -> Fractions | None:
        """A matrix in another closed form; None where it is no such sums, or has −∞ in it."""
        if isinstance(a, Fractions):
            return a
        make = a.as_fractions(exponents)
        return None if make is None else Fractions(a.shape, make, exponents)

    def fractions(self, i: int, j: int) -> Entry:
        if (i, j) not in self._made:
            self._made[i, j] = self.make(i, j)
        return self._made[i, j]

    def entry(self, i: int, j: int) -> Expr:
        return self.exponents.to_sympy(self.fractions(i, j))

    def closed(self, i: int, j: int) -> Surd | None:
        """The entry if it is a Surd after all; None too where that would take too long to find out."""
        try:
            return self.exponents.closed(self.fractions(i, j))
        except NotSupportedError:
            return None

    def parts(self, i: int, j: int) -> list[tuple[dict[Surd, Surd], list[tuple[dict[Surd, int], int]]]]:
        """The fractions of an entry: exponent -> coefficient above, exponent -> count for each power below."""
        field = self.exponents
        found = []
        for below, above in field.combine(self.fractions(i, j)).items():
            numerator: dict[Surd, Surd] = {}
            for (x, r), c in sorted(above.items()):
                exponent, term = field.exponents[x], Surd(((r, c),))
                numerator[exponent] = total((numerator[exponent], term)) if exponent in numerator else term
            factors = [({field.exponents[x]: c for x, c in field.denominators[n].items()}, p) for n, p in below]
            found.append((numerator, factors))
        return found

    def is_long(self, room: int) -> bool:
        first = (self.exponents.combine(self.fractions(0, j)) for j in range(self.shape[1]))
        return any(sum(map(len, entry.values())) > room // LETTERS for entry in first)

    # --- operations

    def _like(self, shape: tuple[int, int], make: Callable[[int, int], Entry]) -> Fractions:
        return Fractions(shape, make, self.exponents)

    def transpose(self) -> Fractions:
        return self._like(self.shape[::-1], lambda i, j: self.fractions(j, i))

    def matmul(self, other: Fractions) -> Fractions:
        field, inner = self.exponents, range(self.shape[1])
        return self._like(
            (self.shape[0], other.shape[1]),
            lambda i, j: field.add([field.multiply(self.fractions(i, k), other.fractions(k, j)) for k in inner]),
        )

    def add(self, other: Fractions) -> Fractions:
        return self._like(self.shape, lambda i, j: self.exponents.add([self.fractions(i, j), other.fractions(i, j)]))

    def times(self, other: Fractions) -> Fractions:
        return self._like(self.shape, lambda i, j: self.exponents.multiply(self.fractions(i, j), other.fractions(i, j)))

    def add_row(self, row: Fractions) -> Fractions:
        return self.add(row.spread(self.shape))

    def subtract_column(self, column: Fractions) -> Fractions:
        return self.add(column.spread(self.shape).scale(MINUS_ONE))

    def divide_rows(self, column: Fractions) -> Fractions | None:
        """None where a row's divisor is no sum of exponentials with rational coefficients."""
        divide = self.exponents.divide
        one: Entry = {(): {(0, 1): QQ(1)}}
        try:
            for i in range(column.shape[0]):
                divide(one, column.fractions(i, 0))
        except NotSupportedError:
            return None
        return self._like(self.shape, lambda i, j: divide(self.fractions(i, j), column.fractions(i, 0)))

    def scale(self, factor: Surd) -> Fractions:
        by: Entry = {(): {(0, r): c for r, c in factor.terms}} if factor.terms else {}
        return self._like(self.shape, lambda i, j: self.exponents.multiply(self.fractions(i, j), by))

    def spread(self, shape: tuple[int, int]) -> Fractions:
        """A row or a column repeated."""
        row, column = self.shape[0] == 1, self.shape[1] == 1
        return self._like(shape, lambda i, j: self.fractions(0 if row else i, 0 if column else j))

    def block(self, rows: range, columns: range) -> Fractions:
        return self._like((len(rows), len(columns)), lambda i, j: self.fractions(rows.start + i, columns.start + j))
