"""Weights that are written as their transpose: q = x W = [2, 0] where only x Wᵀ fits, as programs keep them.

Square ones fit on both sides of a list: q = W x is x W where every number of the result is that, and not W x. And
results that are written as rows turned upright, a + b = [5, 6]ᵀ: the numbers of a column.
"""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Printed, agreeing, table_of_prints, try_define
from symattn.reading import formula as f

_LETTERS = ("W", "w")


def with_weights_turned(chain: f.Chain, environment: Environment) -> f.Chain:
    """The chain with x Wᵀ for x W where the sizes leave nothing else and half of the numbers behind it bear it out."""
    sides = list(chain.sides)
    for k, (side, result) in enumerate(zip(chain.sides, chain.sides[1:], strict=False)):
        printed = table_of_prints(result.expression) if result.relation in ("=", "≈") else None
        if printed is None or not (count := len(printed.places())):
            continue
        turned, other = _turned(side.expression, environment), _row_first(side.expression, environment)
        if turned is not None and count <= 2 * _right(printed, turned, environment):
            sides[k] = replace(side, expression=turned)
        elif other is not None and _right(printed, other, environment) == count > _right(
            printed, side.expression, environment
        ):
            sides[k] = replace(side, expression=other)
    return replace(chain, sides=tuple(sides))


def _right(printed: Printed, expression: f.Expression, environment: Environment) -> int:
    """How many numbers of a print are those of an expression."""
    definition = try_define(expression, environment)
    return 0 if definition is None else agreeing(printed, definition.true)


def _row_first(expression: f.Expression, environment: Environment) -> f.Expression | None:
    """x W for a product W x of square weights and a list."""
    match expression:
        case f.Product(factors=(f.Name(base=base) as weights, f.Name() as x)) if base in _LETTERS:
            (rows, columns), size = _size(weights, environment), _size(x, environment)
            return replace(expression, factors=(x, weights)) if size == (1, rows) and rows == columns > 1 else None
    return None


def _turned(expression: f.Expression, environment: Environment) -> f.Expression | None:
    """x Wᵀ for a product x W of two names that have no such sizes."""
    match expression:
        case f.Product(factors=(f.Name() as x, f.Name(base=base) as weights)) if base in _LETTERS:
            (_, inner), (outputs, inputs) = _size(x, environment), _size(weights, environment)
            if 0 < inner == inputs != outputs > 0:
                turned = f.Transpose(weights, start=weights.start, end=weights.end)
                return replace(expression, factors=(x, turned))
    return None


def _size(name: f.Name, environment: Environment) -> tuple[int, int]:
    """Rows and columns of what a name stands for by now; 0 × 0 where that is not known."""
    stated = environment.stated.get(name)
    return (0, 0) if stated is None or stated.stale else stated.true.shape


def with_columns_upright(chain: f.Chain) -> f.Chain:
    """The chain with each result that is a transposed list of numbers as that column, behind a formula.

    Right behind a name, x = [1, 2]ᵀ, it says how a vector that is given stands.

    >>> from symattn.reading.formula import parse
    >>> [f.is_printed(side.expression) for side in with_columns_upright(parse("b = a + c = [5, 6]^T")[0]).sides]
    [False, False, True]
    """
    begun = False
    sides: list[f.Side] = []
    for side in chain.sides:
        match side.expression:
            case f.Transpose(f.Matrix((_,)) as matrix) if (
                begun and f.is_printed(matrix) and side.relation in ("=", "≈")
            ):
                side = replace(side, expression=replace(matrix, rows=tuple(zip(*matrix.rows, strict=True))))
        begun |= not isinstance(side.expression, f.Name | f.Number | f.Matrix) and bool(side.relation or not sides)
        sides.append(side)
    return replace(chain, sides=tuple(sides))
