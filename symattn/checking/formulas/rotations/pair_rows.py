"""Both features of a turned pair in one row, as notes have them: [x', y'] = [x cosθ - y sinθ, x sinθ + y cosθ]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.rotations.judge import ABOUT, accept_turn
from symattn.checking.formulas.rotations.turned_pairs import Feature, read_feature
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def judge_pair_row(statement: Statement, context: Context) -> Formula | None:
    """A row or column of two features: false where these are not those of one rotation."""
    if len(statement.equals) != 2 or not context.mentions(ABOUT):
        return None
    left, right = map(_cells, statement.equals)
    if len(left) != 2 or len(right) != 2:
        return None
    features = [read_feature([x, _with_calls(y)]) for x, y in zip(left, right, strict=True)]
    first, second = features
    if first is None or second is None or first.second or not second.second or first.pair != second.pair:
        return None
    if first.cosine.arguments != second.cosine.arguments:
        return None
    if first.turns == second.turns != 0:
        return accept_turn(statement, clockwise=first.turns < 0)
    return refuse(statement, Sentence("theorem.turned_pair"), _right(first, statement))


def _cells(e: f.Expression) -> Sequence[f.Expression]:
    if not isinstance(e, f.Matrix):
        return ()
    return e.rows[0] if len(e.rows) == 1 else [cell for row in e.rows for cell in row]


def _with_calls(e: f.Expression) -> f.Expression:
    """x * cosθ, read as a product of x, cos and θ, as x times the cosine."""

    def joined(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Product) or len(part.factors) < 2:
            return part
        *others, function, angle = part.factors
        if not isinstance(function, f.Name) or function.base not in ("cos", "sin") or part.operators[-1]:
            return part
        call = f.Call(function.base, (angle,), start=function.start, end=angle.end)
        if not others:
            return call
        return replace(part, factors=(*others, call), operators=part.operators[:-1])

    return rewrite(e, joined)


def _right(own: Feature, statement: Statement) -> str:
    """The row of the pair turned by the angle, in the author's letters."""
    first, second, cosine, sine = map(statement.printed, (*own.pair, own.cosine, own.sine))
    left = statement.passage.text[statement.start : statement.sides[1].start].rstrip()
    return f"{left} [{first} {cosine} - {second} {sine}, {first} {sine} + {second} {cosine}]"
