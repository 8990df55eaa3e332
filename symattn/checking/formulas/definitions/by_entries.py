"""Scores and outputs entry by entry: S_ij = Σ_c Q_ic K_jc/√d_k and O_ic = Σ_j P_ij V_jc, a token in each row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.definitions.weights import find_normalised
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.notation import find_readings
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_SCORES = frozenset(("S", "E", "A", "s", "e", "a", "Z", "score", "scores"))
_WEIGHTS = frozenset("PAWαaw")
_OUTPUTS = frozenset("OYZHCo")
_INDEX = re.compile(r"([a-z])([a-z])|([a-z]),\s*([a-z])")


@dataclass(frozen=True)
class _Contracted:
    """Σ_c X_ab Y_cd, with the indices of the two."""

    total: f.BigSum
    names: tuple[f.Name, f.Name]
    indices: tuple[tuple[str, str], tuple[str, str]]


def judge_by_entries(statement: Statement, context: Context) -> Formula | None:
    """An entry of the scores or of the output as a sum of products of entries."""
    if len(statement.equals) != 2 or not isinstance(statement.left, f.Name):
        return None
    own, found = _two(statement.left), _contracted(_without_scale(statement.equals[1]))
    if own is None or found is None or own[0] == own[1]:
        return None
    first, second = (name.base for name in found.names)
    scaled = found.total is not statement.equals[1]
    if {first, second} == {"Q", "K"} and statement.left.base in _SCORES:
        pairs = dict(zip((first, second), found.indices, strict=True))
        return _judge_scores(own, pairs["Q"], pairs["K"], found, statement, context)
    if second == "V" and first in _WEIGHTS and statement.left.base in _OUTPUTS and not scaled:
        return _judge_output(own, *found.indices, found, statement, context)
    return None


def _judge_scores(
    own: tuple[str, str],
    query: tuple[str, str],
    key: tuple[str, str],
    found: _Contracted,
    statement: Statement,
    context: Context,
) -> Formula | None:
    shown = Sentence("formula.scores")
    if (query[0], key[0]) == own and query[1] == key[1] not in own:
        return _judge_index(query[1], shown, found, statement)
    columns = not any(reading.rows for reading in find_readings(context))
    if columns and (query[1], key[1]) in (own, own[::-1]) and query[0] == key[0] not in own:
        return _judge_index(query[0], shown, found, statement)
    return None


def _judge_output(
    own: tuple[str, str],
    weight: tuple[str, str],
    value: tuple[str, str],
    found: _Contracted,
    statement: Statement,
    context: Context,
) -> Formula | None:
    shown = Sentence("formula.average")
    along = find_normalised(found.names[0], context)  # which index of the weights their softmax is over
    if value[1] != own[1]:
        return None
    if weight == (own[0], value[0]) and value[0] not in own and along in (None, 1):
        return _judge_index(value[0], shown, found, statement)
    turned = weight == (value[0], own[0]) and value[0] == found.total.index
    return refuse(statement, shown, None, _shown(found, statement)) if turned and along == 1 else None


def _judge_index(index: str, shown: Sentence, found: _Contracted, statement: Statement) -> Formula | None:
    """It holds where the sum is over the index that is in both factors and not on the left."""
    if found.total.index == index:
        return conclude(statement, "holds", shown)
    text = statement.passage.text
    start, end = found.total.start, found.total.body.start
    sign = re.sub(rf"(?<![A-Za-z\\]){re.escape(found.total.index)}(?![A-Za-z])", index, text[start:end])
    right = text[statement.start : start] + sign + text[end : statement.chain.end]
    return refuse(statement, shown, right, _shown(found, statement))


def _shown(found: _Contracted, statement: Statement) -> Counterexample:
    text = statement.passage.text[found.total.start : found.total.end]
    return Counterexample((("sum", text),), found.total.index, found.indices[1][0])


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
            if pairs[0] is not None and pairs[1] is not None and operator in ("", "·", "\\cdot"):
                return _Contracted(total, (first, second), (pairs[0], pairs[1]))
    return None


def _two(name: f.Name) -> tuple[str, str] | None:
    """The two index letters of an entry."""
    found = _INDEX.fullmatch(",".join((*name.sub, *name.item)))
    if found is None:
        return None
    a, b = (letter for letter in found.groups() if letter is not None)
    return a, b
