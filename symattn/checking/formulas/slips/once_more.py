"""Factors once too often or in another order: O = X A V of weights A, W_OV = W_O W_V of rows, DPA = Qᵀ K V of rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.attention import is_attention
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.notation import find_readings
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_OUTPUTS = ("H", "O", "Z", "Y", "C", "head")


def judge_once_more(statement: Statement, context: Context) -> Formula | None:
    """By the order that the article's own lines ask for: tokens in rows, weights a softmax."""
    match statement.equals:
        case (f.Name(base), f.Product((f.Name() as x, f.Name() as a, f.Name("V") as v), ("" | "·", "" | "·"))):
            tokens = x.base in ("X", "H", "Z") and x.base != base
            if base in _OUTPUTS and tokens and (a.base, a.sub) in context.once(_find_softmaxes):
                text = statement.passage.text
                side = statement.sides[-1]
                right = statement.with_text(f"{text[a.start : a.end]} {text[v.start : v.end]}", side)
                return refuse(statement, Sentence("formula.average"), right)
        case (f.Name("W", (label,), ()), f.Product((one, other), ("",))) if label in ("QK", "OV", "VO"):
            return _of_circuit(statement, label, one, other, context)
        case (
            f.Call(function, (f.Name("Q"), f.Name("K"), f.Name("V"))),
            f.Product((f.Transpose(f.Name("Q")), f.Name("K"), f.Name("V"))),
        ):
            named = is_attention(function) or function in ("dpa", "sdpa")
            if named and {reading.rows for reading in find_readings(context)} == {True}:
                side = statement.sides[-1]
                return refuse(statement, Sentence("formula.products_of_rows"), statement.with_text("QK^TV", side))
    return None


def _find_softmaxes(_: Article, statements: Sequence[Statement]) -> frozenset[tuple[str, tuple[str, ...]]]:
    """What lines say to be a softmax."""
    return frozenset(
        (s.left.base, s.left.sub)
        for s in statements
        if isinstance(s.left, f.Name) and len(s.equals) > 1
        if isinstance(s.equals[1], f.Call) and s.equals[1].function == "softmax"
    )


def _of_circuit(
    statement: Statement, label: str, one: f.Expression, other: f.Expression, context: Context
) -> Formula | None:
    """W_QK = W_Q W_Kᵀ and W_OV = W_V W_O of rows, x W_QK xᵀ and x W_OV; the other way round of columns."""
    rows = context.once(_find_rows)
    first, second = (_role(x) for x in (one, other))
    if rows is None or None in (first, second):
        return None
    if label == "QK" and {first, second} == {("Q", False), ("K", True)}:
        return accept(statement, Sentence("formula.circuits")) if (first == ("Q", False)) is rows else None
    if {first, second} == {("V", False), ("O", False)}:
        if (first == ("V", False)) is rows:
            return accept(statement, Sentence("formula.circuits"))
        text, side = statement.passage.text, statement.sides[1]
        made = f"{text[other.start : other.end].strip()} {text[one.start : one.end].strip()}"
        return refuse(statement, Sentence("formula.circuits"), statement.with_text(made, side))
    return None


def _role(e: f.Expression) -> tuple[str, bool] | None:
    """Whose weights they are, and whether they are turned."""
    name = e.operand if isinstance(e, f.Transpose) else e
    if not isinstance(name, f.Name) or name.base != "W" or len((*name.sub, *name.sup)) != 1:
        return None
    (label,) = (*name.sub, *name.sup)
    return label.strip("()").upper(), isinstance(e, f.Transpose)


def _find_rows(_: Article, statements: Sequence[Statement]) -> bool | None:
    """Whether tokens stand in front of W_QK or W_OV, x W_OV; None where no line says so."""
    products = (p for s in statements for side in s.equals for p in f.walk(side) if isinstance(p, f.Product))
    beside = (pair for p in products for pair in pairwise(p.factors))
    pairs = [(a, b) for a, b in beside if isinstance(a, f.Name) and isinstance(b, f.Name)]
    first = any(a.base in "xX" and (b.base, b.sub) == ("W", ("OV",)) for a, b in pairs)
    last = any((a.base, a.sub) == ("W", ("OV",)) and b.base in "xX" for a, b in pairs)
    return first if first != last else None
