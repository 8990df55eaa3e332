"""Attention of what weights on its left project: Q = W_Q X has a column for each column of X.

Where the article states no shapes, this alone may rule a formula out: softmax(QᵀK) X has as many rows as X has columns,
and beside K = W_K [x_1, …, x_n] a single q = W_Q x is a column, so that there is no Q Kᵀ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sympy import Expr, S

from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.fitting import fit
from symattn.checking.formulas.shapes.inference import Shape, Stated, key_of
from symattn.checking.formulas.shapes.sizes import size_letter
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_TOKENS = ("n", "n_k", "n_t")  # of what is projected, in the order in which it is named
_INSIDE = size_letter("d_in")
_WIDTHS = {"Q": size_letter("d_k"), "K": size_letter("d_k"), "V": size_letter("d_v")}


def fits_no_projection(statement: Statement, context: Context) -> bool:
    """Whether a softmax of queries and keys and what it multiplies cannot be as such projections make them."""
    if not any(map(_weighs, statement.equals)):
        return False
    shapes = context.once(collect)
    stated = with_projected(shapes.near(statement.span[0]), context.once(find_projections))
    return stated is not None and any(
        fit(side, None, stated, shapes.relations.formulas).outcome == "never"
        for side in statement.equals
        if _weighs(side)
    )


def _weighs(side: f.Expression) -> bool:
    """Whether a softmax of Q and K stands in it, as the article has them."""
    calls = (part for part in f.walk(side) if isinstance(part, f.Call) and part.function == "softmax")
    return any({"Q", "K"} <= {name.base for name in names(call)} for call in calls)


def with_projected(stated: Stated, projections: Mapping[str, f.Expression]) -> Stated | None:
    """What is stated, and the shapes that projections from the left give; None where these are stated, too."""
    if not {"Q", "K"} <= projections.keys() or any(any(stated.shapes.get(base, ())) for base in projections):
        return None
    listed = any(isinstance(what, f.Matrix) for what in projections.values())
    added: dict[str, list[Shape]] = {}
    counts: dict[object, Expr] = {}
    for base, what in projections.items():
        count = _count(what, listed, counts)
        if count is None:
            return None
        added[base] = [(_WIDTHS[base], count)]
        if isinstance(what, f.Name) and count != S.One:
            added[key_of(what)] = [(_INSIDE, count)]
    return stated.with_shapes(added)


def find_projections(_: Article, statements: Sequence[Statement]) -> dict[str, f.Expression]:
    """What is projected from the left to Q, K and V; nothing where an article makes one of them in another way."""
    if any(map(_says_otherwise, statements)):
        return {}
    return {name.base: what for statement in statements for name, what in _projections(statement)}


def _projections(statement: Statement) -> Iterator[tuple[f.Name, f.Expression]]:
    """Q, K or V beside what weights are multiplied by: X of Q = W_Q X, or [x_1, …, x_n]."""
    match statement.equals:
        case (f.Name(base, (), ()) as name, f.Product((f.Name("W", sub, sup), (f.Name() | f.Matrix()) as what))):
            labels = {mark.upper() for mark in (*sub, *sup)}
            if base in _WIDTHS and base in labels and not (isinstance(what, f.Name) and what.base == "W"):
                yield name, what


def _says_otherwise(statement: Statement) -> bool:
    """Whether it defines queries, keys or values in another way, X W_Q."""
    match statement.equals:
        case (f.Name(base, (), ()), f.Expression(), *_) if base in _WIDTHS:
            return not any(_projections(statement))
    return False


def _count(what: f.Expression, listed: bool, counts: dict[object, Expr]) -> Expr | None:
    """How many columns it has: as many as tokens, or one for a small letter beside a list of such; None if unclear."""
    match what:
        case f.Matrix(rows=(cells,)) if len(cells) > 1 and all(_is_vector(cell) for cell in cells):
            pass
        case f.Name() if _is_vector(what):
            return S.One if listed else None
        case f.Name(base) if len(base) == 1 and base.isupper():
            pass
        case _:
            return None
    key = key_of(what) if isinstance(what, f.Name) else what
    if key not in counts:
        counts[key] = size_letter(_TOKENS[len(counts)])
    return counts[key]


def _is_vector(cell: f.Expression) -> bool:
    return isinstance(cell, f.Dots) or (isinstance(cell, f.Name) and len(cell.base) == 1 and cell.base.islower())
