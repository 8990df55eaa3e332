"""Sentences that say that rows, or columns, of the weights sum to 1: those along which softmax goes do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.weights import BY_COLUMNS
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.functions import has_down_option, is_by_columns
from symattn.checking.formulas.trials.notation import find_readings
from symattn.checking.formulas.trials.orientation import has_queries_in_rows
from symattn.checking.formulas.words.saying import conclude_in_words, find_said
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

NEAR = 400  # characters before and after in which words may say that something is made by softmax

WEIGHTS = regex(
    r"softmax|attention weights?|注意力权重|注意力權重|注意力分布|소프트맥스|어텐션 가중치"
    r"|ソフトマックス|アテンション重み|注意重み",
    re.IGNORECASE,
)
_SUMS = regex(
    r"(?:each|every|all|the|any)?\s*(?P<a>row|column)s?\b(?: of [^.;\n]{1,40}?)?\s+"
    r"(?:now |must |should |will |always )?(?:sums?|adds? up|summing)\s+(?:up )?to (?:exactly )?\$?(?:1(?:\.0+)?|one)\b"
    r"|(?:the )?sum of (?:each|every|any) (?P<b>row|column)\b[^.;\n]{0,20}?(?:is|equals|=)\s*\$?1\b"
    r"|每(?:一)?(?P<c>行|列)(?:的)?(?:元素|权重|概率|注意力权重)?(?:之)?(?:和|总和|加和|相加)"
    r"(?:后)?(?:都|均|变成|变为|等于|为|是|\s)*\$?1(?![0-9.])",
    re.IGNORECASE,
)
_TRADITIONAL = regex("[權個與這為們對應機訓練]")  # where 列 is a row, and 行 a column
_NOT = regex(
    r"\bn(?:ot|o|or|either|ever|eed)\b|n't\b|\bonly if\b|\bunless\b|\bif\b|\btransposed?\b|\bqueries\b"
    r"|不|未|无|非|若|如果|转置",
    re.IGNORECASE,
)
_BOTH = regex(r"doubly|sinkhorn|\bslots?\b|permutation|双随机|置换", re.IGNORECASE)
_CLAUSE = regex(r"[.;。；\n]")


def judge_weight_sums(context: Context) -> Iterator[Formula]:
    """Of a matrix of weights: its rows sum to 1 where they are of queries, its columns where softmax goes down."""
    source, shown = context.article.words, Sentence("formula_rows_sum")
    for found in find_said(context, _SUMS):
        near = source[max(found.start() - NEAR, 0) : found.end() + NEAR]
        if not WEIGHTS.search(near):
            continue
        word = (found["a"] or found["b"] or found["c"]).lower()
        down, along = context.once(goes_down), context.once(goes_along_rows)
        if word in ("row", "行"):
            if not down:
                yield conclude_in_words(context, _trimmed(found), "holds", shown)
        elif context.mentions(_TRADITIONAL) or context.mentions(_BOTH) or _negated(source, found):
            continue
        elif down and not along:
            yield conclude_in_words(context, _trimmed(found), "holds", Sentence("formula_columns_sum"))
        elif along and not down and any(reading.rows for reading in find_readings(context)):
            yield conclude_in_words(context, _trimmed(found), "fails", shown)


def _trimmed(found: re.Match[str]) -> tuple[int, int]:
    return found.start() + len(found[0]) - len(found[0].lstrip()), found.end()


def _negated(source: str, found: re.Match[str]) -> bool:
    """Whether the clause says that they do not, or makes a condition."""
    before = _CLAUSE.split(source[max(found.start() - 120, 0) : found.start()])[-1]
    after = _CLAUSE.split(source[found.end() : found.end() + 80])[0]
    return _NOT.search(before + found[0] + after) is not None


def goes_down(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether a softmax of the article goes down the columns: by its words or options, of KᵀQ, or behind V."""
    return BY_COLUMNS.search(article.said) is not None or any(map(_goes_down, _parts(statements)))


def goes_along_rows(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a softmax of the article is of Q Kᵀ, of which each row is a query's."""
    return any(_is_of_scores(part, True) for part in _parts(statements))


def _parts(statements: Sequence[Statement]) -> Iterator[f.Expression]:
    """All that stands in the formulas."""
    for statement in statements:
        for side in statement.equals:
            yield from f.walk(side)


def _goes_down(part: f.Expression) -> bool:
    match part:
        case f.Call("softmax"):
            return has_down_option(part) or is_by_columns(part) or _is_of_scores(part, False)
        case f.Product((f.Name("V"), f.Call("softmax")), _):
            return True
    return False


def _is_of_scores(part: f.Expression, queries_in_rows: bool) -> bool:
    """Whether it is a softmax with Q Kᵀ at the beginning of a product in it, or with Kᵀ Q."""
    if not isinstance(part, f.Call) or part.function != "softmax":
        return False
    products = (inside for inside in f.walk(part) if isinstance(inside, f.Product) and len(inside.factors) > 1)
    return any(has_queries_in_rows(*product.factors[:2]) is queries_in_rows for product in products)
