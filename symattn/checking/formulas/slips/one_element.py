"""The query of one token made of all of them: Q_i = X W_Q, where X is the matrix of the tokens x_i."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.scores import read_of_all
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

OF_HEAD = regex(r"head\S{0,9}[ _$\\{]{1,8}(?P<index>[ijt])(?!\w)|第\s*\$?(?P<other>[ijt])\$?\s*个?头", re.IGNORECASE)
NEAR = 240  # characters in front that say whose vectors these are


def judge_one_element(statement: Statement, context: Context) -> Formula | None:
    """False where the article says that X is made of the x_i and that these are the vectors of one of them."""
    found = read_of_all(statement.equals)
    if found is None:
        return None
    left, tokens, weights = found
    (index,) = left.sub
    if not index or tokens.base not in context.once(_find_stacked):
        return None
    start = statement.span[0]
    near = context.article.words[max(start - NEAR, 0) : start]
    own = [rf"(?<![A-Za-z]){re.escape(x)}_\{{?{index}\}}?(?![\w,])" for x in (tokens.base.lower(), left.base)]
    if not all(re.search(each, near) for each in own) or OF_HEAD.search(near):
        return None
    text = statement.passage.text
    right = f"{text[left.start : left.end]} = {tokens.base.lower()}_{index} {text[weights.start : weights.end]}"
    return refuse(statement, Sentence("formula.one_element", index=index, tokens=tokens.base), right)


def _find_stacked(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters of matrices that are said to be X = [x_1, …, x_n]."""
    return frozenset(
        s.left.base
        for s in statements
        if isinstance(s.left, f.Name) and len(s.equals) > 1 and isinstance(s.equals[1], f.Matrix)
        if {x.base for x in f.walk(s.equals[1]) if isinstance(x, f.Name)} == {s.left.base.lower()}
    )
