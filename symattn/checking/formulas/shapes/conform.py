"""Formulas whose products fit under no reading: softmax(QK/√d_k) V, dK = Q dSᵀ.

Shapes are those that the article states. Where it states none of Q, K, V and X these are the usual ones: with tokens in
rows, or all in columns; only formulas with a softmax are read so. Sizes that may be the same never make a formula fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, repeat

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.declared import Shapes, collect
from symattn.checking.formulas.shapes.fitting import Outcome, fit, means_weights
from symattn.checking.formulas.shapes.inference import Shape, Stated, View, key_of
from symattn.checking.formulas.shapes.projected import fits_no_projection
from symattn.checking.formulas.shapes.sizes import kind_of, size_letter
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.outputs import find_defined, weights_and_values
from symattn.checking.formulas.statements.sections import by_itself
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_N, _M, _D, _DK, _DV = map(size_letter, ("n", "m", "d_model", "d_k", "d_v"))
_ROWS = {"Q": (_N, _DK), "K": (_M, _DK), "V": (_M, _DV), "X": (_N, _D), "x": (_N, _D)}


def judge_conforming(statement: Statement, context: Context) -> Formula | None:
    """A formula fails whose products fit under no reading, or whose sides can never have one shape."""
    shapes = context.once(collect)
    if any(is_output_of_others(side, statement, context) for side in statement.equals):
        return None
    never = any(outcome == "never" for outcome in _outcomes(statement, shapes))
    if never and _is_usual_by_itself(statement, context):
        return None
    if not never and not fits_no_projection(statement, context):
        return None
    return conclude(statement, "fails", Sentence("formula_never_conforms"))


def is_output_of_others(side: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether it is O = A V where A, V or the scores have a formula and a stated shape too: LoRA's A is another."""
    if (made := weights_and_values(side, statement, context)) is None:
        return False
    declared, defined = context.once(collect).declared, context.once(find_defined)
    return any(
        isinstance(part, f.Name) and key_of(part) in declared and part in defined for x in made for part in f.walk(x)
    )


def _is_usual_by_itself(statement: Statement, context: Context) -> bool:
    """Whether it is attention that fits by the shapes of its own section: a letter of another one may be another's."""
    alone = by_itself(statement, context, fewest=1)
    if alone is None or not any(map(_is_attention, statement.equals)):
        return False
    return not any(outcome == "never" for outcome in _outcomes(alone[0], alone[1].once(collect)))


def _outcomes(statement: Statement, shapes: Shapes) -> Iterator[Outcome]:
    stated = _in_letters(shapes.near(statement.span[0]))
    sides = statement.equals
    left = sides[0] if sides and isinstance(sides[0], f.Name) else None
    for side in sides:
        parts = list(f.walk(side))
        if not any(isinstance(part, f.Product) for part in parts) or any(isinstance(part, f.Matrix) for part in parts):
            continue  # brackets beside a name, X[i, j] or W [4, 16], may be no factor
        if any(map(_has_function, parts, repeat(statement.passage.text))):
            continue
        if any(_is_of_batch(key, shape) for key in _names(side) for shape in stated.shapes.get(key, ())):
            continue  # of a batch, where the formula is of one of its members
        if any(means_weights(part, stated) for part in parts):
            continue
        if _is_stated(side, stated):
            beside = left if left is not None and _is_stated(left, stated) else None
            yield fit(side, beside, stated, shapes.relations.formulas).outcome
        elif _is_attention(side):
            usual = [_with_usual(stated, turned=turned) for turned in (False, True)]
            found = [fit(side, None, each, shapes.relations.formulas).outcome for each in usual]
            yield "never" if all(outcome == "never" for outcome in found) else "unknown"


def _is_of_batch(key: str, shape: Shape) -> bool:
    """Whether a batch of matrices has this shape, or of vectors where a small letter has it: h is one row of them."""
    if shape is None:
        return False
    return len(shape) > 2 or (len(shape) == 2 and key[:1].islower() and kind_of(str(shape[0])) == "batch")


def _has_function(e: f.Expression, text: str) -> bool:
    """Whether a factor may be the argument of the one before it, J(x)."""
    factors = e.factors if isinstance(e, f.Product) else ()
    return any(f.may_be_applied(text, a, b) for a, b in pairwise(factors))


def _in_letters(stated: Stated) -> Stated:
    """Without shapes in numbers: one section's example is as large as it is, and another's is not."""
    shapes = stated.shapes
    kept = View(shapes, lambda key: [shape if _is_general(shape) else None for shape in shapes[key]])
    return Stated(kept, stated.definitions)


def _is_general(shape: Shape) -> bool:
    return shape is not None and not any(axis.is_Integer and axis != 1 for axis in shape)


def _names(side: f.Expression) -> Iterator[str]:
    return (key_of(part) for part in f.walk(side) if isinstance(part, f.Name))


def _is_stated(side: f.Expression, stated: Stated) -> bool:
    """Whether the article states the shape of a matrix in it."""
    return any(any(stated.shapes.get(key, ())) for key in _names(side))


def _is_attention(side: f.Expression) -> bool:
    """Whether a softmax of products of Q, K, V or X stands in it."""
    softmax = any(isinstance(part, f.Call) and part.function == "softmax" for part in f.walk(side))
    return softmax and len([key for key in _names(side) if key in _ROWS]) > 1


def _with_usual(stated: Stated, turned: bool) -> Stated:
    usual: dict[str, list[Shape]] = {}
    for key, (rows, columns) in _ROWS.items():
        if key not in stated.shapes and key not in stated.definitions:
            usual[key] = [(columns, rows) if turned else (rows, columns)]
    usual.get("x", []).append((_D,))
    return stated.with_shapes(usual)
