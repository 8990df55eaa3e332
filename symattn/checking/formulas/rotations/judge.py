"""Rotary positions: ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k, its sums of sines and cosines, and the same with complex numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, TypeGuard

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import BITS, judge_sides
from symattn.checking.models.equations import Difference, alike
from symattn.checking.models.evaluate import Scope, UnsettledError, evaluate
from symattn.checking.models.rotations import ANGLES, ROTATE, UNITS, RotationModel, free_letters_in, is_turned
from symattn.checking.models.tensors import MisfitError, Tensor
from symattn.checking.models.turned import GREEK, VECTORS, as_call, spell_turned
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

ABOUT = regex(r"ro(?:tary|pe|former)\b|rotat|relative position|旋转|旋轉|回転|회전|相对位置", re.IGNORECASE)
Found = tuple[RotationModel, Difference | MisfitError]


def judge_rotation(statement: Statement, context: Context) -> Formula | None:
    """An equation of rotated vectors, for any angle and positions."""
    turned = context.once(_find_turned)

    def settled(sides: Sequence[f.Expression]) -> Literal[True] | Found | None:
        written = _written_out(sides, turned)
        found = settle(written)
        if not isinstance(found, tuple) or not isinstance(found[1], MisfitError):
            return found
        if any(_is_row_first(part) for side in written for part in f.walk(side)):
            return None  # x R_m of a row, where R_m is the transpose of what it is before a column
        upright = [rewrite(side, _upright) for side in written]  # R_m (x_1, x_2) = [x_1 cos m − …, …]
        return found if upright == written else settle(upright)

    if len(statement.equals) < 2 or not any(map(_may_turn, statement.equals)):
        return None
    sides = spell_turned(_written_out(statement.equals, turned))
    if _is_of_angles(sides):
        found = judge_sides(statement, settle_angles, "theorem.rotation", "theorem.rotation_fails")
        return None if found is not None and found.verdict == "fails" and found.right is None else found
    about = sides != list(statement.equals) or _names_angles(sides) or context.once(is_about_rotations)
    if not (_has_unit(sides) or (_turns(sides) and about)):
        return None
    if _defines(sides) and _is_matrix(sides[0]) and any(map(_is_pair, sides[1:])):
        return None  # one row of a matrix whose other row stands below it
    if _defines(sides) and settle(sides) is not True and settle(sides, clockwise=True) is True:
        return accept_turn(statement, clockwise=True)
    if settle(_by_its_argument(sides)) is True:
        return accept_turn(statement)  # R(Δ), of angles ωΔ
    found = judge_sides(statement, settled, "theorem.rotation", "theorem.rotation_fails")
    if found is None or found.verdict != "fails":
        return found
    if statement.equals[0] in turned or any(_is_named(*pair) for pair in pairwise(statement.equals)):
        return None  # q_m = R_m q_0, or q_m = f_q(x_m, m), says what the letter is
    parts = [part for side in sides for part in f.walk(side)]
    if any(isinstance(part, f.Sum) and any(map(_is_angle, part.terms)) for part in sides):
        return None  # R(t) + α, where R is a number: angles are added inside of the brackets
    if any(_is_at_a_number(part) for side in statement.equals for part in f.walk(side)):
        return None  # g(x_m, x_n, 0) is of tokens at one place, whatever m and n are elsewhere
    if any(map(_is_other_rotation, (part for side in statement.equals for part in f.walk(side)))):
        return None
    complex_ = _has_unit(sides) or _has_turned_power(parts)
    weighted = found.right is None and any(isinstance(x, f.Name) and x.base == "W" for x in parts)
    point = found.counterexample
    misfit = point is not None and " × " in f"{point.left} {point.right}"
    if misfit and found.right is None:
        return None  # a row of a matrix as it is printed, or an R_q of which q is no position
    if complex_ and (weighted or misfit or any(map(_is_pair_turned, parts))):
        return None  # a complex number has no product with a matrix, and no rows or columns
    return found


def _is_matrix(part: f.Expression) -> bool:
    """Whether this is R_m or R(θ), and no function of a vector."""
    return isinstance(part, f.Name) or (isinstance(part, f.Call) and part.function.lower() == "r")


def _is_pair(part: f.Expression) -> TypeGuard[f.Matrix]:
    """Whether it is a pair that is written in a row."""
    return isinstance(part, f.Matrix) and [len(row) for row in part.rows] == [2]


def _is_row_first(part: f.Expression) -> bool:
    """Whether a pair in a row stands in front of a matrix, or a vector in front of a rotation, x R_m."""
    factors = part.factors if isinstance(part, f.Product) else ()
    return any(
        (_is_pair(a) and isinstance(b, f.Matrix) and len(b.rows) > 1)
        or (isinstance(a, f.Name) and a.base.islower() and isinstance(b, f.Name) and b.base == "R")
        for a, b in pairwise(factors)
    )


def _upright(part: f.Expression) -> f.Expression:
    """A pair that is written in a row as the column that it is."""
    return replace(part, rows=tuple((cell,) for cell in part.rows[0])) if _is_pair(part) else part


def accept_turn(statement: Statement, *, clockwise: bool = False) -> Formula:
    """That a pair is turned as rotary positions turn it, or the other way round."""
    return accept(statement, Sentence("theorem.rotation"), Sentence("condition.clockwise") if clockwise else None)


def _is_named(left: f.Expression, right: f.Expression) -> bool:
    """Whether a letter is said to be what f makes of others, whatever f does."""
    name, made = (left, as_call(right)) if isinstance(left, f.Name) else (right, as_call(left))
    called = isinstance(made, f.Call) and _is_rotation(made)
    return called and isinstance(name, f.Name) and name not in set(f.walk(made))


def _is_angle(part: f.Expression) -> bool:
    return isinstance(part, f.Name) and part.base in GREEK and not part.sub


def _is_at_a_number(part: f.Expression) -> bool:
    """Whether the score of two tokens is that at one distance, g(x, y, 0)."""
    return isinstance(part, f.Call) and part.function == "g" and isinstance(part.arguments[-1], f.Number)


def _is_other_rotation(part: f.Expression) -> bool:
    """Whether it is f', another function than f, or a decay γ^n that goes with the rotation; the powers of ω turn."""
    match part:
        case f.Name("f" | "g" | "R", _, ("′",)):
            return True
        case f.Power(f.Name(base), exponent):
            return base in GREEK - {"ω"} and any(isinstance(x, f.Name) and len(x.base) == 1 for x in f.walk(exponent))
    return False


