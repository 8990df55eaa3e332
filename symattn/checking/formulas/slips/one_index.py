"""Attention token by token with one index too few: score_i = q_i k_iᵀ of a softmax, context_i = Σ_j α_j v_j."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.slips.one_element import OF_HEAD
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_SCORES = ("score", "e", "s", "scores", "logit")
_OUTPUTS = ("context", "output", "out", "c", "o", "z", "y")
_TOKENS = ("x", "h")


def judge_one_index(statement: Statement, context: Context) -> Formula | None:
    """Where the article takes softmax of score_i, and its vectors with this index are those of the tokens."""
    weights = context.once(_find_weights_of_one)
    match statement.equals:
        case (f.Name(base, (index,), ()), side) if base in _SCORES and (base, index) in weights.values():
            names = _vectors(side)
            alike = {(x.base.lower(), x.sub) for x in names} == {("q", (index,)), ("k", (index,))}
            if alike and index in context.once(_find_token_indices):
                return refuse(statement, Sentence("formula.own_key", index=index))
        case (f.Name(base, (index,), ()), f.BigSum(index=over, body=f.Product((f.Name() as one, f.Name() as other)))):
            if base not in _OUTPUTS or over == index or one.sub != (over,) or other.sub != (over,):
                return None
            if one.base in weights and other.base.lower() == "v" and context.once(_find_token_indices) & {index}:
                return refuse(statement, Sentence("formula.same_weights", index=index))
    return None


def _vectors(e: f.Expression) -> list[f.Name]:
    return [x for x in f.walk(e) if isinstance(x, f.Name) and x.base in "QKqk"]


def _find_weights_of_one(_: Article, statements: Sequence[Statement]) -> dict[str, tuple[str, str]]:
    """The letters of weights α_i = softmax(score_i), with the name of the score and its index."""
    found = {}
    for statement in statements:
        match statement.equals:
            case (f.Name(base, (index,), ()), f.Call("softmax", (f.Name(score, (other,), ()),))) if index == other:
                found[base] = score, index
    return found


def _find_token_indices(article: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The indices of queries that are said to be those of the token x_i, and of no head: no weights have them."""
    names = [x for s in statements for side in s.equals for x in f.walk(side) if isinstance(x, f.Name)]
    of_heads = {mark.strip("()") for x in names if x.base == "W" for mark in (*x.sub, *x.sup)}
    made = {
        s.left.sub[0]
        for s in statements
        if isinstance(s.left, f.Name) and s.left.base in ("q", "Q") and len(s.left.sub) == 1 and len(s.equals) > 1
        if any(x.base in _TOKENS and x.sub == s.left.sub for x in f.walk(s.equals[1]) if isinstance(x, f.Name))
    }
    said = {found["index"] for found in _SAID.finditer(article.words)}
    return frozenset((made | said) - of_heads) - {x["index"] or x["other"] for x in OF_HEAD.finditer(article.words)}


_SAID = regex(r"(?<![A-Za-z])[xh]_\{?(?P<index>[ijt])\}?[^.。\n]{0,60}?(?<![A-Za-z])[qQ]_\{?(?P=index)\}?(?![\w,^])")
