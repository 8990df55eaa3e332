"""The Jacobian of softmax as a matrix: J = diag(p) − p pᵀ."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.formulas.context import Context
from symattn.checking.formulas.definitions.variant import Variant
from symattn.checking.formulas.evaluation import Evaluator
from symattn.checking.formulas.indices import Indices
from symattn.checking.formulas.statements import Statement, names
from symattn.checking.formulas.symbols import Reading, Scope, spell
from symattn.checking.formulas.trials import Question
from symattn.checking.models.letters import slope_of
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

LENGTH = 4
_SOFTMAX = re.compile(r"soft-?max", re.I)


def define_jacobian(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `J =` or `∂p/∂z =` that has a diagonal matrix of weights in it."""
    named = isinstance(left, f.Name) and left.base in ("J", "Jacobian", "jacobian", "D")
    whole = isinstance(left, f.Derivative) and isinstance(left.of, f.Name) and not left.of.sub
    if not named and not (whole and slope_of(left) is None):
        return  # ∂L/∂z is the gradient of a number, and no matrix
    used = {(n.base, n.sub, n.sup) for n in names(side.expression)}
    diagonal = any(isinstance(p, f.Call) and p.function == "diag" for p in f.walk(side.expression))
    if len(used) != 1 or not diagonal or not isinstance(side.expression, f.Sum):
        return
    settled = _SOFTMAX.search(context.article.source) is not None
    key = used.pop()

    def prepare(scope: Scope) -> None:
        drawn = scope.draw(key, (1, LENGTH))
        scope.given[key] = drawn if scope.reading.row_vectors else drawn.turned()
        scope.drawn[spell(key)] = str(scope.given[key])

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        given = evaluator.scope.given[key]
        column = given.turned() if evaluator.scope.reading.row_vectors else given
        return column.diagonal() - column @ column.turned()

    for rows in (False, True):
        question = Question(value, prepare, readings=[Reading(rows, rows)])
        condition = Sentence("formula.if_row_vector") if rows else None
        yield Variant(
            question, Sentence("formula.jacobian"), condition, repairs=settled and not rows, only=("sign", "transpose")
        )
