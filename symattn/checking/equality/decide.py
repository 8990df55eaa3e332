"""Whether two matrix expressions are the same function for every size."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy
from sympy import Expr, MatrixSymbol, Symbol, preorder_traversal

from symattn.checking.equality import positions, rules
from symattn.checking.equality.algebra import Algebra
from symattn.checking.equality.entries import Entries
from symattn.checking.equality.indices import At, Axes, Cut, Undecided
from symattn.checking.equality.normal_form import NormalForms
from symattn.checking.equality.terms import Budget, Factor, Sum
from symattn.nodes import Block, is_matrix
from symattn.writing.strict import as_sympy

MOST_CUTS = 24
__all__ = ["equal", "positions", "rules"]


def equal(left: Any, right: Any, kinds: Mapping[Any, str] | None = None, budget: Budget | None = None) -> bool:
    """Whether the normal forms agree: then the two are equal for every size, wherever both are defined.

    False says only that they differ. Raises Undecided for what they have no words for.
    """
    left, right = _with_sizes(left, right)
    algebra, axes = NormalForms(budget), _axes(left, right)
    found: bool | Undecided
    try:
        found = _agree(left, right, axes, algebra, kinds)
    except Undecided as undecided:
        found = undecided
    if found is True:
        return True
    if axes.parts:
        found = _agree(left, right, _axes(left, right, one_by_one=True), algebra, kinds)
    if isinstance(found, Undecided):
        raise found
    return found


def _agree(left: Any, right: Any, axes: Axes, algebra: Algebra, kinds: Mapping[Any, str] | None) -> bool:
    """Whether the normal forms agree where ranges are cut as the axes say, further where needed."""
    neighbours = _neighbours(left, right)
    for _ in range(MOST_CUTS):
        try:
            if not any(_differences(left, right, Entries(algebra, axes, kinds))):
                return True
            neighbours = [cut for cut in neighbours if cut.size not in axes.parts]
            if not neighbours:
                return False
            axes.cut(neighbours.pop())
        except Cut as cut:
            axes.cut(cut)
    raise Undecided("too_large")


def _differences(left: Any, right: Any, known: Entries) -> Iterator[Sum]:
    """Left minus right, in each part of the matrix, over a common denominator."""
    rows, columns = (as_sympy(size) for size in left.shape)
    for i, j in itertools.product(known.axes.positions(rows), list(known.axes.positions(columns))):
        difference = known.algebra.subtract(known.at(left, i, j), known.at(right, i, j))
        yield without_denominators(difference, known.algebra)


def without_denominators(total: Sum, algebra: Algebra) -> Sum:
    """A sum times what stands below its lines outside of inner sums: 0 if and only if it is 0."""
    while below := _denominators(total):
        products = algebra.products(total)
        for product in products:
            for factor, exponent in below.items():
                product.multiply(factor, -exponent)  # before any of them is multiplied out
        total = algebra.normal(products)
    return total


def _denominators(total: Sum) -> dict[Factor, Fraction]:
    found: dict[Factor, Fraction] = {}
    for term in total.terms:
        for (atom, at), exponent in term.factors:
            if atom.kind == "power" and exponent < 0 and not any(v.bound for i in at for v in i.variables):
                found[atom, at] = min(found.get((atom, at), exponent), exponent)
    return found


def _with_sizes(*sides: Any) -> list[Any]:
    """Sides whose sizes are known to be positive integers, which sizes are; two letters of one name get two."""
    sizes = {s for side in sides for size in _sizes(side) for s in size.free_symbols}
    bound = {s for side in sides for part in preorder_traversal(side) for s in getattr(part, "bound_symbols", ())}
    letters = {s for side in sides for s in side.free_symbols if isinstance(s, Symbol)} - bound
    taken, new = {s.name for s in bound}, {}
    for s in sorted(letters, key=lambda s: (s in sizes, sympy.srepr(s))):
        name = s.name
        while name in taken:
            name += "′"
        taken.add(name)
        if s in sizes:
            new[s] = Symbol(name, integer=True, positive=True)
        elif name != s.name:
            new[s] = Symbol(name, **s.assumptions0)
    return [side.xreplace({s: t for s, t in new.items() if s != t}) for side in sides]


def _neighbours(*sides: Any) -> list[Cut]:
    """Where one matrix has a row or column more than another, as in a recurrence, its last is looked at apart."""
    parts = {part for side in sides for part in preorder_traversal(side) if is_matrix(part)}
    sizes = sorted({sympy.expand(size) for part in parts for size in part.shape}, key=str)
    return [Cut(more, At(less)) for more in sizes for less in sizes if more - less == 1]


def _sizes(side: Any) -> Iterator[Expr]:
    for part in preorder_traversal(side):
        if isinstance(part, MatrixSymbol):
            yield from (as_sympy(size) for size in part.shape)


def _axes(*sides: Any, one_by_one: bool = False) -> Axes:
    """What is known of sizes because blocks lie within their matrices."""
    axes = Axes(one_by_one)
    for part in itertools.chain(*map(preorder_traversal, sides)):
        if isinstance(part, Block):
            X, top, height, left, width = part.args
            for start, count, size in ((top, height, X.shape[0]), (left, width, X.shape[1])):
                axes.facts |= {start, sympy.expand(size - start - count)}
    return axes
