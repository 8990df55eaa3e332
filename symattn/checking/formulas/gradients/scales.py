"""The number that scores are multiplied by, S = QKᵀ · s, under the one name `scale`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_SCORES = frozenset("sez")
SCALE = f.Name("scale")
_WORDS = re.compile(
    r"(?:(?:sm|softmax|attn|attention|qk)_?)?scal(?:e|ing)(?:[_ ]?(?:value|factor))?|缩放因子|缩放系数", re.I
)


def find_scales(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The small letters of scores by which an article multiplies QKᵀ itself, which are no scores then."""
    found = set[str]()
    for statement in statements:
        sides = statement.equals
        for part in (part for side in sides[1:] for part in f.walk(side) if isinstance(part, f.Product)):
            names = {inner.base for inner in f.walk(part) if isinstance(inner, f.Name)}
            plain = {x.base for x in part.factors if isinstance(x, f.Name) and not (x.sub or x.sup or x.item)}
            if {"Q", "K"} <= names:
                found |= plain & _SCORES
    return frozenset(found)


def name_scale(e: f.Expression, letters: frozenset[str]) -> f.Expression:
    """The formula with `scale` for these letters, for `sm_scale`, `scaleValue` and the like.

    >>> [chain] = f.parse(r"QK^T \\cdot \\text{scaleValue}", algebra=True)
    >>> name_scale(chain.sides[0].expression, frozenset()).factors[-1].base
    'scale'
    """

    def named(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Call) and _WORDS.fullmatch(part.function):  # `scale (+ mask)`: a number is no function
            return f.Name(SCALE.base, text=part.function, start=part.start, end=part.end)
        if not isinstance(part, f.Name) or part.sup or part.item:
            return part
        word = "_".join((part.base, *part.sub))
        if not (part.base in letters and not part.sub) and not _WORDS.fullmatch(word):
            return part
        return f.Name(SCALE.base, text=part.text, start=part.start, end=part.end)

    return rewrite(e, named)
