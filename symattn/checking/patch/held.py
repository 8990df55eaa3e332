"""Equations of numbers alone that hold as they stand, √9 = 3: a patch must not break them."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.checking.semantics.evaluation import try_evaluate
from symattn.checking.verdicts import RIGHT, relation_at, table_of_prints
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.enclosures import precision

BITS = 160
Span = tuple[int, int]


def find_held(article: Article) -> frozenset[Span]:
    """Where the results of equations stand whose formula has no names and comes to what is printed behind it."""
    with precision(BITS):
        return frozenset(
            passage.source_span(side.start, side.end)
            for passage in article.passages
            for chain in passage.chains
            for side in _held(chain)
        )


def _held(chain: f.Chain) -> Iterator[f.Side]:
    for before, side in zip(chain.sides, chain.sides[1:], strict=False):
        printed = side.relation in ("=", "≈") and f.is_printed(side.expression) and not f.is_printed(before.expression)
        if printed and _is_arithmetic(before.expression) and _fits(before, side):
            yield side


def _is_arithmetic(expression: f.Expression) -> bool:
    return not any(isinstance(part, f.Name | f.Unread) for part in f.walk(expression))


def _fits(before: f.Side, side: f.Side) -> bool:
    printed = table_of_prints(side.expression)
    value = try_evaluate(before.expression, lambda _: None)
    if printed is None or value is None or printed.shape != value.shape:
        return False
    return all(relation_at(printed, value, place) in RIGHT for place in printed.places())
