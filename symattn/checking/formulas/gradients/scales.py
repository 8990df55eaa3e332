"""The number that scores are multiplied by, S = QKᵀ · s, under the one name `scale`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.passes import Definition
from symattn.checking.models.spelling import spell
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_OTHERWISE = frozenset("sezσ")  # letters that are scores, or a deviation, elsewhere
SCALE = f.Name("scale")
_WORDS = regex(
    r"(?:(?:sm|softmax|attn|attention|qk)_?)?scal(?:e|ing)(?:[_ ]?(?:value|factor))?|缩放因子|缩放系数", re.I
)


def find_scales(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The small letters of scores by which an article multiplies QKᵀ itself, which are no scores then; those by which
    it multiplies S in a softmax, or which it says to be the scale."""
    found = set[str]()
    for statement in statements:
        sides = statement.equals
        found |= _said_to_be(sides) | {x for side in sides for x in _beside_scores(side)}
        for part in (part for side in sides[1:] for part in f.walk(side) if isinstance(part, f.Product)):
            names = {inner.base for inner in f.walk(part) if isinstance(inner, f.Name)}
            plain = {x.base for x in part.factors if isinstance(x, f.Name) and not (x.sub or x.sup or x.item)}
            if {"Q", "K"} <= names:
                found |= plain & _OTHERWISE
    return frozenset(found)


def find_scaled(_: Article, statements: Sequence[Statement]) -> frozenset[f.Quotient]:
    """What the softmaxes of an article are of, as far as these are quotients."""
    parts = (part for statement in statements for side in statement.equals for part in f.walk(side))
    inside = (part.arguments[0] for part in parts if isinstance(part, f.Call) and part.function == "softmax")
    return frozenset(spelled for e in inside if isinstance(spelled := spell(e), f.Quotient))


def with_other_scale(made: list[Definition], scaled: frozenset[f.Quotient]) -> list[Definition]:
    """The meanings of a letter with that of a softmax where a line gives the same scores another scale, S = QKᵀ/d_k.

    One of the two lines is wrong, and what follows from them does not tell which.
    """
    own = [each.expression for each in made]
    pairs = ((x, other) for x in own if isinstance(x, f.Quotient) for other in scaled if x.numerator == other.numerator)
    others = dict.fromkeys(other for _, other in pairs if other not in own)
    return [*made, *(replace(made[0], expression=other) for other in others)]


def _said_to_be(sides: Sequence[f.Expression]) -> set[str]:
    """The c of `c = softmax_scale`."""
    words = any(isinstance(side, f.Name) and _WORDS.fullmatch("_".join((side.base, *side.sub))) for side in sides)
    return {side.base for side in sides if words and _is_small(side) and isinstance(side, f.Name)}


def _beside_scores(side: f.Expression) -> Iterator[str]:
    """The c of softmax(S c)."""
    for part in f.walk(side):
        inside = part.arguments[0] if isinstance(part, f.Call) and part.function == "softmax" else None
        if isinstance(inside, f.Product) and len(inside.factors) == 2 and f.Name("S") in inside.factors:
            yield from (x.base for x in inside.factors if isinstance(x, f.Name) and _is_small(x))


def _is_small(e: f.Expression) -> bool:
    """Whether it is one small letter, without marks."""
    plain = isinstance(e, f.Name) and not (e.sub or e.sup or e.item)
    return plain and isinstance(e, f.Name) and len(e.base) == 1 and e.base.islower()


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
