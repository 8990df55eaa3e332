"""What stands before the dots of a matrix, a list or a sum that ends in them.

Of square matrices only the first rows may be shown: `A = [[1, 0, 0, 0], [0.4, 0.6, 0, 0], ...]`. The rows are whole,
and each step of attention up to the weights is taken row by row. As they are fewer than the columns, nothing that needs
the others, a product from the right or a sum over rows, has sizes that fit.
"""

from __future__ import annotations

from symattn.checking.verdicts import Definition
from symattn.reading import formula as f
from symattn.values.printed import apart

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


def beginning(expression: f.Expression) -> f.Matrix | f.Sum | None:
    """A list or a sum up to the dots that it ends in: [sin(1), cos(1)] of [sin(1), cos(1), …]."""
    start, end = expression.start, expression.end
    match expression:
        case f.Matrix(rows=((*shown, f.Dots()),)) if shown and not any(isinstance(cell, f.Dots) for cell in shown):
            return f.Matrix((tuple(shown),), expression.brackets, start=start, end=end)
        case f.Sum((*terms, f.Dots()), (*signs, 1)) if terms and not any(isinstance(term, f.Dots) for term in terms):
            return f.Sum(tuple(terms), tuple(signs), start=start, end=end)
    return None


def is_all_before_dots(main: Definition, begun: Definition | None) -> bool:
    """Whether a value is what the terms before dots add up to: the dots stand for terms that it is without."""
    if begun is None or not isinstance(begun.expression, f.Sum) or not main.true.shape == begun.true.shape == (1, 1):
        return False
    slack = sum(part.places for part in f.walk(begun.expression) if isinstance(part, f.Number) and part.places < 1) / 2
    return apart(main.true.rows[0][0], begun.true.rows[0][0]) <= slack
