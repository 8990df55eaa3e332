"""Batches: the label of their means, μ_B and σ_B², and the mean of their losses, ∂L/∂z = (p − y)/N."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_MOMENTS = ("μ", "σ")
_COUNTS = frozenset("NnmMBTb")  # letters for a number of examples


def find_batch_label(_: Article, statements: Sequence[Statement]) -> str:
    """The B of μ_B and σ_B², where an article has no other means and deviations."""
    parts = (part for statement in statements for side in statement.equals for part in f.walk(side))
    labels = {part.sub for part in parts if isinstance(part, f.Name) and part.base in _MOMENTS}
    [label] = labels.pop() if len(labels) == 1 and all(len(sub) == 1 for sub in labels) else ("",)
    return label if label.isupper() else ""


def without_label(e: f.Expression, label: str) -> f.Expression:
    """The formula with μ for μ_B."""

    def plain(part: f.Expression) -> f.Expression:
        own = isinstance(part, f.Name) and part.base in _MOMENTS and part.sub == (label,)
        return replace(part, sub=()) if isinstance(part, f.Name) and own else part

    return rewrite(e, plain) if label else e


def without_count(sides: Sequence[f.Expression]) -> list[f.Expression] | None:
    """The sides behind the first without the number of examples by which they are divided; None where none is."""
    plain = [_without_count(side) for side in sides[1:]]
    return None if None in plain else [sides[0], *(side for side in plain if side is not None)]


def _without_count(e: f.Expression) -> f.Expression | None:
    match e:
        case f.Quotient(above, f.Name(letter, (), (), ())) if letter in _COUNTS:
            return above
        case f.Product(factors=(f.Quotient(f.Number() as one, f.Name(letter, (), (), ())), *rest)):
            if letter in _COUNTS and one.value == 1:
                return rest[0] if len(rest) == 1 else replace(e, factors=tuple(rest), operators=e.operators[1:])
    return None
