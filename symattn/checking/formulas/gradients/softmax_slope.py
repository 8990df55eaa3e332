"""∂L/∂S = ∂L/∂A ⊙ (anything): no product by entries is softmax's gradient, whose Jacobian is not diagonal."""

from __future__ import annotations

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.gradients.forward import SCORES, WEIGHTS, definitions_in
from symattn.checking.formulas.gradients.layers import speaks_of_softmax
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import is_loss, letter_of, slope_of
from symattn.checking.models.passes import Definition
from symattn.checking.models.spelling import spell
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

# at A = (1/2, 1/2) and ∂L/∂A = (1, 0) the gradient by the second score is (1/2)(0 − 1/2), and any number times 0 is 0
_POINT = Counterexample((("A", "[[1/2, 1/2]]"), ("dA", "[[1, 0]]"), ("at", "(1, 2)")), "0", "-1/4")


def judge_softmax_slope(statement: Statement, context: Context) -> Formula | None:
    """The gradient by the scores as the gradient by the weights times something, entry by entry."""
    sides = [spell(side) for side in statement.equals]
    if len(sides) != 2 or not isinstance(sides[1], f.Elementwise):
        return None
    known = definitions_in(context, statement)
    weights = [x for x in sides[1].factors if _is_slope_by_weights(x, known, context)]
    others = [x for x in sides[1].factors if x not in weights]
    if len(weights) != 1 or any(_has_slope(x) for x in others) or not _is_by_scores(sides[0], weights[0], known):
        return None
    inner = [part for x in others for part in f.walk(x) if isinstance(part, f.Name)]
    if any("′" in name.sup and name.base != "softmax" for name in inner):
        return None  # ∂L/∂z = ∂L/∂a ⊙ σ'(z), of another layer
    slope = slope_of(weights[0])
    assert slope is not None
    left, printed = (statement.printed(side).strip() for side in (statement.equals[0], weights[0]))
    product = rf"{slope.text} \odot {printed}"
    right = rf"{left} = {slope.text} \odot \left({printed} - \text{{rowsum}}\left({product}\right)\right)"
    return refuse(statement, Sentence("theorem.softmax_slope"), right, _POINT)


def _has_slope(e: f.Expression) -> bool:
    return any(slope_of(part) is not None for part in f.walk(e))


def _is_slope_by_weights(e: f.Expression, known: dict[str, Definition], context: Context) -> bool:
    """Whether this is ∂L/∂A of weights that the article's lines or the field say to be a softmax."""
    slope = slope_of(e)
    if slope is None or letter_of(slope).indices:
        return False
    made = known.get(letter_of(slope).key)
    if made is not None:
        return isinstance(made.expression, f.Call) and made.expression.function == "softmax"
    return letter_of(slope).key in WEIGHTS and speaks_of_softmax(known, context.article.said)


def _is_by_scores(e: f.Expression, weights: f.Expression, known: dict[str, Definition]) -> bool:
    """Whether this is the gradient by what the softmax is taken of."""
    if isinstance(e, f.Derivative) and is_loss(e.of) and not isinstance(e.by, f.Name):
        used = {part.base for part in f.walk(e.by) if isinstance(part, f.Name)}
        return {"Q", "K"} <= used and not any(isinstance(part, f.Call) for part in f.walk(e.by))
    slope = slope_of(e)
    if slope is None:
        return False
    own = slope_of(weights)
    made = known.get(letter_of(own).key) if own is not None else None
    if made is not None and isinstance(made.expression, f.Call):
        return made.expression.arguments[0] == slope
    return letter_of(slope).key in SCORES and not letter_of(slope).indices
