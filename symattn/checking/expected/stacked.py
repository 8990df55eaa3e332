"""A matrix that an article gives row by row: x_1 = [1, 0], x_2 = [0, 2], or "cat": [1, 0], and then Q = X W_Q.

Which rows they are, and in which order, only the numbers of a formula can show: what it gives for them is held against
what is printed of it, and X is taken for these rows where the print makes that evident.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from symattn.checking.expected.evidence import mostly_right
from symattn.checking.naming import substitute
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, try_define
from symattn.reading import formula as f

_MOST = 32  # rows that are remembered


class Stack(NamedTuple):
    """A matrix of rows, and these as they stand in the article."""

    matrix: f.Matrix
    rows: tuple[f.Expression, ...]


class StackedRows:
    """The lists of numbers that were given or computed last, each as a row."""

    def __init__(self) -> None:
        self._rows: deque[tuple[tuple[f.Expression, ...], f.Expression]] = deque(maxlen=_MOST)

    def note(self, name: f.Expression | None, expression: f.Expression, printed: Printed) -> None:
        """Remember a list, by its name if it has one."""
        rows, columns = printed.shape
        if min(rows, columns) != 1 or rows == columns or printed.left_out or not isinstance(expression, f.Matrix):
            return
        cells = tuple(cell for row in expression.rows for cell in row)
        if isinstance(name, f.Name):
            marks = [("1", str(k + 1)) if rows == 1 else (str(k + 1), "1") for k in range(len(cells))]
            cells = tuple(f.Entry(name, mark) for mark in marks)
        self._rows.append((cells, expression))

    def find(
        self, formula: f.Expression, printed: Printed, environment: Environment
    ) -> tuple[f.Name, Stack, Definition] | None:
        """The one unknown matrix of a formula, its rows, and what these are, if the print shows it."""
        name = unknown_in(formula, environment)
        for stack in self.stacks(printed.shape) if name is not None else ():
            assert name is not None
            whole = try_define(stack.matrix, environment)
            if whole is None:
                continue
            definition = try_define(substitute(formula, name, stack.matrix), environment)
            if definition is not None and mostly_right(definition, printed, environment):
                return name, stack, whole
        return None

    def stacks(self, shape: tuple[int, int]) -> Iterator[Stack]:
        """The matrices that the last rows make in a product of this shape, one a token: as rows, then as columns."""
        rows = list(self._rows)
        for axis, count in enumerate(shape):
            for start in range(len(rows) - count, -1, -1) if count > 1 else ():
                cells, lists = zip(*rows[start : start + count], strict=True)
                if len({*map(len, cells)}) == 1:
                    yield Stack(f.Matrix(tuple(zip(*cells, strict=True)) if axis else cells), lists)


def unknown_in(formula: f.Expression, environment: Environment) -> f.Name | None:
    """The one name in a formula of which nothing is known."""
    names = {part for part in f.walk(formula) if isinstance(part, f.Name) and not environment.knows(part)}
    return names.pop() if len(names) == 1 else None
