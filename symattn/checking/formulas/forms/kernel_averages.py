"""Averages by any similarity of a query and the keys, o_i = Σ_j sim(q_i, k_j) v_j / Σ_j sim(q_i, k_j)."""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def judge_kernel_average(statement: Statement, context: Context) -> Formula | None:
    """The values of the keys, each weighted by the share of its similarity; what has another form may be meant."""
    match statement.equals:
        case [f.Name(sub=(row,)), f.Quotient(f.BigSum() as above, f.BigSum() as below)] if row.isalpha():
            pass
        case _:
            return None
    match above.body, rewrite(below.body, lambda part: _with_index(part, below.index, above.index)):
        case f.Product((f.Call() as weight, f.Name("v" | "V", (key,)))), f.Call() as other:
            same = (weight.function, weight.arguments) == (other.function, other.arguments)
            alike = (above.lower, above.upper, above.condition) == (below.lower, below.upper, below.condition)
            indices = [a.sub for a in weight.arguments if isinstance(a, f.Name)]
            whole = weight.function != "exp" and above.index == key != row and indices == [(row,), (key,)]
            return accept(statement, Sentence("formula.average")) if same and alike and whole else None
    return None


def _with_index(part: f.Expression, index: str, other: str) -> f.Expression:
    """With one index in the place of another, as a sum over l is one over j."""
    return replace(part, sub=(other,)) if isinstance(part, f.Name) and part.sub == (index,) else part
