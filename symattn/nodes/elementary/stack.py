"""Matrices one below another, and a part of a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Piecewise

from symattn.errors import InputError
from symattn.nodes.boxes import Stacked, Turned, factor
from symattn.nodes.elementary.families import TIME
from symattn.nodes.node import At, M, Node, Numbers, Sizes, as_matrix, columns_of, entry, require_size, shape_of
from symattn.writing.document import TIGHT, Box, Cell, Formula, Listed, Row, Spelled, Style, Vector
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class Stack(Node):
    """The parts one below another, which share their columns: a cache of keys and the new ones, [P; K].

    Shape: the heights add up. Raises ShapeError where the widths differ. Source: Shazeer 2019, section 2.4.

    >>> from sympy import Matrix
    >>> Stack(Matrix([[1, 2]]), Matrix([[3, 4]])).as_explicit()
    Matrix([
    [1, 2],
    [3, 4]])
    """

    def __new__(cls, *parts: Any) -> Any:
        if not parts:
            raise InputError(Sentence("not_a_matrix", role="Stack", given="()"))
        made = [as_matrix(p, "Stack") for p in parts]
        for part in made[1:]:
            require_size(made[0].shape[1], part.shape[1], columns_of(made[0]), columns_of(part))
        return super().__new__(cls, *made)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return sympy.Add(*[a.shape[0] for a in self.args]), shape_of(self.args[0])[1]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        cases, above = [], sympy.Integer(0)
        for part in self.args:
            inside = sympy.And(above <= i, i < above + part.shape[0])
            if inside == True:  # noqa: E712  (SymPy's true)
                return entry(part, i - above, j)
            if inside != False:  # noqa: E712
                cases.append((entry(part, i - above, j), inside))
            above += part.shape[0]
        return Piecewise(*cases)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.transpose(numbers.concat([numbers.transpose(v) for v in values]))

    def formula(self) -> Box:
        return Stacked(tuple(map(Formula, self.args)))


class Block(Node):
    """`height` rows from `top` on and `width` columns from `left` on, both counted from 0: a token, a block of keys.

    Shape: (height, width). Raises ShapeError where a number is beyond the matrix.

    >>> from sympy import Matrix
    >>> Block(Matrix([[1, 2, 3], [4, 5, 6]]), 1, 1, 1, 2).as_explicit()
    Matrix([[5, 6]])
    """

    def __new__(cls, X: Any, top: Any, height: Any, left: Any, width: Any) -> Any:
        X = as_matrix(X, "X")
        numbers = [as_sympy(k) for k in (top, height, left, width)]
        for start, count, size in ((*numbers[:2], X.shape[0]), (*numbers[2:], X.shape[1])):
            if start.is_negative or count.is_positive is False or (as_sympy(size) - start - count).is_negative:
                raise InputError(Sentence("block_beyond", start=start, stop=start + count, size=size))
        return super().__new__(cls, X, *numbers)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[2], self.args[4]

    @property
    def required(self) -> tuple[tuple[str, Expr, Expr], ...]:
        X, top, height, left, width = self.args
        ends = zip(shape_of(X), (top + height, left + width), strict=True)
        return tuple((">=", size, end) for size, end in ends if not (size - end).is_nonnegative)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], self.args[1] + i, self.args[3] + j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        sized = self.xreplace(dict(sizes))  # which refuses numbers beyond the matrix
        top, height, left, width = map(int, sized.args[1:])
        return numbers.block(values[0], range(top, top + height), range(left, left + width))

    def written(self, at: At, i: str, j: str) -> Box | None:
        """The entry of X itself, where the block is one row, or one column, or all of them."""
        row, column = self._place(0, i), self._place(1, j)
        return None if row is None or column is None else at(self.args[0], row, column)

    def _place(self, axis: int, index: str) -> str | None:
        start, count = self.args[1 + 2 * axis], self.args[2 + 2 * axis]
        if count == shape_of(self.args[0])[axis]:
            return index
        return str(start + 1) if count == 1 else None

    @property
    def is_row(self) -> bool:
        """Whether it is one whole row of what has a name, which is written by the lower-case letter: k_t."""
        X, _, height, _, width = self.args
        return bool(X.is_symbol and height == 1 and width == shape_of(X)[1])

    def formula(self) -> Box:
        if self.is_row:
            return Vector(self.args[0].name, str(self.args[1] + 1))
        X, rows, columns = factor(self.args[0]), self._span(0), self._span(1)
        spans = Turned(Listed((rows, columns), r"\,"), Listed((columns, rows), r"\,"))
        return Row((Spelled("{", ""), X, Spelled("}_{[", "["), spans, Spelled("]}", "]")), TIGHT)

    def _span(self, axis: int) -> Cell:
        start, count = self.args[1 + 2 * axis], self.args[2 + 2 * axis]
        if count == shape_of(self.args[0])[axis]:
            return ":"
        first, last = RowNumber(start + 1), RowNumber(start + count)
        return first if count == 1 else Row((first, ":", last), TIGHT)


@dataclass(frozen=True)
class RowNumber:
    """The number of a row, which is counted from 1 inside, as are tokens and blocks: 2t - 1, not -1 + 2t."""

    value: Expr

    def write(self, style: Style) -> str:
        shift = style.notation.first_index - 1
        shifted = sympy.expand(self.value.xreplace({TIME: TIME - shift}) + shift)
        constant, rest = shifted.as_coeff_Add()
        if 0 in (rest, constant):
            return Formula(shifted).write(style)
        sign = "-" if constant.is_negative else "+"
        return Row((Formula(rest), sign, str(abs(constant))), TIGHT).write(style)
