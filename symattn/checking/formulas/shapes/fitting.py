"""Whether a formula has the shape that is stated of it: always, under a condition, never; or it cannot be told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from sympy import Expr, Symbol

from symattn.checking.formulas.shapes.inference import (
    Reading,
    Shape,
    Stated,
    TooManyReadingsError,
    infer,
    key_of,
)
from symattn.checking.formulas.shapes.sizes import Sizes, is_unknown
from symattn.reading import formula as f

Outcome = Literal["fits", "fits-if", "never", "unknown"]


@dataclass(frozen=True)
class Fit:
    """How a formula and a shape go together.

    `needed` are the equations between sizes under which they do; `shape` is what the formula has, where it has one;
    `tested` how many pairs of stated sizes agree; `chosen` which shapes of names were meant.
    """

    outcome: Outcome
    needed: tuple[tuple[Expr, Expr], ...] = ()
    shape: Shape = None
    tested: int = 0
    chosen: Mapping[str, Shape] = field(default_factory=dict)


UNKNOWN = Fit("unknown")


def fit(
    expression: f.Expression,
    shape: tuple[Expr, ...] | f.Expression | None,
    stated: Stated,
    relations: Mapping[Symbol, Expr] = {},
) -> Fit:
    """Hold a formula against the shape that is stated of it, against that of another, or (None) against itself alone.

    >>> from symattn.checking.formulas.shapes.sizes import size_letter
    >>> n, d = size_letter("n"), size_letter("d")
    >>> [chain] = f.parse("QK^T")
    >>> stated = Stated({"Q": [(n, d)], "K": [(n, d)]})
    >>> [fit(chain.sides[0].expression, s, stated).outcome for s in [(n, n), (n, d)]]
    ['fits', 'never']
    """
    try:
        return _best(list(_fits(expression, shape, stated, relations)))
    except TooManyReadingsError:
        return UNKNOWN


def _fits(
    expression: f.Expression,
    shape: tuple[Expr, ...] | f.Expression | None,
    stated: Stated,
    relations: Mapping[Symbol, Expr],
) -> Iterator[Fit]:
    for columns in (True, False):
        for found, reading in infer(expression, stated, Reading(Sizes(relations), columns)):
            if isinstance(shape, f.Expression):
                for other, so_far in infer(shape, stated, reading):
                    yield from _compare(found, other, so_far)
            else:
                yield from _compare(found, shape, reading)


def _compare(found: Shape, shape: Shape, reading: Reading) -> Iterator[Fit]:
    """A shape beside the one that it should be; None there is any."""
    own = None if found is None else tuple(reading.sizes.settle(axis) for axis in found)
    if own is None or (shape is not None and _axes(own) != _axes(shape)):
        yield UNKNOWN
        return
    held = [reading.sizes] if shape is None else _same(own, shape, reading.sizes)
    if not held:
        yield Fit("never", reading.sizes.needed_now(), own)
    for sizes in held:
        needed = sizes.needed_now()
        axes = tuple(map(sizes.settle, own))
        yield Fit("fits-if" if needed else "fits", needed, axes, sizes.tested, reading.chosen)


def _axes(shape: tuple[Expr, ...]) -> int:
    """How many axes a shape has; a matrix of one row or column is a vector, a matrix of one number a number."""
    return len(_plain(shape))


def _plain(shape: tuple[Expr, ...]) -> tuple[Expr, ...]:
    kept = tuple(axis for axis in shape if axis != 1)
    return shape if len(shape) > 2 else kept


def _same(own: tuple[Expr, ...], shape: tuple[Expr, ...], sizes: Sizes) -> list[Sizes]:
    held = sizes
    alike = len(own) == len(shape)
    for a, b in zip(own if alike else _plain(own), shape if alike else _plain(shape), strict=True):
        found = held.equate(a, b)
        if found is None:
            return []
        held = found
    return [held]


def _best(fits: list[Fit]) -> Fit:
    """The reading that needs least; a fault only where every reading has it."""
    for outcome in ("fits", "fits-if"):
        found = [each for each in fits if each.outcome == outcome]
        if found:
            return min(found, key=lambda each: (len(each.needed), -each.tested))
    if not fits:
        return Fit("never")
    return UNKNOWN if any(each.outcome == "unknown" for each in fits) else min(fits, key=lambda e: len(e.needed))


def shape_text(shape: tuple[Expr, ...]) -> str:
    """A shape as it is written in a sentence.

    >>> from sympy import symbols
    >>> n, d, e = symbols("n d e")
    >>> shape_text((n, d)), shape_text((n, d + e))
    ('n × d', 'n × (d + e)')
    """
    return " × ".join("?" if is_unknown(axis) else f"({axis})" if axis.is_Add else str(axis) for axis in shape)


def means_weights(part: f.Expression, stated: Stated) -> bool:
    """Whether values stand behind what was an output before, A = softmax(QKᵀ/√d)V and then AV: of weights."""
    match part:
        case f.Product(factors=(f.Name() as first, values)):
            match stated.definitions.get(key_of(first)):
                case f.Product(factors=(*_, last)):
                    return last == values
    return False
