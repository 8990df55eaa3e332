"""Whether tokens are rows or columns, as products show: Q Kᵀ and X W_Q of rows, Kᵀ Q and W_Q X of columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_TOKENS = frozenset("XHQKV")
_LABELS = ("q", "k", "v")
# attention between channels, softmax(QᵀK), and linear attention, φ(Q)(φ(K)ᵀ V), multiply the other way on purpose
_OF_CHANNELS = regex(
    r"channel|(?:over|between|across|among) (?:the )?features|feature-wise|Gram\b"
    r"|cross-covariance|covariance|XCiT|transposed attention|linear(?:i[sz]ed)? attention|efficient attention"
    r"|通道|协方差|共分散|线性注意力|線形",
    re.IGNORECASE,
)


def count_orientations(statements: Sequence[Statement]) -> tuple[int, int]:
    """How many different products an article has of tokens that are rows, and how many of such that are columns."""
    pairs = {pair for each in statements for side in each.equals for pair in pairs_in(side)}
    found = [_orientation(*pair) for pair in pairs]
    return found.count(True), found.count(False)


def pairs_in(side: f.Expression) -> Iterator[tuple[f.Expression, f.Expression]]:
    """The factors that stand beside each other in a product."""
    for part in f.walk(side):
        if isinstance(part, f.Product):
            yield from pairwise(part.factors)


def _orientation(before: f.Expression, behind: f.Expression) -> bool | None:
    """What two factors say of tokens; None where they say nothing."""
    if (of_scores := has_queries_in_rows(before, behind)) is not None:
        return of_scores
    match before, behind:
        case f.Name() as a, f.Name() as b if a.base in _TOKENS and _is_projection(b):
            return True
        case f.Name() as a, f.Name() as b if _is_projection(a) and b.base in _TOKENS:
            return False
    return None


def has_queries_in_rows(before: f.Expression, behind: f.Expression) -> bool | None:
    """Whether two factors are Q Kᵀ, of whose rows each is a query's, or Kᵀ Q; None of any others."""
    match before, behind:
        case f.Name(base="Q"), f.Transpose(f.Name(base="K")):
            return True
        case f.Transpose(f.Name(base="K")), f.Name(base="Q"):
            return False
    return None


def are_made_of_rows(before: f.Expression, behind: f.Expression) -> bool | None:
    """Whether two factors are scores of queries and keys that are rows, QKᵀ or KQᵀ, or columns; None of any others."""
    match before, behind:
        case (f.Name(base=a), f.Transpose(f.Name(base=b))) if {a, b} == {"Q", "K"}:
            return True
        case (f.Transpose(f.Name(base=a)), f.Name(base=b)) if {a, b} == {"Q", "K"}:
            return False
    return None


def is_keys_first(before: f.Expression, behind: f.Expression) -> bool:
    """Whether two factors are K Qᵀ, which has a column for each query."""
    return before == f.Name("K") and behind == f.Transpose(f.Name("Q"))


def _is_projection(name: f.Name) -> bool:
    """Whether it is W_Q, W_i^K or the like."""
    return name.base == "W" and any(mark.lower().startswith(_LABELS) for mark in (*name.sub, *name.sup))


def projects_rows(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether it makes queries and keys of tokens times their weights, and nothing of weights times tokens."""
    sides = [found for statement in statements for found in _projections(statement)]
    made = {name for name, first in sides if first}
    return {"Q", "K"} <= made and all(first for _, first in sides) and not speaks_of_channels(article)


_PERMUTED = regex(
    r"permutation matri(?:x|ces)|置换矩阵|置換行列|排列矩阵|Permutationsmatri|matrice de permutation", re.I
)
_PERMUTATIONS = frozenset(["P", "Π", "π"])


def find_permuted_axis(article: Article, statements: Sequence[Statement]) -> bool | None:
    """Whether a permutation of the tokens stands before them, PX, and permutes rows, or behind them, as XP beside
    W_Q X; None where the article permutes no tokens so, or both ways."""
    if _PERMUTED.search(article.said) is None:
        return None
    pairs = {pair for each in statements for side in each.equals for pair in pairs_in(side)}
    before = any(_permutes(a) and _is_of_tokens(b) for a, b in pairs)
    behind = any(_is_of_tokens(a) and _permutes(b) for a, b in pairs)
    projected = {_orientation(*pair) for pair in pairs if has_queries_in_rows(*pair) is None} - {None}
    if before and not behind and False not in projected:
        return True
    return False if behind and not before and projected == {False} else None


def _permutes(factor: f.Expression) -> bool:
    return isinstance(factor, f.Name) and factor.base in _PERMUTATIONS and not factor.sub


def _is_of_tokens(factor: f.Expression) -> bool:
    return isinstance(factor, f.Name) and factor.base in ("X", "H")


def speaks_of_channels(article: Article) -> bool:
    """Whether an article has products that are turned on purpose."""
    return _OF_CHANNELS.search(article.said) is not None


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
