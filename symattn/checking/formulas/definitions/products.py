"""What comes of tokens or another line's matrix by multiplying it by weights: u = xW_g, o = W^O c, result = att @ WO.

Such a line says what a name is, and weights may be any; it holds where the weights stand on the side on which all of
the article's weights stand, and where no label says that they are another's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.symbols import Key, Reading, Scope
from symattn.checking.formulas.trials.variant import Variant, is_same
from symattn.checking.models.letters import slope_of
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

_WEIGHT = regex(r"W(?:_?[A-Za-z0-9]{1,4})?")
_TOKENS = frozenset("XHEZxhez")
MOST_WEIGHTS = 4


@dataclass(frozen=True)
class Weighted:
    """A product of one matrix or vector and of weights, which stand in the order in which they are applied."""

    carrier: f.Name
    weights: tuple[f.Expression, ...]
    rows: bool  # whether the weights stand behind it

    @property
    def names(self) -> list[f.Name]:
        return [_name_of(weight) for weight in self.weights]


def define_product(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """A new name for something times weights."""
    found = read_weighted(side.expression)
    if found is None or not isinstance(left, f.Name) or slope_of(left) is not None or _is_weight(left):
        return
    if left.base.lower() in "qkvc" and len(left.base) == 1 and len(found.weights) == 1:
        return  # a projection with a role of its own
    if len(found.weights) == 1 and is_made_of_values(found.carrier, found.names[0], statement, context):
        return
    if not _is_known(found.carrier, statement, context) or _is_otherwise(left, side.expression, statement, context):
        return
    if not _has_its_weights(left, found) or not _stands_as_others(left, side.expression, found, statement, context):
        return

    def prepare(scope: Scope) -> None:
        keys = [found.carrier.symbol, *(name.symbol for name in found.names)]
        sizes = (3, 4, 2, 5, 6, 4)
        for k, key in enumerate(keys):
            turned = k > 0 and isinstance(found.weights[k - 1], f.Transpose)
            scope.give(key, (sizes[k], sizes[k + 1]), turned=(not found.rows) != turned)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        made = evaluator.value(found.carrier)
        for weight in found.weights:
            w = evaluator.value(weight)
            made = made @ w if found.rows else w @ made
        return made

    question = Question(value, prepare, readings=(Reading(found.rows, found.rows),))
    yield Variant(question, Sentence("formula.projection"), repairs=False)


def read_weighted(e: f.Expression) -> Weighted | None:
    """The product as such, or None."""
    factors = list(_factors(e)) if isinstance(e, f.Product) else []
    if not 2 <= len(factors) <= MOST_WEIGHTS + 1 or not all(map(_is_plain, factors)):
        return None
    ends = [k for k in (0, len(factors) - 1) if isinstance(factors[k], f.Name) and not _is_weight(factors[k])]
    if len(ends) != 1 or sum(map(_is_weight, factors)) != len(factors) - 1:
        return None
    rows = ends[0] == 0
    carrier = factors[ends[0]]
    assert isinstance(carrier, f.Name)
    weights = factors[1:] if rows else factors[-2::-1]
    own = [_name_of(weight).symbol for weight in weights]
    return Weighted(carrier, tuple(weights), rows) if len(set(own)) == len(own) else None


def _factors(e: f.Expression) -> Iterator[f.Expression]:
    """The factors of a product and of those in it."""
    if isinstance(e, f.Product) and not set(e.operators) & {"×", "*", "⊗"}:
        for factor in e.factors:
            yield from _factors(factor)
    else:
        yield e


def _is_plain(e: f.Expression) -> bool:
    return isinstance(e, f.Name) or (isinstance(e, f.Transpose) and isinstance(e.operand, f.Name))


def _name_of(e: f.Expression) -> f.Name:
    name = e.operand if isinstance(e, f.Transpose) else e
    assert isinstance(name, f.Name)
    return name


def _is_weight(e: f.Expression) -> bool:
    return _is_plain(e) and _WEIGHT.fullmatch(_name_of(e).base) is not None and not _name_of(e).item


def _is_known(carrier: f.Name, statement: Statement, context: Context) -> bool:
    """Whether it is tokens, or what another line has made."""
    if slope_of(carrier) is not None or carrier.base in ("q", "k", "v", "Q", "K", "V"):
        return False
    plain = (carrier.base, carrier.sub)
    return carrier.base in _TOKENS or any(
        isinstance(each.left, f.Name) and (each.left.base, each.left.sub[:1]) == (plain[0], plain[1][:1])
        for each in context.statements[: statement.number]
        if len(each.equals) > 1
    )


def _is_otherwise(left: f.Name, right: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether the name stands in it, or a line before has said that it is something else."""
    before = (each for each in context.statements[: statement.number] if each.left == left and len(each.equals) > 1)
    return left in f.walk(right) or any(not is_same(each.equals[1], right) for each in before)


