"""A theorem as a chain: its sides, how each follows from the one before, and at which sizes that is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sympy import Symbol

from symattn.nodes import Scaled
from symattn.writing.document import Box
from symattn.writing.prose import Sentence


def minus(matrix: Any) -> Any:
    """−X as a node, whatever X is made of."""
    return Scaled(matrix, -1)


@dataclass(frozen=True)
class Link:
    """The next side of a chain, and the rule by which it follows (a key of the sentences, without "rule.")."""

    side: Any
    rule: str
    relation: str = "="  # or "≤"
    printed: Box | None = None  # as articles write it, where that is not the side itself


@dataclass(frozen=True)
class Theorem:
    """A chain of equal (or rising) sides: matrix expressions over free matrices, or scalars over indexed numbers.

    `cases` are the explicit sizes at which every link is checked; `kinds` says which matrices are no free ones
    ("permutation", "rotation"); `where` what short names stand for, each over those before it.
    """

    name: str
    first: Any
    links: tuple[Link, ...]
    cases: tuple[Mapping[Symbol, int], ...]
    kinds: Mapping[Any, str] = field(default_factory=dict)
    where: tuple[tuple[Any, Any], ...] = ()
    base: tuple[tuple[Any, Any], ...] = ()  # equal sides for one token, where the chain goes on from some to one more

    @property
    def sides(self) -> tuple[Any, ...]:
        return (self.first, *(link.side for link in self.links))

    @property
    def full_sides(self) -> tuple[Any, ...]:
        """The sides with what the short names stand for in their place."""
        return tuple(map(self.full, self.sides))

    @property
    def statements(self) -> list[tuple[Any, Any]]:
        """The pairs of sides that have to be equal, in full: the base, then link by link."""
        return [(self.full(a), self.full(b)) for a, b in self.base] + list(pairwise(self.full_sides))

    def full(self, side: Any) -> Any:
        for symbol, meaning in reversed(self.where):
            side = side.xreplace({symbol: meaning})
        return side


@dataclass(frozen=True)
class Counterexample:
    """Small exact numbers at which two sides of a chain differ."""

    link: int  # the number of the link that fails, from 0
    sizes: Mapping[Symbol, int]
    values: Mapping[Any, Sequence[Sequence[Any]]]
    left: Any
    right: Any


@dataclass(frozen=True)
class Checked:
    """How a link was checked: for every size, or at random points with so much chance of a mistake."""

    method: str  # "normal_form", "symbolic", "expectation", "bound"; or "points"
    cases: tuple[Mapping[Symbol, Any], ...] = ()
    points: int = 0
    chance: int | None = None  # at most 10^-chance
    seed: int | None = None  # of the random points

    @property
    def is_proof(self) -> bool:
        """Whether the link holds for every size."""
        return self.method != "points"


@dataclass(frozen=True)
class Unknown:
    """A link that was neither proven nor refuted, and why."""

    reason: Sentence


Outcome = Checked | Counterexample | Unknown
