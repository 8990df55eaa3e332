"""Other ways in which an article may mean a gradient: products by entry, sums of rows, scores kept transposed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from symattn.checking.formulas.context import Context
from symattn.checking.formulas.forward import definitions_in, last_scores_in
from symattn.checking.formulas.statements import Statement
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.naming import rewrite
from symattn.reading import formula as f

NEAR = 400  # characters around a formula
_BY_ROW = re.compile(
    r"\b(?:each|per|every|one|single|this) row\b|\brow[- ]?wise\b|\brow[- ]sums?\b|\brow by row\b|rowsum"
    r"|\b(?:axis|dim) ?= ?-1|keepdims?|每一?行|逐行|按行|行ごと|各行|행별|cada (?:fila|linha)|chaque ligne|jede Zeile",
    re.IGNORECASE,
)
_KEYS = r"(?:[A-Za-z]{1,4}_?)?(?:kv?|keys?|kv_?len)"
_QUERIES = r"(?:[A-Za-z]{1,4}_?)?(?:q|quer(?:y|ies)|q_?len)"
_KEYS_FIRST = re.compile(  # `[B, H, S_kv, S_q]`, "KV-major"
    rf"[\[(](?:[^\[\]()\n]{{0,40}}[,x×] ?)?{_KEYS} ?[,x×] ?{_QUERIES} ?[\])]"
    rf"|\b(?:kv?|keys?)[- ]major\b|\bkeys (?:by|×|x) queries\b|\btransposed scores\b|\bscores \(?transposed\b",
    re.IGNORECASE,
)
_BY_PAIR = frozenset(["S", "P", "A", "E"])  # matrices with a number for every query and key


def reread(sides: Sequence[f.Expression], statement: Statement, context: Context) -> Iterator[list[f.Expression]]:
    """The sides of a statement in the other ways that the words of the article allow, one change or several."""
    changes = [_star_by_entry]
    if statement.passage.kind == "comment" or _BY_ROW.search(_around(statement, context)):
        changes.append(_sum_rows)
    if _KEYS_FIRST.search(context.article.source):
        changes.append(_turn)
    last = last_scores_in(definitions_in(context.statements, statement))
    if last is not None:
        changes.append(lambda part: _by_last(part, last))
    for many in range(1, len(changes) + 1):
        for chosen in combinations(changes, many):
            changed = list(sides)
            for change in chosen:
                changed = [rewrite(side, change) for side in changed]
            if changed != list(sides):
                yield changed


def _by_last(part: f.Expression, last: f.Name) -> f.Expression:
    """dS where softmax is taken of S′: for short, the gradient by S′."""
    slope = slope_of(part)
    if slope is None or letter_of(slope).key != last.base:
        return part
    return f.Derivative(f.Name("L"), replace(last, sub=slope.sub), start=part.start, end=part.end)


def _around(statement: Statement, context: Context) -> str:
    start, end = statement.span
    return context.article.source[max(start - NEAR, 0) : end + NEAR]


def _star_by_entry(part: f.Expression) -> f.Expression:
    """`P * dP` of a program, entry by entry."""
    if isinstance(part, f.Product) and part.operators and set(part.operators) == {"*"}:
        return f.Elementwise(part.factors, start=part.start, end=part.end)
    return part


def _sum_rows(part: f.Expression) -> f.Expression:
    return replace(part, function="rowsum") if isinstance(part, f.Call) and part.function == "sum" else part


def _turn(part: f.Expression) -> f.Expression:
    """Matrices by queries and keys, and gradients by them, turned around."""
    match part:
        case f.Transpose(f.Transpose(inner)):
            return inner
        case f.Derivative(by=f.Transpose(by)):
            return f.Transpose(replace(part, by=by), start=part.start, end=part.end)
        case f.Name():
            letter = letter_of(slope_of(part) or part)
            if letter.key in _BY_PAIR and not letter.indices:
                return f.Transpose(part, start=part.start, end=part.end)
    return part
