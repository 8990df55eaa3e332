"""A name that gets the numbers of what stands worked out above it: `1[1, 2] + 2[0, 1]`, "Therefore o = [1, 4]"."""

from __future__ import annotations

from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, try_define
from symattn.reading import formula as f


def result_of(expression: f.Expression, printed: Printed, environment: Environment) -> Definition | None:
    """The formula in numbers alone that was displayed right before a row or a matrix, if all its numbers are that."""
    parts = list(f.walk(expression))
    if f.is_printed(expression) or any(isinstance(part, f.Name | f.Unread | f.Dots) for part in parts):
        return None
    definition = try_define(expression, environment)
    count = len(printed.places())
    return definition if definition is not None and agreeing(printed, definition.true) == count > 1 else None
