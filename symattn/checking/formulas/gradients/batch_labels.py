"""The label of means and deviations that are those of a batch, μ_B and σ_B², where an article has no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_MOMENTS = ("μ", "σ")


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
