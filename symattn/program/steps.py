"""A derivation as plain data: a straight-line program of named steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any

from sympy import Expr, MatrixExpr, MatrixSymbol, Symbol, preorder_traversal

from symattn.nodes import TIME, member

NO_AVERAGE = ("logits", "other")  # reasons for an output that is another product


@dataclass(frozen=True)
class Index:
    """What numbers the members of a family: letter = 1, ..., count, or `back`wards. It is called "head", "token".

    A family may stand within each member of another: the tokens of every head.
    """

    letter: Symbol
    count: Expr
    family: str = field(default="head", compare=False)
    back: bool = field(default=False, compare=False)
    within: Index | None = None

    def numbers(self, count: int) -> range:
        """The numbers of the members, in the order in which they are made."""
        return range(count, 0, -1) if self.back else range(1, count + 1)

    @property
    def chain(self) -> tuple[Index, ...]:
        """This and what it stands within, the outermost first."""
        return (*(() if self.within is None else self.within.chain), self)

    def inside(self) -> Index | None:
        """The same without the outermost."""
        return None if self.within is None else replace(self, within=self.within.inside())

    def member(self, name: str) -> str:
        """The name of any member: H^(i,t)."""
        for index in self.chain:
            name = member(name, index.letter)
        return name


@dataclass(frozen=True)
class Step:
    """`symbol = expression`, over the inputs and the symbols of earlier steps.

    `role` is what it is for ("scores"), of `operand` if it is done to one ("rotated", of "Q"), in a `part` of the
    calculation. With an index it is a family of steps, one for each value of the index: the formula has the letter in
    it, and the names of its members end in it (Q^(i)); such a member alone has its families and numbers in `members`.
    `suffix` tells steps apart that are alike in all this. `by` is what a step of the backward pass is the gradient by.
    `because` is the reason for the step, a key of sentences that the rule gave which made it; empty, it is the role.
    `equals` is the closed form of what is calculated in turns or by hand: the same value, over earlier steps too.

    >>> A = MatrixSymbol("A", 1, 1)
    >>> Step("rotated", A, A, "encoder", Index(Symbol("i"), Symbol("h")), operand="Q", suffix="_2").name
    'encoder.head_i.Q_rotated_2'
    """

    role: str
    symbol: MatrixSymbol
    expression: MatrixExpr
    part: str = ""
    index: Index | None = None
    because: str = ""
    operand: str = ""
    suffix: str = ""
    members: tuple[tuple[str, int], ...] = ()
    by: Any = None
    equals: MatrixExpr | None = None

    @cached_property
    def name(self) -> str:
        """What users call the step: encoder.head_i.scores."""
        return self.name_of(*(index.letter for index in self.indices))

    @property
    def short(self) -> str:
        """The name without part and family, which all members have in common."""
        return f"{self.operand and f'{self.operand}_'}{self.role}{self.suffix}"

    @property
    def averages(self) -> bool:
        """Whether its rows are values, weighted by the attention of each row."""
        return self.role == "output" and self.because not in NO_AVERAGE

    @property
    def indices(self) -> tuple[Index, ...]:
        """What numbers it, the outermost first."""
        return () if self.index is None else self.index.chain

    @property
    def family(self) -> str:
        """What it is a step of every member of, or of one: "head", "token", ...; empty for a step of its own."""
        return self.index.family if self.index is not None else self.members[-1][0] if self.members else ""

    def name_of(self, *numbers: object) -> str:
        """The name of a member of the family: head_2.scores. This is the one place where names are made."""
        families = (*self.members, *zip((index.family for index in self.indices), numbers, strict=True))
        return ".".join(filter(None, (self.part, *(f"{family}_{number}" for family, number in families), self.short)))

    def numbers_of(self, name: str) -> tuple[int, ...] | None:
        """Which member of the family is called so: 2 for head_2.scores, 2 and 3 for head_2.token_3.state."""
        parts = self.name_of(*("\n" for _ in self.indices)).split("\n")
        found = re.fullmatch(r"(\d+)".join(map(re.escape, parts)), name, re.ASCII)
        numbers = () if found is None else tuple(map(int, found.groups()))
        return numbers if numbers and name == self.name_of(*numbers) else None

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


def runs_on(step: Step) -> bool:
    """Whether a step is taken once for each token or block."""
    return step.index is not None and step.index.letter == TIME


def take_name(name: str, taken: set[str], ending: str = "") -> str:
    """The name (before its ending), or name_2, name_3, ...: the first that is free, which is taken then.

    >>> take_name("dQ", {"dQ", "dQ_2"}), take_name("P", {"P^(i)"}, "^(i)")
    ('dQ_3', 'P_2^(i)')
    """
    found = next(x for k in count(1) if (x := f"{name}{f'_{k}' if k > 1 else ''}{ending}") not in taken)
    taken.add(found)
    return found


def name_apart(step: Step, taken: set[str]) -> Step:
    """The step under a name that is free, which is taken then."""
    name = take_name(step.name, taken)
    return replace(step, suffix=step.suffix + name[len(step.name) :])
