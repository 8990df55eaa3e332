"""Norms of a matrix, μ_i = (1/D) Σ_j x_{ij}: what is said of one row is said of a vector, with x_j for x_{ij}."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from symattn.reading import formula as f

_HAT = "\u0302"
_OF_ROWS = frozenset(["μ", "σ"])
_OF_ENTRIES = frozenset(["γ", "β", "g", "b"])


@dataclass(frozen=True)
class NormRows:
    """The letter that is normalised, and which of its two indices no mean is taken over."""

    letter: str
    row: str
    place: int

    def of_a_row(self, chain: f.Chain, left: f.Expression) -> Callable[[f.Expression], f.Expression] | None:
        """How a chain is read for one row; None where it is not all of one row of what is normalised.

        ∂L/∂γ_j on the left is of all rows: a side of one row lacks a sum there.
        """
        parts = [part for side in chain.sides for part in f.walk(side.expression)]
        if any(isinstance(part, f.BigSum) and part.index == self.row for part in parts):
            return None
        named = [part for part in parts if isinstance(part, f.Name)]
        indexed = [name for name in named if any(self.row in mark for mark in (*name.sub, *name.sup, *name.item))]
        in_rows = any(self._without_row(n) != n or n.base in _OF_ROWS for n in f.walk(left) if isinstance(n, f.Name))
        of_one = indexed and in_rows and all(self._without_row(name) != name for name in indexed)
        return self._without_row if of_one else None

    def _without_row(self, part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or part.sup or part.item:
            return part
        marks = _indices(part)
        if part.base in _OF_ROWS | _OF_ENTRIES and marks == (self.row,):
            return replace(part, sub=())
        own = part.base.removesuffix(_HAT) == self.letter or part.base in ("y", "z", "x" + _HAT)
        if own and len(marks) == 2 and marks.count(self.row) == 1 and marks[self.place] == self.row:
            return replace(part, sub=tuple(mark for mark in marks if mark != self.row))
        return part


def find_norm_rows(chains: Sequence[f.Chain]) -> NormRows | None:
    """What an article normalises, where all its means are over the same index of two."""
    found = set(_means(chains))
    return found.pop() if len(found) == 1 else None


def _means(chains: Sequence[f.Chain]) -> Iterator[NormRows]:
    for chain in chains:
        left, *others = (side.expression for side in chain.sides)
        if not isinstance(left, f.Name) or left.base != "μ":
            continue
        for part in (part for side in others for part in f.walk(side)):
            match part:
                case f.BigSum(index=column, body=f.Name(letter) as body) if column in _indices(body):
                    rows = [mark for mark in _indices(body) if mark != column]
                    if len(rows) == 1 and rows[0].isalpha() and _indices(left) in ((), (rows[0],)):
                        yield NormRows(letter, rows[0], _indices(body).index(rows[0]))


def _indices(name: f.Name) -> tuple[str, ...]:
    """i and j of x_{ij} and of x_{i,j}."""
    run = name.sub[0] if len(name.sub) == 1 else ""
    return tuple(run) if len(run) == 2 and run.isalpha() and run.islower() else name.sub
