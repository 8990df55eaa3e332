"""Weights by powers of two, P = 2^{(S c − LSE) log₂ e}: scores and their logarithm need the same factor."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_THEOREM = Sentence("formula.base_two")
_SUMS = frozenset(("LSE", "L", "lse", "ℓ"))
_WEIGHTS = frozenset(("P", "A", "p", "a"))


def judge_base_two(statement: Statement, context: Context) -> Formula | None:
    """The weights of an article that says of which scores they are the softmax."""
    if len(statement.equals) != 2 or not isinstance(statement.left, f.Name) or statement.left.base not in _WEIGHTS:
        return None
    match statement.equals[1]:
        case f.Power(f.Number("2"), f.Sum((scores, less), (1, -1))):
            pass
        case _:
            return None
    plain = [_without_log(x) for x in (scores, less)]
    sums, argument = plain[1][0], context.once(_find_arguments).get(statement.left.base)
    if not isinstance(sums, f.Name) or sums.base not in _SUMS or argument is None or plain[0][0] != argument:
        return None
    if plain[0][1] and plain[1][1]:
        return conclude(statement, "holds", _THEOREM)
    return refuse(statement, _THEOREM, _right(statement, scores, sums)) if plain[1][1] else None


def _without_log(e: f.Expression) -> tuple[f.Expression, bool]:
    """The term without the factor log₂ e, and whether it has it."""
    if not isinstance(e, f.Product):
        return e, False
    rest = tuple(x for x in e.factors if not _is_log(x))
    if len(rest) == len(e.factors):
        return e, False
    return (rest[0] if len(rest) == 1 else f.Product(rest, ("",) * (len(rest) - 1))), True


def _is_log(e: f.Expression) -> bool:
    match e:
        case f.Call("log", (f.Name("e"),), ("2",)) | f.Call("log2", (f.Name("e"),)):
            return True
    return False


def _find_arguments(_: Article, statements: Sequence[Statement]) -> dict[str, f.Expression]:
    """Of which scores the letters of weights are said to be the softmax, the first time each."""
    found: dict[str, f.Expression] = {}
    for statement in statements:
        match statement.equals:
            case (f.Name(base, ()), f.Call("softmax", (argument,))):
                found.setdefault(base, argument)
    return found


def _right(statement: Statement, scores: f.Expression, sums: f.Name) -> str:
    made = f"2^{{({statement.printed(scores).strip()} - {statement.printed(sums).strip()}) \\log_2 e}}"
    return statement.passage.text[statement.start : statement.sides[1].start] + made
