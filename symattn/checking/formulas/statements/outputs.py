"""Weights times values, O = A V, where A is what the article calls a softmax."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article


def weights_and_values(
    e: f.Expression, statement: Statement, context: Context
) -> tuple[f.Name, f.Name, f.Expression] | None:
    """The A and V of a product of the two, in whichever order, and what A was said to be before."""
    if not isinstance(e, f.Product) or len(e.factors) != 2:
        return None
    factors = [x for x in e.factors if isinstance(x, f.Name)]
    values = [x for x in factors if x.base == "V"]
    weights = [(x, made) for x in factors if x not in values and (made := _made_before(x, statement, context))]
    if len(values) != 1 or len(weights) != 1:
        return None
    [(weight, softmax)] = weights
    return weight, values[0], softmax


def find_defined(_: Article, statements: Sequence[Statement]) -> frozenset[f.Expression]:
    """What has a formula: more than another name."""
    return frozenset(each.left for each in statements if any(not isinstance(x, f.Name) for x in each.equals[1:]))


def _made_before(name: f.Name, statement: Statement, context: Context) -> f.Expression | None:
    """The softmax that the article has said before that a name is."""
    number, made = context.once(_find_softmaxes).get(name, (statement.number, None))
    return made if number < statement.number else None


def _find_softmaxes(_: Article, statements: Sequence[Statement]) -> dict[f.Expression, tuple[int, f.Expression]]:
    """What is said to be a softmax, with the number of the first statement that says so."""
    found: dict[f.Expression, tuple[int, f.Expression]] = {}
    for each in statements:
        for side in each.equals[1:]:
            if any(isinstance(part, f.Call) and part.function == "softmax" for part in f.walk(side)):
                found.setdefault(each.left, (each.number, side))
    return found
