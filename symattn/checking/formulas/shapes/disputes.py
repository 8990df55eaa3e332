"""Formulas and declarations that contradict each other: which of the two is wrong, as far as other lines tell.

k = W_K z ∈ ℝ^d with W_K ∈ ℝ^{e × d}: either the formula lacks a transpose, or the shape is turned. What other lines do
with their weights settles it, v = W_V z with W_V ∈ ℝ^{d × e}; where none does, neither is called false. A transpose
without which the formula has its shape is one too many, unless formulas like it have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from symattn.checking.formulas.shapes.declared import Claim, Shapes, declares
from symattn.checking.formulas.shapes.inference import Shape, key_of
from symattn.checking.formulas.shapes.turning import turned
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f

Wrong = Literal["formula", "declaration", "unsettled"]
Pattern = tuple[object, ...]


@dataclass(frozen=True)
class Dispute:
    """A formula with a shape, the declaration that it contradicts, and which of them is wrong."""

    claim: Claim
    declaration: Claim
    wrong: Wrong


def settle(claim: Claim, shapes: Shapes, statements: Sequence[Statement]) -> Dispute | None:
    """What a formula contradicts that has not the shape that it is said to have; None where no declaration alone
    would set it right."""
    for side in claim.formulas:
        for other, (changed, *more) in turned(side):
            name = changed.operand if isinstance(changed, f.Transpose) else changed
            declaration = None if more else _declaration_of(name, shapes)
            if declaration is None or not _fits(side, claim.axes, claim, turn([declaration], shapes)):
                continue
            own = {_pattern(side): "declaration", _pattern(other): "formula"}
            used = [
                "formula" if name in f.walk(part) else own.get(_pattern(part))
                for statement in statements
                if statement is not claim.statement
                for each in statement.equals
                for part in f.walk(each)
                if isinstance(part, f.Product | f.Sum) and _fits(part, None, claim, shapes)
            ]
            votes = {vote for vote in used if vote is not None}
            wrong: Wrong = "unsettled"
            if votes == {"formula"} or (not votes and isinstance(changed, f.Transpose)):
                wrong = "formula"
            elif votes == {"declaration"} and len(declaration.sides) == 1:
                wrong = "declaration"
            return Dispute(claim, declaration, wrong)
    return None


def _declaration_of(name: f.Expression, shapes: Shapes) -> Claim | None:
    """The one line that declares a matrix by its name, by itself or in a list."""
    if not isinstance(name, f.Name):
        return None
    key = key_of(name)
    found = [claim for claim in shapes.claims if any(own == key for own, _ in declares(claim))]
    once = len(found) == 1 and not found[0].formulas
    return found[0] if once and len(found[0].axes) == 2 else None


def turn(declarations: Sequence[Claim], shapes: Shapes) -> Shapes:
    """The shapes with those of some lines turned."""
    changed = dict(shapes.declared)
    for declaration in declarations:
        changed |= {key: [(declaration.place.start, axes[::-1])] for key, axes in declares(declaration)}
    return replace(shapes, declared=changed)


def _fits(side: f.Expression, axes: Shape, claim: Claim, shapes: Shapes) -> bool:
    """Whether stated sizes agree in it, and none needs to be another."""
    found = shapes.fit(side, axes, claim.place.start)
    return found.outcome == "fits" and found.tested > 0


def _pattern(side: f.Expression) -> Pattern:
    """How a formula is put together of weights and of other names, whatever these are called."""
    if isinstance(side, f.Name):
        return ("W" if side.base in ("W", "U") else "x",)
    return (type(side).__name__, *_operators(side), *map(_pattern, side.parts))


def _operators(side: f.Expression) -> Iterator[str]:
    if isinstance(side, f.Call):
        yield side.function
