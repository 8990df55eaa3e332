"""Masks of ones and zeros whose logarithm is added to the scores, softmax(QKᵀ + log M) V: log 1 = 0, log 0 = −∞."""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.judge import judge_definition
from symattn.checking.formulas.mask_cases import find_masks
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f


def judge_logged_mask(statement: Statement, context: Context) -> Formula | None:
    """What holds of attention with the mask −∞ added holds with log M, where M has ones for the keys up to a query."""
    masks = context.once(find_masks)
    ones = {name for name, mask in masks.items() if not mask.hides and mask.shown == {-1, 0}}
    if not ones or statement.head is not None:
        return None

    def added(part: f.Expression) -> f.Expression:
        match part:
            case f.Sum((scores, f.Call("log", (f.Name(name) as mask,))), (1, 1)) if name in ones:
                return replace(part, terms=(scores, mask))
        return part

    plain = statement.rewritten(added)
    if plain.chain.sides == statement.chain.sides:
        return None
    found = judge_definition(plain, context)
    return None if found is None or found.verdict == "fails" else found
