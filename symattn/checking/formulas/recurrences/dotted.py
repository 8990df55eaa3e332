"""Dots that contract: `q_t · S_t` of an article that writes q_t · k_i for q_tᵀ k_i meets the state with its keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of
from symattn.checking.models.states import LETTERS
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article


def find_inner_dots(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a dot between a query and a key of a step is their inner product somewhere."""
    parts = (part for s in statements for side in s.equals for part in f.walk(side))
    return any(
        isinstance(part, f.Product)
        and part.operators[:1] == ("·",)
        and [_vector(factor) for factor in part.factors[:2]] == ["q", "k"]
        for part in parts
    )


def contracted(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """The sides with q_tᵀ S_t for `q_t · S_t`, and the same of the sum that the state is."""

    def contract(part: f.Expression) -> f.Expression:
        match part:
            case f.Product((f.Name() as vector, other), ("·",)) if _vector(vector) == "q" and _is_state(other):
                return replace(part, factors=(f.Transpose(vector), other), operators=("",))
        return part

    return [rewrite(side, contract) for side in sides]


def _vector(e: f.Expression) -> str:
    """Which of q, k and v of a step it is."""
    if not isinstance(e, f.Name) or len(letter_of(e).indices) != 1 or not e.base.islower():
        return ""
    return LETTERS.get(letter_of(e).key, "")


def _is_state(e: f.Expression) -> bool:
    """Whether it is S_t, or a sum of k_i v_iᵀ."""
    if isinstance(e, f.Name):
        return LETTERS.get(letter_of(e).key) == "S" and len(letter_of(e).indices) == 1
    match e:
        case f.BigSum(body=f.Product((f.Name() as one, f.Transpose(f.Name() as other)))):
            return [_vector(one), _vector(other)] == ["k", "v"]
    return False
