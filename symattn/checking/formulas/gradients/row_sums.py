"""The D of FlashAttention's backward pass: D = rowsum(dO ∘ O) = rowsum(P ∘ dP), D_i = Σ_j P_ij dP_ij = dO_iᵀ O_i."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.forward import ROW_SUMS, WEIGHTS
from symattn.checking.formulas.gradients.judge import judge_gradient
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.spelling import spell
from symattn.reading import formula as f


def judge_row_sum(statement: Statement, context: Context) -> Formula | None:
    """What D is said to be, held against the row sums of the weights and their gradients.

    Where it differs nothing is said: the letter may be something else.
    """
    sides = statement.equals
    left = sides[0] if sides else None
    if not isinstance(left, f.Name) or statement.head is not None or len(sides) < 2:
        return None
    letter = letter_of(left)
    if letter.key not in ROW_SUMS or len(letter.indices) > 1:
        return None
    spelled = [spell(side) for side in sides[1:]]
    if not any(slope_of(part) is not None for side in spelled for part in f.walk(side)):
        return None
    weights = _weights(spelled)
    first = replace(statement.chain.sides[0], expression=_row_sums(weights, letter.indices))
    chain = replace(statement.chain, sides=(first, *statement.chain.sides[1:]))
    found = judge_gradient(replace(statement, chain=chain), context)
    return None if found is None or found.verdict == "fails" else found


def _weights(sides: Sequence[f.Expression]) -> str:
    letters = {letter_of(name).key for side in sides for part in f.walk(side) if (name := slope_of(part)) is not None}
    return next((weights for weights in WEIGHTS if weights in letters), "P")


def _row_sums(weights: str, indices: Sequence[str]) -> f.Expression:
    """rowsum(P ∘ dP), or Σ_j P_ij dP_ij of one row."""
    if not indices:
        whole = f.Name(weights)
        return f.Call("rowsum", (f.Elementwise((whole, f.Derivative(f.Name("L"), whole))),))
    other = "j" if indices[0] != "j" else "k"
    entry = f.Name(weights, (indices[0] + other,))
    return f.BigSum(other, None, None, f.Product((entry, f.Derivative(f.Name("L"), entry)), ("",)))
