"""Scores, outputs and weights entry by entry: S_ij = Σ_c Q_ic K_jc/√d_k and O_ic = Σ_j P_ij V_jc, a token in each row.

Where O_ic is made of P_ij and V_jc, the first index of weights is the query's, and their softmax goes over the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.definitions.weights import find_normalised
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.notation import find_readings
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_SCORES = frozenset(("S", "E", "A", "s", "e", "a", "Z", "score", "scores"))
_WEIGHTS = frozenset("PAWαaw")
_OUTPUTS = frozenset("OYZHCoyz")
_INDEX = regex(r"([a-zμν])([a-zμν])|([a-zμν]),\s*([a-zμν])")
_OVER_QUERIES = regex(  # words by which softmax is taken over the queries on purpose
    r"\bslots?\b|(?:over|across|along) (?:the |all )?(?:quer|column|first)|column[- ]?wise|inverted|compet|按列|对查询",
    re.I,
)


_Pair = tuple[str, str]


@dataclass(frozen=True)
class _Contracted:
    """Σ_c X_ab Y_cd, with the indices of the two."""

    total: f.BigSum
    names: tuple[f.Name, f.Name]
    indices: tuple[_Pair, _Pair]


def judge_by_entries(statement: Statement, context: Context) -> Formula | None:
    """An entry of the scores or of the output as a sum of products of entries, or weights by other rows."""
    if len(statement.equals) != 2 or not isinstance(statement.left, f.Name):
        return None
    own, found = _two(statement.left), _contracted(_without_scale(statement.equals[1]))
    if own is None or own[0] == own[1]:
        return None
    if found is None:
        return _judge_weights(own, statement, context)
    first, second = (name.base for name in found.names)
    scaled = found.total is not statement.equals[1]
    if {first, second} == {"Q", "K"} and statement.left.base in _SCORES:
        return _judge_scores(own, found, statement, context)
    if second == "V" and first in _WEIGHTS and statement.left.base in _OUTPUTS and not scaled:
        return _judge_output(own, found, statement, context)
    return None


def _judge_scores(own: _Pair, found: _Contracted, statement: Statement, context: Context) -> Formula | None:
    shown = Sentence("formula.scores")
    query, key = found.indices if found.names[0].base == "Q" else found.indices[::-1]
    if (query[0], key[0]) == own and query[1] == key[1] not in own:
        return _judge_index(query[1], shown, found, statement)
    columns = not any(reading.rows for reading in find_readings(context))
    if columns and (query[1], key[1]) in (own, own[::-1]) and query[0] == key[0] not in own:
        return _judge_index(query[0], shown, found, statement)
    return None


def _judge_output(own: _Pair, found: _Contracted, statement: Statement, context: Context) -> Formula | None:
    shown = Sentence("formula.average")
    weight, value = found.indices
    along = find_normalised(found.names[0], context)  # which index of the weights their softmax is over
    if value[1] != own[1]:
        return None
    if weight == (own[0], value[0]) and value[0] not in own:
        if along in (None, 1):
            return _judge_index(value[0], shown, found, statement)
        if found.total.index == value[0]:
            return conclude(statement, "holds", shown)  # of the two lines the weights are wrong
    turned = weight == (value[0], own[0]) and value[0] == found.total.index
    return refuse(statement, shown, None, _shown(found, statement)) if turned and along == 1 else None


def _judge_weights(own: _Pair, statement: Statement, context: Context) -> Formula | None:
    """Weights e^{S_ij} divided by the sum of all e^{S_lj}, where an output adds up A_ij V_jc over j."""
    assert isinstance(statement.left, f.Name)
    match statement.equals[1]:
        case f.Quotient(
            f.Call("exp", (f.Name() as above,)),
            f.BigSum(lower=None, upper=None, condition=None, body=f.Call("exp", (f.Name() as below,))) as total,
        ) if above.base == below.base and (_two(above), _two(below)) == (own, (total.index, own[1])):
            pass
        case _:
            return None
    if statement.left.base not in context.once(_find_rows) or context.mentions(_OVER_QUERIES):
        return None
    made = statement.printed(below).replace(f"{total.index}{own[1]}", f"{own[0]}{total.index}")
    return refuse(statement, Sentence("formula.weights"), statement.with_text(made, below).strip())


def _find_rows(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters A of weights with a row for each query: O_ic = Σ_j A_ij V_jc."""
    found = set[str]()
    for each in statements:
        total = _contracted(each.equals[1]) if len(each.equals) == 2 and isinstance(each.left, f.Name) else None
        own = _two(each.left) if isinstance(each.left, f.Name) else None
        if total is None or own is None or total.names[1].base != "V":
            continue
        weights, index = total.names[0].base, total.total.index
        if weights in _WEIGHTS and total.indices == ((own[0], index), (index, own[1])):
            found.add(weights)
    return frozenset(found)


def _judge_index(index: str, shown: Sentence, found: _Contracted, statement: Statement) -> Formula | None:
    """It holds where the sum is over the index that is in both factors and not on the left."""
    if found.total.index == index:
        return conclude(statement, "holds", shown)
    total = found.total
    sign = statement.passage.text[total.start : total.body.start]
    sign = re.sub(rf"(?<![A-Za-z\\]){re.escape(total.index)}(?![A-Za-z])", index, sign)
    body = statement.passage.text[total.body.start : total.end]
    return refuse(statement, shown, statement.with_text(sign + body, total), _shown(found, statement))


def _shown(found: _Contracted, statement: Statement) -> Counterexample:
    return Counterexample((("sum", statement.printed(found.total)),), found.total.index, found.indices[1][0])


def _without_scale(side: f.Expression) -> f.Expression:
    """The sum in (1/√d_k) Σ …, Σ …/√d_k or τ Σ …."""
    match side:
        case f.Product((scale, f.BigSum() as total), _) if _is_scale(scale):
            return total
        case f.Quotient(f.BigSum() as total, f.Root(f.Name())):
            return total
    return side


def _is_scale(e: f.Expression) -> bool:
    match e:
        case f.Quotient(f.Number(_, value), f.Root(f.Name())):
            return value == 1
        case f.Name(base, ()):
            return base in ("τ", "scale")
    return False


def _contracted(side: f.Expression) -> _Contracted | None:
    match side:
        case f.BigSum(condition=None, body=f.Product((f.Name() as first, f.Name() as second), (operator,))) as total:
            pairs = _two(first), _two(second)
            if pairs[0] is not None and pairs[1] is not None and operator in ("", "·", "\\cdot", "*"):
                return _Contracted(total, (first, second), (pairs[0], pairs[1]))
    return None


def _two(name: f.Name) -> tuple[str, str] | None:
    """The two index letters of an entry."""
    found = _INDEX.fullmatch(",".join((*name.sub, *name.item)))
    if found is None:
        return None
    a, b = (letter for letter in found.groups() if letter is not None)
    return a, b
