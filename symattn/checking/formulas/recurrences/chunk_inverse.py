"""The inverse in a chunk of the delta rule, (I + lower(diag(β)KKᵀ))⁻¹: the recursion subtracts, so the matrix adds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import compare_at
from symattn.checking.formulas.trials.pointed import show_difference
from symattn.checking.models.chunks import SOLVED, ChunkModel
from symattn.checking.models.equations import Difference
from symattn.checking.models.tensors import MisfitError
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

TRIANGLES = ("lower", "tril", "strictlower", "stricttril")
Found = tuple[ChunkModel, Difference | MisfitError] | None
Convention = tuple[bool, bool]  # whether A has diag(β) in it, whether lower(·) leaves the diagonal out


def judge_chunk_inverse(statement: Statement, context: Context) -> Formula | None:
    """An equation of W, U and the inverse, where the article inverts I plus or minus a triangle."""
    sides = statement.equals
    if len(sides) < 2 or (not any(map(_is_inverse, sides)) and not _is_recursion(sides)):
        return None
    found = [(c, outcome) for c in context.once(_find_conventions) if (outcome := _settled(sides, c)) is not None]
    if not found:
        return None
    if any(outcome is True for _, outcome in found):
        return conclude(statement, "holds", Sentence("theorem.chunk_inverse"))
    model, difference = next(outcome for _, outcome in found if not isinstance(outcome, bool))
    right = _with_other_signs(statement, found[0][0])
    return refuse(statement, Sentence("theorem.chunk_inverse_fails"), right, show_difference(model, difference))


def _settled(sides: Sequence[f.Expression], convention: Convention) -> Found | Literal[True]:
    """True where the sides agree, None where a letter is not settled."""
    scaled, strict = convention
    return compare_at((ChunkModel(scaled=scaled, strict=strict, seed=seed) for seed in (0, 1)), list(pairwise(sides)))


def _is_inverse(side: f.Expression) -> bool:
    """Whether I and a triangle stand in a sum to the power −1."""
    for part in f.walk(side):
        if isinstance(part, f.Power) and isinstance(part.base, f.Sum):
            terms = part.base.terms
            triangle = any(isinstance(x, f.Call) and x.function in TRIANGLES for x in terms)
            if triangle and f.Name("I") in terms:
                return True
    return False


def _is_recursion(sides: Sequence[f.Expression]) -> bool:
    names = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    rows = {name.base for name in names if set(name.sup) & {"r", "i"}}
    return rows >= {"w", "k", "β"} or rows >= {"u", "v", "k", "β"}


def _find_conventions(article: Article, statements: Sequence[Statement]) -> tuple[Convention, ...]:
    """The conventions under which most lines on the inverse hold."""
    lines = [s.equals for s in statements if len(s.equals) > 1 and _is_of_chunk(s.equals)]
    every = [(scaled, strict) for scaled in (False, True) for strict in (True, False)]
    counts = {c: sum(_settled(sides, c) is True for sides in lines) for c in every}
    most = max(counts.values())
    return tuple(c for c in every if counts[c] == most)


def _is_of_chunk(sides: Sequence[f.Expression]) -> bool:
    names = {"_".join((p.base, *p.sup)) for side in sides for p in f.walk(side) if isinstance(p, f.Name)}
    return not names.isdisjoint(SOLVED) and not names.isdisjoint(("K", "V", "β"))


def _with_other_signs(statement: Statement, convention: Convention) -> str | None:
    """The formula with the sign in front of the triangle turned, if it holds then."""
    text = statement.text
    for old, new in (("I - ", "I + "), ("I-", "I+"), ("I − ", "I + ")):
        if text.count(old) != 1:
            continue
        turned = text.replace(old, new)
        chains = f.parse(turned, algebra=True)
        if len(chains) == 1 and _settled([side.expression for side in chains[0].sides], convention) is True:
            return turned
    return None
