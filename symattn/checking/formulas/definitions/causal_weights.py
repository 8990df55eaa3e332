"""Weights over the keys up to a query's own, α_{ti} = exp(s_{ti}) / Σ_{j ≤ t} exp(s_{tj}), and those of scores that are
functions, α_i = exp(f(q, k_i)) / Σ_j exp(f(q, k_j)), whatever these are.

What stands in the sum is what stands above the line, with the index of the sum for that of the key.
"""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.notation import defined
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def judge_causal_weights(statement: Statement, _: Context) -> Formula | None:
    """An exponential over the sum of such exponentials up to the step of the row."""
    left = statement.left
    if not isinstance(left, f.Name) or len(statement.equals) != 2:
        return None
    letters = defined(left)[1]
    if (found := _judge_of_function(letters, statement)) is not None:
        return found
    match statement.equals[1]:
        case f.Quotient(f.Call("exp") as above, f.BigSum(index, lower, f.Name(upper), f.Call("exp") as below, None)):
            if isinstance(lower, f.Number) and lower.value > 1:
                return None  # over a part of the keys
            if len(letters) != 2 or upper not in letters or not index or index in letters:
                return None
            row = letters.index(upper)
        case _:
            return None
    query, key = letters[row], letters[1 - row]
    if below == _at(above, key, index):
        return conclude(statement, "holds", Sentence("formula.weights"))
    if below != _at(above, query, index) or above == below:
        return None
    point = Counterexample((("sum", statement.printed(below)),), query, index)
    return refuse(statement, Sentence("theorem.sum_over_query", index=index, query=query), None, point)


def _judge_of_function(letters: tuple[str, ...], statement: Statement) -> Formula | None:
    """Weights of one key each, whose score is a function of the query and the key."""
    match statement.equals[1]:
        case f.Quotient(f.Call("exp", (f.Call(name),)) as above, f.BigSum(index, _, _, f.Call("exp") as below, None)):
            if len(letters) != 1 or not index or index in letters or name in ("exp", "log", "softmax"):
                return None
            held = below == _at(above, letters[0], index) and above != below
            return conclude(statement, "holds", Sentence("formula.weights")) if held else None
    return None


def _at(e: f.Expression, letter: str, index: str) -> f.Expression:
    """The expression with one index for another."""

    def put(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or not part.sub:
            return part
        below = tuple(mark.replace(letter, index) if len(mark.replace(",", "")) <= 2 else mark for mark in part.sub)
        return replace(part, sub=below, text="")

    return rewrite(e, put)
