"""Projections on the wrong side of their tokens: beside X ∈ ℝ^{n × d} the weights of W_Q X would be n × n.

They would mix the tokens, and others would be needed for every length of a text; a projection mixes the entries of each
token, X W_Q. Sizes alone do not show it where the result is n × d, too. Tokens in columns have it the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr

from symattn.checking.formulas.shapes.inference import Stated, key_of
from symattn.checking.formulas.shapes.sizes import kind_of
from symattn.reading import formula as f

_PROJECTED = frozenset("QKV")


def mixes_tokens(side: f.Expression, axes: Sequence[Expr], stated: Stated) -> bool:
    """Whether queries, keys or values in rows are tokens in rows projected from the left, or columns from the right."""
    match side:
        case f.Product((f.Name("W") as weights, f.Name() as tokens)):
            layout = ["tokens", "width"]
        case f.Product((f.Name() as tokens, f.Name("W") as weights)):
            layout = ["width", "tokens"]
        case _:
            return False
    labels = {mark.upper() for mark in (*weights.sub, *weights.sup)}
    if not labels & _PROJECTED or any(stated.shapes.get(key_of(weights), ())):
        return False  # weights whose shape is stated are what they are
    shapes = stated.shapes.get(key_of(tokens), ())
    return bool(shapes) and all(shape is not None and _layout_of(shape) == layout for shape in (axes, *shapes))


def _layout_of(shape: Sequence[Expr]) -> list[str]:
    return [kind_of(str(size)) for size in shape]
