"""S = softmax(QKᵀ) beside dS = S ∘ (dP − D): S is the weights, and yet dS the gradient by the scores."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import slope_of
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_BACKWARD = regex(r"soft_?max\w*?_?(?:back|bwd|grad|vjp)|(?:back|bwd|grad|vjp)\w*?_?soft_?max", re.IGNORECASE)


def find_weight_letter(_: Article, statements: Sequence[Statement]) -> dict[str, str]:
    """S by a letter that no formula has, P or A, where S is a softmax and dS what comes back through it."""
    names = {part.base for s in statements for side in s.sides for part in f.walk(side.expression)
             if isinstance(part, f.Name)}  # fmt: skip
    free = next((letter for letter in "PA" if letter not in names), None)
    softmaxes = {s.left for s in statements if len(s.equals) > 1 and _is_softmax(s.equals[1])}
    if free is None:
        return {}
    return {
        slope.base: free
        for s in statements
        if (slope := slope_of(s.left)) is not None and slope in softmaxes and _comes_back(s, slope)
    }


def _is_softmax(e: f.Expression) -> bool:
    """Whether it is the softmax of a formula, and of no letter, which would be the scores."""
    return isinstance(e, f.Call) and e.function == "softmax" and not isinstance(e.arguments[0], f.Name)


def _comes_back(statement: Statement, letter: f.Name) -> bool:
    """Whether a gradient is `softmax_backward(dO, …)` or S ∘ (dP − D)."""
    if len(statement.equals) < 2 or letter.sub or letter.sup:
        return False
    if _BACKWARD.search(statement.text):
        return True
    match statement.equals[1]:
        case f.Product(factors) | f.Elementwise(factors):
            sums = [each for each in factors if isinstance(each, f.Sum) and -1 in each.signs]
            return letter in factors and any(slope_of(term) is not None for each in sums for term in each.terms)
    return False


def with_weight_letter(e: f.Expression, letters: dict[str, str]) -> f.Expression:
    """The formula with that letter for the weights; dS stays the gradient that it is."""

    def named(part: f.Expression) -> f.Expression:
        own = isinstance(part, f.Name) and slope_of(part) is None and not part.sub and not part.sup
        if isinstance(part, f.Name) and own and part.base in letters:
            return f.Name(letters[part.base], text=part.text, start=part.start, end=part.end)
        return part

    return rewrite(e, named) if letters else e


def in_own_letter(text: str | None, letters: dict[str, str]) -> str | None:
    """A printed formula with the article's S again."""
    for own, letter in letters.items() if text is not None else ():
        text = re.sub(rf"(?<![A-Za-z\\]){letter}(?![A-Za-z])", own, text or "")
    return text
