"""Numbers and matrices over any ring of entries, and the operations that printed formulas write for them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

from symattn.checking.models.rings import At, Ring, Size

HALF, MINUS_ONE = Fraction(1, 2), Fraction(-1)


class MisfitError(Exception):
    """Sizes that do not go together."""


class SidesMisfitError(MisfitError):
    """Two sides of an equation of which each has a size, and not the same."""


@dataclass(eq=False, slots=True)  # not frozen: a judge makes so many that the time of making one counts
class Tensor:
    """A number (shape ()) or a matrix (rows, columns); `diagonal` is the column that a diagonal matrix is made of."""

    shape: tuple[Size, ...]
    at: Callable[..., Any]
    diagonal: Tensor | None = None

    @property
    def is_number(self) -> bool:
        return not self.shape

    @property
    def is_vector(self) -> bool:
        return len(self.shape) == 2 and (self.shape[0] == 1) != (self.shape[1] == 1)

    @property
    def places(self) -> list[tuple[int, ...]]:
        """Where its entries are, row by row, if its sizes are whole numbers."""
        return list(itertools.product(*(range(int(size)) for size in self.shape)))


class Tensors:
    """Operations over a ring."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring

    def make(self, shape: Sequence[Size], entry: Callable[..., Any], diagonal: Tensor | None = None) -> Tensor:
        known: dict[tuple[At, ...], Any] = {}

        def at(*place: At) -> Any:
            made = known.get(place)
            if made is None:
                made = known[place] = entry(*place)
            return made

        return Tensor(tuple(shape), at, diagonal)

    def written(self, rows: Sequence[Sequence[Fraction]]) -> Tensor:
        """A matrix of these numbers."""
        return self.make((len(rows), len(rows[0])), lambda i, j: self.ring.number(rows[i][j]))

    def number(self, value: Fraction | int) -> Tensor:
        made = self.ring.number(Fraction(value))
        return self.make((), lambda: made)

    def size(self, size: Size) -> Tensor:
        return self.make((), lambda: self.ring.size(size))

    # --- entry by entry

    def together(self, combine: Callable[..., Any], *operands: Tensor) -> Tensor:
        """Entries combined; a number goes with every entry, a column with every column, a row with every row."""
        shape = reduce(broadcast, [x.shape for x in operands])
        spread = [self._spread(x, shape) for x in operands]
        return self.make(shape, lambda *place: combine(*[at(*place) for at in spread]))

    def _spread(self, x: Tensor, shape: tuple[Size, ...]) -> Callable[..., Any]:
        """The entry that stands at a place of a larger shape."""
        if x.shape == shape:
            return x.at
        if not x.shape:
            return lambda *_: x.at()
        same = [own == whole for own, whole in zip(x.shape, shape, strict=True)]
        return lambda *place: x.at(*[at if k else first_place(at) for k, at in zip(same, place, strict=True)])

    def add(self, *terms: Tensor) -> Tensor:
        return self.together(self.ring.add, *terms)

    def scale(self, x: Tensor, factor: Fraction | int) -> Tensor:
        number = self.ring.number(Fraction(factor))
        return self.each(x, lambda e: self.ring.multiply(number, e))

    def hadamard(self, *factors: Tensor) -> Tensor:
        return self.together(self.ring.multiply, *factors)

    def divide(self, x: Tensor, y: Tensor) -> Tensor:
        return self.together(lambda a, b: self.ring.multiply(a, self.ring.power(b, MINUS_ONE)), x, y)

    def each(self, x: Tensor, function: Callable[[Any], Any]) -> Tensor:
        return self.make(x.shape, lambda *place: function(x.at(*place)))

    def apply(self, name: str, x: Tensor) -> Tensor:
        return self.each(x, lambda e: self.ring.function(name, e))

    def power(self, x: Tensor, exponent: Fraction) -> Tensor:
        return self.each(x, lambda e: self.ring.power(e, exponent))

    # --- matrices

    def multiply(self, x: Tensor, y: Tensor) -> Tensor:
        """A product: of matrices where both are, else number by entry. Raises MisfitError."""
        if x.is_number or y.is_number:
            diagonal = (x.diagonal, y) if y.is_number else (x, y.diagonal)
            made = self.hadamard(x, y)
            return made if None in diagonal else self.make(made.shape, made.at, self.hadamard(*diagonal))
        if x.shape[1] != y.shape[0]:
            raise MisfitError((x.shape, y.shape))
        ring, middle = self.ring, x.shape[1]
        return self.make(
            (x.shape[0], y.shape[1]),
            lambda i, j: ring.total(middle, lambda k: ring.multiply(x.at(i, k), y.at(k, j))),
        )

    def transpose(self, x: Tensor) -> Tensor:
        if x.is_number:
            return x
        return self.make(x.shape[::-1], lambda i, j: x.at(j, i), x.diagonal)

    def total(self, x: Tensor, axis: int) -> Tensor:
        """The sums of rows (axis 1) or columns (axis 0), as a column or a row. Raises MisfitError for a number."""
        if x.is_number:
            raise MisfitError(x.shape)
        if axis == 1:
            return self.make((x.shape[0], 1), lambda i, _: self.ring.total(x.shape[1], lambda k: x.at(i, k)))
        return self.make((1, x.shape[1]), lambda _, j: self.ring.total(x.shape[0], lambda k: x.at(k, j)))

    def trace(self, x: Tensor) -> Tensor:
        """The sum of the diagonal. Raises MisfitError for what is not square."""
        if x.shape[0] != x.shape[1]:
            raise MisfitError(x.shape)
        return self.make((), lambda: self.ring.total(x.shape[0], lambda k: x.at(k, k)))

    def largest(self, x: Tensor) -> Tensor:
        """The largest of each row, as a column."""
        return self.make((x.shape[0], 1), lambda i, _: self.ring.largest(x.shape[1], lambda k: x.at(i, k)))

    def diagonal(self, x: Tensor) -> Tensor:
        """diag(x) of a column or row; of a square matrix the column of its diagonal."""
        if not x.is_vector and x.shape[0] == x.shape[1]:
            return self.make((x.shape[0], 1), lambda i, _: x.at(i, i))
        column = x if x.shape[1] == 1 else self.transpose(x)
        if column.shape[1] != 1:
            raise MisfitError(x.shape)
        size = column.shape[0]
        entry = lambda i, j: self.ring.multiply(self.ring.delta(i, j), column.at(i, first_place(j)))  # noqa: E731
        return self.make((size, size), entry, column)

    def identity(self, size: Size) -> Tensor:
        return self.diagonal(self.ones(size, 1))

    def ones(self, *shape: Size) -> Tensor:
        return self.make(shape, lambda *_: self.ring.number(Fraction(1)))

    def softmax(self, x: Tensor, axis: int = 1) -> Tensor:
        powers = self.apply("exp", x)
        return self.divide(powers, self.total(powers, axis))

    def row(self, x: Tensor, i: At) -> Tensor:
        return self.make((1, x.shape[1]), lambda _, j: x.at(i, j))

    def column(self, x: Tensor, j: At) -> Tensor:
        return self.make((x.shape[0], 1), lambda i, _: x.at(i, j))

    def entry(self, x: Tensor, *place: At) -> Tensor:
        return self.make((), lambda: x.at(*place))


