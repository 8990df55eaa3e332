"""The Jacobian of softmax as a matrix: J = diag(p) − p pᵀ."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.notation import find_shapes
from symattn.checking.formulas.trials.symbols import Reading, Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.models.letters import slope_of
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

LENGTH = 4
_SOFTMAX = re.compile(r"soft-?max", re.I)
_COLUMN = re.compile(
    r"column vector|列向量|列ベクトル|열\s*벡터|vector columna|vetor coluna|vecteur colonne|Spaltenvektor", re.I
)
_ROW = re.compile(r"row vector|行向量|行ベクトル|행\s*벡터|vector fila|vetor linha|vecteur ligne|Zeilenvektor", re.I)


def define_jacobian(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `J =` or `∂p/∂z =` that has a diagonal matrix of weights in it."""
    if isinstance(left, f.Product) and len(left.factors) == 2 and isinstance(left.factors[1], f.Name):
        left = left.factors[0]  # J(z)
    named = isinstance(left, f.Name) and left.base in ("J", "Jacobian", "jacobian", "D")
    whole = isinstance(left, f.Derivative) and isinstance(left.of, f.Name) and not left.of.sub
    if not named and not (whole and slope_of(left) is None):
        return  # ∂L/∂z is the gradient of a number, and no matrix
    used = {n.symbol for n in names(side.expression)}
    diagonal = any(isinstance(p, f.Call) and p.function == "diag" for p in f.walk(side.expression))
    if len(used) != 1 or not diagonal or not isinstance(side.expression, f.Sum):
        return
    settled = context.mentions(_SOFTMAX)
    key = used.pop()

    def prepare(scope: Scope) -> None:
        scope.give(key, (1, LENGTH), turned=not scope.reading.row_vectors)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        given = evaluator.scope.given[key]
        column = given.turned() if evaluator.scope.reading.row_vectors else given
        return column.diagonal() - column @ column.turned()

    source = context.article.source
    declared = context.once(find_shapes).get(key)
    upright = (_COLUMN.search(source) is not None and _ROW.search(source) is None) or (
        declared is not None and declared[1:] == ("1",) and declared[0] != "1"
    )
    for rows in (False,) if upright else (False, True):
        question = Question(value, prepare, readings=[Reading(rows, rows)])
        condition = Sentence("formula.if_row_vector") if rows else None
        yield Variant(
            question, Sentence("formula.jacobian"), condition, repairs=settled and not rows, only=("sign", "transpose")
        )
