"""Sinusoidal positions that are printed without their formula beside them: sin and cos of pos / base^(2i/d).

No other table begins with the row 0, 1, 0, 1; even so every number has to be right for one of the usual bases. Of one
position, `PE(2) = [0.909, -0.416, 0.020, 1.000]`, the article has to have a formula, and half of the row be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, try_define
from symattn.patterns import regex
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


def row_of_positions(
    name: f.Expression, printed: Printed, said: Mapping[f.Expression, Iterable[f.Expression]], environment: Environment
) -> Definition | None:
    """What a row named `PE(2)` has to be, where an article says what PE(pos, 2i) is."""
    rows, columns = printed.shape
    if not isinstance(name, f.Name) or rows != 1 or columns < 4 or columns % 2 or columns > _MOST or printed.left_out:
        return None
    number = _POSITION.fullmatch("".join((*name.sub, *name.sup)))
    formulas = [formula for key in said if isinstance(key, f.Name) and key.base == name.base for formula in said[key]]
    formulas = [formula for formula in formulas if names_usual_base(formula)]
    if number is None or not formulas or any(_is_wider(formula, columns, environment) for formula in formulas):
        return None
    whole = table_of_positions(int(number["number"]) + 1, columns, USUAL_BASE)
    definition = try_define(f.Matrix((whole.rows[-1],)), environment)
    # sines may stand before cosines, positions count from 1, and the row be the beginning of a wider one
    fits = definition is not None and agreeing(printed, definition.true) >= columns - 1
    return definition if fits else None


_POSITION = regex(r"\(?(?:pos ?= ?)?(?P<number>\d{1,3})\)?")


def _is_wider(formula: f.Expression, columns: int, environment: Environment) -> bool:
    """Whether the width d that a formula divides by is known, and another: then the row shows a part of them."""
    below = {part.denominator for part in f.walk(formula) if isinstance(part, f.Quotient)}
    widths = (try_define(name, environment) for name in below if isinstance(name, f.Name))
    return any(w is not None and (w.true.shape != (1, 1) or w.true.rows[0][0] != columns) for w in widths)


def names_usual_base(expression: f.Expression) -> bool:
    """Whether 10000 stands in a sine or a cosine."""
    calls = (part for part in f.walk(expression) if isinstance(part, f.Call) and part.function in ("sin", "cos"))
    return any(isinstance(part, f.Number) and part.value == USUAL_BASE for call in calls for part in f.walk(call))


def table_of_positions(rows: int, columns: int, base: int) -> f.Matrix:
    """The sines and cosines of positions 0, 1, 2, … for as many columns."""

    def entry(pos: int, j: int) -> f.Expression:
        power = f.Power(_whole(base), f.Quotient(_whole(j - j % 2), _whole(columns)))
        return f.Call("cos" if j % 2 else "sin", (f.Quotient(_whole(pos), power),))

    return f.Matrix(tuple(tuple(entry(pos, j) for j in range(columns)) for pos in range(rows)))


def _whole(n: int) -> f.Number:
    return f.Number(str(n), Fraction(n), Fraction(1))
