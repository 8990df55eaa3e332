"""Laws that functions and matrices do not have: e^{x+y} = e^x + e^y, GELU(−x) = −GELU(x), AB = BA.

An equation may be one to be solved, or say of what it is true. It is a law where its sentence says it of all that its
letters may be, and nothing else: then numbers at which the sides differ refute it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.identities.free_identities import identify
from symattn.checking.formulas.identities.quantified import read_quantifier
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Outcome, Question, constantly
from symattn.checking.formulas.trials.dimensions import Dimensions
from symattn.checking.formulas.trials.symbols import NotSettledError, Scope, spell
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_TRACES = frozenset(("tr", "trace"))
_FUNCTIONS = _TRACES | {
    "exp", "log", "tanh", "relu", "gelu", "silu", "sigmoid", "softplus", "softmax", "layernorm", "rmsnorm", "erf",
}  # fmt: skip
_OF_ENTRIES = frozenset(("exp", "log"))  # of a matrix it may be the exponential of the whole
_OF_SCALE = frozenset(("relu", "layernorm", "rmsnorm"))  # what is true of them for positive factors, these left unsaid


def refute_law(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Formula | None:
    """That a law is false, with numbers that show it; nothing where it may be meant of special letters."""
    right = side.expression
    if side.relation != "=" or len(statement.equals) != 2 or not _says_a_law(left, right):
        return None
    said = read_quantifier(statement, context.article.words)
    if said is None or not {name.base for name in names(left)} <= said.letters:
        return None
    if _is_of_matrices(left, right) and not said.matrices:
        return None
    if _is_of_matrices(left, right) or _functions_in(left) & _TRACES:
        shown = [question.ask(right) for question in _questions(left, right)]
    else:
        shown = [variant.question.ask(right) for variant in identify(left, side, context)]
    if not shown or any(outcome.kind != "apart" for outcome in shown):
        return None
    return refuse(statement, Sentence("formula.identity_fails"), None, _told(shown))


def _told(shown: Sequence[Outcome]) -> Counterexample | None:
    """The counterexample that says what the letters are, or else the first."""
    return next((each.shown for each in shown if each.shown is not None and each.shown.values), shown[0].shown)


def _says_a_law(left: f.Expression, right: f.Expression) -> bool:
    """Whether both sides are of the same letters and of one function, or are products of the same matrices."""
    letters = {name.symbol for name in names(left)}
    if not letters or letters != {name.symbol for name in names(right)}:
        return False
    if not all(map(_is_plain, (left, right))):
        return False
    if _is_of_matrices(left, right):
        return len(letters) > 1 and all(key[0].isupper() for key in letters)
    capitals = any(key[0].isupper() for key in letters)
    return any(
        _is_of_more(one) and _is_made_of(other, one.function) and not (capitals and one.function in _OF_ENTRIES)
        for one, other in ((left, right), (right, left))
        if isinstance(one, f.Call)
    )


def _is_plain(e: f.Expression) -> bool:
    """Whether only letters, numbers and known functions of one thing stand in it."""
    kinds = (f.Name, f.Number, f.Sum, f.Product, f.Quotient, f.Transpose, f.Call, f.Power)
    calls = [part for part in f.walk(e) if isinstance(part, f.Call)]
    plain = all(len(call.arguments) == 1 and not call.label and not call.options for call in calls)
    marked = any(part.sub or part.sup or part.item for part in f.walk(e) if isinstance(part, f.Name))
    return plain and not marked and all(isinstance(part, kinds) for part in f.walk(e))


def _functions_in(e: f.Expression) -> set[str]:
    return {part.function for part in f.walk(e) if isinstance(part, f.Call)}


def _is_made_of(e: f.Expression, function: str) -> bool:
    """Whether the function, and no other, stands in every term: e^{2x} = e^x + 2 is to be solved."""
    terms = e.terms if isinstance(e, f.Sum) else (e,)
    return all(_functions_in(term) == {function} for term in terms)


def _is_of_more(call: f.Call) -> bool:
    """Whether a known function is taken of a sum, a product or a multiple."""
    (inside,) = call.arguments
    scaled = isinstance(inside, f.Product) and not any(isinstance(part, f.Sum) for part in inside.factors)
    more = isinstance(inside, f.Sum | f.Product | f.Quotient) and not (scaled and call.function in _OF_SCALE)
    return more and call.function in _FUNCTIONS and not _functions_in(inside)


def _is_of_matrices(left: f.Expression, right: f.Expression) -> bool:
    """Whether both are products of matrices, or such transposed, and the same factors stand in both."""
    factors = [sorted(map(repr, _factors(e))) for e in (left, right)]
    return bool(factors[0]) and factors[0] == factors[1]


def _factors(e: f.Expression) -> Iterator[f.Name]:
    """The matrices of a product; nothing of what is none."""
    inside = e.operand if isinstance(e, f.Transpose) else e
    parts = inside.factors if isinstance(inside, f.Product) else ()
    plain = [x.operand if isinstance(x, f.Transpose) else x for x in parts]
    if all(isinstance(x, f.Name) for x in plain):
        yield from (f.Name(x.base, x.sub, x.sup) for x in plain if isinstance(x, f.Name))


def _questions(left: f.Expression, right: f.Expression) -> Iterator[Question]:
    """Whether two products are the same, of matrices of any size that fit on both sides."""
    dimensions = Dimensions(column_vectors=True)
    try:
        dimensions.equate_all([dimensions.of(left), dimensions.of(right)])
    except NotSettledError:
        return
    if dimensions.are_flattened():
        return

    def prepare(scope: Scope) -> None:
        known = dimensions.sizes(dimensions.symbols.values(), 2 + scope.seed % 2)
        for key, pair in dimensions.symbols.items():
            shape = () if pair is None else tuple(known[dimensions.root(k)] for k in pair)
            scope.given[key] = scope.draw(key, shape) if shape else scope.number(key)
            scope.drawn[spell(key)] = scope.given[key]

    yield Question(constantly(left), prepare)
