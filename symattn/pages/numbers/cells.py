"""How a value is shown, entry by entry: exact as it reads best, and as proven decimals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from symattn.values.decimals import Shown
from symattn.values.exact.closed_form import Form
from symattn.values.exact.exponential_fractions import Fractions
from symattn.values.exact.exponential_sums import (
    Coefficients,
    ColumnSums,
    Counts,
    ExponentialSum,
    Given,
    OnePower,
    Powers,
    Ratio,
)
from symattn.values.exact.forms import ExponentialRows, RowSums
from symattn.values.exact.surd_matrices import SurdMatrix
from symattn.values.exact.surds import Surd, number
from symattn.values.exact.unwritten import Unwritten
from symattn.values.valuation import Valuation
from symattn.writing.document import Cell, Formula, Quotient, Signed, Spelled, Style

LONGEST_DECIMAL = 6  # more places than this read better rounded
MOST_FIGURES = 6  # of an integer within a fraction or a root; of more, nobody reads off how large the number is


class MinusInfinity:
    """−∞: what a mask leaves of a score."""

    def write(self, style: Style) -> str:
        return style.minus_infinity


@dataclass(frozen=True, slots=True)
class _Row:
    """What all columns of a row of averages share."""

    powers: Powers
    keys: Sequence[Sequence[int]]  # of each power
    below: ExponentialSum


@dataclass(frozen=True, slots=True)
class Averages:
    """An entry of a sum of averages. Its terms are made while it is written: a large matrix has thousands of them."""

    cells: Cells
    value: RowSums
    i: int
    j: int

    def write(self, style: Style) -> str:
        i, j = self.i, self.j
        return Signed(tuple(("+", self.cells.average(part, i, j)) for part in self.value.terms(i, j))).write(style)


@dataclass(frozen=True)
class Cells:
    """Shows the entries of a valuation; `decimal` where the input is written in decimals rather than fractions."""

    values: Valuation
    decimal: bool = False

    def exact(self, name: str, i: int, j: int) -> Cell:
        """Entry (i, j), counted from 0, in closed form."""
        integers = self.integers(name)
        if integers is not None:
            return integers[i][j]
        value = self.values.exact[name]
        if (i, j) in value.hidden:
            return MinusInfinity()
        if value.undefined(i, j):
            return Shown(Decimal("NaN"))
        surd = value.closed(i, j)
        return self.formula(value, i, j) if surd is None else self.surd(surd)

    def integers(self, name: str) -> list[list[str]] | None:
        """The cells of a matrix of integers, which is most of them; None for any other."""
        if name not in self._tables:
            rows = self.values.exact[name].integers()
            self._tables[name] = rows if rows is None else [list(map(str, row)) for row in rows]
        return self._tables[name]

    @cached_property
    def _tables(self) -> dict[str, list[list[str]] | None]:
        return {}

    def surd(self, surd: Surd) -> Cell:
        if surd.integer is not None:
            return str(surd.integer)
        exact = as_decimal(surd.fraction) if self.decimal and surd.fraction is not None else None
        return surd if exact is None else Shown(exact)

    def formula(self, value: Form, i: int, j: int) -> Cell:
        """Entry (i, j), which is no sum of roots."""
        match value:
            case ExponentialRows():
                return self.average(value, i, j)
            case RowSums():
                return Averages(self, value, i, j)
            case Fractions():
                return Signed(tuple(("+", _fraction(above, below)) for above, below in value.parts(i, j)))
            case Unwritten():
                return Spelled(r"\cdots", "…")
        return Formula(value.entry(i, j))

    def average(self, value: ExponentialRows, i: int, k: int) -> Cell:
        """Exponentials over their sum, or alone."""
        above = self.numerator(value, i, k)
        return Ratio(above, self.denominator(value, i)) if value.normalised else above

    def numerator(self, value: ExponentialRows, i: int, k: int) -> ExponentialSum | OnePower:
        """Σ_j R_jk e^{l_ij}, like exponentials together."""
        row = self._row(value.logits, i)
        if value.right is None:
            return OnePower(row.powers, value.logits.row(i)[k])
        column = self._column(value.right, k)
        alone = len(row.keys) == value.right.shape[0]
        return ExponentialSum(column if alone else ColumnSums(column, row.keys), row.powers)

    def denominator(self, value: ExponentialRows, i: int) -> ExponentialSum:
        """Σ_j e^{l_ij}, like exponentials together."""
        return self._row(value.logits, i).below

    def _column(self, right: SurdMatrix, k: int) -> Coefficients:
        if (right, k) not in self._columns:
            self._columns[right, k] = Coefficients(right, k)
        return self._columns[right, k]

    def _row(self, logits: SurdMatrix, i: int) -> _Row:
        if (logits, i) not in self._rows:
            groups = logits.groups(i)
            powers, keys = Powers([x for x, _ in groups], self.surd), [keys for _, keys in groups]
            self._rows[logits, i] = _Row(powers, keys, ExponentialSum(Counts(list(map(len, keys))), powers))
        return self._rows[logits, i]

    @cached_property
    def _columns(self) -> dict[tuple[SurdMatrix, int], Coefficients]:
        return {}

    @cached_property
    def _rows(self) -> dict[tuple[SurdMatrix, int], _Row]:
        return {}

    def is_in_decimals(self, name: str) -> bool:
        """Whether roots, fractions and exponentials are told as decimals: the input is, or they are too long."""
        if name not in self._in_decimals:
            self._in_decimals[name] = self.decimal or _is_unwieldy(self.values.exact[name])
        return self._in_decimals[name]

    @cached_property
    def _in_decimals(self) -> dict[str, bool]:
        return {}

    def is_plain(self, name: str) -> bool:
        """Whether every entry is a short decimal (or integer, or −∞), so that rounding it would say nothing new."""
        if name not in self._plain:
            rows, columns = self.values.exact[name].shape
            self._plain[name] = all(self.entry_is_plain(name, i, j) for i in range(rows) for j in range(columns))
        return self._plain[name]

    @cached_property
    def _plain(self) -> dict[str, bool]:
        return {}

    def plain(self, name: str, i: int, j: int) -> Cell:
        """Entry (i, j), counted from 0, which is plain: the decimal that it is, with no zeros after it."""
        surd = self.values.exact[name].closed(i, j)
        if surd is None or surd.fraction is None or surd.integer is not None:
            return self.exact(name, i, j)
        exact = as_decimal(surd.fraction)
        return surd if exact is None else Shown(exact)

    def entry_is_plain(self, name: str, i: int, j: int) -> bool:
        """Whether entry (i, j), counted from 0, is one of those."""
        if self.integers(name) is not None:
            return True
        value = self.values.exact[name]
        surd = value.closed(i, j)
        if surd is None:
            return (i, j) in value.hidden or value.undefined(i, j)
        # two places say the same as the fraction; more of them only where the input is in decimals
        return is_short(surd, LONGEST_DECIMAL if self.decimal else 2)


def is_itself(shown: Cell, surd: Surd | None) -> bool:
    """Whether a printed decimal is the number that it is printed of: 0.50 for 1/2, not 0.33 for 1/3."""
    exact = None if surd is None else surd.fraction
    return isinstance(shown, Shown) and exact is not None and Fraction(shown.number) == exact


def is_short(surd: Surd, most: int = LONGEST_DECIMAL) -> bool:
    """Whether a number is a decimal of at most so many places."""
    exact = as_decimal(surd.fraction) if surd.fraction is not None else None
    return surd.integer is not None or (exact is not None and -int(exact.as_tuple().exponent) <= most)


def _is_unwieldy(value: Form) -> bool:
    """Whether fractions or roots in a value, or in its exponents, are of integers with too many figures."""
    value = value.logits if isinstance(value, ExponentialRows) else value
    if not isinstance(value, SurdMatrix):
        return False
    most = 10**MOST_FIGURES
    for radicand, table in value.tables.items():
        used = [c for row in table for c in row if c and (radicand > 1 or c.denominator != 1)]
        if (radicand >= most and used) or any(abs(c.numerator) >= most or c.denominator >= most for c in used):
            return True
    return False


@dataclass(frozen=True)
class _Factors:
    """A product of sums, each with its power."""

    factors: Sequence[tuple[ExponentialSum, int]]

    def write(self, style: Style) -> str:
        if len(self.factors) == 1 and self.factors[0][1] == 1:
            return self.factors[0][0].write(style)
        written = [(f"({s.write(style)})", power) for s, power in self.factors]
        return " ".join(s if power == 1 else style.power(s, str(power)) for s, power in written)


def _fraction(above: Mapping[Surd, Surd], below: Sequence[tuple[Mapping[Surd, int], int]]) -> Cell:
    """Exponent -> coefficient, over denominators with their powers."""
    numerator = _exponential_sum(above)
    factors = [(_exponential_sum({x: number(c) for x, c in counts.items()}), power) for counts, power in below]
    return Quotient(numerator, _Factors(factors)) if factors else numerator


def _exponential_sum(terms: Mapping[Surd, Surd]) -> ExponentialSum:
    return ExponentialSum(Given(list(terms.values())), Powers(list(terms), lambda x: x))


def as_decimal(x: Fraction) -> Decimal | None:
    """The number as a finite decimal, if it is one.

    >>> as_decimal(Fraction(3, 8)), as_decimal(Fraction(1, 3))
    (Decimal('0.375'), None)
    """
    below, places = x.denominator, 0
    while below % 10 == 0:
        below, places = below // 10, places + 1
    for factor in (2, 5):
        while below % factor == 0:
            below, places = below // factor, places + 1
    if below != 1:
        return None
    whole = x * 10**places
    sign, digits, _ = Decimal(int(whole)).as_tuple()
    return Decimal((sign, digits, -places))
