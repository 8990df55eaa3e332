"""Equations that begin with their result, 2048 = 16 × 128: the number is held against the arithmetic behind it."""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.checking.expected.sources import Source
from symattn.patterns import regex
from symattn.reading import formula as f

_ARITHMETIC = (f.Number, f.Sum, f.Product, f.Quotient, f.Power)
_MARKED = ("inline", "display")
_WORD_BEFORE = regex(r"[^\W_][\s*_`]*$")  # layer 12 = …, 行12 = …: the number says which one


def with_result_last(chain: f.Chain, source: Source) -> f.Chain:
    """The chain with the sides of such an equation changed, and any other as it is; names may stand before it."""
    names, last = chain.sides[:-2], chain.sides[-2:]
    if len(last) < 2 or any(side.relation != "=" for side in chain.sides[1:]) or chain.sides[0].relation:
        return chain
    if not all(isinstance(side.expression, f.Name) for side in names):
        return chain
    result, formula = (side.expression for side in last)
    if not isinstance(result, f.Number) or result.unit or result.value < 10 or f.is_printed(formula):
        return chain
    parts = list(f.walk(formula))
    if not all(isinstance(part, _ARITHMETIC) for part in parts) or any(map(_is_shown_otherwise, parts)):
        return chain
    if source.where.kind not in _MARKED and _WORD_BEFORE.search(source.before(result.start)):
        return chain
    first, second = last
    sides = (replace(second, relation=first.relation), replace(first, relation="="))
    return replace(chain, sides=(*names, *sides))


def _is_shown_otherwise(part: f.Expression) -> bool:
    """Whether a number has a unit, or a percent sign, which may scale the result."""
    return isinstance(part, f.Number) and bool(part.unit or not re.fullmatch(r"[\d.,{}\\]+", part.text))
