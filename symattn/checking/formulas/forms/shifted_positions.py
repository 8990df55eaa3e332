"""PE(m + k) = M_k PE(m): sinusoidal positions are turned by a matrix of the distance alone (Vaswani et al. 2017)."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_SINES = regex(r"sinusoid|\\sin\b|\bsin\(|正弦|사인|seno|sinus", re.IGNORECASE)


def judge_shifted_position(statement: Statement, context: Context) -> Formula | None:
    """The matrix has the index of what is added; with that of the position it is none for every position."""
    match statement.equals:
        case (
            f.Call("pe" | "p", (f.Sum((f.Name() as one, f.Name() as other), (1, 1)),)),
            f.Product((f.Name(matrix, (index,), ()), f.Call("pe" | "p", (f.Name() as at,))), ("",) | ("·",)),
        ):
            added = other if at == one else one if at == other else None
            if added is None or not matrix.isupper() or not context.mentions(_SINES):
                return None
            if index == added.base:
                return accept(statement, Sentence("formula.shifted_position"))
            if index == at.base:
                return refuse(statement, Sentence("formula.shifted_position"))
    return None
