"""Whether two formulas of matrices are equal for every size, by normal forms of their entries (docs/equality.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Integer, Symbol

from symattn.checking.equality.terms import Budget
from symattn.checking.formulas.trials.symbols import Key
from symattn.checking.models.equations import is_identity
from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate
from symattn.checking.models.rings import Forms, as_index
from symattn.checking.models.tensors import Tensor, Tensors
from symattn.reading import formula as f

MOST_PRODUCTS = 5_000  # of one proof
SECONDS = 5.0  # of processor time, where these take longer than they should
Shape = tuple[Any, Any] | None  # sizes; None of a number


def size(name: str) -> Any:
    """A size that may be any whole number of at least 1."""
    return Integer(1) if name == "1" else Symbol(name, integer=True, positive=True)


class FreeMatrices(Model):
    """Symbols that are any matrices of their shapes, or what they are defined as; letters that are sizes."""

    def __init__(
        self, shapes: Mapping[Key, Shape], sizes: Mapping[Key, Any], definitions: Mapping[Key, f.Expression]
    ) -> None:
        self.ring = Forms(Budget(MOST_PRODUCTS, SECONDS))
        self.tensors = Tensors(self.ring)
        self.shapes, self.sizes, self.definitions = shapes, sizes, definitions

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        key = name.symbol
        if key in self.sizes:
            return self.tensors.size(self.sizes[key])
        if key in self.definitions:
            return evaluate(self.definitions[key], scope)
        if key not in self.shapes:
            raise UnsettledError(name.base)
        shape, letter = self.shapes[key], repr(key)
        if shape is None:
            return self.tensors.make((), lambda: self.ring.algebra.scalar(letter))
        return self.tensors.make(shape, lambda *place: self.ring.algebra.entry(letter, *map(as_index, place)))

    def function(self, name: str, x: Tensor) -> Tensor | None:
        return self.tensors.apply(name, x) if len(name) == 1 else None  # a function of each entry, whichever it is


def are_equal(
    left: f.Expression,
    right: f.Expression,
    shapes: Mapping[Key, Shape],
    sizes: Mapping[Key, Any] | None = None,
    definitions: Mapping[Key, f.Expression] | None = None,
) -> bool:
    """Whether two formulas are proven to be equal for all sizes and all matrices; False says only that it was not."""
    try:
        return is_identity(left, right, FreeMatrices(shapes, sizes or {}, definitions or {}))
    except RecursionError:
        return False
