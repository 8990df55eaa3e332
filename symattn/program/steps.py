"""A derivation as plain data: a straight-line program of named steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

from sympy import Expr, MatrixExpr, MatrixSymbol, Symbol, preorder_traversal


@dataclass(frozen=True)
class Index:
    """What numbers the members of a family: letter = 1, ..., count."""

    letter: Symbol
    count: Expr


@dataclass(frozen=True)
class Step:
    """`symbol = expression`, over the inputs and the symbols of earlier steps.

    With an index it is a family of steps, one for each value of the index: the formula has the letter in it, and the
    names of its members end in it (Q^(i)). `by` is what a step of the backward pass is the gradient by.
    """

    name: str
    symbol: MatrixSymbol
    expression: MatrixExpr
    index: Index | None = None
    by: Any = None

    @property
    def shape(self) -> tuple[Expr, Expr]:
        rows, columns = self.symbol.shape
        return rows, columns

    @cached_property
    def _parts(self) -> frozenset[Any]:
        return frozenset(preorder_traversal(self.expression))

    def atoms(self, *kinds: type) -> set[Any]:
        """The parts of the formula that are of these kinds; it is walked through once."""
        return {part for part in self._parts if isinstance(part, kinds)}

    @cached_property
    def uses(self) -> frozenset[MatrixSymbol]:
        """The inputs and steps in the formula."""
        return frozenset(self.atoms(MatrixSymbol))


@dataclass(frozen=True)
class Program:
    """Named inputs and an ordered list of named steps."""

    inputs: tuple[MatrixSymbol, ...]
    steps: tuple[Step, ...]

    def __getitem__(self, name: str) -> Step:
        for step in self.steps:
            if step.name == name:
                return step
        raise KeyError(name)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def by_symbol(self) -> dict[MatrixSymbol, Step]:
        """Each step under its symbol."""
        return {step.symbol: step for step in self.steps}


def take_name(name: str, taken: set[str], ending: str = "") -> str:
    """The name (before its ending), or name_2, name_3, ...: the first that is free, which is taken then.

    >>> take_name("dQ", {"dQ", "dQ_2"}), take_name("P", {"P^(i)"}, "^(i)")
    ('dQ_3', 'P_2^(i)')
    """
    found = next(x for k in count(1) if (x := f"{name}{f'_{k}' if k > 1 else ''}{ending}") not in taken)
    taken.add(found)
    return found
