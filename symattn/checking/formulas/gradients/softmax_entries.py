"""Derivatives of softmax entry by entry: ∂y_i/∂x_i = y_i(1 − y_i) and ∂y_i/∂x_j = −y_i y_j, with y_i = e^{x_i}/S.

All sides are fractions in e^{x_i}, e^{x_j} and the sum S of all entries, whatever these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sympy
from sympy import Expr, Integer, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.polynomials import read_polynomial
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

MOST_PARTS = 120
_SUM = Symbol("S", positive=True)
_APART = regex(r"\\neq?\b|≠|不等|不同|otherwise|\bdistinct|\bdifferent")


@dataclass(frozen=True)
class Softmax:
    """The letters of y_i = e^{x_i}/S; "" where the sum has none."""

    output: str
    score: str
    total: str


def judge_softmax_entry(statement: Statement, context: Context) -> Formula | None:
    """A chain that begins with ∂y_i/∂x_i or ∂y_i/∂x_j, where a line says that y is the softmax of x."""
    sides = statement.equals
    if len(sides) < 2 or len(sides) != len(statement.sides) or not isinstance(sides[0], f.Derivative):
        return None
    if sum(1 for side in sides for _ in f.walk(side)) > MOST_PARTS:
        return None
    softmax = _with_total(context.once(_find_softmax), statement, context)
    match sides[0]:
        case f.Derivative(of=f.Name(y, (i,), ()), by=f.Name(x, (j,), ())) if softmax is not None:
            if (y, x) != (softmax.output, softmax.score):
                return None
        case _:
            return None
    if i != j and not (context.mentions(_APART) or context.once(_has_diagonal)):
        return None  # for all j, of which i is one
    entries = {i: Symbol("a", positive=True), j: Symbol("b", positive=True) if j != i else Symbol("a", positive=True)}
    a, b = entries[i], entries[j]
    expected = a / _SUM - a**2 / _SUM**2 if i == j else -a * b / _SUM**2
    values = [read_polynomial(side, lambda part, _: _leaf(part, softmax, entries), (2, 3)) for side in sides[1:]]
    if None in values:
        return None
    if all(sympy.cancel(value - expected) == 0 for value in values):
        return conclude(statement, "holds", Sentence("theorem.softmax_entry"))
    return refuse(statement, Sentence("theorem.softmax_entry"))


def _with_total(softmax: Softmax | None, statement: Statement, context: Context) -> Softmax | None:
    """The softmax with Z, or S, for its sum, where e^{x_i}/Z² stands in a derivative and no line says what Z is."""
    if softmax is None or softmax.total:
        return softmax
    bare = {part.base for side in statement.equals[1:] for part in f.walk(side)
            if isinstance(part, f.Name) and not part.sub}  # fmt: skip
    letters = [letter for letter in ("Z", "S") if letter in bare]
    if len(letters) != 1 or letters[0] in context.once(_find_defined):
        return softmax
    return replace(softmax, total=letters[0])


def _find_defined(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    return frozenset(s.left.base for s in statements if isinstance(s.left, f.Name) and len(s.equals) > 1)


def _find_softmax(_: Article, statements: Sequence[Statement]) -> Softmax | None:
    """What the article's lines say to be a softmax, if it is one thing."""
    found: set[Softmax] = set()
    for statement in statements:
        sides = statement.equals
        if len(sides) < 2 or not isinstance(sides[0], f.Name) or len(sides[0].sub) != 1 or sides[0].sup:
            continue
        scores = {score for side in sides[1:] if (score := _score_of(side, sides[0].sub[0]))}
        if len(scores) == 1:
            score = scores.pop()
            totals = {total for side in sides[1:] if (total := _total_of(side, score))}
            found.add(Softmax(sides[0].base, score, totals.pop() if len(totals) == 1 else ""))
    return found.pop() if len(found) == 1 else None


def _score_of(side: f.Expression, index: str) -> str:
    """The x of e^{x_i}/Σ_k e^{x_k}."""
    match side:
        case f.Quotient(
            f.Call("exp", (f.Name(x, (i,), ()),)), f.BigSum(k, body=f.Call("exp", (f.Name(other, (own,), ()),)))
        ) if x == other and i == index and own == k != i:
            return x
    return ""


def _total_of(side: f.Expression, score: str) -> str:
    """The S of e^{x_i}/S."""
    match side:
        case f.Quotient(f.Call("exp", (f.Name(x),)), f.Name(total, (), ())) if x == score:
            return total
    return ""


def _has_diagonal(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether the case of one index, ∂y_i/∂x_i, has a line of its own."""
    for statement in statements:
        match statement.left:
            case f.Derivative(of=f.Name(sub=(i,)), by=f.Name(sub=(j,))) if i == j:
                return True
    return False


def _leaf(e: f.Expression, softmax: Softmax, entries: dict[str, Symbol]) -> Expr | None:
    """The entries and their sum."""
    match e:
        case f.Name(base, (index,), ()) if base == softmax.output and index in entries:
            return entries[index] / _SUM
        case f.Name(base, (), ()) if base == softmax.total:
            return _SUM
        case f.Name(base, (), (power,)) if base == softmax.total and power.isdigit():
            return _SUM ** Integer(int(power))
        case f.Call("exp", (f.Name(base, (index,), ()),)) if base == softmax.score and index in entries:
            return entries[index]
        case f.BigSum(k, None | f.Number(), _, f.Call("exp", (f.Name(base, (own,), ()),)), None) if (
            base == softmax.score and own == k and k not in entries
        ):
            return _SUM
    return None
