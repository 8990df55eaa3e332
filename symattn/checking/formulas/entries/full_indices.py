"""Attention in index notation: S_ij = Σ_k Q_ik K_jk/√d, A_ij = exp S_ij / Σ_l exp S_il, O_ip = Σ_j A_ij V_jp.

The first index of scores and weights is the query's where S_ij is made of Q_i and K_j, or O_i of A_ij and V_j.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_INDEX = re.compile(r"[a-zμν]")
_OVER_QUERIES = re.compile(  # words by which softmax is taken over the queries on purpose
    r"\bslots?\b|(?:over|across|along) (?:the |all )?(?:quer|column|first)|column[- ]?wise|inverted|compet|按列|对查询",
    re.I,
)
_SCORES = frozenset(("S", "s", "E", "e", "Z", "score"))
_WIDTHS = re.compile(r"d|d_?k|d_?h|d_?head|D|dk")
Pair = tuple[str, str]


def judge_full_indices(statement: Statement, context: Context) -> Formula | None:
    """Scores by the entries of queries and keys, and weights whose sum runs over the queries."""
    if len(statement.equals) != 2 or not isinstance(statement.left, f.Name):
        return None
    if (scored := _scored(statement.equals)) is not None:
        return conclude(statement, "holds", Sentence("formula.scores")) if scored else None
    if _is_output(*statement.equals):
        return conclude(statement, "holds", Sentence("formula.average"))
    if context.mentions(_OVER_QUERIES):
        return None
    if _is_of_other_rows(statement.equals) and statement.left.base in context.once(_find_rows):
        denominator = _denominator(statement.equals[1])
        return refuse(statement, Sentence("formula.weights"), _with_keys(statement, denominator))
    return None


def _places(e: f.Expression) -> Pair | None:
    """The two indices of a letter that has two of a letter each."""
    marks = (*e.sub, *e.item) if isinstance(e, f.Name) and len(e.base) == 1 and not e.sup else ()
    places = tuple(marks[0]) if len(marks) == 1 else marks
    plain = len(places) == 2 and len(set(places)) == 2 and all(map(_INDEX.fullmatch, places))
    return (places[0], places[1]) if plain else None


def _scored(sides: Sequence[f.Expression]) -> bool | None:
    """Whether S_ij is Σ_k Q_ik K_jk, scaled by 1/√d or not; None where it is no such sum."""
    left, right = sides
    total = _unscaled(right)
    own = _places(left)
    if own is None or not isinstance(left, f.Name) or left.base not in _SCORES or total is None:
        return None
    if not isinstance(total.body, f.Product) or len(total.body.factors) != 2 or total.condition:
        return None
    found = {x.base.upper(): _places(x) for x in total.body.factors if isinstance(x, f.Name)}
    if set(found) != {"Q", "K"}:
        return None
    return found["Q"] == (own[0], total.index) and found["K"] == (own[1], total.index)


def _unscaled(e: f.Expression) -> f.BigSum | None:
    """The sum in (1/√d) Σ …, Σ … / √d or Σ … alone."""
    match e:
        case f.BigSum():
            return e
        case f.Quotient(f.BigSum() as total, f.Root(f.Name() as width)) if _is_width(width):
            return total
        case f.Product((f.Quotient(f.Number("1"), f.Root(f.Name() as width)), f.BigSum() as total)):
            return total if _is_width(width) else None
    return None


def _is_width(name: f.Name) -> bool:
    return _WIDTHS.fullmatch("_".join((name.base, *name.sub))) is not None


def _denominator(e: f.Expression) -> f.BigSum | None:
    """The sum of exponentials below an exponential."""
    match e:
        case f.Quotient(f.Call("exp"), f.BigSum(body=f.Call("exp")) as total):
            return total
    return None


def _is_of_other_rows(sides: Sequence[f.Expression]) -> bool:
    """Whether weights with the indices i and j are e^{S_ij} divided by the sum of all e^{S_lj}."""
    own, total = _places(sides[0]), _denominator(sides[1])
    if own is None or total is None or total.lower or total.upper or total.condition:
        return False
    above, below = sides[1].parts[0], total.body
    inner = [x.arguments[0] if isinstance(x, f.Call) and len(x.arguments) == 1 else x for x in (above, below)]
    same = isinstance(inner[0], f.Name) and isinstance(inner[1], f.Name) and inner[0].base == inner[1].base
    return same and _places(inner[0]) == own and _places(inner[1]) == (total.index, own[1])


def _is_output(left: f.Expression, right: f.Expression) -> bool:
    """Whether this is O_ip = Σ_j A_ij V_jp, of weights with a row for each query."""
    own = _places(left)
    if own is None or not isinstance(right, f.BigSum) or not isinstance(right.body, f.Product) or right.condition:
        return False
    match left, right.body.factors:
        case f.Name(base), (f.Name(letter) as weights, f.Name("V") as values) if (
            base in "OoYyZz" and letter in "AaαPpW"
        ):
            return _places(weights) == (own[0], right.index) and _places(values) == (right.index, own[1])
    return False


def _find_rows(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters A of weights with a row for each query: O_ip = Σ_j A_ij V_jp."""
    sums = [s.equals[1] for s in statements if len(s.equals) == 2 and _is_output(*s.equals)]
    bodies = (total.body for total in sums if isinstance(total, f.BigSum))
    firsts = (body.parts[0] for body in bodies if isinstance(body, f.Product))
    return frozenset(first.base for first in firsts if isinstance(first, f.Name))


def _with_keys(statement: Statement, total: f.BigSum | None) -> str | None:
    """The formula with the sum over the keys."""
    own = _places(statement.left)
    inner = total.body.arguments[0] if total is not None and isinstance(total.body, f.Call) else None
    if own is None or total is None or not isinstance(inner, f.Name):
        return None
    text = statement.passage.text
    made = text[inner.start : inner.end].replace(f"{total.index}{own[1]}", f"{own[0]}{total.index}")
    return f"{text[statement.start : inner.start]}{made}{text[inner.end : statement.chain.end]}".strip()
