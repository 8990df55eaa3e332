"""A turned pair as a column: (x′₁; x′₂) = [[cos φ, −sin φ], [sin φ, cos φ]] (x₁; x₂), multiplied out or not."""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.rotations.judge import accept_turn, is_about_rotations
from symattn.checking.formulas.rotations.turned_pairs import read_feature, signed
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.turned import spell_turned
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_TURNED = regex(r"rot|rope|turn|new|旋转|旋轉", re.IGNORECASE)


def judge_turned_matrix(statement: Statement, context: Context) -> Formula | None:
    """A column of two new features: false where a side is no rotation of the pair, or one row turns the other way."""
    sides = spell_turned(statement.equals)
    left = _rows_of(_without_word(sides[0])) if len(sides) > 1 else None
    if left is None or not all(isinstance(name, f.Name) for name in left) or not context.once(is_about_rotations):
        return None
    turns: set[tuple[int, ...]] = set()
    for side in sides[1:]:
        rows = _rows_of(side)
        features = [] if rows is None else [read_feature(pair) for pair in zip(left, rows, strict=True)]
        found = [feature for feature in features if feature is not None]
        if len(found) != 2 or len({feature.cosine.arguments for feature in found}) > 1:
            return None
        turns.add(tuple(feature.turns for feature in found))
    if turns in ({(1, 1)}, {(-1, -1)}):
        return accept_turn(statement, clockwise=turns == {(-1, -1)})
    return refuse(statement, Sentence("theorem.turned_pair"))


def _rows_of(e: f.Expression) -> tuple[f.Expression, ...] | None:
    """The two rows of a column, or of a matrix times a column; None of anything else."""
    if isinstance(e, f.Matrix):
        return tuple(row[0] for row in e.rows) if [len(row) for row in e.rows] == [1, 1] else None
    match e:
        case f.Product((f.Matrix(rows) as matrix, column)) if [len(row) for row in matrix.rows] == [2, 2]:
            pair = _rows_of(column)
            if pair is None:
                return None
            return tuple(_multiplied(row, pair) for row in rows)
        case f.Product((f.Call("R", (_,)) as turn, column)) if (pair := _rows_of(column)) is not None:
            return tuple(_multiplied(row, pair) for row in _rotation_by(turn))
    return None


def _without_word(left: f.Expression) -> f.Expression:
    """The column of new features for `Rotated [x_1; x_2]`."""
    match left:
        case f.Product((f.Name(word), f.Matrix() as column)) if _TURNED.search(word) and all(
            len(row) == 1 for row in column.rows
        ):
            cells = (cell for row in column.rows for cell in row)
            new = tuple((replace(x, sup=("rot",)) if isinstance(x, f.Name) else x,) for x in cells)
            return replace(column, rows=new)
    return left


def _rotation_by(turn: f.Call) -> tuple[tuple[f.Expression, ...], ...]:
    """The rows of R(θ)."""
    cosine, sine = f.Call("cos", turn.arguments), f.Call("sin", turn.arguments)
    return (cosine, f.Sum((sine,), (-1,))), (sine, cosine)


def _multiplied(row: tuple[f.Expression, ...], pair: tuple[f.Expression, ...]) -> f.Sum:
    """A row times a column, with the signs of the row."""
    signs, cells = zip(*map(signed, row), strict=True)
    return f.Sum(tuple(f.Product(x, ("",)) for x in zip(cells, pair, strict=True)), signs)
