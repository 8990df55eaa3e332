"""How a value is shown, entry by entry: exact as it reads best, and as proven decimals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sympy import QQ

from symattn.document import Cell, Formula, Style
from symattn.values.decimals import Shown
from symattn.values.exact import ExponentialRows
from symattn.values.surds import Surd, SurdMatrix
from symattn.values.valuation import Valuation

LONGEST_DECIMAL = 6  # more places than this read better rounded


class MinusInfinity:
    """−∞: what a mask leaves of a score."""

    def write(self, style: Style) -> str:
        return style.minus_infinity


@dataclass(frozen=True)
class ExponentialSum:
    """Σ c_j e^{x_j}, like terms together, in the order of the keys."""

    terms: tuple[tuple[Surd, Surd] | None, ...]  # (coefficient, exponent); None stands for dots

    @staticmethod
    def of(pairs: Sequence[tuple[Surd, Surd]]) -> ExponentialSum:
        collected: dict[Surd, Surd] = {}
        for c, x in pairs:
            collected[x] = c if x not in collected else collected[x].minus(Surd(tuple((r, -v) for r, v in c.terms)))
        return ExponentialSum(tuple((c, x) for x, c in collected.items() if c.terms))

    def elided(self, most: int) -> ExponentialSum:
        """The same with dots for its middle, where it has more than `most` terms."""
        if len(self.terms) <= most:
            return self
        return ExponentialSum((*self.terms[: most - 2], None, self.terms[-1]))

    def write(self, style: Style) -> str:
        if not self.terms:
            return "0"
        out = ""
        for pair in self.terms:
            term = style.name("cdots") if pair is None else _term(*pair, style)
            if out and term.startswith(style.minus):
                out += f" {style.minus} {term[len(style.minus) :]}"
            else:
                out += f" + {term}" if out else term
        return out


def _term(c: Surd, x: Surd, style: Style) -> str:
    if not x.terms:
        return c.write(style)
    power = style.power("e", x.write(style))
    if c.rational is not None and abs(c.rational) == 1:
        return power if c.rational > 0 else style.minus + power
    shown = c.write(style)
    return (f"({shown})" if len(c.terms) > 1 else shown) + power


@dataclass(frozen=True)
class Ratio:
    """A sum of exponentials over another."""

    above: ExponentialSum
    below: ExponentialSum

    def write(self, style: Style) -> str:
        return style.fraction(self.above.write(style), self.below.write(style))


@dataclass(frozen=True)
class Cells:
    """Shows the entries of a valuation; `decimal` where the input is written in decimals rather than fractions."""

    values: Valuation
    decimal: bool = False

    def exact(self, name: str, i: int, j: int) -> Cell:
        """Entry (i, j), counted from 0, in closed form."""
        value = self.values.exact[name]
        if isinstance(value, SurdMatrix) and (i, j) in value.hidden:
            return MinusInfinity()
        surd = self.values.closed(name, i, j)
        if surd is not None:
            return self.surd(surd)
        if isinstance(value, ExponentialRows):
            above, below = self.numerator(value, i, j), self.denominator(value, i)
            return Ratio(above, below) if value.normalised else above
        assert not isinstance(value, SurdMatrix)
        return Formula(value.entry(i, j))

    def surd(self, surd: Surd) -> Cell:
        rational = surd.rational
        if rational is None:
            return surd
        if QQ.denom(rational) == 1:
            return str(int(rational)) if rational >= 0 else surd
        if self.decimal:
            exact = terminating(Fraction(int(QQ.numer(rational)), int(QQ.denom(rational))))
            if exact is not None:
                return Shown(exact)
        return surd

    def numerator(self, value: ExponentialRows, i: int, k: int) -> ExponentialSum:
        row = value.logits.row(i)
        return ExponentialSum.of([(value.coefficient(j, k), x) for j, x in enumerate(row) if x is not None])

    def denominator(self, value: ExponentialRows, i: int) -> ExponentialSum:
        one = Surd(((1, QQ(1)),))
        return ExponentialSum.of([(one, x) for x in value.logits.row(i) if x is not None])

    def is_closed(self, name: str) -> bool:
        """Whether every entry is a sum of roots (or −∞)."""
        value = self.values.exact[name]
        if isinstance(value, SurdMatrix):
            return True
        return all(
            self.values.closed(name, i, j) is not None for i in range(value.shape[0]) for j in range(value.shape[1])
        )

    def is_plain(self, name: str) -> bool:
        """Whether every entry is a short decimal (or integer, or −∞), so that rounding it would say nothing new."""
        rows, columns = self.values.exact[name].shape
        return all(self.entry_is_plain(name, i, j) for i in range(rows) for j in range(columns))

    def entry_is_plain(self, name: str, i: int, j: int) -> bool:
        """Whether entry (i, j), counted from 0, is one of those."""
        value = self.values.exact[name]
        surd = self.values.closed(name, i, j)
        if surd is None:
            return isinstance(value, SurdMatrix)
        return self._plain(surd)

    def _plain(self, surd: Surd) -> bool:
        rational = surd.rational
        if rational is None:
            return False
        if QQ.denom(rational) == 1:
            return True
        exact = terminating(Fraction(int(QQ.numer(rational)), int(QQ.denom(rational))))
        # two places say the same as the fraction; more of them only where the input is in decimals
        return exact is not None and -int(exact.as_tuple().exponent) <= (LONGEST_DECIMAL if self.decimal else 2)


def terminating(x: Fraction) -> Decimal | None:
    """The number as a finite decimal, if it is one.

    >>> terminating(Fraction(3, 8)), terminating(Fraction(1, 3))
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
    return Decimal((int(x < 0), tuple(map(int, str(abs(int(whole))))), -places))
