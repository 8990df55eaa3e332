"""The cross-entropy of one example: −log p_c, −log(e^{z_c}/Σ_j e^{z_j})."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.likelihood import names_loss, says_likelihood
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_PROBABILITIES = frozenset(("p", "P", "q", "y\u0302", "ŷ", "p\u0302"))
NAMED = regex(
    r"cross[- ]?entropy|\bNLL\b|negative log|log[- ]?loss|softmax loss|交叉熵|负对数|クロスエントロピー|교차 ?엔트로피"
    r"|entropía cruzada|entropia cruzada|entropie croisée|Kreuzentropie",
    re.I,
)
_NEAR = 400  # characters


def judge_class_loss(statement: Statement, context: Context) -> Formula | None:
    """A loss near the words for it; what has another form may be another loss."""
    sides = statement.equals
    if len(sides) != 2 or len(statement.sides) != 2 or not (isinstance(sides[0], f.Name) and names_loss(sides[0])):
        return None
    near = context.around(statement, _NEAR)
    if not NAMED.search(near) or says_likelihood(statement.before + statement.after):
        return None
    terms = list(_terms(sides[1], 1))
    right = len(terms) == 1 and _is_of_class(terms[0])
    return accept(statement, Sentence("formula.cross_entropy")) if right else None


def _terms(e: f.Expression, sign: int) -> Iterator[tuple[f.Expression, int]]:
    match e:
        case f.Sum(terms, signs):
            for term, own in zip(terms, signs, strict=True):
                yield from _terms(term, sign * own)
        case f.Matrix(rows=((cell,),)):
            yield from _terms(cell, sign)
        case _:
            yield e, sign


def _is_of_class(term: tuple[f.Expression, int]) -> bool:
    """Whether it is −log of one probability: p_c, or a softmax at c."""
    match term:
        case f.Call("log", (f.Name() as p,), ()), -1:
            return p.base in _PROBABILITIES and bool(p.sub)
        case f.Call("log", (f.Quotient(f.Call("exp", (own,)), f.BigSum(index, body=f.Call("exp", (other,)))),), ()), -1:
            return _of(own, index) == _of(other, index) != own
    return False


def _of(e: f.Expression, index: str) -> f.Expression:
    """A score without its index, z of z_c, or of z_c/τ."""
    if isinstance(e, f.Quotient) and isinstance(e.numerator, f.Name):
        return f.Quotient(_of(e.numerator, index), e.denominator)
    return f.Name(e.base, e.sub[:-1], e.sup) if isinstance(e, f.Name) and e.sub else e
