"""Other ways in which an article may mean a gradient: products by entry, sums of rows, scores kept transposed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from symattn.checking.formulas.gradients.forward import ROW_SUMS, definitions_in
from symattn.checking.formulas.gradients.last_scores import last_scores_in
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import axis_of, letter_of, slope_of
from symattn.checking.models.passes import swap_case
from symattn.checking.models.spelling import open_indices
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

NEAR = 400  # characters around a formula
_BY_ROW = regex(
    r"\b(?:each|per|every|one|single|this) row\b|\brow[- ]?wise\b|\brow[- ]sums?\b|\bsum\w* row by row\b|rowsum"
    r"|\b(?:axis|dim) ?= ?-1|keepdims?|每一?行|逐行|按行|行ごと|各行|행별|cada (?:fila|linha)|chaque ligne|jede Zeile",
    re.IGNORECASE,
)
_KEYS = r"(?:[A-Za-z]{1,4}_?)?(?:kv?|keys?|kv_?len)"
_QUERIES = r"(?:[A-Za-z]{1,4}_?)?(?:q|quer(?:y|ies)|q_?len)"
_KEYS_FIRST = regex(  # `[B, H, S_kv, S_q]`
    rf"[\[(](?:[^\[\]()\n]{{0,40}}[,x×] ?)?{_KEYS} ?[,x×] ?{_QUERIES} ?[\])]", re.IGNORECASE
)
_QUERIES_FIRST = regex(rf"[\[(](?:[^\[\]()\n]{{0,40}}[,x×] ?)?{_QUERIES} ?[,x×] ?{_KEYS} ?[\])]", re.IGNORECASE)
_TURNED = regex(
    r"\b(?:kv?|keys?)[- ]major\b|\bkeys (?:by|×|x) queries\b|\btransposed scores\b|\bscores \(?transposed\b",
    re.IGNORECASE,
)
_BY_PAIR = frozenset(["S", "P", "A", "E"])  # matrices with a number for every query and key


def reread(sides: Sequence[f.Expression], statement: Statement, context: Context) -> Iterator[list[f.Expression]]:
    """The sides of a statement in the other ways that the words of the article allow, one change or several."""
    tokens = frozenset(name.sub[0] for side in sides for part in f.walk(side) if (name := _small(part)) is not None)
    changes = [_star_by_entry, _sum_keys, lambda part: _columns(part, tokens)]
    if not any(isinstance(part, f.BigSum) for side in sides for part in f.walk(side)):
        changes.append(_whole_column)
    if is_comment(statement, context) or _BY_ROW.search(context.around(statement, NEAR)):
        changes.append(_sum_rows)
    if context.once(_has_keys_first):
        changes.append(_turn)
    last = last_scores_in(definitions_in(context, statement))
    if last is not None:
        changes.append(lambda part: _by_last(part, last))
    found = [list(sides)]
    for many in range(1, len(changes) + 1):
        for chosen in combinations(changes, many):
            changed = list(sides)
            for change in chosen:
                changed = [rewrite(side, change) for side in changed]
            if changed not in found:
                found.append(changed)
                yield changed


def is_comment(statement: Statement, context: Context) -> bool:
    """Whether a formula stands in a comment of a program, where names and sums are told in short."""
    words, start = context.article.words, statement.span[0]
    line = words[words.rfind("\n", 0, start) + 1 : start].lstrip()
    return statement.passage.kind == "comment" or (statement.passage.kind == "code" and line.startswith(("#", "//")))


def _has_keys_first(article: Article, _: Sequence[Statement]) -> bool:
    """Whether an article keeps its scores turned, by its words or by their shape; of both shapes one is that of dSᵀ."""
    turned = _KEYS_FIRST.search(article.said) is not None and _QUERIES_FIRST.search(article.said) is None
    return turned or _TURNED.search(article.said) is not None


def _by_last(part: f.Expression, last: f.Name) -> f.Expression:
    """dS where softmax is taken of S′: for short, the gradient by S′."""
    slope = slope_of(part)
    if slope is None or letter_of(slope).key != last.base:
        return part
    return f.Derivative(f.Name("L"), replace(last, sub=slope.sub), start=part.start, end=part.end)


def _star_by_entry(part: f.Expression) -> f.Expression:
    """`P * dP` of a program, entry by entry."""
    if isinstance(part, f.Product) and part.operators and set(part.operators) == {"*"}:
        return f.Elementwise(part.factors, start=part.start, end=part.end)
    return part


def _small(part: f.Expression) -> f.Name | None:
    """The v_i of v_i or dv_i: a small letter with one index."""
    name = slope_of(part) or part
    if not isinstance(name, f.Name) or len(name.base) > 1 or not name.base.islower():
        return None
    return name if len(name.sub) == 1 and not name.item else None


def _columns(part: f.Expression, tokens: frozenset[str]) -> f.Expression:
    """v_i and dv_i as columns of V and dV, where every token has one, and beside them Y_i as a column of Y."""
    slope = slope_of(part)
    name = part if slope is None else slope
    if not isinstance(name, f.Name) or len(name.sub) != 1 or name.item:
        return part
    small = name.base.islower()
    whole = swap_case(name.base) if small else name.base
    if whole == name.base and (small or name.sup or name.sub[0] not in tokens):
        return part  # no single letter, or none that is said to number tokens
    column = replace(name, base=whole, sub=(":" + name.sub[0],))
    if slope is None:
        return column
    return f.Derivative(f.Name("L"), column, start=part.start, end=part.end)


def _sum_rows(part: f.Expression) -> f.Expression:
    if isinstance(part, f.BigSum) and not part.index and not open_indices(part.body):
        return f.Call("rowsum", (part.body,), start=part.start, end=part.end)
    of_all = isinstance(part, f.Call) and part.function == "sum" and axis_of(part) not in (0, -2)
    return replace(part, function="rowsum") if isinstance(part, f.Call) and of_all else part


def _whole_column(part: f.Expression) -> f.Expression:
    """The D_i of `dS = P ∘ (dP − D_i)`, a number for every row, where nothing else has an index."""
    if not isinstance(part, f.Sum) or len(part.terms) != 2:
        return part
    last = part.terms[1]
    row = isinstance(last, f.Name) and letter_of(last).key in ROW_SUMS and len(letter_of(last).indices) == 1
    if not row or open_indices(part.terms[0]) or not isinstance(last, f.Name):
        return part
    return replace(part, terms=(part.terms[0], replace(last, sub=())))


def _sum_keys(part: f.Expression) -> f.Expression:
    """`Σ_k A ∘ B` and `Σ_j (A ∘ B)_j` of whole matrices, and `Σ_j A_j B_j` of a row: the sums of their rows."""
    if not isinstance(part, f.BigSum) or not part.index or part.lower or part.upper or part.condition:
        return part
    body = part.body
    if isinstance(body, f.Entry) and body.indices == (part.index,):
        body = body.operand
    if isinstance(body, f.Product) and all(_is_of_row(factor, part.index) for factor in body.factors):
        body = f.Elementwise(tuple(rewrite(factor, _without_indices) for factor in body.factors))
    if open_indices(body) or not isinstance(body, f.Elementwise):
        return part
    return f.Call("rowsum", (body,), start=part.start, end=part.end)


def _is_of_row(factor: f.Expression, index: str) -> bool:
    """Whether this is an entry P_j or dP_j of a row of the weights."""
    name = slope_of(factor) or factor
    return isinstance(name, f.Name) and letter_of(name).key in _BY_PAIR and letter_of(name).indices == (index,)


def _without_indices(part: f.Expression) -> f.Expression:
    return replace(part, sub=()) if isinstance(part, f.Name) else part


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


def at_rows(sides: list[f.Expression]) -> list[f.Expression]:
    """The sides with row i of a product of matrices, or the i-th of sums of rows or of a diagonal, where others are of
    row i: D_i = rowsum(P ∘ dP), dV_i = Σ_j P_ji dO_j = Pᵀ dO."""
    indices = [tuple(open_indices(side)) for side in sides]
    rows = {x for x in indices if x}
    if len(rows) != 1 or len(row := rows.pop()) != 1:
        return sides

    def at_row(side: f.Expression) -> f.Expression:
        match side:
            case f.Call("rowsum"):
                return f.Entry(side, row, start=side.start, end=side.end)
            case f.Product(factors) if all(map(_is_matrix, factors)):
                return f.Entry(side, row, start=side.start, end=side.end)
            case f.Call("diag", (f.Product() as inside,)):
                return f.Entry(inside, row * 2, start=side.start, end=side.end)
        return side

    return [side if own else at_row(side) for side, own in zip(sides, indices, strict=True)]


def _is_matrix(factor: f.Expression) -> bool:
    """Whether it is a capital, or the gradient by one."""
    inner = factor.operand if isinstance(factor, f.Transpose) else factor
    name = slope_of(inner) or inner
    return isinstance(name, f.Name) and name.base.isupper()
