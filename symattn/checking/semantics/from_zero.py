"""Indices that count from 0 though nothing has said so yet: S_11 is the score in the second row and the second column.

An article that writes an index 0 somewhere may count from 0 everywhere.
"""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.checking.semantics.evaluation import FROM_ZERO
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_INDEX = regex(
    r"_\{?\(?[0i,]*0|₀|\b(?:row|column|token|index|position|query|key) 0\b|第 ?0 ?[行列个]|=\s?0\}\^|=0\.\."
    r"|\b(?:number|count|index)\w* (?:from|at) (?:0|zero)\b|\b(?:start|begin)\w* (?:from|at|with) (?:0|zero)\b"
    r"|\b(?:0|zero)-(?:based|indexed)\b|从 ?[0零] ?开始",
    re.IGNORECASE,
)


def may_count_from_zero(article: Article) -> bool:
    """Whether an article writes an index 0 anywhere, or says that it counts from 0."""
    return _INDEX.search(article.said) is not None or any(_INDEX.search(p.text) for p in article.passages)


_SAID = regex(  # a sentence of its own: what is said of Python, or beside another count, is not said of the formulas
    r"(?:^|[.;:!?]\s)[^\S\n]*(?:the )?(?:rows(?:,| and) columns|columns(?:,| and) rows)(?: and \w+| of \w+)?"
    r" (?:are|is) (?:all )?(?:number|count|index)ed (?:from|at) (?:0|zero)[.;]"
    r"|(?:^|[。；！？])[^\S\n]*行[、和与]?列(?:[、和与]?词元)?(?:都|均)?从 ?[0零] ?开始(?:编号|计数)[。；]",
    re.IGNORECASE | re.MULTILINE,
)


def says_count_from_zero(article: Article) -> bool:
    """Whether an article says that its rows and columns are counted from 0."""
    return _SAID.search(article.said) is not None


def counted_from_one(part: f.Expression) -> f.Expression:
    """An entry of what has no letter, (Q_1)_{10}, as one that counts from 1; masks and cases that count from 0."""
    if isinstance(part, f.Cases):
        return replace(part, first=0)
    if isinstance(part, f.Call) and part.function in ("mask", "where") and FROM_ZERO not in part.options:
        return replace(part, options=(*part.options, FROM_ZERO))
    if not isinstance(part, f.Entry) or not all(len(i) < 3 and i.isalnum() for i in part.indices):
        return part
    apart = tuple(c for i in part.indices for c in i)
    return replace(part, indices=tuple(str(int(c) + 1) if c.isdecimal() else c for c in apart))