def _is_pair_turned(part: f.Expression) -> bool:
    """Whether a pair stands for a complex number, (x, y) e^{imθ}."""
    factors = part.factors if isinstance(part, f.Product) else ()
    return any(isinstance(x, f.Matrix) for x in factors) and _has_turned_power(factors)


def _find_turned(_: Article, statements: Sequence[Statement]) -> dict[f.Name, f.Expression]:
    """The names of turned vectors, q̃_m = R_m q_m or f(x, m) = R_m W x = q_m; a letter that is turned into itself is
    no name of another."""
    found: dict[f.Name, f.Expression] = {}
    rows = set[f.Name]()  # q_m = x_m W R_m, beside which it is no column
    for sides in (statement.equals for statement in statements if len(statement.equals) > 1):
        for name, side in ((sides[0], sides[1]), (sides[-1], sides[-2]))[: len(sides) - 1]:
            factors = side.factors if isinstance(side, f.Product) else ()
            if not isinstance(name, f.Name) or name in factors or _is_rotation(name):
                continue
            if len(factors) in (2, 3) and _is_rotation(factors[0]) and not _is_rotation(factors[-1]):
                found.setdefault(name, side)
            elif len(factors) in (2, 3) and _is_rotation(factors[-1]) and not _is_rotation(factors[0]):
                rows.add(name)
    return {name: side for name, side in found.items() if name not in rows}


