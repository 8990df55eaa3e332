"""Weights times values: the output of a token in one formula, o_i = Σ_j exp(q_i·k_j) / Σ_l exp(q_i·k_l) v_j, over all
keys or those so far, and O = A V of weights that the article has a name for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symattn.checking.formulas.definitions.attention import is_attention
from symattn.checking.formulas.definitions.named_scores import with_scores
from symattn.checking.formulas.definitions.weight_matrix import WEIGHTS_IN_WORDS, has_softmax, is_scores
from symattn.checking.formulas.definitions.weights import KEYS, QUERIES, define_weights
from symattn.checking.formulas.shapes.conform import is_output_of_others
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.outputs import weights_and_values
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.notation import defined, find_readings
from symattn.checking.formulas.trials.orientation import pairs_in
from symattn.checking.formulas.trials.symbols import NotSettledError, Reading, Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence


def define_weighted(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The weights that stand in such a sum, which are a softmax of their row."""
    if not isinstance(left, f.Name) or not isinstance(side.expression, f.BigSum):
        return
    row, column = defined(left)[1], side.expression.index
    try:
        weights = _weights_in(side.expression)
    except NotSettledError:
        return
    if len(row) != 1 or len(column) != 1 or row[0] == column:
        return
    pair = f.Name("a", (row[0] + column,))
    for variant in define_weights(pair, replace(side, expression=weights), statement, context):
        question = replace(variant.question, place=lambda _, printed: _weights_in(printed))
        yield replace(variant, question=question, theorem=Sentence("formula.average"))


def _weights_in(e: f.Expression) -> f.Quotient:
    """The a_ij of Σ_j a_ij v_j, with sums over the same keys as the outer one."""
    if not isinstance(e, f.BigSum) or not isinstance(e.body, f.Product) or len(e.body.factors) != 2:
        raise NotSettledError("weights")
    quotients = [x for x in e.body.factors if isinstance(x, f.Quotient)]
    values = [x for x in e.body.factors if isinstance(x, f.Name) and x.base in ("v", "V", "x") and x.sub == (e.index,)]
    if len(quotients) != 1 or len(values) != 1 or not isinstance(below := quotients[0].denominator, f.BigSum):
        raise NotSettledError("weights")
    if (_bare(below.lower), _bare(below.upper), below.condition) != (_bare(e.lower), _bare(e.upper), e.condition):
        raise NotSettledError("other keys")
    return replace(quotients[0], denominator=replace(below, lower=None, upper=None))


def _bare(e: f.Expression | None) -> f.Expression | None:
    return replace(e, text="") if isinstance(e, f.Name) else e


# --- outputs of weights that have a name

_OUTPUTS = ("o", "z", "y", "out", "output", "context", "attention", "h")
_NAMED = f.Name("softmax", ("S",))


def _is_output(left: f.Expression) -> bool:
    match left:
        case f.Call(function, arguments):
            return is_attention(function) and [a.base for a in arguments if isinstance(a, f.Name)] == ["Q", "K", "V"]
        case f.Name(base, ()):
            return base.lower() in _OUTPUTS
        case f.Name(base, (mark,), ()) if len(mark) > 2:
            return is_attention(f"{base}_{mark}") or f"{base}_{mark}".lower() in ("context_vector", "context_vectors")
        case f.Name(base, (_,), ()):
            return base.lower() in (*_OUTPUTS, "head")
    return False


def _with_name(e: f.Expression) -> f.Expression:
    """softmax(S) V as A V."""
    return rewrite(e, lambda part: _NAMED if has_softmax(part) and _is_of_scores(part) else part)


def _is_of_scores(part: f.Expression) -> bool:
    inside = part.arguments[0] if isinstance(part, f.Call) else None
    return isinstance(inside, f.Name) and is_scores(inside)


def _in_words(e: f.Expression, printed: f.Expression) -> tuple[f.Name, f.Name, f.Expression] | None:
    """The weights and the values of a product of the two, where these are called weights or are a softmax of scores."""
    factors = (
        [x for x in e.factors if isinstance(x, f.Name)] if isinstance(e, f.Product) and len(e.factors) == 2 else []
    )
    values = [x for x in factors if x.base == "V"]
    weights = [x for x in factors if x == _NAMED or WEIGHTS_IN_WORDS.fullmatch("_".join((x.base, *x.sub)))]
    return (weights[0], values[0], printed) if len(values) == len(weights) == 1 else None


def define_output(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`O = A V`, where A is what the article calls a softmax: weights times values, as its rows or columns ask for.

    A may be called weights, too, or be softmax(S) itself; and O_i = A_i V_i are those of one head.
    """
    if not _is_output(left) or not isinstance(side.expression, f.Product):
        return
    e = _with_name(side.expression)
    made = weights_and_values(e, statement, context) or _in_words(e, side.expression)
    if made is None:
        return
    weight, values, softmax = made
    index = left.sub if isinstance(left, f.Name) and left.sub and len(left.sub[0]) < 3 else ()
    if index and any(name.sub != index or name.sup or not name.base[0].isupper() for name in (weight, values)):
        return
    keys = [weight.symbol, values.symbol]

    def prepare(scope: Scope) -> None:
        for key, shape in zip(keys, ((QUERIES, KEYS), (KEYS, 2)), strict=True):
            drawn = scope.draw(key, shape)
            scope.given[key] = drawn if scope.reading.rows else drawn.turned()

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        a, v = (evaluator.scope.given[key] for key in keys)
        return a @ v if evaluator.scope.reading.rows else v @ a

    shown = _ways(softmax, context)
    others = is_output_of_others(e, statement, context)  # of letters whose stated shapes may be those of others
    fits = "unknown" if others and shown else context.once(collect).fit(e, None, statement.span[0]).outcome
    if fits == "never" or (fits == "fits-if" and shown is None):
        return  # no product by the shapes that the article states, or only of sizes that it tells apart
    admitted = tuple(dict.fromkeys(reading.rows for reading in find_readings(context)))
    for rows in admitted if shown is None else shown.intersection(admitted):
        told = rows or shown is not None or len(admitted) == 1
        question = Question(value, prepare, readings=[Reading(rows, rows)], place=lambda _, e: _with_name(e))
        condition = None if told else Sentence("formula.if_columns")
        yield Variant(question, Sentence("formula.average"), condition, repairs=False)


def _ways(softmax: f.Expression, context: Context) -> set[bool] | None:
    """Whether tokens are rows, as Q Kᵀ under the softmax shows, or columns, as Kᵀ Q does; neither where it is Qᵀ K, the
    weights of queries in rows of keys in columns; None where no such product stands there."""
    pairs = [pair for side in (softmax, with_scores(softmax, context)) for pair in pairs_in(side)]
    found = [way for pair in pairs if (way := _way(*pair)) is not None]
    return None if not found else {True, False}.intersection(*found)


def _way(before: f.Expression, behind: f.Expression) -> set[bool] | None:
    match before, behind:
        case f.Name(base="Q" | "q"), f.Transpose(f.Name(base="K" | "k")):
            return {True}
        case f.Transpose(f.Name(base="K" | "k")), f.Name(base="Q" | "q"):
            return {False}
        case (f.Transpose(f.Name(base="Q")), f.Name(base="K")) | (f.Name(base="K"), f.Transpose(f.Name(base="Q"))):
            return set()
    return None
