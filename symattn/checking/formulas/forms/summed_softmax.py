"""Sums of exponentials: o_t = Σ_{i ≤ t} softmax(q_t·k_i/√d) v_i, l = Σ e^{a − m} + Σ e^{b − m} of two parts."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def judge_summed_softmax(statement: Statement, context: Context) -> Formula | None:
    """Causal attention of one query, if softmax is of its whole row; the sums of two parts below their maximum."""
    match statement.equals:
        case (
            f.Name("o" | "y", (t,), ()),
            f.BigSum(index=i, lower=None, upper=f.Name(last, (), ()), body=f.Product() as body),
        ):
            if last == t and len(body.factors) == 2 and _is_weight(body.factors[0], t, i):
                value = body.factors[1]
                if isinstance(value, f.Name) and value.base == "v" and value.sub == (i,):
                    return accept(statement, Sentence("formula.average"), Sentence("formula.if_row"))
        case (f.Name("l" | "ℓ" | "d" | "Z") as left, f.Sum((f.BigSum() as one, f.BigSum() as other), (1, 1))):
            parts = [_below(each) for each in (one, other)]
            if None not in parts and left.sub:
                (a, m), (b, n) = (part for part in parts if part is not None)
                if a != b and m == n and _is_maximum(m, a, b, context):
                    return accept(statement, Sentence("formula.sums_of_parts"))
    return None


def _is_weight(e: f.Expression, t: str, i: str) -> bool:
    """Whether it is softmax of q_t·k_i, divided by the root of a width or not."""
    match e:
        case f.Call("softmax", (f.Quotient(f.Product((q, k)), f.Root(f.Name("d"))),)):
            pass
        case f.Call("softmax", (f.Product((q, k)),)):
            pass
        case _:
            return False
    query, key = (x.operand if isinstance(x, f.Transpose) else x for x in (q, k))
    if not isinstance(query, f.Name) or not isinstance(key, f.Name):
        return False
    return (query.base, query.sub, key.base, key.sub) == ("q", (t,), "k", (i,))


def _below(total: f.BigSum) -> tuple[f.Name, f.Name] | None:
    """x and m of Σ exp(x − m)."""
    match total.body:
        case f.Call("exp", (f.Sum((f.Name() as x, f.Name() as m), (1, -1)),)):
            return x, m
    return None


def _is_maximum(m: f.Name, a: f.Name, b: f.Name, context: Context) -> bool:
    """Whether a line says that m is the maximum of both."""
    for each in context.statements:
        if each.left == m and len(each.equals) > 1:
            made = each.equals[1]
            if isinstance(made, f.Call) and made.function == "max" and {a, b} <= set(f.walk(made)):
                return True
    return False
