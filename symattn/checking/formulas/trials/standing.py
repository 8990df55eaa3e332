"""Whether vectors stand or lie, where that decides what is true: x yᵀ = y xᵀ of rows, and of columns xᵀ y = yᵀ x."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.orientation import pairs_in
from symattn.checking.formulas.trials.symbols import declared_shapes
from symattn.checking.formulas.trials.variant import Variant
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_COLUMN = regex(r"column vectors?|列向量|列ベクトル|열\s*벡터|vectores? columna", re.IGNORECASE)
_ROW = regex(r"row vectors?|行向量|行ベクトル|행\s*벡터|vectores? fila", re.IGNORECASE)


def have_columns(context: Context) -> bool | None:
    """Whether an article says that vectors are columns, or (False) that they are rows; None where it says neither."""
    return context.once(_find_columns)


def _find_columns(article: Article, statements: Sequence[Statement]) -> bool | None:
    if (said := find_said_columns(article, statements)) is not None:
        return said
    found = {stand for each in statements for side in each.equals for stand in _multiplied(side)}
    return found.pop() if len(found) == 1 else None


def find_said_columns(article: Article, statements: Sequence[Statement]) -> bool | None:
    """Whether shapes or words say that vectors are columns, or (False) that they are rows."""
    shapes = {_is_column(shape) for shape in declared_shapes(statements).values() if len(shape) == 2} - {None}
    if len(shapes) == 1:
        return shapes.pop()
    words = _COLUMN.search(article.said) is not None, _ROW.search(article.said) is not None
    return words[0] if words[0] != words[1] else None


def _is_column(shape: tuple[f.Expression, ...]) -> bool | None:
    """Whether d × 1 and not 1 × d; None of a matrix."""
    one = [isinstance(size, f.Number) and size.value == 1 for size in shape]
    return one[1] if one[0] != one[1] else None


def _multiplied(side: f.Expression) -> Iterator[bool]:
    """Of every W x that a vector stands behind its matrix, and of x W that it stands in front."""
    for before, behind in pairs_in(side):
        if _is_weight(before) and _is_vector(behind):
            yield True
        elif _is_vector(before) and _is_weight(behind):
            yield False


def _is_weight(e: f.Expression) -> bool:
    plain = e.operand if isinstance(e, f.Transpose) else e
    return isinstance(plain, f.Name) and plain.base == "W"


def _is_vector(e: f.Expression) -> bool:
    return isinstance(e, f.Name) and e.base in "xhqkv"


def as_they_stand(variants: Sequence[Variant], side: f.Side, context: Context) -> list[Variant]:
    """The questions of vectors as columns and then as rows: of columns alone where vectors are said to be columns, and
    none where an equation is false of columns and true of rows, and nothing says that vectors are either."""
    if len(variants) != 2 or (columns := have_columns(context)) is False:
        return [*variants]
    if context.once(find_said_columns):
        return [*variants[:1]]
    false = [variant.question.ask(side.expression).kind in _FALSE for variant in variants]
    if false[0] and not false[1]:
        return [*variants] if columns is None and context.once(_have_rows) else []
    return [*variants[:1]] if columns else [*variants]


_FALSE = ("apart", "misfit")
_LIES = regex(r"\brows?\b|Zeilen|1 ?(?:×|\\times) ?\w|@ ?k\w*\.T\b|行", re.IGNORECASE)


def _have_rows(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether words are of rows, or q kᵀ is a number: a score s_ij, divided by √d, beside ‖q‖², or under softmax."""
    return _LIES.search(article.said) is not None or any(
        _has_lying(part) or _is_score(each.left, part)
        for each in statements
        for side in each.equals
        for part in f.walk(side)
    )


def _has_lying(part: f.Expression) -> bool:
    match part:
        case f.Quotient(above, f.Root()):
            return _is_lying(above)
        case f.Call("softmax" | "exp", (inside,)):
            return any(map(_is_lying, f.walk(inside)))
        case f.Sum(terms):
            scalar = any(
                isinstance(x, f.Power) and isinstance(x.base, f.Call) and x.base.function == "norm" for x in terms
            )
            return scalar and any(map(_is_lying, terms))
    return False


def _is_score(left: f.Expression, side: f.Expression) -> bool:
    named = isinstance(left, f.Name) and left.base in ("s", "e", "score") and len("".join(left.sub)) in (0, 2)
    return named and _is_lying(side)


def _is_lying(e: f.Expression) -> bool:
    """Whether it is q kᵀ, a number of rows alone, or a multiple of it."""
    factors = [x for x in e.factors if not isinstance(x, f.Number)] if isinstance(e, f.Product) else []
    match factors:
        case [before, f.Transpose(behind)]:
            return _is_vector(before) and _is_vector(behind)
    return False
