"""Functions that carry a parameter as a mark, p_θ(x): their derivative by it is not that of a letter on its own."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.reading import formula as f


def differentiates_by_a_mark(sides: Sequence[f.Expression]) -> bool:
    """Whether a derivative is by a letter that a name in it has below it, ∇_θ log p_θ(x).

    >>> [chain] = f.parse(r"\\nabla_\\theta \\log p_\\theta(x) = \\nabla_\\theta y", algebra=True)
    >>> [differentiates_by_a_mark([side.expression]) for side in chain.sides]
    [True, False]
    """
    slopes = (part for side in sides for part in f.walk(side) if isinstance(part, f.Derivative))
    return any(_carries(name, slope.by) for slope in slopes for name in f.walk(slope.of))


def _carries(name: f.Expression, by: f.Expression) -> bool:
    if not isinstance(by, f.Name) or by.sub or not isinstance(name, f.Name | f.Call):
        return False
    marks = name.sub if isinstance(name, f.Name) else name.label
    hidden = isinstance(name, f.Name) and not marks and "_" in name.text  # the θ of a probability, p_θ(x)
    return by.base in marks or hidden
