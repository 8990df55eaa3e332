"""Rotary positions: ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k, its sums of sines and cosines, and the same with complex numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, product
from typing import Literal

from symattn.checking.findings import Formula
from symattn.checking.formulas.context import Context
from symattn.checking.formulas.mending import judge_sides
from symattn.checking.formulas.statements import Statement
from symattn.checking.models.equations import Difference, alike
from symattn.checking.models.evaluate import Scope, UnsettledError, evaluate
from symattn.checking.models.rotations import ROTATE, RotationModel, is_turned, vectors_in
from symattn.checking.models.tensors import MisfitError, Tensor
from symattn.reading import formula as f
from symattn.values.balls import precision

BITS = 160
_ABOUT = re.compile(r"ro(?:tary|pe|former)\b|rotat|relative position|旋转|旋轉|回転|회전|相对位置", re.IGNORECASE)
Found = tuple[RotationModel, Difference | MisfitError]


def judge_rotation(statement: Statement, context: Context) -> Formula | None:
    """An equation of rotated vectors, for any angle and positions."""
    sides = statement.equals
    if len(sides) < 2 or not _turns(sides) or not _ABOUT.search(context.article.source):
        return None
    return judge_sides(statement, settle, "theorem.rotation", "theorem.rotation_fails")


def _turns(sides: Sequence[f.Expression]) -> bool:
    """Whether a rotation is in it: R_m, f(x, m), e^{imθ}."""
    return any(
        (isinstance(part, f.Name) and part.base == "R" and (part.sub or part.sup))
        or (isinstance(part, f.Call) and (part.function in ROTATE or (part.function == "exp" and is_turned(part))))
        for side in sides
        for part in f.walk(side)
    )


def settle(sides: Sequence[f.Expression]) -> Literal[True] | Found | None:
    """True where all sides agree; where they differ; None if too few have a meaning, or their vectors differ."""
    worst: Found | None = None
    for columns in (True, False):
        outcome = _settle(sides, columns)
        if outcome is True:
            return True
        worst = worst or outcome
    return worst


def _settle(sides: Sequence[f.Expression], columns: bool) -> Literal[True] | Found | None:
    bare = frozenset(p.base for side in sides for p in f.walk(side) if isinstance(p, f.Name) and not (p.sub or p.sup))
    with precision(BITS):
        for seed in (0, 1):
            flat, plane = (RotationModel(columns=columns, plane=p, seed=seed, bare=bare) for p in (False, True))
            values: list[tuple[f.Expression, Tensor | MisfitError]] = []
            for side in sides:
                turned = any(isinstance(part, f.Call) and is_turned_call(part) for part in f.walk(side))
                try:
                    values.append((side, evaluate(side, Scope(plane if turned else flat))))
                except UnsettledError:
                    continue
                except MisfitError as misfit:
                    values.append((side, misfit))
            if len(values) < 2:
                return None
            flat.drawn |= plane.drawn
            for (left, x), (right, y) in pairwise(values):
                outcome = _compare(x, y, flat)
                if outcome is None:
                    return None
                if outcome is not True:
                    return (flat, outcome) if vectors_in(left) == vectors_in(right) else None
    return True


def is_turned_call(e: f.Call) -> bool:
    return e.function == "exp" and is_turned(e)


def _compare(
    x: Tensor | MisfitError, y: Tensor | MisfitError, model: RotationModel
) -> Literal[True] | Difference | MisfitError | None:
    """True if equal; a complex number and a pair are compared as pairs."""
    for side in (x, y):
        if isinstance(side, MisfitError):
            return side
    assert isinstance(x, Tensor) and isinstance(y, Tensor)
    t = model.tensors
    if (2, 2) in (x.shape, y.shape) and {x.shape, y.shape} & {(2, 1), (1, 2)}:
        x, y = (t.column(z, 0) if z.shape == (2, 2) else z for z in (x, y))
    try:
        x, y = alike(x, y, model)
    except MisfitError as misfit:
        return misfit
    for place in product(*(range(int(size)) for size in x.shape)):
        a, b = x.at(*place), y.at(*place)
        if not (a - b).contains(0):
            return Difference((), place, a, b)
        if not abs(a - b) < 2.0**-60:
            return None
    return True