def _written_out(sides: Sequence[f.Expression], turned: dict[f.Name, f.Expression]) -> list[f.Expression]:
    """The sides with R_m q_m for q̃_m, but for what is defined so."""
    if isinstance(sides[0], f.Name) and sides[0] in turned:
        return list(sides)

    def written(part: f.Expression) -> f.Expression:
        return turned.get(part, part) if isinstance(part, f.Name) else part

    return [rewrite(side, written) for side in sides]


def is_about_rotations(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether the article is on rotations, by its words or because it says of which sines and cosines R is made, or
    turns a pair by a matrix of these."""
    pairs = (part for statement in statements for side in statement.equals for part in f.walk(side))
    return (
        ABOUT.search(article.said) is not None
        or any(map(_turns_a_pair, pairs))
        or any(
            _defines(spell_turned(statement.equals)) and any(isinstance(x, f.Matrix) for x in statement.equals[1:])
            for statement in statements
            if len(statement.equals) > 1
        )
    )


def _turns_a_pair(part: f.Expression) -> bool:
    """Whether it is a matrix of sines and cosines of one angle times a column of two; with −cos it may reflect."""
    match part:
        case f.Product((f.Matrix(rows) as matrix, f.Matrix(column))):
            calls = [x for x in f.walk(matrix) if isinstance(x, f.Call) and x.function in ("sin", "cos")]
            fits = [len(row) for row in rows] == [2, 2] and [len(row) for row in column] == [1, 1]
            return (
                fits
                and len(calls) == 4
                and all(map(_is_cosine, (rows[0][0], rows[1][1])))
                and len({call.arguments for call in calls}) == 1
            )
    return False


def _is_cosine(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function == "cos"


def _may_turn(side: f.Expression) -> bool:
    """Whether a rotation, an angle or a function of a position may be in it."""
    return any(
        part.base in ("R", "f", "g") if isinstance(part, f.Name) else part.function in _TURNING
        for part in f.walk(side)
        if isinstance(part, f.Name | f.Call)
    )


_TURNING = ROTATE | {"R", "sin", "cos", "exp", "g"}


def _names_angles(sides: Sequence[f.Expression]) -> bool:
    """Whether R_{Θ,m} says by which angles it turns."""
    return any(isinstance(x, f.Name) and x.base == "R" and "Θ" in x.sub for side in sides for x in f.walk(side))


def _defines(sides: Sequence[f.Expression]) -> bool:
    """Whether it says what R_m or f(x, m) is, in sines and cosines."""
    return _is_rotation(sides[0]) and all({"sin", "cos"} <= _functions(side) for side in sides[1:])


def _by_its_argument(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """R(Δ) of the only angle that its sines and cosines have, ωΔ, as if that were Δ."""
    calls = [part for side in sides[1:] for part in f.walk(side) if isinstance(part, f.Call)]
    angles = {call.arguments[0] for call in calls if call.function in ("sin", "cos")}
    match sides[0], list(angles):
        case f.Call(arguments=(own,)), [angle] if own in set(f.walk(angle)):
            return [sides[0], *(rewrite(side, lambda part: own if part == angle else part) for side in sides[1:])]
    return []


def _turns(sides: Sequence[f.Expression]) -> bool:
    """Whether a rotation is in it: R_m, f(x, m), e^{imθ}."""
    parts = [part for side in sides for part in f.walk(side)]
    return any(map(_is_rotation, parts)) or _has_turned_power(parts)


def _has_turned_power(parts: Sequence[f.Expression]) -> bool:
    """Whether e^{imθ} is among the parts."""
    return any(isinstance(x, f.Call) and is_turned_call(x) for x in parts)


def _is_rotation(part: f.Expression) -> bool:
    """R_m, R(θ), f(x, m)."""
    if isinstance(part, f.Name):
        return part.base == "R" and bool(part.sub or part.sup)
    return isinstance(part, f.Call) and part.function in (*ROTATE, "R")


def _has_unit(sides: Sequence[f.Expression]) -> bool:
    """Whether cos φ + i sin φ is in it, with an imaginary unit that is no index."""
    parts = [part for side in sides for part in f.walk(side)]
    sums = [part for part in parts if isinstance(part, f.Sum) and {"cos", "sin"} <= _functions(part)]
    return any(
        name in part.factors for each in sums for part in f.walk(each) for name in UNITS if isinstance(part, f.Product)
    )


def _is_of_angles(sides: Sequence[f.Expression]) -> bool:
    """Whether all sides are matrices of sines and cosines, of which one is a product."""
    parts = [list(f.walk(side)) for side in sides]
    functions = {part.function for side in parts for part in side if isinstance(part, f.Call)}
    planes = all(
        any(isinstance(part, f.Matrix) and {"sin", "cos"} <= _functions(part) for part in side) for side in parts
    )
    letters = {part.base for side in parts for part in side if isinstance(part, f.Name)}
    return planes and functions == {"sin", "cos"} and letters.isdisjoint(("R", "q", "x", "W"))


def settle_angles(sides: Sequence[f.Expression]) -> Literal[True] | Found | None:
    """True where matrices of sines and cosines are equal for all numbers that the letters may be."""
    with precision(BITS):
        for seed in (0, 1):
            model = RotationModel(columns=True, seed=seed, scalars=True)
            try:
                values = [evaluate(side, Scope(model)) for side in sides]
            except (UnsettledError, MisfitError, ZeroDivisionError):
                return None
            for x, y in pairwise(values):
                if x.shape != y.shape:
                    return None
                outcome = _compare(x, y, model)
                if outcome is not True:
                    return None if outcome is None else (model, outcome)
    return True


def _functions(e: f.Expression) -> set[str]:
    return {part.function for part in f.walk(e) if isinstance(part, f.Call)}


def settle(sides: Sequence[f.Expression], clockwise: bool = False) -> Literal[True] | Found | None:
    """True where all sides agree; where they differ; None if too few have a meaning, or their letters differ."""
    worst: Found | None = None
    sides = spell_turned(sides)
    for columns in (True, False):
        outcome = _settle(sides, columns, clockwise)
        if outcome is True:
            return True
        worst = worst or outcome
    return worst


def _settle(sides: Sequence[f.Expression], columns: bool, clockwise: bool) -> Literal[True] | Found | None:
    named = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    angles = {mark for name in named if name.base == "R" for marks in name.sub for mark in marks} & GREEK
    bare = frozenset(name.base for name in named if not (name.sub or name.sup)) | angles
    blocks = frozenset(mark for name in named if name.base in ANGLES for mark in name.sub)
    whole = any(_is_rotation(part) for side in sides for part in f.walk(side))
    complex_ = _has_unit(sides)
    marks = {mark for name in named for mark in (name.base, *name.sub, *name.sup)}
    direct = not any(map(GREEK.intersection, marks)) and any({"sin", "cos"} <= _functions(side) for side in sides)
    with precision(BITS):
        for seed in (0, 1):
            flat, plane = (
                RotationModel(
                    columns=columns,
                    plane=p,
                    seed=seed,
                    bare=bare,
                    whole=whole,
                    clockwise=clockwise,
                    blocks=blocks,
                    direct=direct,
                    vectors=any(name.base in VECTORS for name in named),
                )
                for p in (False, True)
            )
            values: list[tuple[f.Expression, Tensor | MisfitError]] = []
            for side in sides:
                turned = complex_ or any(isinstance(part, f.Call) and is_turned_call(part) for part in f.walk(side))
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
                    return (flat, outcome) if free_letters_in(left) == free_letters_in(right) else None
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
    for place in x.places:
        a, b = x.at(*place), y.at(*place)
        if not (a - b).contains(0):
            return Difference((), place, a, b)
        if not abs(a - b) < 2.0**-60:
            return None
    return True
