"""What entries are: enclosures at a point, the same with a slope, or sums for every size."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any, Protocol

from symattn.checking.equality.indices import Axes, Index, Undecided, constant
from symattn.checking.equality.normal_form import NormalForms
from symattn.checking.equality.numbers import function_of, number_of
from symattn.checking.equality.terms import Budget, Sum
from symattn.values.enclosures import enclose_fraction, unit_row
from symattn.writing.strict import as_sympy

Size = Any  # a whole number, or a formula in letters
At = Any  # an index: a whole number from 0, or one that runs over a range of any size


class Ring(Protocol):
    """The operations on entries that formulas are made of."""

    def number(self, value: Fraction) -> Any: ...
    def size(self, size: Size) -> Any: ...
    def add(self, *terms: Any) -> Any: ...
    def multiply(self, *factors: Any) -> Any: ...
    def power(self, x: Any, exponent: Fraction) -> Any: ...
    def function(self, name: str, x: Any) -> Any: ...
    def total(self, size: Size, term: Callable[[At], Any]) -> Any: ...
    def largest(self, size: Size, term: Callable[[At], Any]) -> Any: ...
    def delta(self, i: At, j: At) -> Any: ...
    def some(self, size: Size) -> At: ...


class AtPoint:
    """What every ring at a point shares: sizes and indices are whole numbers."""

    def number(self, value: Fraction) -> Any:
        raise NotImplementedError

    def add(self, *terms: Any) -> Any:
        raise NotImplementedError

    def size(self, size: Size) -> Any:
        return self.number(Fraction(int(size)))

    def total(self, size: Size, term: Callable[[At], Any]) -> Any:
        return self.add(*map(term, range(int(size))))

    def delta(self, i: At, j: At) -> Any:
        return self.number(Fraction(int(i == j)))

    def some(self, _: Size) -> At:
        return 0


class Numbers(AtPoint):
    """Enclosures (Arb)."""

    def number(self, value: Fraction) -> Any:
        return enclose_fraction(value)

    def add(self, *terms: Any) -> Any:
        return reduce(operator.add, terms) if terms else self.number(Fraction(0))

    def multiply(self, *factors: Any) -> Any:
        return reduce(operator.mul, factors) if factors else self.number(Fraction(1))

    def power(self, x: Any, exponent: Fraction) -> Any:
        return x ** int(exponent) if exponent.denominator == 1 else x ** self.number(exponent)

    def function(self, name: str, x: Any) -> Any:
        return getattr(x, name)()

    def largest(self, size: Size, term: Callable[[At], Any]) -> Any:
        return reduce(lambda x, y: x.max(y), map(term, range(int(size))))


SLOPES: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: x.exp(),
    "log": lambda x: 1 / x,
    "tanh": lambda x: 1 - x.tanh() * x.tanh(),
    "sin": lambda x: x.cos(),
    "cos": lambda x: -x.sin(),
    "erf": lambda x: 2 * (-(x * x)).exp() / ((x * 0 + 1).atan() * 4).sqrt(),
}


class Slopes(AtPoint):
    """Pairs of a value and its slopes, x + x′ε with ε² = 0: what depends on ε is carried along.

    There is one ε for each of some letters: slopes are a row, or None where all of them are 0.
    """

    def __init__(self) -> None:
        self.plain = Numbers()

    def number(self, value: Fraction) -> Any:
        return self.plain.number(value), None

    def add(self, *terms: Any) -> Any:
        if not terms:
            return self.number(Fraction(0))
        slopes = [slope for _, slope in terms if slope is not None]
        return self.plain.add(*(x for x, _ in terms)), reduce(lambda a, b: a + b, slopes) if slopes else None

    def multiply(self, *factors: Any) -> Any:
        return reduce(_multiply, factors) if factors else self.number(Fraction(1))

    def power(self, x: Any, exponent: Fraction) -> Any:
        below = self.plain.multiply(self.plain.number(exponent), self.plain.power(x[0], exponent - 1))
        return self.plain.power(x[0], exponent), _scaled(x[1], below)

    def function(self, name: str, x: Any) -> Any:
        return self.plain.function(name, x[0]), _scaled(x[1], SLOPES[name](x[0]))

    def largest(self, size: Size, term: Callable[[At], Any]) -> Any:
        return reduce(lambda x, y: x if x[0] > y[0] else y, map(term, range(int(size))))


def _multiply(x: Any, y: Any) -> Any:
    left, right = _scaled(x[1], y[0]), _scaled(y[1], x[0])
    return x[0] * y[0], left if right is None else right if left is None else left + right


def _scaled(slopes: Any, factor: Any) -> Any:
    return None if slopes is None else slopes * factor


def free_number(value: Any, which: int, count: int) -> Any:
    """A number whose slope by one of so many letters is 1: itself."""
    return value, unit_row(which, count)


def slope_by(number: Any, which: int) -> Any:
    """The slope of a number by one of the letters."""
    return enclose_fraction(Fraction(0)) if number[1] is None else number[1][0, which]


def as_index(at: At) -> Index:
    """A place as an index of normal forms."""
    return constant(at) if isinstance(at, int) else at


class Forms:
    """Normal forms: sums over ranges of symbolic sizes (`checking.equality`). Raises Undecided for what has none."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.algebra, self.axes = NormalForms(budget), Axes()

    def number(self, value: Fraction) -> Sum:
        return self.algebra.number(value)

    def size(self, size: Size) -> Sum:
        return number_of(as_sympy(size), {}, self.algebra)

    def add(self, *terms: Sum) -> Sum:
        return self.algebra.add(*terms)

    def multiply(self, *factors: Sum) -> Sum:
        return self.algebra.multiply(*factors)

    def power(self, x: Sum, exponent: Fraction) -> Sum:
        return self.algebra.power(x, exponent)

    def function(self, name: str, x: Sum) -> Sum:
        if name == "exp":
            return self.algebra.exp(x)
        return function_of(name, x, self.algebra)

    def total(self, size: Size, term: Callable[[At], Sum]) -> Sum:
        made = []
        for k in self.axes.positions(as_sympy(size)):
            made.append(self.algebra.bind(term(k), k.variables))
        return self.algebra.add(*made)

    def largest(self, size: Size, term: Callable[[At], Sum]) -> Sum:
        raise Undecided("formula", "max")

    def delta(self, i: Index, j: Index) -> Sum:
        return self.algebra.delta(i, j)

    def some(self, size: Size) -> Index:
        return next(iter(self.axes.positions(as_sympy(size))))
