"""A rotated vector under a name of its own: q'_m = R_m q_m, x' = R(mθ) x, q_m = R_{Θ,m} W_q x_m, and the score of two.

Source: Su et al., RoFormer (2021), equations 14 to 16.
"""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.rotations.judge import accept_turn, is_about_rotations
from symattn.checking.formulas.rotations.turned_pairs import order_of_pair
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.statements.wording import is_disowned
from symattn.checking.models.rotations import UNITS
from symattn.checking.models.turned import STEPS, spell_turned
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_VECTORS = frozenset("qkx")
_MARKS = "\u0302\u0303\u0304"  # hat, tilde, bar
_NEW = regex(r"′|\(?(?:rot(?:ated)?|rope|new|R)\)?")
_WORKED_OUT = regex(r"[-+−](?!1$)|[a-z][-+−]|\d[a-z]")
_POSITIONS = frozenset("mn")  # other letters may count pairs, heads, batches or a shift
_SCORES = frozenset(("score", "scores", "s", "S", "a", "A"))


def judge_turned_name(statement: Statement, context: Context) -> Formula | None:
    """A line that turns a vector by the position that it has; by that of another token it is false."""
    if len(statement.equals) != 2 or not isinstance(statement.left, f.Name) or not context.once(is_about_rotations):
        return None
    left, right = spell_turned(statement.equals)
    if not isinstance(left, f.Name) or not isinstance(right, f.Product):
        return None
    if _is_score(left, right):
        return accept_turn(statement)
    if (sign := _turned_number(right)) != 0 and any(map(_NEW.search, (*left.sub, *left.sup))):
        return accept_turn(statement, clockwise=sign < 0)
    turn, *others = right.factors
    if not _is_rotation(turn) or set(right.operators) - {"", "·"} or not _is_turned(left, others):
        return None
    own, by = _step_of(others[-1]), _steps_in(turn)
    if _is_itself(left, others[-1]):
        return accept_turn(statement) if by == {_step_of(left)} and not is_disowned(statement) else None
    if not own or not by or own in by:
        return accept_turn(statement)
    if isinstance(turn, f.Name) and len(by) == 1 and {own, *by} == _POSITIONS:
        text = statement.passage.text
        if left.sub == tuple(by):  # q_m = R_m W_q x_n: the vector is that of another token
            made = text[others[-1].start : others[-1].end].replace(f"_{own}", f"_{left.sub[0]}")
            made = made.replace(f"_{{{own}}}", f"_{{{left.sub[0]}}}")
            mended = statement.with_text(made, others[-1]).strip()
            return refuse(statement, Sentence("theorem.rotation_fails"), mended)
        made = text[turn.start : turn.end].replace(by.copy().pop(), own)
        return refuse(statement, Sentence("theorem.rotation_fails"), statement.with_text(made, turn).strip())
    return None


def _is_rotation(e: f.Expression) -> bool:
    """Whether it is R_m or R(mθ), and no R_{−m}, R_{m+1} or R_{2m}."""
    if isinstance(e, f.Name):
        worked_out = any(_WORKED_OUT.search(mark) for mark in (*e.sub, *e.sup))
        return e.base == "R" and bool(e.sub or e.sup) and not worked_out
    if not isinstance(e, f.Call) or e.function != "R" or len(e.arguments) != 1:
        return False
    return not any(isinstance(part, f.Sum | f.Number) for part in f.walk(e))


def _is_turned(left: f.Name, others: Sequence[f.Expression]) -> bool:
    """Whether the left side names what is turned: x' of x, or q of W_q x."""
    match others:
        case (f.Name(base) as vector,):
            marked = left.base != base or any(_NEW.search(mark) for mark in (*left.sub, *left.sup))
            same = left.base.rstrip(_MARKS) == base and base in _VECTORS
            old = left != vector and not any(_NEW.search(x) for x in (*vector.sub, *vector.sup))
            return same and old and (marked or _is_itself(left, vector))
        case (f.Name("W", sub, sup), f.Name(base)):
            labels = {mark.lower() for mark in (*sub, *sup)}
            own = left.base.rstrip(_MARKS)
            return own in _VECTORS and base in ("x", "h") and own in labels and labels.isdisjoint(_VECTORS - {own})
    return False


def _is_itself(left: f.Name, vector: f.Expression) -> bool:
    """Whether q_m is named beside q, which it is turned by its place."""
    return isinstance(vector, f.Name) and vector == f.Name(left.base) and bool(left.sub) and not left.sup


def _turned_number(e: f.Product) -> int:
    """1 where it is (x_1 + i x_2)(cos φ + i sin φ), −1 with −i sin φ, and 0 for anything else."""
    match e.factors:
        case (
            f.Sum((f.Name() as first, f.Product((unit, f.Name() as second))), (1, 1)),
            f.Sum((f.Call("cos", cosine), f.Product((other, f.Call("sin", sine)))), (1, sign)),
        ) if unit in UNITS and other == unit and cosine == sine and order_of_pair(first, second) == (first, second):
            return sign
    return 0


def _is_score(left: f.Name, right: f.Product) -> bool:
    """Whether it is the product of a query and a key, each turned by a position of its own, (R_m q)ᵀ (R_n k)."""
    match right.factors:
        case (f.Transpose(f.Product((first, f.Name("q") as q))), f.Product((second, f.Name("k") as k))):
            steps = [_steps_in(first), _steps_in(second)]
            fits = all(not (own := _step_of(x)) or own in by for x, by in zip((q, k), steps, strict=True))
            turned = _is_rotation(first) and _is_rotation(second) and steps[0] != steps[1]
            return left.base.lower() in {x.lower() for x in _SCORES} and turned and fits and all(steps)
    return False


def _step_of(e: f.Expression) -> str:
    """The position of a vector by the one letter below it; empty where there is none."""
    marks = [mark for mark in e.sub if mark in STEPS] if isinstance(e, f.Name) else []
    return marks[0] if len(marks) == 1 else ""


def _steps_in(turn: f.Expression) -> set[str]:
    """The letters of positions that a rotation has."""
    if isinstance(turn, f.Name):
        return {letter for mark in (*turn.sub, *turn.sup) for letter in mark if letter in STEPS}
    return {part.base for part in f.walk(turn) if isinstance(part, f.Name) and part.base in STEPS and not part.sub}
