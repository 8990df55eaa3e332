"""A point at which two sides differ, as a counterexample that can be followed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from symattn.checking.findings import Counterexample
from symattn.checking.models.equations import Difference
from symattn.checking.models.tensors import MisfitError, SidesMisfitError, Tensor

DIGITS = 5


class Drawn(Protocol):
    """A model at a point: its sizes, and the letters that were free."""

    @property
    def sizes(self) -> Mapping[str, Any]: ...
    @property
    def drawn(self) -> Mapping[str, Tensor]: ...


def show_difference(made: Drawn, difference: Difference | MisfitError | None) -> Counterexample:
    """The numbers that stand for the letters, and one entry of both sides; or the sizes, and what does not fit, sides
    or parts of one."""
    if not isinstance(difference, Difference):
        sizes = tuple((name, str(size)) for name, size in made.sizes.items())
        left, right = map(_size, difference.args[0] if difference is not None else ("", ""))
        return Counterexample(sizes, left, right, of_parts=not isinstance(difference, SidesMisfitError))
    values = tuple((key, _matrix(x)) for key, x in made.drawn.items())
    indices = tuple((str(letter), str(at + 1)) for letter, at in difference.indices)
    place = ", ".join(str(at + 1) for at in difference.place)
    left, right = (f"{decimal(x)}" for x in (difference.left, difference.right))
    return Counterexample((*values, *indices, *((("at", f"({place})"),) if place else ())), left, right)


def _matrix(x: Any) -> str:
    if not x.shape:
        return decimal(x.at())
    rows, columns = (range(int(size)) for size in x.shape)
    return "[" + ", ".join("[" + ", ".join(decimal(x.at(i, j)) for j in columns) + "]" for i in rows) + "]"


def _size(shape: Any) -> str:
    return " × ".join(map(str, shape)) if isinstance(shape, tuple) and shape else "1" if shape == () else str(shape)


def decimal(ball: Any) -> str:
    """A number as short as it is, -0.5, or else the first digits of its enclosure."""
    text = str(ball.mid().str(DIGITS, radius=False))
    short = text.rstrip("0").removesuffix(".") if "." in text else text
    return short if type(ball)(short) == ball else text
