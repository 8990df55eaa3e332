"""Numbers that sizes, places or entries are held against: points say something only where these go beyond them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Integer, MatMul, MatrixSymbol, Rational, preorder_traversal
from sympy.core.relational import Relational

from symattn.nodes import Block, CausalMask, Largest, PaddingMask, Scaled, TopKMask, WindowMask, is_matrix
from symattn.nodes.positions.buckets import Buckets

_OF_PLACES = (CausalMask, WindowMask, PaddingMask, TopKMask, Largest, Block, Buckets)
_OF_FORMULAS = (
    *(Relational, sympy.Max, sympy.Min, sympy.Abs, sympy.sign, sympy.floor, sympy.ceiling, sympy.Mod),
    *(sympy.Heaviside, sympy.DiracDelta, sympy.KroneckerDelta, sympy.Contains),
)


def largest_threshold(side: Any) -> int:
    """The largest of these numbers, 0 where there are none; of j/100 under ⌊ ⌋ it is 100, of x < 1 for x/100 too."""
    parts = list(preorder_traversal(side))
    places = (x for part in parts if isinstance(part, _OF_PLACES) for x in _given_to(part))
    largest = max((max(abs(int(x.p)), int(x.q)) for x in places), default=0)
    held = [part for part in parts if isinstance(part, _OF_FORMULAS) and not part.has(MatrixSymbol)]
    if not held:
        return largest
    beyond = 1
    for part in parts:
        scalars = part.args if isinstance(part, MatMul | Scaled) else ()
        for scalar in (x for x in scalars if not is_matrix(x)):
            beyond *= _inverse(scalar.as_coeff_Mul()[0] if not scalar.is_number else scalar)
    return max(largest, *(beyond * _threshold(part) for part in held))


def _given_to(part: Any) -> Iterator[Rational]:
    for given in part.args:
        yield from () if is_matrix(given) else given.atoms(Rational)


def _threshold(part: Any) -> int:
    """How large a letter may have to be for a step to be seen: the numbers beside it, over its factors."""
    added, factor = 0, 1
    for number, is_factor in _numbers(part):
        if is_factor:
            factor *= _inverse(number)
        else:
            added += max(_rounded_up(number), _inverse(number) if number else 0)
    return factor * (added or (1 if factor > 1 else 0))


def _numbers(part: Any) -> Iterator[tuple[Any, bool]]:
    """The numbers in a formula, roots and π too, and whether they are factors; not what letters are raised to."""
    for inner in part.args:
        if getattr(inner, "is_number", False):
            if inner.is_comparable and inner.is_finite and not (part.is_Pow and inner == part.args[1]):
                yield inner, bool(part.is_Mul)
        else:
            yield from _numbers(inner)


def _rounded_up(number: Any) -> int:
    return int(sympy.ceiling(abs(number)))


def _inverse(number: Any) -> int:
    """What a letter has to be larger by for a factor, rounded up."""
    return max(1, _rounded_up(Integer(1) / number)) if number.is_comparable and number else 1
