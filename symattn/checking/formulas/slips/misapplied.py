"""Weights applied in a place that is not theirs: W_V to what was made of V, W_V or W_O entry by entry."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.products import is_made_of_values
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ATTENTION = frozenset(["attention", "selfattention", "dotproductattention", "scaleddotproductattention"])


def judge_misapplied(statement: Statement, context: Context) -> Formula | None:
    """`out = context W_V` where context = Σ α_j V_j and V = X W_V; `Attention(Q, K, V) ⊙ W_O`."""
    match statement.equals:
        case (f.Name(base), f.Product((f.Name() as carrier, f.Name("W", sub, sup) as weights))) if "V" in (*sub, *sup):
            if base[:1] in "vVuU":
                return None  # the values of the next layer
            return _twice(statement, carrier, weights, context)
        case (f.Name() | f.Call(), f.Elementwise((f.Call(function), other))) if function in _ATTENTION:
            return _entry_by_entry(statement, other)
    return None


def _twice(statement: Statement, carrier: f.Name, weights: f.Name, context: Context) -> Formula | None:
    if not is_made_of_values(carrier, weights, statement, context):
        return None
    printed = statement.printed(weights)
    head, _, tail = printed.rpartition("V")
    right = statement.with_text(f"{head}O{tail}", weights)
    return refuse(statement, Sentence("formula.applied_twice", weights=printed.strip()), right)


def _entry_by_entry(statement: Statement, other: f.Expression) -> Formula | None:
    """Weights beside ⊙ have another shape than what is multiplied; so has multi-head attention no second one there."""
    call, product = statement.equals[0], statement.equals[1]
    text = statement.passage.text
    attention = product.parts[0]
    if isinstance(other, f.Name) and other.base == "W" and set("".join((*other.sub, *other.sup)).upper()) <= set("VO"):
        right = statement.with_text(f"{text[attention.start : attention.end]} W_O", product)
        return refuse(statement, Sentence("formula.weights_entrywise"), right)
    multihead = isinstance(call, f.Call) and call.function in ("multihead", "multiheadattention", "mha")
    called = {x.function for x in f.walk(other) if isinstance(x, f.Call)}
    if multihead and called & _ATTENTION:
        right = statement.with_text("Concat(head_1, ..., head_h) W^O", product)
        return refuse(statement, Sentence("formula.heads_entrywise"), right)
    return None