@lru_cache(maxsize=256)
def draw_rows(key: str, rows: int, columns: int, most: int, below: int) -> list[list[Fraction]]:
    """Numbers from −3 to `most`, over `below`: the same for a key whenever they are asked for."""
    generator = random.Random(key)
    return [[Fraction(generator.randint(-3, most), below) for _ in range(columns)] for _ in range(rows)]


def broadcast(one: tuple[Size, ...], other: tuple[Size, ...]) -> tuple[Size, ...]:
    """The shape of entries combined. Raises MisfitError."""
    if not one or not other:
        return one or other
    if one == other:
        return one
    if _stands(one) is not _stands(other) and None not in (_stands(one), _stands(other)):  # a column and a row
        raise MisfitError((one, other))
    return tuple(_wider(a, b) for a, b in zip(one, other, strict=True))


def _stands(shape: tuple[Size, ...]) -> bool | None:
    """Whether this is a column (True) or a row; None for a matrix or a single entry."""
    return shape[1] == 1 if (shape[0] == 1) != (shape[1] == 1) else None


def _wider(a: Size, b: Size) -> Size:
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    raise MisfitError((a, b))


def first_place(at: At) -> At:
    """The first place of the range that an index runs over."""
    return 0 if isinstance(at, int) else at.times(0)
