"""Formulas of entries at a point: every letter a number, sums of three terms, slopes carried along.

A letter is what its line says, or any number; ∂L/∂z_i is the slope of L by that one entry, through all lines between
them, or where nothing else that they make changes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from symattn.checking.formulas.identities.slopes.lines import RUNNING, SIGMA, Line, Lines, split
from symattn.checking.models.letters import is_loss
from symattn.checking.models.rings import Slopes, free_number, slope_by
from symattn.checking.work import spend
from symattn.patterns import regex
from symattn.reading import formula as f

LENGTH = 3  # of every list
DEEPEST = 20
SIGNED = (1, 3)  # seeds of points with negative numbers
Key = tuple[str, tuple[int, ...]]
Mode = Literal["total", "direct"]


class UnsettledError(Exception):
    """A letter, or a form, of which it is not known what it stands for."""


@dataclass
class Point:
    """What letters stand for: `cells` are given, `root` is what the loss is a function of where no line says more."""

    lines: Lines
    number: int  # of the statement
    seed: int
    mode: Mode = "total"
    hot: bool = False  # whether labels are 1 for one class and 0 for the others
    logistic: bool = False  # whether σ is the logistic function
    root: tuple[str, int] | None = None  # a letter and the number of its indices
    size: str = ""  # a letter that is how many entries lists have, though no sum runs up to it
    everywhere: Mapping[str, int] = field(default_factory=dict)  # indices that lines have of no sum, the true class c
    cells: dict[Key, Any] = field(default_factory=dict)
    fixed: Point | None = None  # where everything but one letter stays as it is
    inside: bool = False  # whether slopes are carried along
    depth: int = 0
    drawn: dict[Key, Fraction] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)  # the letters that lines were looked up for

    @property
    def ring(self) -> Slopes:
        return _RING

    # --- letters

    def letter(self, name: f.Name, bound: Mapping[str, int]) -> Any:
        key, indices = split(name)
        if name.item or any(sign in part for part in name.sub for sign in "+-"):
            raise UnsettledError(name.base)  # s_{t-1}, of which more depends on w
        if (key, len(indices)) in self.lines.slopes or self._is_whole(name, key, len(indices)):
            raise UnsettledError(key)
        if name.base == "δ" and len(indices) == 2 and key not in self.lines.letters:
            a, b = (self.place(index, bound) for index in indices)
            return self.ring.number(Fraction(int(a == b)))
        if name.base == "e" and not name.sub and not name.sup:
            return self.ring.function("exp", self.ring.number(Fraction(1)))
        if any(index in "".join(name.sup) for index in bound):
            raise UnsettledError("example")  # ŷ^{(i)}, below Σ_i
        return self.cell(key, tuple(self.place(index, bound) for index in indices))

    def _is_whole(self, name: f.Name, key: str, count: int) -> bool:
        """Whether it may be a matrix, a row of one or a whole list, or a mean that depends on entries untold."""
        if not count and (key in self.lines.sizes or is_loss(name) or (key, ()) in self.cells):
            return False
        capital = name.base[:1].isupper() and name.base[:1].isascii()
        untold = name.base in ("μ", "σ", "σ²", "s²") and self.lines.of(key, self.number) is None
        bold = any(command in name.text for command in ("mathbf", "boldsymbol", "\\bm", "\\vec"))
        return (capital and count != 2) or untold or bold or (not count and key in self.lines.lists)

    def place(self, index: str, bound: Mapping[str, int]) -> int:
        if index.isdecimal():
            return int(index)
        if index in bound:
            return bound[index]
        if index not in self.everywhere:
            raise UnsettledError(index)
        return self.everywhere[index]

    def cell(self, key: str, places: tuple[int, ...]) -> Any:
        if (key, places) in self.cells:
            return self.cells[key, places]
        if any(own == key and len(at) != len(places) for own, at in self.cells):
            raise UnsettledError(key)  # a list, and an entry of one
        if self.fixed is not None and self.depth:
            return self.fixed.cell(key, places)
        line = self.lines.of(key, self.number)
        if line is not None:
            if len(line.indices) != len(places):
                raise UnsettledError(key)
            self.used.add(key)
            return self.evaluate_deeper(line.body, dict(zip(line.indices, places, strict=True)))
        if (key in self.lines.sizes or key == self.size) and not places:
            return self.ring.number(Fraction(LENGTH))
        if is_loss(f.Name(key)) and not places:
            return self.loss()
        return self.ring.number(self.draw(key, places))

    def loss(self) -> Any:
        """A loss of which nothing is known: any linear function of the root, which has the slopes of any loss."""
        if self.root is None:
            raise UnsettledError("L")
        key, count = self.root
        terms = [
            self.ring.multiply(self.ring.number(self.draw(f"∂L/∂{key}", at)), self.cell(key, at)) for at in _all(count)
        ]
        return self.ring.add(*terms)

    def draw(self, key: str, places: tuple[int, ...]) -> Fraction:
        """Any number for a letter; of labels such as add up to 1."""
        if (key, places) not in self.drawn:
            if key in self.lines.labels and len(places) == 1:
                self._draw_labels(key)
            else:
                self.drawn[key, places] = self._any(key, places)
        return self.drawn[key, places]

    def _draw_labels(self, key: str) -> None:
        every = {at: Fraction(int(at == (2,))) if self.hot else abs(self._any(key, at)) for at in _all(1)}
        total = sum(every.values())
        self.drawn |= {(key, at): value / total for at, value in every.items()}

    def _any(self, key: str, places: tuple[int, ...]) -> Fraction:
        """A number between 0 and 1; at two points one of any sign, and its negative."""
        signed = self.seed in SIGNED
        chosen = random.Random(f"{SIGNED[0] if signed else self.seed} {key} {places}")
        value = Fraction(chosen.choice([k for k in range(-15 if signed else 1, 16) if k]), 16)
        return -value if self.seed == SIGNED[1] else value

    # --- formulas

    def evaluate_deeper(self, e: f.Expression, bound: Mapping[str, int]) -> Any:
        if self.depth > DEEPEST:
            raise UnsettledError("depth")
        self.depth += 1
        try:
            return self.evaluate(e, bound)
        finally:
            self.depth -= 1

    def evaluate(self, e: f.Expression, bound: Mapping[str, int]) -> Any:
        """The value of a formula, with its slope."""
        spend()
        ring = self.ring
        match e:
            case f.Number():
                return ring.number(e.value)
            case f.Name():
                return self.letter(e, bound)
            case f.Sum(terms, signs):
                signed = (
                    ring.multiply(ring.number(Fraction(sign)), self.evaluate(term, bound))
                    for term, sign in zip(terms, signs, strict=True)
                )
                return ring.add(*signed)
            case f.Product((f.Transpose(f.Name() as a), f.Name() as b), ("",)) | f.Product(
                (f.Name() as a, f.Name() as b), ("·",)
            ) if not (a.sub or b.sub) and (isinstance(e.factors[0], f.Transpose) or self._is_list(a)):
                return self.total(RUNNING, f.Product((_entry(a), _entry(b)), ("",)), bound)
            case f.Product(factors, operators) if not {*operators} - {"", "·", "×", "⊙"}:
                return ring.multiply(*(self.evaluate(factor, bound) for factor in factors))
            case f.Elementwise(factors):
                return ring.multiply(*(self.evaluate(factor, bound) for factor in factors))
            case f.Quotient(above, below):
                return ring.multiply(self.evaluate(above, bound), self.invert(self.evaluate(below, bound)))
            case f.Root(inside):
                return ring.power(self.evaluate(inside, bound), Fraction(1, 2))
            case f.Power(base, f.Number(value=power)):
                return ring.power(self.evaluate(base, bound), power)
            case f.BigSum(index, None, None, body, None) if len(index.replace(",", "")) == 2:
                letters = index.replace(",", "")
                return self.total(letters[0], f.BigSum(letters[1], None, None, body), bound)
            case f.BigSum(index, lower, upper, body, condition) if index.isalpha() and len(index) == 1:
                self._check_range(lower, upper, bound)
                return self.total(index, body, bound, condition)
            case f.Cases(values, conditions):
                return self.evaluate(values[self._case(conditions, bound)], bound)
            case f.Entry(f.Call(function, (argument,)), (index,)):
                return self.entry(function, argument, index, bound)
            case f.Call():
                return self.call(e, bound)
            case f.Derivative(of, by):
                return self.slope(of, by, bound)
        raise UnsettledError(type(e).__name__)

    def _case(self, conditions: Sequence[str], bound: Mapping[str, int]) -> int:
        """Which of several conditions on one letter, z > 0 and otherwise, is true at the point."""
        for k, condition in enumerate(conditions):
            found = _CONDITION.search(condition)
            if found is None:
                if k + 1 < len(conditions) or not _OTHERWISE.search(condition):
                    raise UnsettledError("case")
                return k
            letter = next((side.expression for chain in f.parse(found["letter"]) for side in chain.sides), None)
            if not isinstance(letter, f.Name):
                raise UnsettledError("case")
            difference = self.letter(letter, bound)[0] - self.ring.plain.number(Fraction(found["value"]))
            if difference.contains(0):
                raise UnsettledError("case")
            if (difference > 0) == (found["sign"] in _GREATER):
                return k
        raise UnsettledError("case")

    def invert(self, x: Any) -> Any:
        if x[0].contains(0):
            raise ZeroDivisionError
        return self.ring.power(x, Fraction(-1))

    def _is_list(self, name: f.Name) -> bool:
        key, _ = split(name)
        line = self.lines.of(key, self.number)
        return any(own == key and places for own, places in self.cells) or (line is not None and bool(line.indices))

    def _check_range(self, lower: f.Expression | None, upper: f.Expression | None, bound: Mapping[str, int]) -> None:
        """Only sums over all entries have a meaning here."""
        first = lower is None or (isinstance(lower, f.Number) and lower.value in (0, 1))
        last = upper is None or (isinstance(upper, f.Name) and split(upper)[0] not in bound)
        if isinstance(upper, f.Sum) and isinstance(lower, f.Number) and lower.value == 0:
            last = upper.signs == (1, -1) and isinstance(upper.terms[0], f.Name)  # up to n − 1, from 0
        if not (first and last):
            raise UnsettledError("range")

    def total(self, index: str, body: f.Expression, bound: Mapping[str, int], condition: f.Chain | None = None) -> Any:
        apart = None if condition is None else _other_than(index, condition)
        if condition is not None and apart is None:
            raise UnsettledError("condition")
        places = [k for k in range(1, LENGTH + 1) if apart is None or k != self.place(apart, bound)]
        return self.ring.add(*(self.evaluate(body, {**bound, index: k}) for k in places))

    def entry(self, function: str, argument: f.Expression, index: str, bound: Mapping[str, int]) -> Any:
        """softmax(z)_i."""
        line = self.lines.of_function(function, self.number)
        known = function == "softmax" or (line is not None and bool(line.indices))
        if not known or not isinstance(argument, f.Name) or split(argument)[1]:
            raise UnsettledError(function)
        power = f.Call("exp", (_entry(argument),))
        total = self.total(RUNNING, power, bound)
        return self.ring.multiply(
            self.evaluate(power, {**bound, RUNNING: self.place(index, bound)}), self.invert(total)
        )

    def call(self, e: f.Call, bound: Mapping[str, int]) -> Any:
        ring = self.ring
        if e.label or e.options:
            raise UnsettledError(e.function)
        if e.function == "max" and len(e.arguments) == 2:
            values = [self.evaluate(argument, bound) for argument in e.arguments]
            if (values[0][0] - values[1][0]).contains(0):
                raise UnsettledError("tie")
            return ring.largest(2, values.__getitem__)
        if len(e.arguments) != 1:
            raise UnsettledError(e.function)
        [argument] = e.arguments
        line = self.lines.of_function(e.function, self.number)
        softmax = e.function == "softmax" or (line is not None and bool(line.indices))
        if softmax and isinstance(argument, f.Name) and len(split(argument)[1]) == 1:
            return self.entry(e.function, replace(argument, sub=()), split(argument)[1][0], bound)
        x = self.evaluate(argument, bound)
        if e.function in ("exp", "log", "tanh", "sin", "cos"):
            return ring.function(e.function, x)
        if line is not None and line.argument is not None and not line.indices:
            self.used.add(e.function)
            return self._applied(line, x)
        if e.function == "sigmoid" or (e.function == SIGMA and self.logistic):
            minus = ring.multiply(ring.number(Fraction(-1)), x)
            return self.invert(ring.add(ring.number(Fraction(1)), ring.function("exp", minus)))
        if e.function == "relu":
            return ring.largest(2, [x, ring.number(Fraction(0))].__getitem__)
        raise UnsettledError(e.function)

    def _applied(self, line: Line, x: Any) -> Any:
        """A function by its line, of any argument."""
        assert line.argument is not None
        key, indices = split(line.argument)
        inner = replace(self, cells={(key, (1,) * len(indices)): x}, fixed=None, depth=self.depth + 1, root=None)
        if inner.depth > DEEPEST:
            raise UnsettledError("depth")
        names = {split(part) for part in f.walk(line.body) if isinstance(part, f.Name)}
        if any(own == key and at != indices for own, at in names):
            raise UnsettledError(key)
        return inner.evaluate(line.body, dict.fromkeys(indices, 1))

    # --- slopes

    def slope(self, of: f.Expression, by: f.Expression, bound: Mapping[str, int]) -> Any:
        """∂ of / ∂ by, where `by` is an entry."""
        if self.inside or not isinstance(by, f.Name):
            raise UnsettledError("second")
        key, indices = split(by)
        own = tuple(self.place(index, bound) for index in indices)
        if any(isinstance(part, f.Name) and by.base in (*part.sub, *part.sup) for part in f.walk(of)):
            raise UnsettledError(key)  # f_θ(x), which depends on θ
        if self._is_whole(by, key, len(indices)):
            raise UnsettledError(key)
        cells = {(key, at): self.cell(key, at)[0] for at in _all(len(indices))}
        where = list(cells)
        free = {cell: free_number(value, k, len(where)) for k, (cell, value) in enumerate(cells.items())}
        direct = self if self.mode == "direct" and not is_loss(of) else None
        raised = replace(self, cells=free, inside=True, fixed=direct)
        if not raised.depends(of, key):
            raise UnsettledError(key)
        found = raised.evaluate(of, bound)
        return slope_by(found, where.index((key, own))), None

    def depends(self, e: f.Expression, key: str) -> bool:
        """Whether a formula is made of a letter, by way of any lines: what is not may be a function of it untold."""
        seen, waiting = set[str](), [e]
        while waiting:
            names = [part for part in f.walk(waiting.pop()) if isinstance(part, f.Name)]
            for own, _ in map(split, names):
                if own == key:
                    return True
                line = self.lines.of(own, self.number) if own not in seen else None
                seen.add(own)
                waiting += [line.body] if line is not None else []
                if line is None and self.root is not None and is_loss(f.Name(own)):
                    waiting.append(f.Name(self.root[0], ("i",) * self.root[1]))
        return False


_RING = Slopes()
_CONDITION = regex(
    r"(?P<letter>(?:\\[a-z]+|[A-Za-z])(?:_\{?\w+\}?)?)\s*(?P<sign>>|<|≥|≤|\\(?:geq?|leq?|gt|lt)\b)=?\s*(?P<value>-?\d+(?:\.\d+)?)"
)
_GREATER = frozenset((">", "≥", "\\ge", "\\geq", "\\gt"))
_OTHERWISE = regex(r"otherwise|\belse\b|其他|其它|否则|sinon|sonst|altrimenti|en otro caso|caso contr", re.I)


def _entry(name: f.Name) -> f.Name:
    return replace(name, sub=(*name.sub, RUNNING), text="")


def _all(count: int) -> list[tuple[int, ...]]:
    places: list[tuple[int, ...]] = [()]
    for _ in range(count):
        places = [(*at, k) for at in places for k in range(1, LENGTH + 1)]
    return places


def _other_than(index: str, condition: f.Chain) -> str | None:
    """The i of Σ_{k ≠ i}."""
    match condition.sides:
        case (f.Side("", f.Name(a, (), ())), f.Side("≠", f.Name(b, (), ()))) if index in (a, b) and a != b:
            return b if a == index else a
    return None
