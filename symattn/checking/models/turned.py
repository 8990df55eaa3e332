"""Printed equations on rotations in the spelling that the model of rotations reads.

`f_q(x_m, m)` is R_m q_m, or R_m W_q x_m where the letter q does not stand beside it; `g(x_m, x_n, m - n)` is the inner
product of two of these; the vector q_m beside W_q x_m is R_m W_q x_m; `x^1` and `x^2` are the features of a pair;
`R^{m-n}` is the rotation by that difference, and `R(θ)` a rotation by θ, `R_θ(m)` and `R(θ, m)` by mθ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.naming import rewrite
from symattn.reading import formula as f

PROJECTED = "qkv"
VECTORS = frozenset("qkxv")
GREEK = frozenset("θωφαβγδψΔΘ")
STEPS = frozenset("mntsabp")


def spell_turned(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """The sides, each in this spelling; what has none stays."""
    sides = _with_small_vectors(sides)
    pairs = _pairs(sides)
    sides = _rotations_at(sides)
    forms = [rewrite(rewrite(rewrite(side, as_call), _as_turn), _as_rotations) for side in sides]
    plain = [rewrite(side, lambda part: _feature(part, pairs)) for side in forms]
    plain = _counted_from_one(plain)
    letters = {name.base for side in plain for name in _names(side)}
    called = [rewrite(side, lambda part: _turned(part, letters)) for side in plain]
    return [_with_projections(side, called) for side in called]


def turns_by_angles(side: f.Expression) -> bool:
    """Whether R(mθ) stands in it, which may be read as a product."""
    return rewrite(side, _as_rotations) is not side


def _with_small_vectors(sides: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """The sides with q_m for Q_m and k_n for K_n, where all that stands of these letters is at one position each."""
    names = [name for side in sides for name in _names(side)]
    capitals = {name.base for name in names} & {"Q", "K", "V", "X"}
    whole = {name.base for name in names if not (len(name.sub) == 1 and name.sub[0] in STEPS) or name.base.islower()}
    alone = {base for base in capitals if not whole & {base, base.lower()}}

    def small(part: f.Expression) -> f.Expression:
        return replace(part, base=part.base.lower()) if isinstance(part, f.Name) and part.base in alone else part

    return [rewrite(side, small) for side in sides] if alone else sides


def _names(e: f.Expression) -> list[f.Name]:
    return [part for part in f.walk(e) if isinstance(part, f.Name)]


def as_call(part: f.Expression) -> f.Expression:
    """`f_q (x_m, m)`, read as a product with a row, as the function that it is."""
    if not isinstance(part, f.Product) or len(part.factors) != 2 or any(part.operators):
        return part
    name, row = part.factors
    if not isinstance(name, f.Name) or name.base not in ("f", "g") or not isinstance(row, f.Matrix):
        return part
    return f.Call(name.base, row.rows[0], name.sub, start=part.start, end=part.end) if len(row.rows) == 1 else part


def _rotations_at(sides: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """The sides with R_m and R_{n-m} for RoPE(m) and RoPE(n − m), where each call has a position alone."""
    calls = [part for side in sides for part in f.walk(side) if isinstance(part, f.Call) and part.function in _CALLED]
    at = [_steps_in(call.arguments[0]) if len(call.arguments) == 1 and not call.label else "" for call in calls]
    if not all(at):
        return sides

    def named(part: f.Expression) -> f.Expression:
        own = isinstance(part, f.Call) and part in calls
        return f.Name("R", (at[calls.index(part)],), start=part.start, end=part.end) if own else part  # type: ignore[arg-type]

    return [rewrite(side, named) for side in sides]


_CALLED = ("rope", "rot")


def _steps_in(e: f.Expression) -> str:
    """The mark of a position or of a difference of two, `n-m`; "" for anything else."""
    terms, signs = (e.terms, e.signs) if isinstance(e, f.Sum) else ((e,), (1,))
    letters = [x.base if isinstance(x, f.Name) and x.base in "mnijts" and not (x.sub or x.sup) else "" for x in terms]
    if not all(letters):
        return ""
    return "".join("+-"[sign < 0] + letter for letter, sign in zip(letters, signs, strict=True)).removeprefix("+")


def _as_turn(part: f.Expression) -> f.Expression:
    """`R^{m - n}`, read as a power, as the rotation R_{m-n} that it is."""
    if not isinstance(part, f.Power) or not isinstance(part.base, f.Name) or not isinstance(part.exponent, f.Sum):
        return part
    terms, signs = part.exponent.terms, part.exponent.signs
    angles = set(part.base.sub) <= {"Θ"}
    if part.base.base != "R" or not angles or part.base.sup or not all(isinstance(x, f.Name) for x in terms):
        return part
    written = "".join(("+" if sign > 0 else "-") + x.base for sign, x in zip(signs, terms, strict=True))  # type: ignore[attr-defined]
    return replace(part.base, sup=(written.removeprefix("+"),))


def _as_rotations(part: f.Expression) -> f.Expression:
    """`R(θ)^T R(φ)`, read as products with angles, as the rotations that they are."""
    if not isinstance(part, f.Product) or not any(isinstance(x, f.Name) and x.base == "R" for x in part.factors):
        return part
    factors, operators = [part.factors[0]], list[str]()
    for operator, factor in zip(part.operators, part.factors[1:], strict=True):
        turn = None if operator else _rotation_by(factors[-1], factor)
        if turn is not None:
            factors[-1] = turn
        else:
            factors.append(factor)
            operators.append(operator)
    return factors[0] if len(factors) == 1 else replace(part, factors=tuple(factors), operators=tuple(operators))


def _rotation_by(name: f.Expression, angle: f.Expression) -> f.Expression | None:
    """R(θ), R(mθ), R_θ(m) and R(n − m), or their transposes; None of any other product."""
    if isinstance(angle, f.Transpose):
        turn = _rotation_by(name, angle.operand)
        return None if turn is None else replace(angle, operand=turn)
    if isinstance(angle, f.Power):
        turn = _rotation_by(name, angle.base)
        return None if turn is None else replace(angle, base=turn)
    if not isinstance(name, f.Name) or name.base != "R" or not {*name.sub, *name.sup} <= GREEK | {"d"}:
        return None
    letters = _names(angle)
    known = all(x.base in GREEK or (x.base in STEPS and not x.sub and not x.sup) for x in letters)
    plain = all(isinstance(x, f.Name | f.Product | f.Sum | f.Number) for x in f.walk(angle))
    return f.Call("R", (angle,), start=name.start, end=angle.end) if letters and known and plain else None


def _pairs(sides: Sequence[f.Expression]) -> frozenset[f.Name]:
    """The vectors whose first and second feature are written `x^1` and `x^2`."""
    powers = [part for side in sides for part in f.walk(side) if isinstance(part, f.Power)]
    found = {(x.base, x.exponent.text) for x in powers if isinstance(x.exponent, f.Number)}
    bases = {base for base, _ in found if isinstance(base, f.Name)}
    return frozenset(base for base in bases if (base, "1") in found and (base, "2") in found)


def _feature(part: f.Expression, pairs: frozenset[f.Name]) -> f.Expression:
    if isinstance(part, f.Power) and part.base in pairs and isinstance(part.exponent, f.Number):
        assert isinstance(part.base, f.Name)
        return replace(part.base, sub=(*part.base.sub, part.exponent.text))
    return part


def _counted_from_one(sides: list[f.Expression]) -> list[f.Expression]:
    """The sides with the features q_0 and q_1, or q_{2i} and q_{2i+1}, as q_1 and q_2, where there are no others."""
    marks = {x.sub[-1] for side in sides for x in _names(side) if x.base in VECTORS and x.sub}
    pair = next((pair for pair in _FEATURES if {*pair} == marks), None)
    if pair is None:
        return sides

    def counted(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or part.base not in VECTORS or not part.sub:
            return part
        return replace(part, sub=(*part.sub[:-1], str(pair.index(part.sub[-1]) + 1)))

    return [rewrite(side, counted) for side in sides]


_FEATURES = (("0", "1"), *((f"2{i}{a}", f"2{i}{b}") for i in "ijk" for a, b in (("", "+1"), ("-1", ""))))


def _turned(part: f.Expression, letters: set[str]) -> f.Expression:
    if not isinstance(part, f.Call):
        return part
    if part.function == "R" and len(part.arguments) == 2:
        return replace(part, arguments=(_by_steps(*part.arguments),)) if _is_angle_and_steps(part) else part
    if part.function == "f" and part.label and len(part.arguments) == 2:
        return _rotated(part.label, *part.arguments, letters) or part
    if part.function == "g" and len(part.arguments) == 3:
        x, y, _ = part.arguments
        marks = [name.sub[-1] for name in (x, y) if isinstance(name, f.Name) and name.sub]
        if len(marks) == 2:
            first, second = (
                _rotated((own,), name, f.Name(mark), letters)
                for own, name, mark in zip("qk", (x, y), marks, strict=True)
            )
            if first is not None and second is not None:
                return f.Product((f.Transpose(first), second), ("",), start=part.start, end=part.end)
    return part


def _is_angle_and_steps(e: f.Call) -> bool:
    """R(θ, m) and R(n − m, θ): one of the two arguments is an angle."""
    return sum(isinstance(x, f.Name) and x.base in GREEK for x in e.arguments) == 1


def _by_steps(x: f.Expression, y: f.Expression) -> f.Expression:
    """The angle times the steps, in the order of a product mθ."""
    steps, angle = (y, x) if isinstance(x, f.Name) and x.base in GREEK else (x, y)
    return f.Product((steps, angle), ("",), start=x.start, end=y.end)


def _rotated(own: tuple[str, ...], x: f.Expression, position: f.Expression, letters: set[str]) -> f.Expression | None:
    """R_m q_m for f_q(x_m, m), or R_m W_q x_m; R_m W_{q,k} x_m for both."""
    letters_of_own = ",".join(own).split(",")
    if not isinstance(x, f.Name) or not isinstance(position, f.Name) or not set(letters_of_own) <= set(PROJECTED):
        return None
    turn = f.Name("R", (position.base,))
    if len(own) == 1 and own[0] in letters:
        return f.Product((turn, f.Name(own[0], x.sub)), ("",))
    return f.Product((turn, f.Name("W", own), x), ("", ""))


def _with_projections(side: f.Expression, sides: Sequence[f.Expression]) -> f.Expression:
    """A side of q_m and k_n alone beside one of R and W_q x_m: these are R_m W_q x_m and R_n W_k x_n."""
    own = _names(side)
    others = [name for other in sides if other is not side for name in _names(other)]
    if any(name.base in ("R", "W", "x") for name in own) or not {"R", "W", "x"} <= {name.base for name in others}:
        return side
    if any(name.base in PROJECTED for name in others) or not _is_product_of_columns(side):
        return side
    tokens = {name.sub: name for name in others if name.base == "x"}

    def projected(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or part.base not in PROJECTED or part.sub not in tokens or len(part.sub) != 1:
            return part
        factors = (f.Name("R", part.sub), f.Name("W", (part.base,)), tokens[part.sub])
        return f.Product(factors, ("", ""), start=part.start, end=part.end)

    return rewrite(side, projected)


def _is_product_of_columns(e: f.Expression) -> bool:
    """qᵀk: of rows it would be q kᵀ."""
    return isinstance(e, f.Product) and isinstance(e.factors[0], f.Transpose) and isinstance(e.factors[-1], f.Name)
