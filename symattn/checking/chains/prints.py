"""Printed results that are not numbers throughout: fractions and roots as cells, and entries that are left out."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TypeVar

from symattn.checking.findings import Place
from symattn.checking.semantics.evaluation import NoValueError, evaluate
from symattn.checking.verdicts import Cell, Printed, printed_cell
from symattn.reading import formula as f
from symattn.values.printed import round_to

T = TypeVar("T")
UNIT = Fraction(1, 1000)  # to which a fraction or a root is held
_EXACT = Fraction(1, 10**12)
LARGEST = 1000  # numerator or denominator of a fraction that is a result


def closed_table(side: f.Expression) -> Printed | None:
    """A matrix of numbers with fractions in lowest terms or roots among them, as a table: `[[1/2, 1/2]]`, `[1/√2, 0]`.

    None where all are numbers, or where one is arithmetic that is still to be done (2/4, 10/1.41).
    """
    if not isinstance(side, f.Matrix) or len({len(row) for row in side.rows}) != 1 or f.is_printed(side):
        return None
    if not all(_is_closed(c) for row in side.rows for c in row):
        return None
    try:
        return Printed.of([[_closed_cell(c) for c in row] for row in side.rows])
    except NoValueError:
        return None


def _closed_cell(cell: f.Expression) -> Cell:
    unit = cell.places if isinstance(cell, f.Number) else UNIT
    return _value(cell), unit, text_of(cell), (cell.start, cell.end)


def lone_fraction(side: f.Expression) -> Printed | None:
    """A fraction of two small whole numbers in lowest terms as a number that is printed: 1/3."""
    if not isinstance(side, f.Quotient) or not _is_closed(side) or not isinstance(side.numerator, f.Number):
        return None
    if not isinstance(side.denominator, f.Number):
        return None
    return Printed.of([[_closed_cell(side)]])


def _is_closed(cell: f.Expression) -> bool:
    if isinstance(cell, f.Sum):
        return len(cell.terms) == 1 and _is_closed(cell.terms[0])
    if isinstance(cell, f.Product):
        return len(cell.factors) == 2 and _is_whole(cell.factors[0]) and isinstance(cell.factors[1], f.Root)
    if isinstance(cell, f.Root):
        return _is_whole(cell.radicand)
    if isinstance(cell, f.Quotient):
        above, below = cell.numerator, cell.denominator
        if isinstance(above, f.Number) and isinstance(below, f.Number):
            return _is_whole(above) and _is_whole(below) and is_lowest(cell)
        return all(_is_whole(x) or (isinstance(x, f.Root) and _is_whole(x.radicand)) for x in (above, below))
    return isinstance(cell, f.Number)


def is_lowest(fraction: f.Quotient) -> bool:
    """Whether nothing is left to be cancelled in a fraction of two whole numbers."""
    above, below = fraction.numerator, fraction.denominator
    if not (isinstance(above, f.Number) and isinstance(below, f.Number)) or above.places != 1 or below.places != 1:
        return False
    return below.value > 1 and math.gcd(int(above.value), int(below.value)) == 1


def _is_whole(x: f.Expression) -> bool:
    return isinstance(x, f.Number) and x.places == 1 and 0 < abs(x.value) < LARGEST


def _value(cell: f.Expression) -> Fraction:
    if isinstance(cell, f.Number):
        return cell.value
    if isinstance(cell, f.Quotient) and isinstance(cell.numerator, f.Number) and isinstance(cell.denominator, f.Number):
        return cell.numerator.value / cell.denominator.value
    return round_to(evaluate(cell, lambda _: None).rows[0][0], _EXACT)


def text_of(cell: f.Expression) -> str:
    """A cell as plain text: as a number is printed, 1/2, √3/2."""
    match cell:
        case f.Number():
            return cell.text
        case f.Infinity():
            return "-∞"
        case f.Sum():
            signs = ("" if cell.signs[0] > 0 else "-", *(" + " if sign > 0 else " - " for sign in cell.signs[1:]))
            return "".join(sign + text_of(term) for sign, term in zip(signs, cell.terms, strict=True))
        case f.Quotient():
            return f"{text_of(cell.numerator)}/{text_of(cell.denominator)}"
        case f.Root():
            return f"√{text_of(cell.radicand)}"
        case f.Product():
            return "".join(map(text_of, cell.factors))
    return "…"


def partial_table(side: f.Expression, shape: tuple[int, int]) -> Printed | None:
    """A matrix that leaves entries out as a table of this shape, if it can be one: `[0.52, 0.48, …]`, `[[1, 2], …]`.

    What stands before the dots of a row belongs to its beginning, what stands after them to its end; so do rows.
    """
    if not isinstance(side, f.Matrix):
        return None
    cells = cells_at(side, shape)
    known = {place: cell for place, c in (cells or {}).items() if (cell := printed_cell(c)) is not None}
    if not cells or len(known) < len(cells):
        return None
    rows = [[known.get((i, j), _LEFT_OUT) for j in range(shape[1])] for i in range(shape[0])]
    every = itertools.product(range(shape[0]), range(shape[1]))
    return Printed.of(rows, frozenset(every) - known.keys())


_LEFT_OUT = (Fraction(0), Fraction(1), "…", (0, 0))


def cells_at(side: f.Expression, shape: tuple[int, int]) -> dict[Place, f.Expression] | None:
    """The cells of a matrix of this shape that are written, by their places; a lone expression is one cell."""
    rows = side.rows if isinstance(side, f.Matrix) else ((side,),)
    known = spread([None if is_left_out(row) else row for row in rows], shape[0])
    cells: dict[Place, f.Expression] = {}
    for i, row in (known or {}).items():
        placed = spread([None if isinstance(c, f.Dots) else c for c in row], shape[1])
        if placed is None:
            return None
        cells |= {(i, j): cell for j, cell in placed.items()}
    return cells


def is_left_out(row: tuple[f.Expression, ...]) -> bool:
    return all(isinstance(c, f.Dots) for c in row)


def spread(items: list[T | None], count: int) -> dict[int, T] | None:
    """Where the items of a row stand that has `count` of them; None is what stands for any number."""
    gaps = [k for k, item in enumerate(items) if item is None]
    if not gaps:
        return {k: x for k, x in enumerate(items) if x is not None} if len(items) == count else None
    before, after = items[: gaps[0]], items[gaps[-1] + 1 :]
    if len(before) + len(after) > count:
        return None
    found = dict(enumerate(before)) | {count - len(after) + k: x for k, x in enumerate(after)}
    return {k: x for k, x in found.items() if x is not None}
