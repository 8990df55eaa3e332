"""Softmax as plain text, p(x, j) = exp(x[j]) / sum(exp(x(l))): without the second exponential nothing adds up to 1."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_SOFTMAX = regex(r"soft-?max", re.IGNORECASE)
_THEOREM = Sentence("formula.softmax")


def judge_plain_softmax(statement: Statement, context: Context) -> Formula | None:
    """exp(x[j]) divided by a sum of x, where the article is on softmax."""
    if len(statement.equals) != 2 or not context.mentions(_SOFTMAX):
        return None
    match statement.equals[1]:
        case f.Quotient(f.Call("exp", (above,)), f.Call("sum", (below,))):
            pass
        case _:
            return None
    inside = below.arguments[0] if isinstance(below, f.Call) and below.function == "exp" else below
    own, other = _entry_of(above), _entry_of(inside)
    if own is None or other is None or own[0] != other[0] or own[1] == other[1]:
        return None
    if inside is not below:
        return conclude(statement, "holds", _THEOREM)
    return refuse(statement, _THEOREM, statement.with_text(f"exp({statement.printed(below)})", below))


def _entry_of(e: f.Expression) -> tuple[str, str] | None:
    """The letter and the index of x[j], x_j or x(j)."""
    match e:
        case f.Name(base, (index,), (), ()) | f.Name(base, (), (), (index,)):
            return base, index
        case f.Call(function, (f.Name(index, (), ()),), ()):
            return function, index
    return None
