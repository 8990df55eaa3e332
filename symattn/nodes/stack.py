"""Matrices one below another, and a part of a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Piecewise

from symattn.errors import InputError
from symattn.nodes.node import (
    M,
    Node,
    Numbers,
    Sizes,
    as_matrix,
    columns_of,
    entry,
    notation_of,
    require_size,
    shape_of,
)
from symattn.writing.prose import Sentence


class Stack(Node):
    """The parts one below another, which share their columns: a cache of keys and the new ones.

    Shape: the heights add up. Raises ShapeError where the widths differ.

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

    def _latex(self, printer: Any) -> str:
        between = " & " if notation_of(printer).columns else r" \\ "
        return rf"\begin{{bmatrix}} {between.join(printer._print(a) for a in self.args)} \end{{bmatrix}}"

    def _sympystr(self, printer: Any) -> str:
        between = ", " if notation_of(printer).columns else "; "
        return f"[{between.join(printer._print(a) for a in self.args)}]"


class Block(Node):
    """`height` rows from `top` on and `width` columns from `left` on, both counted from 0: a token, a block of keys.

    Shape: (height, width). Raises ShapeError where a number is beyond the matrix.

    >>> from sympy import Matrix
    >>> Block(Matrix([[1, 2, 3], [4, 5, 6]]), 1, 1, 1, 2).as_explicit()
    Matrix([[5, 6]])
    """

    def __new__(cls, X: Any, top: Any, height: Any, left: Any, width: Any) -> Any:
        X = as_matrix(X, "X")
        numbers = [sympy.sympify(k) for k in (top, height, left, width)]
        for start, count, size in ((*numbers[:2], X.shape[0]), (*numbers[2:], X.shape[1])):
            if start.is_negative or count.is_positive is False or (sympy.sympify(size) - start - count).is_negative:
                raise InputError(Sentence("block_beyond", start=start, stop=start + count, size=size))
        return super().__new__(cls, X, *numbers)

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return self.args[2], self.args[4]

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], self.args[1] + i, self.args[3] + j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        top, height, left, width = (int(a.xreplace(dict(sizes))) for a in self.args[1:])
        return numbers.block(values[0], range(top, top + height), range(left, left + width))

    def _span(self, printer: Any, axis: int) -> str:
        start, count = self.args[1 + 2 * axis], self.args[2 + 2 * axis]
        if count == shape_of(self.args[0])[axis]:
            return ":"
        if count == 1:
            return str(printer._print(start + 1))
        return f"{printer._print(start + 1)}:{printer._print(start + count)}"

    def _latex(self, printer: Any) -> str:
        X = printer._print(self.args[0])
        X = X if self.args[0].is_symbol else rf"\left({X}\right)"
        spans = [self._span(printer, axis) for axis in ((1, 0) if notation_of(printer).columns else (0, 1))]
        return rf"{X}_{{[{spans[0]},\,{spans[1]}]}}"

    def _sympystr(self, printer: Any) -> str:
        X = printer._print(self.args[0])
        spans = [self._span(printer, axis) for axis in ((1, 0) if notation_of(printer).columns else (0, 1))]
        return f"{X if self.args[0].is_symbol else f'({X})'}[{spans[0]}, {spans[1]}]"
