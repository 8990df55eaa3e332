"""Tokens in rows where queries and keys are projected from the right: Q = X W_Q has a row for each row of X."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

# attention between channels, softmax(QᵀK), and linear attention, φ(Q)(φ(K)ᵀ V), multiply the other way on purpose
_OF_CHANNELS = re.compile(
    r"channel|(?:over|between|across|among) (?:the )?features|feature-wise|Gram\b"
    r"|cross-covariance|covariance|XCiT|transposed attention|linear(?:i[sz]ed)? attention|efficient attention"
    r"|通道|协方差|共分散|线性注意力|線形",
    re.IGNORECASE,
)


def projects_rows(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether it makes queries and keys of tokens times their weights, and nothing of weights times tokens."""
    sides = [found for statement in statements for found in _projections(statement)]
    made = {name for name, first in sides if first}
    return {"Q", "K"} <= made and all(first for _, first in sides) and not speaks_of_channels(article)


def speaks_of_channels(article: Article) -> bool:
    """Whether an article has products that are turned on purpose."""
    return _OF_CHANNELS.search(article.source) is not None


def _projections(statement: Statement) -> Iterator[tuple[str, bool]]:
    """What is made of tokens and weights, and whether the tokens stand first."""
    match statement.equals:
        case (f.Name(base), f.Product((first, second))):
            pass
        case _:
            return
    weights = [_is_weight(first), _is_weight(second)]
    if sum(weights) == 1:
        yield base, weights[1]


def _is_weight(factor: f.Expression) -> bool:
    """W_Q, W^K or one of them transposed."""
    plain = factor.operand if isinstance(factor, f.Transpose) else factor
    return isinstance(plain, f.Name) and plain.base == "W" and bool(plain.sub or plain.sup)
