"""Queries and keys turned in opposite directions: their inner product depends on m + n, and on m − n only if both turn
the same way.

It is that of pairs of real numbers, (q_j + i q_{j+d/2})(cos mθ_j + i sin mθ_j) with its two parts side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

Turns = dict[str, set[tuple[str, int]]]


def judge_turned_apart(statement: Statement, context: Context) -> Formula | None:
    """⟨q(m), k(n)⟩ as a function of m − n, by the turns that the article's lines give to q and k."""
    positions = _difference(statement.equals)
    if positions is None:
        return None
    turns = context.once(find_turns)
    if any(len(turns.get(base, ())) != 1 for base in "qk"):
        return None
    (of_query,), (of_key,) = turns["q"], turns["k"]
    if {of_query[0], of_key[0]} != set(positions):
        return None
    theorem = Sentence("theorem.turned_apart", first=of_query[0], second=of_key[0])
    if of_query[1] == of_key[1]:
        return conclude(statement, "holds", theorem)
    values = ((of_query[0], "1"), (of_key[0], "1"), ("θ", "π/4"), ("q", "(1, 0)"), ("k", "(1, 0)"))
    return refuse(statement, theorem, None, Counterexample(values, "cos(π/2) = 0", "1, as at m = n = 0"))


def _difference(sides: Sequence[f.Expression]) -> tuple[str, str] | None:
    """The m and n of ⟨q(m), k(n)⟩ = f(…, m − n)."""
    match sides:
        case (f.Call(function="inner", arguments=(one, other)), f.Call(arguments=(*_, f.Sum() as last))):
            pass
        case _:
            return None
    bases = [{name.base for name in names(side)} & {"q", "k"} for side in (one, other)]
    match last:
        case f.Sum(terms=(f.Name(first, (), ()), f.Name(second, (), ())), signs=(1, -1)) if bases == [{"q"}, {"k"}]:
            return first, second
    return None


def find_turns(_: Article, statements: Sequence[Statement]) -> Turns:
    """By which position, and which way, lines turn the pairs of q and k."""
    found: Turns = {}
    for statement in statements:
        left = statement.left
        if len(statement.equals) != 2 or not isinstance(left, f.Name) or left.base not in ("q", "k"):
            continue
        match statement.equals[1]:
            case f.Product((pair, turn), _) if _is_pair(pair, left.base):
                how = _turn(turn)
                if how is not None:
                    found.setdefault(left.base, set()).add(how)
    return found


def _is_pair(e: f.Expression, base: str) -> bool:
    """Whether this is x + i y of two entries of the vector."""
    match e:
        case f.Sum((f.Name(one), f.Product((f.Name("i"), f.Name(other)), _)), (1, 1)):
            return one == other == base
    return False


def _turn(e: f.Expression) -> tuple[str, int] | None:
    """The position and the sign of cos mθ ± i sin mθ."""
    match e:
        case f.Sum((f.Call("cos", (angle,)), f.Product((f.Name("i"), f.Call("sin", (other,))), _)), (1, sign)) if (
            angle == other
        ):
            match angle:
                case f.Product((f.Name(position, (), ()), f.Name("θ")), _):
                    return position, sign
    return None
