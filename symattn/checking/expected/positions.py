"""Tables of sinusoidal positions that are printed without their formula: sin and cos of pos / base^(2i/d).

Nothing else begins with the row 0, 1, 0, 1; even so every number has to be right for one of the usual bases.
"""

from __future__ import annotations

from fractions import Fraction

from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, try_define
from symattn.reading import formula as f

USUAL_BASE = 10_000
_BASES = (USUAL_BASE, 100)
_MOST = 4_096  # numbers of a table


def sinusoids(printed: Printed, environment: Environment) -> Definition | None:
    """The table of positions 0, 1, 2, … that a print is, if it is one."""
    rows, columns = printed.shape
    if rows < 2 or columns < 4 or columns % 2 or rows * columns > _MOST or printed.left_out:
        return None
    if any(value != j % 2 for j, value in enumerate(printed.values[0])):
        return None
    for base in _BASES:
        definition = try_define(table_of_positions(rows, columns, base), environment)
        if definition is None:
            return None
        if agreeing(printed, definition.true) == rows * columns:
            return definition
    return None


def table_of_positions(rows: int, columns: int, base: int) -> f.Matrix:
    """The sines and cosines of positions 0, 1, 2, … for as many columns."""

    def entry(pos: int, j: int) -> f.Expression:
        power = f.Power(_whole(base), f.Quotient(_whole(j - j % 2), _whole(columns)))
        return f.Call("cos" if j % 2 else "sin", (f.Quotient(_whole(pos), power),))

    return f.Matrix(tuple(tuple(entry(pos, j) for j in range(columns)) for pos in range(rows)))


def _whole(n: int) -> f.Number:
    return f.Number(str(n), Fraction(n), Fraction(1))
