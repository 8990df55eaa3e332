"""Sums of gradients that are 0 whatever the numbers: Σ_j dS_ij = 0 and Σ_j ∂p_i/∂z_j = 0 behind a softmax.

What such a sum is set to may be a condition for a least loss too: that it is not 0 is said of none.
"""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.judge import judge_gradient
from symattn.checking.formulas.gradients.outcomes import has_derivative
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.repairs import read_side
from symattn.checking.models.spelling import spell
from symattn.reading import formula as f


def judge_zero_sum(statement: Statement, context: Context) -> Formula | None:
    """That a sum of gradients is 0 by the forward pass, as far as that is so."""
    match statement.equals:
        case (f.BigSum(), f.Number(value=0)) if statement.head is None:
            total = read_side(statement.printed(statement.sides[0]))  # a line with a number is not read as algebra
        case _:
            return None
    if not isinstance(total, f.BigSum) or not has_derivative(spell(total)):
        return None
    first, *others = statement.chain.sides
    chain = replace(statement.chain, sides=(replace(first, expression=total), *others))
    found = judge_gradient(replace(statement, chain=chain), context)
    return None if found is None or found.verdict == "fails" else found
