"""Rows that were printed wrong and are written out again: 0.3 v₁ + 0.3 v₂ + 0.4 v₃, or [0.3, 0.3, 0.4] V.

A number of two digits is hardly known again when it is met alone; a whole row of them in its order is. So where such a
row is printed once more without a formula, "row 3: [0.3, 0.3, 0.4]", it is taken for the one before, errors and all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symattn.checking.findings import Cause, Place
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import Ball

Row = tuple[Fraction | None, ...]


class WrongRows:
    """The rows of prints in which something was wrong, with what is right in these places."""

    def __init__(self) -> None:
        self._right: dict[Row, tuple[tuple[Ball, Cause] | None, ...]] = {}
        self._earlier: set[Row] = set()  # those of worked examples before this one

    def begin_example(self) -> None:
        """What another example is given in numbers is meant, and no copy."""
        self._earlier = set(self._right)

    def note(self, rows: Sequence[Row], bad: Mapping[Place, Cause], true: Balls) -> None:
        """Remember the rows of a print that are wrong; those that are right this time mean themselves again."""
        for i, row in enumerate(rows):
            self._earlier.discard(row)
            wrong = [None if (i, j) in true.hidden else bad.get((i, j)) for j in range(len(row))]
            if any(wrong) and len(row) > 1:
                pairs = zip(true.rows[i], wrong, strict=True)
                self._right[row] = tuple(None if cause is None else (x, cause) for x, cause in pairs)
            else:
                self._right.pop(row, None)

    def known_again(self, table: f.Expression) -> dict[Place, tuple[Ball, Cause]]:
        """For the numbers of a print that repeat a wrong row, by their places, what is right and where the error is."""
        rows = table.rows if isinstance(table, f.Matrix) and self._right else ()
        found: dict[Place, tuple[Ball, Cause]] = {}
        for i, row in enumerate(rows):
            for numbers in _decimals(row, 10):
                values = tuple(sign * n.value for n, sign in numbers)
                right = () if values in self._earlier else self._right.get(values, ())
                found |= {(i, j): each for j, each in enumerate(right) if each is not None}
        return found

    def rights(self, formula: f.Expression) -> dict[int, Ball]:
        """For the numbers of a formula that repeat a wrong row (by `id`) what they should have been."""
        found: dict[int, Ball] = {}
        for numbers in _rows_in(formula) if self._right else ():
            right = self._right.get(tuple(sign * n.value for n, sign in numbers))
            if right is not None:
                found |= {id(n): sign * x[0] for (n, sign), x in zip(numbers, right, strict=True) if x is not None}
        return found


Signed = tuple[f.Number, int]  # a number and the sign before it


def _rows_in(formula: f.Expression) -> Iterator[list[Signed]]:
    """The coefficients of sums of products, if they have decimals; rows of matrices with two digits; sums of three."""
    for part in f.walk(formula):
        if isinstance(part, f.Sum):
            weights = [term.factors[0] for term in part.terms if isinstance(term, f.Product)]
            if len(weights) == len(part.terms) > 1:
                yield from _decimals(weights, 1)
            yield from _decimals(part.terms, 100)
        elif isinstance(part, f.Matrix):
            for row in part.rows:
                yield from _decimals(row, 10)


def _decimals(cells: Sequence[f.Expression], least: int) -> Iterator[list[Signed]]:
    """The cells, if all are decimals, half of them with so many units of their last place at least.

    Shares such as [0.50, 0.50] and [0.6, 0.4] come by chance: a row is known again by three digits, and two numbers.
    """
    signed = [signed for cell in cells if (signed := _signed(cell)) is not None]
    numbers = [number for number, _ in signed]
    telling = sum(abs(n.value) >= least * n.places for n in numbers)
    digits = sum(len(str(int(abs(n.value) / n.places)).rstrip("0")) for n in numbers)
    if len(numbers) == len(cells) and len({n.value for n in numbers}) > 1 and digits > 2 and 2 * telling >= len(cells):
        yield signed


def _signed(cell: f.Expression) -> Signed | None:
    """A decimal, and the sign before it: 0.3 or (-0.3)."""
    match cell:
        case f.Number() as number if number.places < 1:
            return number, 1
        case f.Sum((f.Number() as number,), (-1,)) if number.places < 1:
            return number, -1
    return None
