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
    shapes = {_is_column(shape) for shape in declared_shapes(statements).values() if len(shape) == 2} - {None}
    if len(shapes) == 1:
        return shapes.pop()
    words = _COLUMN.search(article.said) is not None, _ROW.search(article.said) is not None
    if words[0] != words[1]:
        return words[0]
    found = {stand for each in statements for side in each.equals for stand in _multiplied(side)}
    return found.pop() if len(found) == 1 else None


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
    """The questions of vectors as columns and then as rows, without those of rows where an equation is false of columns
    and nothing says that vectors are rows."""
    if len(variants) != 2 or (columns := have_columns(context)) is False:
        return [*variants]
    first = variants[0].question.ask(side.expression)
    return [*variants[:1]] if columns or first.kind in ("apart", "misfit") else [*variants]
