"""Masks as sums: 1 where a query may look at a key, else 0."""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from typing import Any

from sympy import Integer, S, Tuple
from sympy.matrices.matrixbase import MatrixBase

from symattn.checking.equality.entries import Entries
from symattn.checking.equality.indices import Index, Undecided, constant
from symattn.checking.equality.terms import Sum
from symattn.nodes import CausalMask, HideMask, KeepMask, PaddingMask, WindowMask
from symattn.nodes.masking.masks import mask_parts


def keeps(mask: Any, i: Index, j: Index, known: Entries) -> Sum:
    """The product over the parts of a mask, all of which must allow."""
    return known.algebra.multiply(*(kept(part, i, j, known) for part in mask_parts(mask)))


@singledispatch
def kept(mask: Any, i: Index, j: Index, known: Entries) -> Sum:
    """1 where query i may look at key j, else 0."""
    raise Undecided("node", type(mask).__name__)


@kept.register
def _(mask: CausalMask, i: Index, j: Index, known: Entries) -> Sum:
    return known.at_most(j, i.plus(known.index(mask.args[0])))


@kept.register
def _(mask: WindowMask, i: Index, j: Index, known: Entries) -> Sum:
    left, right = mask.reach
    before = known.algebra.one if left is S.Infinity else known.at_most(i.plus(known.index(-left)), j)
    after = known.algebra.one if right is S.Infinity else known.at_most(j, i.plus(known.index(right)))
    return known.algebra.multiply(before, after)


@kept.register
def _(mask: PaddingMask, i: Index, j: Index, known: Entries) -> Sum:
    given, algebra = mask.args[0], known.algebra
    if given is S.Infinity:
        return algebra.one
    if not isinstance(given, Tuple):
        return known.at_most(j, known.index(given - 1))
    return algebra.multiply(*(algebra.subtract(algebra.one, algebra.delta(j, constant(Integer(k) - 1))) for k in given))


@kept.register
def _(mask: KeepMask, i: Index, j: Index, known: Entries) -> Sum:
    """A matrix of 0 and 1, of which only that is looked at, whether it is 0."""
    matrix, algebra = mask.args[0], known.algebra
    entry = known.at(matrix, i, j)
    if isinstance(matrix, MatrixBase):
        return entry
    if not entry:
        return algebra.zero
    atom, *at = algebra.template("keep", "≠ 0", entry)
    return algebra.atom(atom, *at, exponent=Fraction(1))


@kept.register
def _(mask: HideMask, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.subtract(known.algebra.one, kept(KeepMask(mask.args[0]), i, j, known))
