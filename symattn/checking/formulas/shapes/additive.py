"""The weights of an additive score, vᵀ tanh(W s + U h): both have as many rows as v has entries, and a column for each
entry of the state that they multiply."""

from __future__ import annotations

import re

from sympy import Expr

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.declared import Shapes, collect
from symattn.checking.formulas.shapes.inference import key_of
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_THEOREM = Sentence("shapes_additive")


def judge_additive_shape(statement: Statement, context: Context) -> Formula | None:
    """W ∈ ℝ^{m × n} with v ∈ ℝ^m; turned round it is false where n is said to be the size of the states."""
    left = statement.left
    if len(statement.sides) != 2 or statement.sides[1].relation != "∈" or not isinstance(left, f.Name):
        return None
    vectors = context.once(_find_scores).get(key_of(left))
    shapes: Shapes = context.once(collect)
    if vectors is None:
        return None
    declared = {tuple(axes or ()) for _, axes in shapes.declared.get(vectors, ())}
    own = {tuple(axes or ()) for _, axes in shapes.declared.get(key_of(left), ())}
    if len(declared) != 1 or len(own) != 1:
        return None
    (long,), (axes,) = declared, own
    if len(long) != 1 or len(axes) != 2 or axes[0] == axes[1]:
        return None
    if axes[0] == long[0] and _is_of_states(axes[1], context):
        return conclude(statement, "holds", _THEOREM)
    if axes[1] == long[0] and _is_of_states(axes[0], context):
        return refuse(statement, _THEOREM, _turned(statement, axes))
    return None


def _find_scores(_: Article, statements: tuple[Statement, ...]) -> dict[str, str]:
    """The matrices of additive scores of columns, each with the vector in front of tanh."""
    found: dict[str, str] = {}
    for statement in statements:
        for side in statement.equals[1:]:
            match side:
                case f.Product((f.Transpose(f.Name() as vector), f.Call("tanh", (f.Sum(terms, signs),))), _):
                    pass
                case _:
                    continue
            for term in terms if set(signs) == {1} else ():
                match term:
                    case f.Product((f.Name() as matrix, f.Name() as state), _) if matrix.base[
                        :1
                    ].isupper() and state.base in ("s", "h", "q", "k"):
                        found[key_of(matrix)] = key_of(vector)
    return found


def _is_of_states(size: Expr, context: Context) -> bool:
    """Whether a letter is said to be the size of the hidden states."""
    letter = re.escape(str(size))
    return context.mentions(re.compile(rf"(?<![\w\\]){letter}{_OF_STATES}", re.IGNORECASE))


_OF_STATES = (
    r"[\s$`)\\]*(?:is|are|denotes|为|是)\s+(?:the )?(?:hidden|state|隐藏|隐状态)[- ]?(?:state)?[- ]?"
    r"(?:size|dim|width|units|状态|维|大小)"
)


def _turned(statement: Statement, axes: tuple[Expr, ...]) -> str:
    text, side = statement.passage.text, statement.sides[1]
    printed = text[side.start : side.end]
    rows, columns = map(str, axes)
    turned = re.sub(
        rf"(?<!\w){re.escape(rows)}(\s*(?:\\times|×)\s*){re.escape(columns)}(?!\w)",
        lambda found: f"{columns}{found[1] if not found[1].endswith('times') else found[1] + ' '}{rows}",
        printed,
    )
    return (text[statement.start : side.start] + turned).strip()
