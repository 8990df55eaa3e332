"""The number that scores are multiplied by, S = QKᵀ · s, under the one name `scale`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_SCORES = frozenset("sez")
SCALE = f.Name("scale")
_WORDS = re.compile(
    r"(?:(?:sm|softmax|attn|attention|qk)_?)?scal(?:e|ing)(?:[_ ]?(?:value|factor))?|缩放因子|缩放系数", re.I
)


@dataclass(frozen=True)
class Scales:
    """The letters by which an article multiplies QKᵀ, and what its stars mean."""

    letters: frozenset[str] = frozenset()
    stars: bool = False  # whether * is entry by entry, since @ is the product of matrices


def find_scales(_: Article, statements: Sequence[Statement]) -> Scales:
    """The small letters of scores by which an article multiplies QKᵀ itself, which are no scores then."""
    letters, stars = set[str](), False
    for statement in statements:
        for part in (part for side in statement.equals[1:] for part in f.walk(side) if isinstance(part, f.Product)):
            stars = stars or "@" in part.operators
            names = {inner.base for inner in f.walk(part) if isinstance(inner, f.Name)}
            plain = {x.base for x in part.factors if isinstance(x, f.Name) and not (x.sub or x.sup or x.item)}
            if {"Q", "K"} <= names:
                letters |= plain & _SCORES
    return Scales(frozenset(letters), stars)


def name_scale(e: f.Expression, scales: Scales) -> f.Expression:
    """The formula with `scale` for these letters, for `sm_scale`, `scaleValue` and the like; with * entry by entry where
    @ is the product of matrices.

    >>> [chain] = f.parse(r"QK^T \\cdot \\text{scaleValue}", algebra=True)
    >>> name_scale(chain.sides[0].expression, Scales()).factors[-1].base
    'scale'
    """

    def named(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Call) and _WORDS.fullmatch(part.function):  # `scale (+ mask)`: a number is no function
            return f.Name(SCALE.base, text=part.function, start=part.start, end=part.end)
        if isinstance(part, f.Product) and scales.stars:
            return star_by_entry(part)
        if not isinstance(part, f.Name) or part.sup or part.item:
            return part
        word = "_".join((part.base, *part.sub))
        if not (part.base in scales.letters and not part.sub) and not _WORDS.fullmatch(word):
            return part
        return f.Name(SCALE.base, text=part.text, start=part.start, end=part.end)

    return rewrite(e, named)


def star_by_entry(part: f.Expression) -> f.Expression:
    """`P * dP` of a program, entry by entry."""
    if isinstance(part, f.Product) and part.operators and set(part.operators) == {"*"}:
        return f.Elementwise(part.factors, start=part.start, end=part.end)
    return part
