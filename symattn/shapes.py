"""Shapes: the numbers that symbolic sizes stand for, once values are given."""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Expr, MatrixSymbol, Symbol

from symattn.errors import ShapeError
from symattn.prose import Sentence


def read_sizes(shapes: Mapping[MatrixSymbol, tuple[int, int]]) -> dict[Symbol, int]:
    """What each symbolic size is, from the shapes of the inputs' values.

    Raises ShapeError where two inputs disagree, naming both, or a fixed size is not met.

    >>> n, d = sympy.symbols("n d")
    >>> read_sizes({MatrixSymbol("Q", n, d): (3, 2), MatrixSymbol("K", n, d): (3, 2)})
    {n: 3, d: 2}
    """
    sizes: dict[Symbol, int] = {}
    said_by: dict[Symbol, str] = {}
    compound: list[tuple[Expr, int, str]] = []
    for symbol, shape in shapes.items():
        for side, size, value in zip(("rows", "columns"), symbol.shape, shape, strict=True):
            where = f"{side}({symbol})"
            if not isinstance(size, Symbol):
                compound.append((size, value, where))
            elif sizes.setdefault(size, value) != value:
                raise ShapeError(
                    Sentence("sizes_differ", leftis=said_by[size], left=sizes[size], rightis=where, right=value)
                )
            else:
                said_by.setdefault(size, where)
    for size, value, where in compound:
        known = sympy.sympify(size).xreplace({s: sympy.Integer(v) for s, v in sizes.items()})
        if len(known.free_symbols) == 1:
            (unknown,) = known.free_symbols
            found = sympy.Poly(known - value, unknown).ground_roots()
            whole = [root for root in found if root.is_Integer and root.is_positive]
            if len(whole) != 1:
                raise ShapeError(Sentence("sizes_differ", leftis=str(size), left=known, rightis=where, right=value))
            sizes[unknown] = int(whole[0])
        if known.is_Integer and known != value:
            raise ShapeError(Sentence("sizes_differ", leftis=str(size), left=known, rightis=where, right=value))
    return sizes


def sized(shape: tuple[Expr, Expr], sizes: Mapping[Symbol, int]) -> tuple[Expr, Expr]:
    """A shape with the known sizes filled in."""
    known = {s: sympy.Integer(v) for s, v in sizes.items()}
    rows, columns = shape
    return sympy.sympify(rows).xreplace(known), sympy.sympify(columns).xreplace(known)
