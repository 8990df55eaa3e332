"""Linear attention of one token: o_i = φ(q_i)ᵀ Σ_j φ(k_j) v_jᵀ over φ(q_i)ᵀ Σ_j φ(k_j), as a row or as a column."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from symattn.checking.formulas.definitions.attention import is_attention
from symattn.checking.formulas.identities.free_identities import compare
from symattn.checking.formulas.identities.judge import find_named
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.symbols import Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.models.states import FUNCTIONS
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence


def define_linear(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """What the output of a token is said to be, whatever its letter, where φ of its query and of the keys is in it."""
    match left:
        case f.Name(_, (index,)):
            pass
        case f.Entry(f.Call(function), (index,)) if is_attention(function.removeprefix("linear").removeprefix("lin")):
            pass
        case _:
            return
    if not isinstance(side.expression, f.Quotient):
        return
    right = rewrite(side.expression, lambda part: _spelled(part, statement, context))
    mapped = [part for part in f.walk(right) if isinstance(part, f.Call) and part.function in FUNCTIONS]
    query = next((call for call in mapped if _is_of(call, "qQ", index)), None)
    total = next((part for part in f.walk(right) if isinstance(part, f.BigSum)), None)
    if query is None or total is None:
        return
    key = next((call for call in mapped if _is_of(call, "kK", total.index)), None)
    values = (part for part in f.walk(right) if isinstance(part, f.Name) and part.base in "vV")
    value = next((name for name in values if name.sub == (total.index,)), None)
    if key is None or value is None:
        return
    for turned, row in product((True, False), (True, False)):
        score = f.Product((f.Transpose(query), key) if turned else (query, f.Transpose(key)), ("",))
        shown = f.Transpose(value) if row else value
        above = f.BigSum(total.index, total.lower, total.upper, f.Product((score, shown), ("",)))
        truth = f.Quotient(above, f.BigSum(total.index, total.lower, total.upper, score))
        yield from compare(truth, right, Sentence("theorem.feature_map"), repairs=right == side.expression)


def define_feature(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """φ(x) = elu(x) + 1, whose entries are positive as those of an exponential are.

    Source: Katharopoulos et al., Transformers are RNNs (2020), equation 7.
    """
    match left:
        case f.Call(function, (f.Name() as x,)) if function in FUNCTIONS and function != "elu":
            pass
        case _:
            return
    calls = [part for part in f.walk(side.expression) if isinstance(part, f.Call)]
    if len(calls) != 1 or calls[0] != f.Call("elu", (x,)) or not isinstance(side.expression, f.Sum):
        return

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        return evaluator.scope.given[x.symbol].apply("elu1")

    def prepare(scope: Scope) -> None:
        scope.number(x.symbol)

    yield Variant(Question(value, prepare), Sentence("formula.feature"), only=("sign",))


def _is_of(call: f.Call, bases: str, index: str) -> bool:
    match call.arguments:
        case (f.Name(base, (found,)),):
            return base in bases and found == index
    return False


def _spelled(part: f.Expression, statement: Statement, context: Context) -> f.Expression:
    """What the article has defined a symbol as, if that is a sum: S = Σ_j φ(k_j) v_jᵀ."""
    if not isinstance(part, f.Name):
        return part
    key = part.symbol
    made = [body for n, (name, body) in context.once(find_named).items() if name == key and n < statement.number]
    return made[-1] if made and isinstance(made[-1], f.BigSum) else part
