"""Sums of an entry term by term, in numbers or in symbols: 1 · 0.5 + 2 · 0.25, A_21 dA_21 + A_22 dA_22."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import ColumnSum, Hadamard, RowSum, Scaled, SubtractColumn, divisor
from symattn.nodes.boxes import Brackets, multiple
from symattn.writing.document import Box, Cell, Dotted, Formula, Product, Quotient, Signed, Style

LONGEST_SUM = 6  # of more terms than this those that are 0 are left out, then all but the first three and the last


@dataclass(frozen=True)
class Dots:
    """What a long sum leaves out."""

    def write(self, style: Style) -> str:
        return style.name("cdots")


def sum_of(terms: Sequence[Cell], *last: Cell) -> Signed:
    """All terms, or those of a long sum that say most."""
    return Signed(tuple(("+", t) for t in (*_telling(terms), *last)))


def ends_of(terms: Sequence[Cell], *last: Cell) -> Signed:
    """The first and the last term, for want of room."""
    told = [t for t in terms if not _is_zero(t)] or terms
    shown = (told[0], Dots(), *told[1:][-1:])
    return Signed(tuple(("+", t) for t in (*shown, *last)))


def _telling(terms: Sequence[Cell]) -> Sequence[Cell]:
    if len(terms) <= LONGEST_SUM:
        return terms
    told = [t for t in terms if not _is_zero(t)] or terms
    if len(told) > LONGEST_SUM:
        return [*told[:3], Dots(), told[-1]]
    return told if len(told) == len(terms) else [*told, Dots()]


def _is_zero(term: Cell) -> bool:
    """Whether a term in numbers is 0, or a product with 0."""
    return "0" in ((term.left, term.right) if isinstance(term, Dotted) else (term,))


@dataclass(frozen=True)
class TermByTerm:
    """Writes entries of expressions whose sums have a known length; indices are texts that count from 1."""

    leaf: Callable[[Any, str, str], Cell]  # an entry of a symbol
    number: Callable[[Any], Any]  # a size or a factor as a number
    filled: bool  # whether numbers are put in, which stand side by side with a dot alone

    def writes(self, e: Any) -> bool:
        """Whether an expression is made of sums and products alone."""
        match e:
            case MatMul():
                return len(e.args) == 2 and all(map(self.writes, e.args))
            case Hadamard() | SubtractColumn():
                return all(map(self.writes, e.args))
            case Transpose() | Scaled() | RowSum() | ColumnSum():
                return self.writes(e.args[0])
        return isinstance(e, MatrixSymbol)

    def write(self, e: Any, i: str, j: str) -> Cell:
        """Entry (i, j)."""
        match e:
            case MatMul():
                left, right = e.args
                keys = self._all(left.shape[1])
                return sum_of([self._times(self._factor(left, i, k), self._factor(right, k, j)) for k in keys])
            case Transpose():
                return self.write(e.arg, j, i)
            case RowSum():
                return sum_of([self.write(e.args[0], i, k) for k in self._all(e.args[0].shape[1])])
            case ColumnSum():
                return sum_of([self.write(e.args[0], k, j) for k in self._all(e.args[0].shape[0])])
            case Hadamard():
                return self._times(*(self._factor(a, i, j) for a in e.args))
            case SubtractColumn():
                return Signed((("+", self.write(e.args[0], i, j)), ("-", self.write(e.args[1], i, ""))))
            case Scaled():
                return self._scaled(self.write(e.args[0], i, j), self.number(e.factor) if self.filled else e.factor)
        return self.leaf(e, i, j)

    def _all(self, size: Any) -> list[str]:
        return [str(k + 1) for k in range(int(self.number(size)))]

    def _times(self, left: Cell, right: Cell) -> Box:
        return Dotted(left, right) if self.filled else Product((left, right))

    def _factor(self, e: Any, i: str, j: str) -> Cell:
        made = self.write(e, i, j)
        return made if isinstance(e, MatrixSymbol | Transpose) else Brackets(made)

    def _scaled(self, made: Cell, factor: Any) -> Cell:
        below = divisor(factor)
        if factor == 1:
            return made
        if factor == -1:
            return Signed((("-", Brackets(made)),))
        return self._times(multiple(factor), Brackets(made)) if below is None else Quotient(made, Formula(below))
