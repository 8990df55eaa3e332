"""The number that scores are multiplied by, S = QKᵀ · s, under the one name `scale`; the width in it under `d_k`."""

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
    """The letters by which an article multiplies QKᵀ, and the names of widths by whose root it divides it."""

    letters: frozenset[str] = frozenset()
    widths: frozenset[f.Name] = frozenset()


def find_scales(_: Article, statements: Sequence[Statement]) -> Scales:
    """The small letters of scores by which an article multiplies QKᵀ itself, which are no scores then; what stands
    below it under a root."""
    letters, widths = set[str](), set[f.Name]()
    for statement in statements:
        for part in (part for side in statement.equals[1:] for part in f.walk(side)):
            if isinstance(part, f.Product) and _is_of_scores(part):
                plain = {x.base for x in part.factors if isinstance(x, f.Name) and not (x.sub or x.sup or x.item)}
                letters |= plain & _SCORES
            elif isinstance(part, f.Quotient) and _is_of_scores(part.numerator):
                roots = [x.radicand for x in f.walk(part.denominator) if isinstance(x, f.Root)]
                widths |= {x for x in roots if isinstance(x, f.Name)}
    return Scales(frozenset(letters), frozenset(widths))


def _is_of_scores(e: f.Expression) -> bool:
    """Whether queries and keys are in it."""
    return {x.base for x in f.walk(e) if isinstance(x, f.Name)} >= {"Q", "K"}


def name_scale(e: f.Expression, scales: Scales) -> f.Expression:
    """The formula with `scale` for these letters, for `sm_scale`, `scaleValue` and the like; with d_k for the width.

    >>> [chain] = f.parse(r"QK^T \\cdot \\text{scaleValue}", algebra=True)
    >>> name_scale(chain.sides[0].expression, Scales()).factors[-1].base
    'scale'
    """

    def named(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Call) and _WORDS.fullmatch(part.function):  # `scale (+ mask)`: a number is no function
            return f.Name(SCALE.base, text=part.function, start=part.start, end=part.end)
        if not isinstance(part, f.Name):
            return part
        if part in scales.widths:
            return f.Name("d", ("k",), text=part.text, start=part.start, end=part.end)
        if part.sup or part.item:
            return part
        word = "_".join((part.base, *part.sub))
        if not (part.base in scales.letters and not part.sub) and not _WORDS.fullmatch(word):
            return part
        return f.Name(SCALE.base, text=part.text, start=part.start, end=part.end)

    return rewrite(e, named)
