"""Results that are written as rows turned upright, a + b = [5, 6]ᵀ: the numbers of a column."""

from __future__ import annotations

from dataclasses import replace

from symattn.reading import formula as f


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
