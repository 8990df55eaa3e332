"""Sides in closed form, 5√2 or e^-1/(1 + e^-1): right where they are exactly what they stand for.

Of one that is not nothing is said here: it may be arithmetic with rounded numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from symattn.checking.chains.prints import UNIT, cells_at, is_lowest, text_of
from symattn.checking.expected.definitions import main_definition
from symattn.checking.findings import Place
from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.evaluation import NoValueError, evaluate, scalar
from symattn.checking.verdicts import Cell, Definition, Printed, try_define
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import Ball, agree, round_to

MOST_DECIMALS = 6  # different ones in a side
COARSEST = Fraction(1, 100)  # of which all may be off by half of their last digit
_FUNCTIONS = ("exp", "tanh", "cos", "sin", "log", "sqrt")


def expected_of(
    keys: Sequence[f.Expression], definitions: Sequence[Definition], environment: Environment
) -> Balls | None:
    """What a side should be: the value of the formula before it, or of the name, if a formula says what that is."""
    if definitions:
        return main_definition(definitions, keys).true
    if not keys or environment.is_given(keys[0]) or not environment.knows(keys[0]):
        return None
    known = try_define(keys[0], environment)
    return None if known is None else known.true


def puts_in(
    side: f.Expression, keys: Sequence[f.Expression], definitions: Sequence[Definition], environment: Environment
) -> bool:
    """Whether a side only writes out what stands before it, [1, 2] · [3, 4] as 1 · 3 + 2 · 4: it comes to the same, and
    has no number that was not printed before."""
    true = expected_of(keys, definitions, environment)
    written = None if true is None else try_define(side, environment)
    if true is None or written is None or written.used or written.true.shape != true.shape or true.hidden:
        return False
    own = {part.value for d in definitions for part in f.walk(d.expression) if isinstance(part, f.Number)}
    numbers = {abs(part.value) for part in f.walk(side) if isinstance(part, f.Number)}
    known = all(x in own or -x in own or x in environment.numbers or -x in environment.numbers for x in numbers)
    pairs = zip(true.rows, written.true.rows, strict=True)
    return known and all(agree(a, b) for row, other in pairs for a, b in zip(row, other, strict=True))


def exact_table(side: f.Expression, true: Balls, *, about: bool = False) -> Printed | None:
    """A side in closed form that is exactly what it should be, entry by entry: `[5√2, 1]`, `[e^-1, 1]/(1 + e^-1)`.

    Or, with `about`, that may be so where each of its decimals is off by half a unit at most: ≈ 1/(1 + e^-0.93).
    None where an entry differs, or is arithmetic that is still to be done; nothing is said of such a side.
    """
    below: f.Expression | None = None
    if isinstance(side, f.Quotient) and isinstance(side.numerator, f.Matrix):
        below, side = side.denominator, side.numerator
    cells = cells_at(side, true.shape)
    if not cells or all(isinstance(c, f.Number | f.Infinity) for c in (*cells.values(), *([below] if below else []))):
        return None
    if not all(is_exact(c) for c in (*cells.values(), *([below] if below else []))):
        return None
    largest = max(
        (abs(x) for i, row in enumerate(true.rows) for j, x in enumerate(row) if (i, j) not in true.hidden),
        key=lambda x: x.mid(),
        default=None,
    )
    try:
        if not all(_is_worth(cell, below, true, place, largest, about) for place, cell in cells.items()):
            return None
    except NoValueError:
        return None
    return _as_printed(cells, true)


def _is_worth(
    cell: f.Expression, below: f.Expression | None, true: Balls, place: Place, largest: Ball | None, about: bool
) -> bool:
    if place in true.hidden or isinstance(cell, f.Infinity):
        return place in true.hidden and isinstance(cell, f.Infinity) and cell.sign < 0
    whole = cell if below is None else f.Quotient(cell, below)
    meant = true.rows[place[0]][place[1]]
    decimals = {x.value: x.places for x in f.walk(whole) if isinstance(x, f.Number) and x.places < 1} if about else {}
    if not decimals:
        value = evaluate(whole, lambda _: None)
        return value.shape == (1, 1) and not value.hidden and agree(value.rows[0][0], meant, largest)
    if len(decimals) > MOST_DECIMALS or max(decimals.values()) > COARSEST:
        return False
    ends = [_with(whole, dict(zip(decimals, signs, strict=True))) for signs in product((-1, 1), repeat=len(decimals))]
    return any(x <= meant for x in ends) and any(x >= meant for x in ends)


def _with(whole: f.Expression, signs: Mapping[Fraction, int]) -> Ball:
    """The value with each decimal half a unit larger or smaller, wherever it stands."""

    def moved(part: f.Expression) -> Balls | None:
        if not isinstance(part, f.Number) or part.value not in signs:
            return None
        return scalar(part.value + signs[part.value] * part.places / 2)

    return evaluate(whole, moved).rows[0][0]


def is_exact(cell: f.Expression) -> bool:
    """Whether nothing is left to be done: numbers, roots, exponentials and functions of these, sums with one of them.

    >>> from fractions import Fraction
    >>> two = f.Number("2", Fraction(2), Fraction(1))
    >>> is_exact(f.Root(two)), is_exact(f.Product((two, two), ("·",))), is_exact(f.Sum((two, two), (1, 1)))
    (True, False, False)
    """
    match cell:
        case f.Number() | f.Infinity():
            return True
        case f.Sum():
            plain = all(isinstance(term, f.Number | f.Quotient) and not _is_irrational(term) for term in cell.terms)
            return all(map(is_exact, cell.terms)) and (len(cell.terms) == 1 or not plain)
        case f.Product():
            numbers = sum(not _is_irrational(factor) for factor in cell.factors)
            return numbers <= 1 and all(map(is_exact, cell.factors))
        case f.Quotient(f.Number(), f.Number()):
            return is_lowest(cell)
        case f.Quotient():
            return is_exact(cell.numerator) and is_exact(cell.denominator)
        case f.Root(f.Number(value=value)):
            return value.denominator > 1 or math.isqrt(value.numerator) ** 2 != value.numerator
        case f.Power():
            return cell.base == f.Name("e") or is_exact(cell.base)
        case f.Call():
            return cell.function in _FUNCTIONS and not cell.options and not any(map(_holds_name, cell.arguments))
    return False


def _holds_name(expression: f.Expression) -> bool:
    return any(isinstance(part, f.Name) and part != f.Name("e") for part in f.walk(expression))


def _is_irrational(expression: f.Expression) -> bool:
    return any(isinstance(part, f.Root | f.Power | f.Call) for part in f.walk(expression))


def _as_printed(cells: Mapping[Place, f.Expression], true: Balls) -> Printed:
    """Right entries in closed form as a table: values to three places of their own, by which they are remembered."""
    rows, columns = true.shape
    table: list[list[Cell]] = []
    for i in range(rows):
        table.append([])
        for j in range(columns):
            cell = cells.get((i, j))
            value = None if (i, j) in true.hidden else round_to(true.rows[i][j], UNIT)
            span = (0, 0) if cell is None else (cell.start, cell.end)
            table[-1].append((value, UNIT, "…" if cell is None else text_of(cell), span))
    left_out = frozenset((i, j) for i in range(rows) for j in range(columns) if (i, j) not in cells)
    return Printed.of(table, left_out)
