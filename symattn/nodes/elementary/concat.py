"""Matrices side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy import Expr, Piecewise

from symattn.errors import InputError
from symattn.nodes.boxes import SideBySide
from symattn.nodes.node import At, M, Node, Numbers, Sizes, as_matrix, entry, require_size, rows_of, shape_of
from symattn.writing.document import Box, Formula, Symbol
from symattn.writing.prose import Sentence

MOST_PARTS = 8  # that a formula names one by one


class Concat(Node):
    """The parts side by side: [Y_1, …, Y_h], which share their rows; the widths add up.

    Shape: rows of a part by the sum of the widths. Raises ShapeError where the rows differ. Source: Vaswani et al.
    2017, section 3.2.2.

    >>> from sympy import Matrix
    >>> Concat(Matrix([1, 2]), Matrix([[3, 4], [5, 6]])).as_explicit()
    Matrix([
    [1, 3, 4],
    [2, 5, 6]])
    """

    def __new__(cls, *parts: Any) -> Any:
        if not parts:
            raise InputError(Sentence("not_a_matrix", role="Concat", given="()"))
        made = [as_matrix(p, "Concat") for p in parts]
        for part in made[1:]:
            require_size(made[0].shape[0], part.shape[0], rows_of(made[0]), rows_of(part))
        return super().__new__(cls, *made)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], sympy.Add(*[a.shape[1] for a in self.args])

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        cases, left = [], sympy.Integer(0)
        for part in self.args:
            inside = sympy.And(left <= j, j < left + part.shape[1])
            if inside == True:  # noqa: E712  (SymPy's true)
                return entry(part, i, j - left)
            if inside != False:  # noqa: E712
                cases.append((entry(part, i, j - left), inside))
            left += part.shape[1]
        return Piecewise(*cases)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.concat(values)

    def written(self, at: At, i: str, j: str) -> Box | None:
        return at(self.args[0], i, j) if len(self.args) == 1 else None

    def formula(self) -> Box:
        return self.side_by_side(Formula)

    def side_by_side(self, write: Callable[[Any], Box]) -> Box:
        """The parts, each as it is to be written; of many with names the first, the second and the last."""
        parts = list(map(write, self.args))
        if len(parts) == 1:
            return parts[0]
        if len(parts) > MOST_PARTS and all(a.is_symbol for a in self.args):  # head_1, head_2, …, head_16
            parts[2:-1] = [Symbol("ldots")]
        return SideBySide(tuple(parts))
