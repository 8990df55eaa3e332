"""RoPE of a whole vector: x ⊙ cos + x̂ ⊙ sin, where x̂ = [−x_2, x_1, …] is the vector with each pair a quarter turned."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.rotations.judge import accept_turn, is_about_rotations
from symattn.checking.formulas.rotations.turned_pairs import find_features, order_of_pair
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_HALF = "rotate_half"  # of every program, [−x_2, x_1]


def judge_turned_whole(statement: Statement, context: Context) -> Formula | None:
    """Which way the sum turns; false only beside the features of the same vector, which turn the other way."""
    if len(statement.equals) != 2 or not context.once(is_about_rotations):
        return None
    read = _read(statement.equals[1])
    if read is None:
        return None
    vector, quarter, sign = read
    key = _key(quarter)
    turn = context.once(_find_quarters).get(key, 1 if key == _HALF and sign == 1 else 0)
    if not turn:
        return None
    if turn * sign == 1:
        return accept_turn(statement)
    known = {each.turns for each in context.once(find_features).values() if each.base == vector.base}
    if known != {1}:
        return accept_turn(statement, clockwise=True)
    return refuse(statement, Sentence("theorem.turned_pair"), _right(statement, sign))


def _read(e: f.Expression) -> tuple[f.Name, f.Expression, int] | None:
    """x, what is multiplied by the sines, and its sign, of x ⊙ cos ± x̂ ⊙ sin with sines and cosines of the same."""
    match e:
        case f.Sum(
            (
                f.Elementwise((f.Name() as vector, f.Call("cos") as cosine)),
                f.Elementwise((quarter, f.Call("sin") as sine)),
            ),
            (1, sign),
        ) if cosine.arguments == sine.arguments and _is_of(quarter, vector):
            return vector, quarter, sign
        case f.Sum(
            (f.Elementwise((f.Name() as vector, f.Name("cos"))), f.Elementwise((quarter, f.Name("sin")))), (1, sign)
        ) if _is_of(quarter, vector):
            return vector, quarter, sign
    return None


def _is_of(quarter: f.Expression, vector: f.Name) -> bool:
    if isinstance(quarter, f.Call):
        return quarter.arguments == (vector,)
    return (
        isinstance(quarter, f.Name) and quarter.base.rstrip("\u0302\u0303\u0304") == vector.base and quarter != vector
    )


def _key(quarter: f.Expression) -> f.Expression | str:
    return quarter.function if isinstance(quarter, f.Call) else quarter


def _find_quarters(_: Article, statements: Sequence[Statement]) -> dict[f.Expression | str, int]:
    """1 for the names and functions that are said to be [−x_2, x_1, …], −1 for [x_2, −x_1, …]."""
    found: dict[f.Expression | str, int] = {}
    for statement in statements:
        match statement.equals:
            case ((f.Name() | f.Call()) as left, f.Matrix(((first, second, *_),))):
                found[_key(left)] = _turn(first, second)
    return found


def _turn(first: f.Expression, second: f.Expression) -> int:
    """How the two cells of a pair stand: 1 for −x_2, x_1, −1 for x_2, −x_1, and 0 for anything else."""
    signs, names = [], []
    for cell in (first, second):
        negative = isinstance(cell, f.Sum) and cell.signs == (-1,)
        name = cell.terms[0] if isinstance(cell, f.Sum) else cell
        if not isinstance(name, f.Name):
            return 0
        signs.append(-1 if negative else 1)
        names.append(name)
    if signs[0] == signs[1] or order_of_pair(*names) != (names[1], names[0]):
        return 0
    return signs[1]


def _right(statement: Statement, sign: int) -> str | None:
    """The statement with the other sign between its two terms."""
    side = statement.equals[1]
    if not isinstance(side, f.Sum):
        return None
    first, second = side.terms
    between = statement.passage.text[first.end : second.start]
    turned = between.replace("+", "-") if sign == 1 else between.replace("-", "+").replace("−", "+")
    made = statement.printed(first) + turned + statement.printed(second)
    return statement.with_text(made, first, second).strip()
