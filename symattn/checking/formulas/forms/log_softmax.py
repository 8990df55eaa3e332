"""The logarithm of softmax, log p_i = z_i − log Σ_j e^{z_j}, and the loss −z_y + log Σ_j e^{z_j} that it makes."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.likelihood import names_loss
from symattn.checking.formulas.forms.class_losses import NAMED
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_SHARES = frozenset(("p", "P", "q", "a", "α", "A", "w", "y\u0302", "p\u0302", "π"))
_PROBABILITIES = frozenset(("p", "P", "y\u0302", "p\u0302"))  # other letters may be of what is not normalised
_SMOOTHED = regex(r"smooth|平滑|スムージング|스무딩|сглаж|suaviz|lissage", re.IGNORECASE)
_NEAR = 400  # characters


def judge_log_softmax(statement: Statement, context: Context) -> Formula | None:
    """A share, or its logarithm, made of one score and the logarithm of the sum of all exponentials."""
    sides = statement.equals
    if len(sides) != 2 or len(statement.sides) != 2:
        return None
    theorem = Sentence("formula.weights")
    match sides[0], sides[1]:
        case (f.Call("log", (f.Name(sub=(index,)) as share,), ()), made) | (
            f.Name(sub=(index,)) as share,
            f.Call("exp", (made,)),
        ) if share.base in _SHARES:
            sign = _sign_of_sum(made, index)
            if sign > 0 and share.base in _PROBABILITIES:
                right = statement.text.replace("+", "-") if statement.text.count("+") == 1 else None
                return refuse(statement, theorem, right)
            return accept(statement, theorem) if sign < 0 else None
        case f.Name() as loss, f.Sum((first, second), (-1, 1) | (1, -1) as signs):
            score, rest = (first, second) if signs[0] < 0 else (second, first)
            index = score.sub[0] if isinstance(score, f.Name) and len(score.sub) == 1 else ""
            around = context.around(statement, _NEAR)
            named = names_loss(loss) and NAMED.search(around) and not _SMOOTHED.search(around)
            turned = named and _sign_of_sum(f.Sum((score, rest), (1, -1)), index) < 0
            return accept(statement, Sentence("formula.cross_entropy")) if turned else None
    return None


def _sign_of_sum(e: f.Expression, index: str) -> int:
    """The sign of log Σ_j e^{z_j} in z_i ± log Σ_j e^{z_j}; 0 of anything else."""
    match e:
        case f.Sum((f.Name(base, (own,), sup), f.Call("log", (f.BigSum() as total,), ())), (1, sign)):
            pass
        case _:
            return 0
    match total.body:
        case f.Call("exp", (f.Name(other, (j,), other_sup),)):
            limits = [total.lower, total.upper]
            of_index = any(isinstance(x, f.Name) and index in (x.base, *x.sub) for e in limits if e for x in f.walk(e))
            plain = total.condition is None and not of_index and j == total.index
            return sign if plain and (base, sup) == (other, other_sup) and own == index != j else 0
    return 0
