"""What sums are worth where sizes are numbers: every index is counted, and nothing is known of normal forms."""

from __future__ import annotations

import cmath
import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Symbol

from symattn.checking.equality.indices import Index, Variable
from symattn.checking.equality.terms import Atom, Factor, Product, Sum

Places = Mapping[Variable, int]


class World:
    """Sizes, arrays by the names of matrices, permutations by theirs; what has no array has numbers of its own."""

    def __init__(
        self,
        sizes: Mapping[Symbol, int],
        arrays: Mapping[str, Any] | None = None,
        permutations: Mapping[str, list[int]] | None = None,
    ) -> None:
        self.sizes, self.arrays, self.permutations = dict(sizes), dict(arrays or {}), dict(permutations or {})
        self.uniform = Fraction(0)  # what the weights of a row are that sees nothing
        self.named = {repr(s.name): value for s, value in self.sizes.items()}
        self._numbers: dict[Expr, Any] = {}

    def number(self, e: Expr) -> Any:
        if e not in self._numbers:
            value = sympy.sympify(e).subs(self.sizes)
            self._numbers[e] = int(value) if value.is_Integer else float(value)
        return self._numbers[e]

    def index(self, index: Index, at: Places) -> Any:
        total = self.number(index.offset)
        for factor, permutations, v in index.parts:
            place = at[v]
            for name in reversed(permutations):  # the last one is applied first
                order = self.permutations[name.removeprefix("~")]
                place = order.index(place) if name.startswith("~") else order[place]
            total += self.number(factor) * place
        return total

    def entry(self, name: str, at: tuple[Any, ...]) -> float:
        array = next((a for own, a in self.arrays.items() if name.startswith(f"{own!r}[")), None)
        if array is not None:
            return float(np.asarray(array)[at])
        return random.Random(f"{name}{at}").uniform(0.5, 1.5)

    def scalar(self, name: str) -> float:
        return next((v for own, v in self.named.items() if name.startswith(own)), 0) or self.entry(name, ())

    def ranges(self, variables: Iterable[Variable]) -> Iterable[dict[Variable, int]]:
        chosen = list(variables)
        for at in itertools.product(*(range(self.number(v.size)) for v in chosen)):
            yield dict(zip(chosen, at, strict=True))

    # --- sums

    def worth(self, total: Sum, at: Places = {}) -> complex:  # noqa: B006  (it is only read)
        return sum((self._term(c, t.factors, t.bound, at) for t, c in total.terms.items()), 0j)

    def product(self, product: Product, at: Places = {}) -> complex:  # noqa: B006
        return self._term(product.coefficient, product.factors.items(), product.bound, at)

    def _term(
        self, c: Any, factors: Iterable[tuple[Factor, Fraction]], bound: Iterable[Variable], at: Places
    ) -> complex:
        factors, total = list(factors), 0j
        for own in self.ranges(bound):
            value = complex(c)
            for factor, exponent in factors:
                power = exponent.numerator if exponent.denominator == 1 else float(exponent)
                value *= self._factor(factor, {**at, **own}) ** power if value else 0
            total += value
        return total

    def _factor(self, factor: Factor, at: Places) -> complex:
        atom, indices = factor
        places = tuple(self.index(i, at) for i in indices)
        match atom.kind:
            case "entry" | "opaque":
                return complex(self.entry(atom.name, places))
            case "scalar":
                return complex(self.scalar(atom.name))
            case "prime":
                return complex(int(atom.name))
            case "imaginary":
                return 1j
            case "position":
                return complex(places[0])
            case "delta":
                return complex(places[0] == places[1])
            case "keep" if atom.inner is None:
                return complex(places[0] <= 0)
        return self._function(atom, dict(enumerate(places)))

    def _function(self, atom: Atom, places: Mapping[int, Any]) -> complex:
        assert atom.inner is not None
        at = {Variable(f"@{k}", sympy.S.Zero): place for k, place in places.items()}
        if atom.name.startswith("log of the largest "):
            return cmath.log(max(self._members(atom.inner, at)))
        inside = self.worth(atom.inner, at)
        if atom.name.startswith("log above 0 to the power "):
            return complex(max(cmath.log(inside).real, 0) ** int(atom.name.split()[-1]))
        match atom.kind, atom.name:
            case "keep", _:
                return complex(inside != 0)
            case "exp", _:
                return cmath.exp(inside)
            case "power", _:
                return inside
            case "function", "1/x, 0 for 0":
                return 1 / inside if inside else 0j
            case "function", "1 for 0, else 0":
                return 0j if inside else 1 + 0j
        known: dict[str, Callable[[complex], complex]] = {"log": cmath.log, "tanh": cmath.tanh, "Abs": abs}
        return complex(known[atom.name](inside))

    def _members(self, total: Sum, at: Places) -> Iterable[float]:
        """What the terms of a sum are worth for every value of what is left free, without the names of the parts."""
        for t, c in total.terms.items():
            factors = [(f, e) for f, e in t.factors if "of a maximum" not in f[0].name]
            for own in self.ranges(v for v in t.free if v not in at):
                yield self._term(c, factors, t.bound, {**at, **own}).real
