"""∂L/∂Q = ∂(softmax(QKᵀ/√d) V)/∂Q: the loss is not the output, and the gradient that comes from above is left out."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import is_loss
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def judge_lost_upstream(statement: Statement, context: Context) -> Formula | None:
    """False where the derivative of a loss is said to be that of an attention, which is a matrix."""
    match statement.equals:
        case (f.Derivative(loss, by), f.Derivative(made, other)) if by == other and is_loss(loss):
            softmax = any(isinstance(part, f.Call) and part.function == "softmax" for part in f.walk(made))
            summed = any(isinstance(x, f.BigSum) for x in f.walk(made))
            whole = isinstance(by, f.Name) and not (by.sub or by.sup) and isinstance(made, f.Call | f.Product)
            defined = any(each.left == loss and len(each.equals) > 1 for each in context.statements)
            if softmax and whole and not summed and not defined:
                return refuse(statement, Sentence("theorem.lost_upstream"))
    return None
