"""Online softmax key by key: m_i is the largest of x_1, …, x_i, and d_i the sum of e^{x_j − m_i} for j ≤ i."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate
from symattn.checking.models.rings import Numbers, Size
from symattn.checking.models.tensors import Tensor, Tensors
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f

LENGTH, WIDTH = 4, 2
NUMBERS = ((2, -1, 3, 1), (Fraction(1, 2), 2, -1, Fraction(5, 2)))
VALUES = ((1, 3), (-2, 1), (Fraction(1, 2), -1), (3, Fraction(5, 2)))
LETTERS = {
    "x": "x", "s": "x", "m": "m", "d": "d", "ℓ": "d", "l": "d", "sum": "d", "a": "a",
    "o": "o", "O": "o", "V": "V", "v": "V",
}  # fmt: skip
_UP_TO = regex(r"(?:1≤)?([a-z])≤i")


@dataclass(frozen=True)
class Convention:
    """What papers do in more than one way: whether sums are taken against the largest number of all, and whether o_i
    is divided by d_i ("running"), by nothing ("plain"), or a sum of the final weights ("final")."""

    last: bool = False
    output: str = "running"


CONVENTIONS = tuple(Convention(last, output) for last in (False, True) for output in ("running", "plain", "final"))


class PrefixModel(Model):
    """The quantities of a prefix of four numbers."""

    def __init__(self, seed: int, convention: Convention) -> None:
        ring = Numbers()
        self.tensors, self.convention, self.sizes = Tensors(ring), convention, {"n": LENGTH}
        self.x = [ring.number(Fraction(value)) for value in NUMBERS[seed]]
        self.m = [max(NUMBERS[seed][: i + 1]) for i in range(LENGTH)]
        self.drawn: Mapping[str, Tensor] = {"x": self.tensors.make((1, LENGTH), lambda _, j: self.x[j])}

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        kind = LETTERS.get(name.base)
        marks = (*name.sub, *(mark for mark in name.item if mark != ":"))
        if kind is None or set(name.sup) - {"′"} or len(marks) != 1:
            raise UnsettledError(name.base)
        at = _place(marks[0], scope)
        if kind in ("o", "V"):
            row = self._row(kind, at)
            return self.tensors.make((1, WIDTH), lambda _, column: row[column])
        made = self._at(kind, at)
        return self.tensors.make((), lambda: made)

    def special(self, e: f.Expression, scope: Scope) -> Tensor | None:
        """The largest of x_1, …, x_i; a sum whose terms lack its index is one term as often as it runs."""
        if isinstance(e, f.Call) and e.function == "max":
            return self._largest(e, scope)
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

    def _largest(self, e: f.Call, scope: Scope) -> Tensor | None:
        match e.arguments:
            case (f.Name(first, ("1",)), f.Dots(), f.Name(last, (mark,))) if first == last and LETTERS.get(last) == "x":
                at = _place(mark, scope)
            case (f.Name(base, (mark,)),) if LETTERS.get(base) == "x" and len(e.label) == 1:
                found = _UP_TO.fullmatch(e.label[0])
                if found is None or found[1] != mark or "i" not in scope.bound:
                    return None
                at = int(scope.bound["i"])
            case _:
                return None
        made = self._at("m", at)
        return self.tensors.make((), lambda: made)

    def _at(self, kind: str, at: int) -> Any:
        ring = self.tensors.ring
        if kind == "x":
            return self.x[at]
        if kind == "m":
            return ring.number(Fraction(self.m[at]))
        if kind == "a":
            return self._weight(at, LENGTH - 1)
        largest = ring.number(Fraction(self.m[-1 if self.convention.last else at]))
        return ring.add(*((x - largest).exp() for x in self.x[: at + 1]))

    def _weight(self, j: int, at: int) -> Any:
        """The weight of x_j when x_1, …, x_at have been seen."""
        largest = self.tensors.ring.number(Fraction(self.m[at]))
        total = self.tensors.ring.add(*((x - largest).exp() for x in self.x[: at + 1]))
        return (self.x[j] - largest).exp() / total

    def _row(self, kind: str, at: int) -> list[Any]:
        ring = self.tensors.ring
        rows = [[ring.number(Fraction(value)) for value in row] for row in VALUES]
        if kind == "V":
            return rows[at]
        output = self.convention.output
        largest = ring.number(Fraction(self.m[at]))
        weights = [
            (x - largest).exp() if output == "plain" else self._weight(j, LENGTH - 1 if output == "final" else at)
            for j, x in enumerate(self.x[: at + 1])
        ]
        return [ring.add(*(weight * rows[j][column] for j, weight in enumerate(weights))) for column in range(WIDTH)]

    def indices(self, name: f.Name) -> tuple[str, ...]:
        """Those that a sum may run over: the step i is bound."""
        marks = (*name.sub, *name.item)
        return tuple(mark[:1] for mark in marks if mark[:1].isalpha() and mark[:1] not in ("i", "N"))

    def axis(self, name: f.Name, letter: str) -> Size | None:
        return LENGTH if name.base in LETTERS and letter in self.indices(name) else None


def _place(index: str, scope: Scope) -> int:
    """The place of `j`, `i-1` and `N`, the last, from 0."""
    if index == "N":
        return LENGTH - 1
    first, sign, offset = index.partition("-")
    if first not in scope.bound or (sign and not offset.isdigit()):
        raise UnsettledError(index)
    at = int(scope.bound[first]) - (int(offset) if sign else 0)
    if at < 0:
        raise UnsettledError(index)
    return at


def name_steps(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """The sides with i and i − 1 for the steps N + 1 and N, where they go from N to N + 1."""
    names = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    if not any("N+1" in name.sub for name in names) or any("i" in name.sub for name in names):
        return list(sides)
    below = f.Sum((f.Name("i"), f.Number("1", Fraction(1), Fraction(1))), (1, -1))

    def named(part: f.Expression) -> f.Expression:
        match part:
            case f.Sum((first, f.Number("1")), (1, 1)) if first == below:
                return f.Name("i")
            case f.Name("N", (), ()):
                return below
            case f.Name(_, (mark,)) if mark in ("N", "N+1"):
                return replace(part, sub=("i" if mark == "N+1" else "i-1",))
        return part

    return [rewrite(side, named) for side in sides]
