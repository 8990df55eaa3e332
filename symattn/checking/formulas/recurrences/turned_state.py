"""Linear attention with its state the wrong way round: φ(q)ᵀ (Σ φ(k) vᵀ)ᵀ, whose sizes do not fit.

The denominator φ(q)ᵀ Σ φ(k) says that vectors are columns, φ(q) Σ φ(k)ᵀ that they are rows.
"""

from __future__ import annotations

from math import prod

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.states import FUNCTIONS
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

Shape = tuple[int, int]
_KEYS, _VALUES = 3, 5  # any two widths that differ
_STATE = (_KEYS, _VALUES)


def judge_turned_state(statement: Statement, _: Context) -> Formula | None:
    """False where the state beside the query fits if it is transposed, and not as it is."""
    if len(statement.equals) != 2 or not isinstance(side := statement.equals[1], f.Quotient):
        return None
    for columns in (True, False):
        below = _shape(side.denominator, columns)
        state = _turned_state(side.numerator, columns)
        if below == (1, 1) and state is not None:
            return refuse(statement, Sentence("formula_never_conforms"), _right(statement, state))
    return None


def _turned_state(above: f.Expression, columns: bool) -> f.Expression | None:
    """The state of `query · state` or `state · query` that has to be transposed."""
    if not isinstance(above, f.Product) or len(above.factors) != 2 or _shape(above, columns) is not None:
        return None
    first, second = (_shape(factor, columns) for factor in above.factors)
    if first == (1, _KEYS) and second == _STATE[::-1]:
        return above.factors[1]
    return above.factors[0] if second == (_KEYS, 1) and first == _STATE else None


def _shape(e: f.Expression, columns: bool) -> Shape | None:
    """The shape of what is made of φ(q), φ(k) and values, each with an index; None of anything else or of no shape."""
    match e:
        case f.Call(function, (f.Name(("Q" | "q" | "K" | "k"), (_,)),)) if function in FUNCTIONS:
            return (_KEYS, 1) if columns else (1, _KEYS)
        case f.Name(("V" | "v"), (_,)):
            return (_VALUES, 1) if columns else (1, _VALUES)
        case f.Transpose(operand):
            inside = _shape(operand, columns)
            return None if inside is None else inside[::-1]
        case f.BigSum():
            return _shape(e.body, columns)
        case f.Sum((term,)):
            return _shape(term, columns)
        case f.Product(factors):
            shapes = [_shape(factor, columns) for factor in factors]
            return _multiplied([each for each in shapes if each is not None]) if None not in shapes else None
    return None


def _multiplied(shapes: list[Shape]) -> Shape | None:
    """The shape of a product of matrices, in which a number is a factor of any."""
    found: Shape = (1, 1)
    for shape in shapes:
        if prod(found) == 1 or prod(shape) == 1:
            found = shape if prod(found) == 1 else found
        elif found[1] == shape[0]:
            found = found[0], shape[1]
        else:
            return None
    return found


def _right(statement: Statement, state: f.Expression) -> str:
    """The statement with the state transposed, or not any more."""
    made = statement.printed(state.operand if isinstance(state, f.Transpose) else state).strip()
    made = made if made.startswith("(") else f"({made})"
    return statement.with_text(made if isinstance(state, f.Transpose) else f"{made}^T", state).strip()
