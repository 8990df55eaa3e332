"""The Jacobian of softmax as a matrix: J = diag(p) − p pᵀ."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.formulas.gradients.tempered import tempered_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.notation import find_definitions, find_shapes
from symattn.checking.formulas.trials.symbols import Key, Reading, Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.models.letters import slope_of
from symattn.checking.models.passes import Definition
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

LENGTH = 4
_SOFTMAX = regex(r"soft-?max", re.I)
_COLUMN = regex(
    r"column vector|列向量|列ベクトル|열\s*벡터|vector columna|vetor coluna|vecteur colonne|Spaltenvektor", re.I
)
_ROW = regex(r"row vector|行向量|行ベクトル|행\s*벡터|vector fila|vetor linha|vecteur ligne|Zeilenvektor", re.I)


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
    if whole and _has_temperature(key, context):
        return

    def prepare(scope: Scope) -> None:
        scope.give(key, (1, LENGTH), turned=not scope.reading.row_vectors)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        given = evaluator.scope.given[key]
        column = given.turned() if evaluator.scope.reading.row_vectors else given
        return column.diagonal() - column @ column.turned()

    lying = _lies(key, context)
    for rows in (False, True) if lying is None else (lying,):
        question = Question(value, prepare, readings=[Reading(rows, rows)])
        condition = Sentence("formula.if_row_vector") if rows and lying is None else None
        yield Variant(
            question,
            Sentence("formula.jacobian"),
            condition,
            repairs=settled and rows is bool(lying),
            only=("sign", "transpose"),
        )


def _lies(key: Key, context: Context) -> bool | None:
    """Whether the weights are a row, by their shape, or no row in words; None where the article does not say."""
    declared = context.once(find_shapes).get(key)
    if declared is not None and len(declared) == 2 and declared.count("1") == 1:
        return declared[0] == "1"
    upright = context.mentions(_COLUMN) or (declared is not None and len(declared) == 1) or _is_of_tuple(key, context)
    return False if upright and not context.mentions(_ROW) else None


_SPACE = (  # ∈ ℝ^K, and no ℝ^{1×K}
    r"\s*(?:∈|\\in)\s*(?:ℝ|R|\\mathbb\s?\{?\s?R\}?)\s?\^\s?(?:[A-Za-z]|\{\s*[A-Za-z](?:_\w)?\s*\})"
    r"(?!\s*(?:×|x|\\times))"
)


def _is_of_tuple(key: Key, context: Context) -> bool:
    """Whether these are softmax(z) of a z that the text has in ℝ^K, which is a column where products ask for one."""
    _, made = context.once(find_definitions).get(key, ((), None))
    match made:
        case f.Call("softmax", (f.Name(scores, (), ()),)):
            return context.mentions(re.compile(rf"(?<![\w\\]){re.escape(scores)}{_SPACE}"))
    return False


def _has_temperature(key: Key, context: Context) -> bool:
    """Whether the article has these weights with a temperature, which is a factor of their Jacobian."""
    letters, made = context.once(find_definitions).get(key, ((), None))
    return made is not None and tempered_of(Definition(key[0], letters, made)) is not None
