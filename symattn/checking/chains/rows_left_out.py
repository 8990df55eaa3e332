"""What stands before the dots of a matrix or a list that ends in them.

Of square matrices only the first rows may be shown: `A = [[1, 0, 0, 0], [0.4, 0.6, 0, 0], ...]`. The rows are whole,
and each step of attention up to the weights is taken row by row. As they are fewer than the columns, nothing that needs
the others, a product from the right or a sum over rows, has sizes that fit.
"""

from __future__ import annotations

from symattn.reading import formula as f

_FEWEST = 2  # rows that are shown


def rows_shown(expression: f.Expression) -> f.Matrix | None:
    """The rows of a matrix before the dots below them, if it is one of more columns than these."""
    match expression:
        case f.Matrix(rows=(*shown, (f.Dots(),)), brackets=brackets) if _FEWEST <= len(shown) < len(shown[0]):
            whole = f.Matrix(tuple(shown), brackets, start=expression.start, end=expression.end)
            even = len(set(map(len, shown))) == 1
            dots = any(isinstance(cell, f.Dots) for row in shown for cell in row)
            return whole if even and not dots else None
    return None


def beginning(expression: f.Expression) -> f.Matrix | None:
    """A list up to the dots that it ends in: [sin(1), cos(1)] of [sin(1), cos(1), …]."""
    match expression:
        case f.Matrix(rows=((*shown, f.Dots()),)) if shown and not any(isinstance(cell, f.Dots) for cell in shown):
            return f.Matrix((tuple(shown),), expression.brackets, start=expression.start, end=expression.end)
    return None
