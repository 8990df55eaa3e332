"""Sums over a row by their names: lse_i = log Σ_j e^{S_ij} of scores, H_i = −Σ_j α_ij log α_ij of weights."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from symattn.checking.formulas.definitions.likelihood import says_entropy
from symattn.checking.formulas.mask_cases import ONE
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices, split_name
from symattn.checking.formulas.trials.symbols import Key, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

ROWS, COLUMNS = 3, 4
_NEAR = 200  # characters before and behind, in which an entropy is named
_LENGTHS = frozenset(("n", "N", "m", "M", "L", "T", "S", "s"))
_NAMES = frozenset(("lse", "logsumexp"))


def define_log_sum(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `lse_i =` that is made of the scores of a row and of nothing else."""
    sums = [part for part in f.walk(side.expression) if isinstance(part, f.BigSum)]
    if not isinstance(left, f.Name) or left.base.lower() not in _NAMES or len(left.sub) != 1 or len(sums) != 1:
        return
    row, column = left.sub[0], sums[0].index
    if not _is_plain(side.expression, sums[0], row):
        return
    found, every = (_placed(e, row, column) for e in (sums[0].body, side.expression))
    scores = {key for key, places in found if places == (row, column)} if row.isalpha() and column.isalpha() else set()
    largest = {key for key, places in every if key not in scores and places == (row,)}
    known = {(key, (row, column)) for key in scores} | {(key, (row,)) for key in largest} | {(("e", (), ()), ())}
    last = {(sums[0].upper.symbol, ())} if isinstance(sums[0].upper, f.Name) else set()
    if len(scores) != 1 or len(largest) > 1 or not every - last <= known:
        return
    if largest and not isinstance(side.expression, f.Sum):
        return  # of scores from which the largest is taken off: the rest of a sum that is said elsewhere
    key = scores.pop()

    def prepare(scope: Scope) -> None:
        for taken_off in largest:
            scope.given[taken_off] = scope.draw(taken_off, (1, ROWS))
        scope.given[key] = scope.draw(key, (ROWS, COLUMNS))
        scope.drawn = {key[0]: str(scope.given[key])}
        scope.sizes |= {spell(symbol): COLUMNS for symbol, _ in last}
        scope.any_length = True

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        own = evaluator.scope.given[key].row(at[row] - 1)
        return reduce(lambda x, y: x + y, (own.at(0, k).apply("exp") for k in range(COLUMNS))).apply("log")

    question = Question(value, prepare, lambda _: {row: range(1, ROWS + 1)})
    usual = rf"\log \sum_{column} \exp({key[0]}_{{{row}{column}}})"
    yield Variant(question, Sentence("formula.lse"), usual=usual)


def _placed(e: f.Expression, row: str, column: str) -> set[tuple[Key, tuple[str, ...]]]:
    """The letters of an expression, each with those of its indices that are the row and the column."""
    split = (split_name(name, {row: 1, column: 1}) for name in names(e))
    return {(key, tuple(places)) for key, places in split}


def _is_plain(e: f.Expression, total: f.BigSum, row: str) -> bool:
    """Whether it is a sum over all keys, or its logarithm, and at most a letter beside that: a sink, another base, a
    mean, distances or the keys so far make another quantity of the same name."""
    bounds = [bound for bound in (total.lower, total.upper) if bound is not None]
    if total.condition is not None or any(row in (name.base, *name.sub) for each in bounds for name in names(each)):
        return False
    if bounds and not (total.lower == ONE and isinstance(total.upper, f.Name) and total.upper.base in _LENGTHS):
        return False
    own = [part for part in f.walk(e) if not any(part in f.walk(bound) for bound in bounds)]
    calls = [part for part in own if isinstance(part, f.Call)]
    others = (f.Number, f.Product, f.Quotient, f.Power, f.Root, f.Infinity)
    known = {"log", "ln", "exp"}
    if any(isinstance(part, others) for part in own) or any(x.function not in known or x.label for x in calls):
        return False
    return all(part.signs[0] > 0 and len(part.terms) == 2 for part in own if isinstance(part, f.Sum))


def define_row_entropy(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `H_i =` that sums logarithms of the weights of a row and has no other letters."""
    totals = [part for part in f.walk(side.expression) if isinstance(part, f.BigSum)]
    row = _row_of(left)
    if row is None or len(totals) != 1 or not says_entropy(context.around(statement, _NEAR)):
        return
    [total] = totals
    found = _placed(total.body, row, total.index)
    others = {*names(side.expression)} - {*names(total.body), total.upper}
    if len(found) != 1 or others:
        return
    [(weights, places)] = found
    if places != (row, total.index):
        return

    def prepare(scope: Scope) -> None:
        scope.given[weights] = scope.draw(weights, (ROWS, COLUMNS)).softmax(1)
        scope.any_length = True
        if isinstance(total.upper, f.Name):
            scope.sizes[spell(total.upper.symbol)] = COLUMNS

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        own = evaluator.scope.given[weights].row(at[row] - 1)
        return -reduce(lambda x, y: x + y, (p * p.apply("log") for p in (own.at(0, k) for k in range(COLUMNS))))

    question = Question(value, prepare, lambda _: {row: range(1, ROWS + 1)})
    yield Variant(question, Sentence("formula.entropy"), only=("sign",))


def _row_of(left: f.Expression) -> str | None:
    """The i of H_i and of entropy(A_i)."""
    match left:
        case f.Name("H" | "ℋ", (row,), ()) | f.Call("H" | "entropy", (f.Name(_, (row,), ()),), ()):
            return row
    return None
