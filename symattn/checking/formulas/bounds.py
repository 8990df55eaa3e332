"""Sums over a part of a range, Σ_{j=2}^n: what a judge says of them holds only if it would not say it of whole sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f

_INDICES = frozenset("ijklrstu")


def overlooks_bounds(statement: Statement, ask: Callable[[Statement], Formula | None]) -> bool:
    """Whether a statement is said to hold that is said to hold of a whole sum in the place of a part too.

    Sums are completed one by one, so that Σ_{i=2}^n (a_i + b_i) = Σ_{i=2}^n a_i + Σ_{i=2}^n b_i stays what it is.
    """
    return any((found := ask(whole)) is not None and found.verdict != "fails" for whole in _completed(statement))


def _completed(statement: Statement) -> Iterator[Statement]:
    """The statement with one of its sums over the whole range."""
    parts = (part for side in statement.equals for part in f.walk(side))
    for part in [part for part in parts if isinstance(part, f.BigSum)]:
        whole = _whole(part)
        if whole is not None:
            yield statement.rewritten(lambda e, part=part, whole=whole: whole if _is_at(e, part) else e)  # type: ignore[misc]


def _is_at(e: f.Expression, part: f.BigSum) -> bool:
    return isinstance(e, f.BigSum) and e.start == part.start and e == part


def _whole(e: f.BigSum) -> f.BigSum | None:
    """The sum over the whole range; None for one that is that, or goes up to an index."""
    if not isinstance(e.lower, f.Number):
        return None
    first, size, short = e.lower.value, e.upper, Fraction(0)
    match e.upper:
        case f.Sum((f.Name() as name, f.Number(value=value)), (1, -1)):
            size, short = name, value
    indexed = isinstance(size, f.Name) and size.base in _INDICES
    if (first < 2 and (indexed or size is None)) or first + short == 1:
        return None
    return replace(e, lower=f.Number("1", Fraction(1), Fraction(1)), upper=size)
