"""Two sides of an equation in a pass: equal in every entry, or not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from symattn.checking.equality.decide import without_denominators
from symattn.checking.equality.indices import Cut, Undecided
from symattn.checking.equality.terms import Sum
from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate, free_indices, range_of
from symattn.checking.models.rings import At, Forms, Numbers
from symattn.checking.models.tensors import MisfitError, SidesMisfitError, Tensor
from symattn.reading import formula as f

NEAR = 2.0**-60


@dataclass(frozen=True)
class Difference:
    """Where two sides differ: the indices, the place in the matrix, and what stands there."""

    indices: tuple[tuple[str, int], ...]
    place: tuple[int, ...]
    left: Any
    right: Any


def difference_of(
    left: f.Expression,
    right: f.Expression,
    made: Model,
    bound: Mapping[str, At] | None = None,
    *,
    distinct: bool | None = None,
    least: float = 0.0,
) -> Difference | None:
    """An entry that is proven to differ at the numbers of the pass, by at least so much, or None where all agree.

    `bound` has the indices that are known; with `distinct` no two of the others are the same, or (False) all are.
    Raises MisfitError, UnsettledError; the latter also where enclosures do not tell.
    """
    assert isinstance(made.tensors.ring, Numbers)
    compared = False
    for scope in _scopes(left, right, made, bound or {}):
        different = len(set(scope.bound.values())) == len(scope.bound) > 1
        if distinct is not None and different is not distinct:
            continue
        compared = True
        x, y = alike(evaluate(left, scope), evaluate(right, scope), made)
        for place in x.places:
            a, b = x.at(*place), y.at(*place)
            if not (a.is_finite() and b.is_finite()):
                raise UnsettledError("infinite")
            if abs(a - b) < least:
                continue
            if not (a - b).contains(0):
                return Difference(tuple((i, int(at)) for i, at in scope.bound.items()), place, a, b)
            if not abs(a - b) < NEAR:
                raise UnsettledError("precision")
    if not compared:  # one index alone is not distinct from another
        raise UnsettledError("index")
    return None


def is_identity(left: f.Expression, right: f.Expression, made: Model) -> bool:
    """Whether both sides have one normal form, and are equal for every size."""
    ring = made.tensors.ring
    assert isinstance(ring, Forms)
    try:
        for scope in _scopes(left, right, made, {}):
            x, y = alike(evaluate(left, scope), evaluate(right, scope), made)
            for place in itertools.product(*(list(ring.axes.positions(size)) for size in x.shape)):
                if without_denominators(ring.algebra.subtract(x.at(*place), y.at(*place)), ring.algebra):
                    return False
    except (Undecided, Cut, UnsettledError, MisfitError):
        return False
    return True


def alike(x: Tensor, y: Tensor, made: Model) -> tuple[Tensor, Tensor]:
    """Both sides in one shape: a vector may stand or lie, and a number may stand for all entries only if it is 0."""
    if x.shape == y.shape:
        return x, y
    if x.is_vector and y.is_vector and x.shape == y.shape[::-1]:
        return x, made.tensors.transpose(y)
    for number, other in ((x, y), (y, x)):
        if number.is_number and _is_zero(number.at()):
            zeros = made.tensors.scale(other, 0)
            return (zeros, y) if number is x else (x, zeros)
    raise SidesMisfitError((x.shape, y.shape))


def _is_zero(value: Any) -> bool:
    """Whether an entry is 0 exactly: a sum without terms, or a number that is known."""
    return not value.terms if isinstance(value, Sum) else bool(value == 0)


def _scopes(left: f.Expression, right: f.Expression, made: Model, bound: Mapping[str, At]) -> Iterator[Scope]:
    """Every value of the indices that stand on the left."""
    ring = made.tensors.ring
    letters = sorted(free_indices(left, made))
    ranges: list[list[At]] = []
    for letter in letters:
        size = range_of(letter, left, made) or range_of(letter, right, made)
        if size is None:
            raise UnsettledError(letter)
        ranges.append(list(ring.axes.positions(size)) if isinstance(ring, Forms) else list(range(int(size))))
    for places in itertools.product(*ranges):
        yield Scope(made, {**bound, **dict(zip(letters, places, strict=True))})
