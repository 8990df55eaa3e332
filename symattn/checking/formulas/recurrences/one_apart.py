"""What is read from a state with one pair set apart: S q = v_a (k_aᵀ q) + Σ_{i ≠ a} v_i (k_iᵀ q), where S = Σ v_i k_iᵀ.

Both are tried at small random vectors: three pairs, keys of two entries and values of three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sympy import Expr, Matrix

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

# two sets of three keys, three values and a query
_DRAWN = (
    (((2, -1), (1, 3), (-2, 5)), ((1, 2, -3), (4, -1, 2), (3, 5, 1)), (3, 2)),
    (((1, 4), (-3, 2), (2, 2)), ((2, -5, 1), (1, 1, 3), (-2, 4, 5)), (-1, 3)),
)


@dataclass(frozen=True)
class _Point:
    """The vectors of a trial, and the pair that an index stands for."""

    keys: Sequence[Matrix]
    values: Sequence[Matrix]
    query: Matrix
    at: Mapping[str, int]


class _UnknownError(Exception):
    """A part of which it is not known what it is."""


def judge_one_apart(statement: Statement, context: Context) -> Formula | None:
    """A readout as the pair that is asked for and the sum of what all others add to it."""
    last = statement.equals[-1] if len(statement.equals) > 1 else None
    if not isinstance(last, f.Sum) or len(last.terms) != 2 or set(last.signs) != {1}:
        return None
    sums = [term for term in last.terms if isinstance(term, f.BigSum)]
    apart = _apart(sums[0]) if len(sums) == 1 else ""
    if not apart or len(statement.equals) > 3 or not context.once(_writes_values_by_keys):
        return None
    of_query = any(isinstance(part, f.Name) and part.base == "q" for part in f.walk(last))
    middle = statement.equals[1] if len(statement.equals) == 3 else None
    if middle is not None and not (of_query and _is_readout(middle)):
        return None
    if not of_query and not context.once(_divides_by_key):
        return None  # what is read with a key is divided by its square only where the article says so
    try:
        settled = all(_agree(last, sums[0].index, apart, of_query, drawn) for drawn in range(len(_DRAWN)))
    except _UnknownError:
        return None
    return conclude(statement, "holds", Sentence("formula.one_apart")) if settled else None


def _writes_values_by_keys(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a line says S_t = S_{t−1} + v_t k_tᵀ."""
    for statement in statements:
        match statement.equals:
            case (
                f.Name("S", (now,)),
                f.Sum((f.Name("S", (before,)), f.Product((f.Name("v", (a,)), f.Transpose(f.Name("k", (b,))))))),
            ) if before == f"{now}-1" and a == b == now:
                return True
    return False


def _divides_by_key(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a line reads S k / (k·k)."""
    for statement in statements:
        match statement.equals:
            case (_, f.Quotient(f.Product((f.Name("S"), f.Name("k") as key)), f.Product((one, other)))) if (
                key == one == other
            ):
                return True
    return False


def _is_readout(e: f.Expression) -> bool:
    match e:
        case f.Product((f.Name("S"), f.Name("q", ()))):
            return True
    return False


def _apart(total: f.BigSum) -> str:
    """The a of a sum over all i ≠ a."""
    if total.condition is None or total.lower is not None or total.upper is not None:
        return ""
    match total.condition.sides:
        case (f.Side(expression=f.Name(index)), f.Side(relation="≠", expression=f.Name(other, (), ()))):
            return other if index == total.index else ""
    return ""


def _agree(printed: f.Sum, index: str, apart: str, of_query: bool, drawn: int) -> bool:
    keys, values = ([Matrix(vector) for vector in vectors] for vectors in _DRAWN[drawn][:2])
    point = _Point(keys, values, Matrix(_DRAWN[drawn][2]), {apart: 0})
    total = Matrix.zeros(3, 1)
    for term in printed.terms:
        if isinstance(term, f.BigSum):
            for k in (1, 2):
                total += _vector(term.body, replace(point, at={apart: 0, index: k}))
        else:
            total += _vector(term, point)
    asked = point.query if of_query else keys[0]
    scale = 1 if of_query else asked.dot(asked)
    expected = (value * key.dot(asked) / scale for key, value in zip(keys, values, strict=True))
    return bool(total == sum(expected, Matrix.zeros(3, 1)))


def _vector(e: f.Expression, point: _Point) -> Matrix:
    """A value, or a number times one."""
    match e:
        case f.Name("v", (mark,), ()) if mark in point.at:
            return point.values[point.at[mark]]
        case f.Product(factors=factors):
            parts = [(x, isinstance(x, f.Name) and x.base == "v") for x in factors]
            if sum(is_value for _, is_value in parts) != 1:
                raise _UnknownError
            vector = next(_vector(x, point) for x, is_value in parts if is_value)
            rest = [x for x, is_value in parts if not is_value]
            number = _number(rest[0] if len(rest) == 1 else f.Product(tuple(rest), ("",) * (len(rest) - 1)), point)
            return vector * number
    raise _UnknownError


def _number(e: f.Expression, point: _Point) -> Expr:
    """An inner product of keys and the query, or one such by another."""
    match e:
        case f.Quotient(numerator=top, denominator=bottom):
            return _number(top, point) / _number(bottom, point)
        case f.Product((f.Transpose(one), other), _) | f.Product((one, other), ("·",)):
            return _key(one, point).dot(_key(other, point))
    raise _UnknownError


def _key(e: f.Expression, point: _Point) -> Matrix:
    match e:
        case f.Name("k", (mark,), ()) if mark in point.at:
            return point.keys[point.at[mark]]
        case f.Name("q", (), ()):
            return point.query
    raise _UnknownError
