"""The letter d in front of a letter: a size, d μ or 2 d d_ff, which is no gradient though it is spelled as dμ is, or
that of differentials, d(f g) = f dg + g df, which is no size."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_SLOPES = ("theorem.gradient_fails", "formula.identity_fails")
_D = f.Name("d")
_IN_WORDS = regex(r"\\mathbb\s*\{?R\}?\s*\^\s*\{?\s*d\b|ℝ\^d|[xz]_d(?![\w{])|\bd ?(?:=|dimensions?\b)")


_ALONE = regex(r"(?<![A-Za-z\\'’])d(?![\w(]|[\s{}]*(?:\\[a-zA-Z,;!]|[A-Za-z(\[]))")  # in front of nothing


def misreads_d(found: Formula, statement: Statement, context: Context) -> bool:
    """Whether a formula is called false in which d stands in front of a letter, in an article whose d is a size; or in
    front of brackets, d(x²) = 2x dx, where d stands nowhere in front of nothing."""
    if found.verdict != "fails" or not any(map(_has_factor, statement.equals)):
        return False
    if found.theorem.key in _SLOPES and context.once(_has_size_d):
        return True
    left = statement.left
    if not isinstance(left, f.Product) or left.factors[0] != _D:
        return False
    behind = statement.passage.text[left.factors[0].end :].lstrip(" }")
    return behind.startswith(("(", r"\left(")) and not context.mentions(_ALONE)


def _has_factor(side: f.Expression) -> bool:
    """Whether d stands right in front of a letter."""
    products = (part for part in f.walk(side) if isinstance(part, f.Product))
    return any(
        before == _D and isinstance(factor, f.Name) and factor.base != "d" and not operator
        for part in products
        for before, factor, operator in zip(part.factors, part.factors[1:], part.operators, strict=False)
    )


def _has_size_d(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether d is divided by, raised or said to be a size somewhere, and no line gives a gradient."""
    sides = [side for each in statements for side in each.equals]
    if any(_is_gradient(each.left) for each in statements):
        return False
    return _IN_WORDS.search(article.source) is not None or any(
        _is_size(part) for side in sides for part in f.walk(side)
    )


def _is_gradient(left: f.Expression) -> bool:
    match left:
        case f.Derivative() | f.Quotient():
            return True
        case f.Product((first, *_)):
            return first == _D
        case f.Name(base):
            return re.fullmatch(r"d[A-Za-zα-ω]|∂.*", base) is not None
    return False


def _is_size(part: f.Expression) -> bool:
    match part:
        case f.Quotient(_, below):
            return below == _D
        case f.Power(base):
            return base == _D
        case f.Root(radicand):
            return radicand == _D
        case f.Product((f.Number(), other), _):
            return other == _D
    return False
