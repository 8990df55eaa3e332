"""Linear attention of whole sequences, φ(Q)(φ(K)ᵀV) with or without its normaliser, and the same token by token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.forward import SHAPES
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import compare_at, judge_sides
from symattn.checking.models.equations import Difference
from symattn.checking.models.passes import Definition, Pass, Plan, at_numbers
from symattn.checking.models.states import FUNCTIONS
from symattn.checking.models.tensors import MisfitError, Tensor
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

POINTS = ({"n": 2, "m": 3, "d": 4, "e": 5}, {"n": 3, "m": 4, "d": 5, "e": 2})
OUTPUTS = ("O", "o", "Y", "y", "Z", "V′", "V'", "out", "output")
CALLS = ("linearattention", "linearattn", "linattn", "linear", "lineartransformer", "attention")
TRUTHS = (
    r"\frac{\phi(Q) (\phi(K)^T V)}{\text{rowsum}(\phi(Q) \phi(K)^T)}",
    r"\phi(Q) (\phi(K)^T V)",
)
Found = tuple[Pass, Difference | MisfitError]


class _Mapped(Pass):
    """A pass in which φ is the exponential of every entry: it is positive, and no line through 0."""

    def function(self, name: str, x: Tensor) -> Tensor | None:
        return self.tensors.apply("exp", x) if name in FUNCTIONS else None


def judge_feature_map(statement: Statement, context: Context) -> Formula | None:
    """What linear attention is said to be: one of φ(Q)(φ(K)ᵀV) and the same divided by φ(Q)φ(K)ᵀ𝟏."""
    sides = statement.equals
    if len(sides) == 2 and _is_weights(sides[0]) and _maps_both(sides[1]):
        return _without_values(statement)
    if len(sides) < 2 or not _is_output(sides[0]) or not all(map(_maps_both, sides[1:])):
        return None
    return judge_sides(statement, _settle, "theorem.feature_map", "theorem.feature_map_fails")


def _is_output(e: f.Expression) -> bool:
    return (isinstance(e, f.Call) and e.function in CALLS) or (
        isinstance(e, f.Name) and e.base in OUTPUTS and not e.sub
    )


def _is_weights(e: f.Expression) -> bool:
    """Whether this is softmax(QKᵀ) or softmax(QKᵀ/√d), without the values."""
    if not isinstance(e, f.Call) or e.function != "softmax" or len(e.arguments) != 1:
        return False
    matrices = {part.base for part in f.walk(e) if isinstance(part, f.Name)} & {"Q", "K", "V"}
    return matrices == {"Q", "K"}


def _without_values(statement: Statement) -> Formula | None:
    """That the weights of all keys are said to be what they make of the values: they lack the V."""
    left, right = statement.sides
    made = statement.with_text(f"{statement.printed(left).rstrip()} V \\approx {statement.printed(right)}", left, right)
    return refuse(statement, Sentence("theorem.feature_map_values"), made)


def _maps_both(e: f.Expression) -> bool:
    """Whether φ of all queries and φ of all keys, and the values, are in it."""
    calls = [part for part in f.walk(e) if isinstance(part, f.Call) and part.function in FUNCTIONS]
    inside = {name.base for call in calls for name in f.walk(call) if isinstance(name, f.Name)}
    whole = {part.base for part in f.walk(e) if isinstance(part, f.Name)}
    return inside >= {"Q", "K"} and "V" in whole


def _settle(sides: Sequence[f.Expression]) -> Literal[True] | Found | None:
    """True where all sides are one of the two forms; None if a letter is not settled."""
    worst: Found | None = None
    for text in TRUTHS:
        truth = f.parse(text, algebra=True)[0].sides[0].expression
        outcome = _compare([truth, *sides[1:]])
        if outcome is None or outcome is True:
            return outcome
        worst = worst or outcome
    return worst


def _compare(sides: Sequence[f.Expression]) -> Literal[True] | Found | None:
    plan = Plan(SHAPES, dict[str, Definition](), {})
    bases = ((sizes, at_numbers(plan, sizes, seed)) for seed, sizes in enumerate(POINTS))
    return compare_at(
        (_Mapped(plan, base.ring, sizes, base.free) for sizes, base in bases), [(sides[0], side) for side in sides[1:]]
    )
