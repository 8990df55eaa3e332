"""The chain rule, whatever the quantities are of each other: over all entries, ∂L/∂x_i = Σ_j ∂L/∂y_j ∂y_j/∂x_i, and of
one quantity after the other without indices, ∂L/∂W = ∂L/∂y ∂y/∂z ∂z/∂W, in any order of the factors."""

from __future__ import annotations

from collections.abc import Callable

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ONE_OF_SEVERAL = ("q", "k", "v", "h")  # paths of attention, or steps of a recurrence


def judge_summed_chain_rule(statement: Statement, context: Context) -> Formula | None:
    """A derivative that is nothing but such a sum over all entries."""
    return _accept(statement, _is_rule)


def judge_chain_rule(statement: Statement, context: Context) -> Formula | None:
    """A derivative that is nothing but the product of those from one quantity to the next."""
    return _accept(statement, _is_of_all_ways)


def _accept(statement: Statement, is_rule: Callable[[f.Derivative, f.Expression], bool]) -> Formula | None:
    whole, *others = statement.equals or (None,)
    if not others or len(others) + 1 != len(statement.sides) or not isinstance(whole, f.Derivative):
        return None
    return accept(statement, Sentence("theorem.chain_rule")) if all(is_rule(whole, side) for side in others) else None


def _is_rule(whole: f.Derivative, side: f.Expression) -> bool:
    """Whether a side takes the derivative of y_j by x_i times that of L by y_j, for every j."""
    match side:
        case f.BigSum(index, lower, upper, f.Product((f.Derivative() as one, f.Derivative() as other)), None):
            pass
        case _:
            return False
    if not index or not _is_first(lower) or not (upper is None or _is_size(upper)):
        return False
    for last, first in ((one, other), (other, one)):
        between = last.by
        if (last.of, first.of, first.by) == (whole.of, between, whole.by) and isinstance(between, f.Name):
            alone = between.base not in _ONE_OF_SEVERAL
            return alone and between.sub == (index,) and not between.sup and not _has_index(whole, index)
    return False


def _is_of_all_ways(whole: f.Derivative, side: f.Expression) -> bool:
    """Whether a side leads over one quantity after the other, or over queries, keys and values, all three."""
    if isinstance(side, f.Sum) and set(side.signs) == {1}:
        ways = [_way(whole, term) for term in side.terms]
        return sorted(["".join(name.base for name in way) for way in ways]) == ["K", "Q", "V"]
    way, by = _way(whole, side), whole.by
    of_weights = isinstance(by, f.Name) and by.base in ("W", "b") and bool(by.sub or by.sup)  # W_Q has one way
    return bool(way) and (of_weights or all(name.base.lower() not in _ONE_OF_SEVERAL for name in way))


def _way(whole: f.Derivative, side: f.Expression) -> list[f.Name]:
    """What lies between L and W in a product of derivatives that lead from one to the other; nothing where they do not.

    What has an index would have to be summed over.
    """
    factors = side.factors if isinstance(side, f.Product) else ()
    left = [factor for factor in factors if isinstance(factor, f.Derivative)]
    if len(left) < len(factors) or not all(
        isinstance(e, f.Name) for each in (whole, *left) for e in (each.of, each.by)
    ):
        return []
    at, way = whole.of, list[f.Name]()
    while left:
        step = next((each for each in left if each.of == at), None)
        if step is None or not isinstance(step.by, f.Name) or step.by in way:
            return []
        left.remove(step)
        at = step.by
        way.append(step.by)
    between = way[:-1]
    indexed = any(len(mark) == 1 and mark.islower() for name in between for mark in (*name.sub, *name.item))
    return between if at == whole.by and not indexed else []


def _is_first(lower: f.Expression | None) -> bool:
    return lower is None or (isinstance(lower, f.Number) and lower.value in (0, 1))


def _is_size(upper: f.Expression) -> bool:
    """Whether it is how many there are, N or d_k, and no index as of a sum over the tokens so far."""
    match upper:
        case f.Name(base, sub):
            return base.isupper() or base in ("n", "m", "d", "k") or bool(sub)
        case f.Sum((f.Name() as size, f.Number("1")), (1, -1)):
            return _is_size(size)
    return False


def _has_index(e: f.Expression, index: str) -> bool:
    """Whether the letter that is summed over is one of its own indices."""
    return any(isinstance(part, f.Name) and index in "".join((*part.sub, *part.item)) for part in f.walk(e))
