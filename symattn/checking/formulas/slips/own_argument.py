"""A new name that is said by itself: X″ = X + FFN(X″), where the argument is that of the layer before."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_IMPLICIT = regex(
    r"implicit|fixed[- ]point|equilibrium|\bDEQ\b|iterat|converge|不动点|平衡|隐式|迭代|固定点|고정점|不動点", re.I
)
_LAYERS = frozenset(["layernorm", "ffn", "feedforward", "sublayer", "attention", "multihead", "mlp", "ln", "rmsnorm"])


def judge_own_argument(statement: Statement, context: Context) -> Formula | None:
    """False of a name with a prime that stands as an argument of the layers that make it."""
    match statement.equals:
        case (f.Name(sup=(mark,)) as left, f.Sum() as side) if set(mark) == {"′"} and not context.mentions(_IMPLICIT):
            plain = f.Name(left.base, left.sub)
            calls = [x for x in f.walk(side) if isinstance(x, f.Call) and x.function in _LAYERS]
            if plain in side.terms and any(left in call.arguments for call in calls):
                return refuse(statement, Sentence("formula.own_argument", name=statement.printed(left).strip()))
    return None
