"""Numbers that sizes, places or entries are held against: points say something only where these go beyond them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy
from sympy import ImmutableDenseMatrix, Integer, MatMul, MatPow, MatrixSymbol, Rational, preorder_traversal
from sympy.core.relational import Relational

from symattn.nodes import (
    AboveThreshold,
    Activation,
    Alibi,
    Block,
    CausalMask,
    Constant,
    Entmax,
    FeedForward,
    FiniteMask,
    Gated,
    Largest,
    PaddingMask,
    Penalised,
    RowMax,
    RowThreshold,
    Scaled,
    TopKMask,
    Weighting,
    WindowMask,
    is_matrix,
)
from symattn.nodes.positions.buckets import Buckets

_OF_PLACES = (CausalMask, WindowMask, PaddingMask, TopKMask, Largest, Block, Buckets)
_OF_FORMULAS = (
    *(Relational, sympy.Max, sympy.Min, sympy.Abs, sympy.sign, sympy.floor, sympy.ceiling, sympy.Mod),
    *(sympy.Heaviside, sympy.DiracDelta, sympy.KroneckerDelta, sympy.Contains),
)
_LEVELLED = (sympy.tanh, sympy.erf)  # far from 0 they differ from a constant by less than any enclosure tells
_COMPARING = (RowMax, RowThreshold, AboveThreshold, Activation, Largest, Entmax, FeedForward, Gated, Weighting)


def largest_threshold(side: Any) -> int:
    """What these numbers come to, 0 where there are none; of j/100 under ⌊ ⌋ it is 100, of x < 1 for x/100 too.

    Those of several masks are added, since places may be held against one after the other, and so is what is added to
    entries that are compared.
    """
    parts = list(preorder_traversal(side))
    held = [part for part in parts if isinstance(part, _OF_FORMULAS) and not part.has(MatrixSymbol)]
    levelled = [part for part in parts if isinstance(part, _LEVELLED)]
    places = _of_places(side)
    factors = max((_rounded_up(x) for part in levelled for x, is_factor in _numbers(part) if is_factor), default=0)
    largest = max(places, factors if factors > 1 else 0)
    if held or levelled or any(isinstance(part, _COMPARING) for part in parts):
        largest += sum(_size(x) for part in parts for x in _added(part))
    return max(largest, _of_formulas(held, parts)) if held else largest


def _of_places(e: Any) -> int:
    """The numbers given to masks and blocks, added up; those of a power as often as it is multiplied."""
    own = sum(map(_size, _given_to(e))) if isinstance(e, _OF_PLACES) else 0
    times = int(abs(e.exp)) if isinstance(e, MatPow) and e.exp.is_Integer else 1
    return times * (own + sum(map(_of_places, e.args)))


def _size(x: Rational) -> int:
    return max(abs(int(x.p)), int(x.q) if x.q > 1 else 0)


def _added(part: Any) -> Iterator[Rational]:
    """The numbers of a matrix that is made of numbers alone, and those that masks and distances add to scores."""
    if isinstance(part, ImmutableDenseMatrix):
        yield max(part.atoms(Rational), key=abs, default=Integer(0))
    elif isinstance(part, Constant):
        yield from part.args[0].atoms(Rational)
    elif isinstance(part, MatMul | Scaled) and not part.has(MatrixSymbol):
        yield from (x for scalar in part.args if not is_matrix(scalar) for x in scalar.atoms(Rational))
    elif isinstance(part, Penalised | FiniteMask | Alibi):
        yield from _given_to(part)


def _of_formulas(held: Sequence[Any], parts: Sequence[Any]) -> int:
    beyond = 1
    for part in parts:
        scalars = part.args if isinstance(part, MatMul | Scaled) else ()
        for scalar in (x for x in scalars if not is_matrix(x)):
            beyond *= _inverse(scalar.as_coeff_Mul()[0] if not scalar.is_number else scalar)
    return max(beyond * _threshold(part) for part in held)


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
