"""Online softmax key by key: m_i is the largest of x_1, …, x_i, and d_i the sum of e^{x_j − m_i} for j ≤ i."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate
from symattn.checking.models.rings import Numbers, Size
from symattn.checking.models.tensors import Tensor, Tensors
from symattn.reading import formula as f

LENGTH = 4
NUMBERS = ((2, -1, 3, 1), (Fraction(1, 2), 2, -1, Fraction(5, 2)))
LETTERS = {"x": "x", "s": "x", "m": "m", "d": "d", "ℓ": "d", "l": "d"}


class PrefixModel(Model):
    """The quantities of a prefix of four numbers; with `last` the sums are taken against the largest of all."""

    def __init__(self, seed: int, last: bool) -> None:
        ring = Numbers()
        self.tensors, self.last, self.sizes = Tensors(ring), last, {"n": LENGTH}
        self.x = [ring.number(Fraction(value)) for value in NUMBERS[seed]]
        self.m = [max(NUMBERS[seed][: i + 1]) for i in range(LENGTH)]
        self.drawn: Mapping[str, Tensor] = {"x": self.tensors.make((1, LENGTH), lambda _, j: self.x[j])}

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        kind = LETTERS.get(name.base)
        if kind is None or set(name.sup) - {"′"} or len(name.sub) != 1:
            raise UnsettledError(name.base)
        (index,) = name.sub
        first, sign, offset = index.partition("-")
        if first not in scope.bound:
            raise UnsettledError(index)
        at = int(scope.bound[first]) - (int(offset) if sign else 0)
        if at < 0:
            raise UnsettledError(index)
        made = self._at(kind, at)
        return self.tensors.make((), lambda: made)

    def special(self, e: f.Expression, scope: Scope) -> Tensor | None:
        """A sum whose terms lack its index is one term as often as it runs."""
        if not isinstance(e, f.BigSum) or any(e.index in self.indices(x) for x in f.walk(e) if isinstance(x, f.Name)):
            return None
        match e.upper:
            case f.Name("i"):
                count = int(scope.bound["i"]) + 1
            case f.Sum((f.Name("i"), f.Number("1")), (1, -1)):
                count = int(scope.bound["i"])
            case _:
                return None
        return self.tensors.scale(evaluate(e.body, scope), count)

    def _at(self, kind: str, at: int) -> Any:
        ring = self.tensors.ring
        if kind == "x":
            return self.x[at]
        if kind == "m":
            return ring.number(Fraction(self.m[at]))
        largest = ring.number(Fraction(self.m[-1 if self.last else at]))
        return ring.add(*((x - largest).exp() for x in self.x[: at + 1]))

    def indices(self, name: f.Name) -> tuple[str, ...]:
        """Those that a sum may run over: the step i is bound."""
        return tuple(index[:1] for index in name.sub if index[:1].isalpha() and index[:1] != "i")

    def axis(self, name: f.Name, letter: str) -> Size | None:
        return LENGTH if name.base in LETTERS and letter in self.indices(name) else None
