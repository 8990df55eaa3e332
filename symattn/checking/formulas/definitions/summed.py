"""Attention of one query as a sum over keys: o_i = Σ_j e^{q_i·k_j/√d} v_j / Σ_l e^{q_i·k_l/√d}."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.checking.formulas.definitions.attention import is_attention
from symattn.checking.formulas.identities.free_identities import compare
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.variant import Variant
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

OUTPUTS = frozenset("oOyYzZV")


def define_summed(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The weighted sum of the values, where exponentials of scores are written out in it and divided by their sum."""
    if not _is_output(left):
        return
    parts = list(f.walk(side.expression))
    powers = [part for part in parts if isinstance(part, f.Call) and part.function == "exp"]
    total = next((part for part in parts if isinstance(part, f.BigSum)), None)
    quotients = [part for part in parts if isinstance(part, f.Quotient) and powers and powers[0] in f.walk(part)]
    if total is None or len(powers) != 2 or not quotients:
        return
    score = powers[0].arguments[0]
    index = total.index
    value = next((p for p in parts if isinstance(p, f.Name) and p.base in "vV" and p.sub == (index,)), None)
    key = next((p for p in f.walk(score) if isinstance(p, f.Name) and p.base in "kK" and p.sub == (index,)), None)
    query = next((p for p in f.walk(score) if isinstance(p, f.Name) and p.base in "qQ"), None)
    width = next((p for p in f.walk(score) if isinstance(p, f.Root)), None)
    if value is None or key is None or query is None or width is None or not isinstance(width.radicand, f.Name):
        return
    for product in (f.Product((f.Transpose(query), key), ("",)), f.Product((query, f.Transpose(key)), ("",))):
        power = f.Call("exp", (f.Quotient(product, width),))
        above = f.BigSum(index, total.lower, total.upper, f.Product((power, value), ("",)))
        truth = f.Quotient(above, f.BigSum(index, total.lower, total.upper, power))
        yield from compare(truth, side.expression, Sentence("formula.attention"), repairs=True)


def _is_output(left: f.Expression) -> bool:
    """o_i, Attention(q, K, V), Attention(Q, K, V)_i."""
    match left:
        case f.Name(base, (_,)):
            return base in OUTPUTS or is_attention(base)
        case f.Name(base) | f.Call(base):
            return is_attention(base)
        case f.Entry(operand):
            return _is_output(operand)
    return False