def _has_its_weights(left: f.Name, found: Weighted) -> bool:
    """Whether no label says that a weight is another's: W_Q makes no keys, W_O comes last, what goes up comes last."""
    labels = [_label(name) for name in found.names]
    roles = [{role for role in label if role in "QKV"} for label in labels]
    shared = set.intersection(*(each for each in roles if each)) if any(roles) else set("QKV")
    own = left.base[-1].upper() if len(left.base) == 1 or left.base[-1].isupper() else ""
    if not shared or (own in ("Q", "K", "V") and own not in shared) or (own in ("O", "Y") and "V" not in shared):
        return False
    down, up = ([k for k, label in enumerate(labels) if label[:1] == mark and label[1:]] for mark in "DU")
    last = [k for k, label in enumerate(labels) if label in ("O", "OUT")]
    return not (down and up and max(down) > min(up)) and last in ([], [len(labels) - 1])


def _label(name: f.Name) -> str:
    """What is written at a W: UK of W^{UK}, AKV of WaKV."""
    marks = (*name.sub, *name.sup)
    return "".join((name.base[1:], *(mark for mark in marks if not mark.isdigit()))).strip("_()").upper()


def _stands_as_others(
    left: f.Name, right: f.Expression, found: Weighted, statement: Statement, context: Context
) -> bool:
    """Whether it fits the shapes that the article states, or else the weights stand where the others stand."""
    held = context.once(collect).fit(right, left, statement.span[0])
    if held.outcome == "fits" and held.tested:
        return True
    every = context.once(find_weighted)
    inputs = _inputs(found)
    earlier = [_inputs(other) for number, other in every if number < statement.number]
    seen = {key: {each[key] for each in earlier if key in each} for key in inputs}
    apart = any(seen[key] and made not in seen[key] and _WEIGHT.fullmatch(made[0]) for key, made in inputs.items())
    alike = all(other.rows == found.rows for number, other in every if number != statement.number)
    return held.outcome in ("fits", "unknown") and alike and not apart


def _inputs(found: Weighted) -> dict[Key, Key]:
    """What each weight is applied to: the weights before it, or the matrix or vector."""
    keys = [found.carrier.symbol, *(name.symbol for name in found.names)]
    return dict(zip(keys[1:], keys, strict=False))


def find_weighted(_: Article, statements: Sequence[Statement]) -> list[tuple[int, Weighted]]:
    """The products with weights in what names are defined as, with the statement's number."""
    found = []
    for statement in (each for each in statements if isinstance(each.left, f.Name)):
        for part in (part for side in statement.equals[1:] for part in f.walk(side)):
            each = read_weighted(part)
            if each is not None and not any(isinstance(weight, f.Transpose) for weight in each.weights):
                found.append((statement.number, each))
    return found


def is_made_of_values(carrier: f.Name, weights: f.Name, before: Statement, context: Context) -> bool:
    """Whether an earlier line makes it of V, and another makes V by these weights."""
    made = list(_definitions(carrier, before, context))
    values = {x for each in made for x in f.walk(each) if isinstance(x, f.Name) and x.base in ("V", "v")}
    return any(
        weights in f.walk(each)
        for value in values
        for each in _definitions(f.Name(value.base), before, context, any_index=True)
    )


def _definitions(
    name: f.Name, before: Statement, context: Context, *, any_index: bool = False
) -> Iterator[f.Expression]:
    for each in context.statements[: before.number]:
        left = each.left
        same = isinstance(left, f.Name) and (left.base == name.base if any_index else left.symbol == name.symbol)
        if same and len(each.equals) > 1:
            yield each.equals[1]
