"""Whether tokens are rows or columns, as products show: Q Kᵀ and X W_Q of rows, Kᵀ Q and W_Q X of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f

_TOKENS = frozenset("XHQKV")
_LABELS = ("q", "k", "v")


def count_orientations(statements: Sequence[Statement]) -> tuple[int, int]:
    """How many different products an article has of tokens that are rows, and how many of such that are columns."""
    pairs = {pair for each in statements for side in each.equals for pair in _pairs(side)}
    found = [_orientation(*pair) for pair in pairs]
    return found.count(True), found.count(False)


def _pairs(side: f.Expression) -> Iterator[tuple[f.Expression, f.Expression]]:
    for part in f.walk(side):
        if isinstance(part, f.Product):
            yield from pairwise(part.factors)


def _orientation(before: f.Expression, behind: f.Expression) -> bool | None:
    """What two factors say of tokens; None where they say nothing."""
    match before, behind:
        case f.Name(base="Q"), f.Transpose(f.Name(base="K")):
            return True
        case f.Transpose(f.Name(base="K")), f.Name(base="Q"):
            return False
        case f.Name() as a, f.Name() as b if a.base in _TOKENS and _is_projection(b):
            return True
        case f.Name() as a, f.Name() as b if _is_projection(a) and b.base in _TOKENS:
            return False
    return None


def _is_projection(name: f.Name) -> bool:
    """Whether it is W_Q, W_i^K or the like."""
    return name.base == "W" and any(mark.lower().startswith(_LABELS) for mark in (*name.sub, *name.sup))
