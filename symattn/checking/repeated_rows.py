"""Rows that were printed wrong and are written out again: 0.3 v₁ + 0.3 v₂ + 0.4 v₃, or [0.3, 0.3, 0.4] V.

A number of two digits is hardly known again when it is met alone; a whole row of them in its order is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symattn.checking.findings import Place
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import Ball

Row = tuple[Fraction | None, ...]


class WrongRows:
    """The rows of prints in which something was wrong, with what is right in these places."""

    def __init__(self) -> None:
        self._right: dict[Row, tuple[Ball | None, ...]] = {}

    def note(self, rows: Sequence[Row], bad: Mapping[Place, object], true: Balls) -> None:
        """Remember the rows of a print that are wrong; those that are right this time mean themselves again."""
        for i, row in enumerate(rows):
            wrong = [(i, j) in bad and (i, j) not in true.hidden for j in range(len(row))]
            if any(wrong) and len(row) > 1:
                self._right[row] = tuple(x if w else None for x, w in zip(true.rows[i], wrong, strict=True))
            else:
                self._right.pop(row, None)

    def rights(self, formula: f.Expression) -> dict[int, Ball]:
        """For the numbers of a formula that repeat a wrong row (by `id`) what they should have been."""
        found: dict[int, Ball] = {}
        for numbers in _rows_in(formula) if self._right else ():
            right = self._right.get(tuple(n.value for n in numbers))
            if right is not None:
                found |= {id(n): x for n, x in zip(numbers, right, strict=True) if x is not None}
        return found


def _rows_in(formula: f.Expression) -> Iterator[list[f.Number]]:
    """The coefficients of each sum of products, if they have decimals, and rows of matrices with two digits."""
    for part in f.walk(formula):
        if isinstance(part, f.Sum):
            weights = [term.factors[0] for term in part.terms if isinstance(term, f.Product)]
            if len(weights) == len(part.terms) > 1:
                yield from _decimals(weights, 1)
        elif isinstance(part, f.Matrix):
            for row in part.rows:
                yield from _decimals(row, 10)


def _decimals(cells: Sequence[f.Expression], least: int) -> Iterator[list[f.Number]]:
    """The cells, if all are decimals, most of them with so many units of their last place at least."""
    numbers = [cell for cell in cells if isinstance(cell, f.Number) and cell.places < 1]
    telling = sum(abs(n.value) >= least * n.places for n in numbers)
    if len(numbers) == len(cells) > 1 and 2 * telling > len(cells):
        yield numbers
