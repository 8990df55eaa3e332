"""Laws that functions and matrices do not have: e^{x+y} = e^x + e^y, GELU(−x) = −GELU(x), AB = BA.

An equation may be one to be solved, or say of what it is true. It is a law where a function of a sum, a product or a
multiple is said to be made of the same function of the same letters, and where products of the same matrices, of which
no more is stated than their shapes, are said to be one: then numbers at which the sides differ refute it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.identities.free_identities import identify
from symattn.checking.formulas.identities.own_notation import find_notation
from symattn.checking.formulas.identities.said_of_all import is_said_of_all
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Outcome, Question, constantly
from symattn.checking.formulas.trials.dimensions import Dimensions
from symattn.checking.formulas.trials.notation import find_definitions
from symattn.checking.formulas.trials.symbols import NotSettledError, Scope, declared_shapes, spell
from symattn.checking.models.letters import letter_of
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_TRACES = frozenset(("tr", "trace"))
_FUNCTIONS = _TRACES | {
    "exp", "log", "tanh", "relu", "gelu", "silu", "sigmoid", "softplus", "softmax", "layernorm", "rmsnorm", "erf",
}  # fmt: skip
_OF_ENTRIES = frozenset(("exp", "log"))  # of a matrix it may be the exponential of the whole
_OF_SCALE = frozenset(("relu", "layernorm", "rmsnorm"))  # what is true of them for positive factors, these left unsaid
# what some matrices have and others have not, or a rule that is said to be none
_SPECIAL = regex(
    r"commut|symmetric|diagonal|orthogonal|unitary|rotation|permut|circulant|normal|block|scalar|invertible|identity"
    r"|simultaneous|eigen|homogene|linear|approximat|\bprove\b|disprove|true or false|mistake|counter-?example"
    r"|positiv|negativ|\bsmall\b|正数|负数|可交换|对称|對稱|对角|對角|正交|置换|置換|循环|线性|線性|近似",
    re.IGNORECASE,
)
# in front of what letters are asked to be, A, B with AB = BA
_ASKED = regex(
    r"(?:\b(?:with|where|satisfy\w*|such that|for which|whose|let|given|and)|满足|使得|令|设)[\s$`\\([]*\Z",
    re.IGNORECASE,
)
# numbers, and matrices that are permutations, rotations or diagonal
_OWN = frozenset(("π", "i", "e", "∞", "I", "P", "Π", "R", "D", "Λ", "Σ", "U", "J"))
_AROUND = 400  # characters of the text


def refute_law(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Formula | None:
    """That a law is false, with numbers that show it; nothing where it may be meant of special letters."""
    right = side.expression
    if side.relation != "=" or not _says_a_law(left, right, context) or _is_special(statement, context):
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


def _is_special(statement: Statement, context: Context) -> bool:
    start, end = statement.span
    words = context.article.words
    return (
        _ASKED.search(statement.before) is not None
        or not is_said_of_all(statement, words)
        or _SPECIAL.search(words, max(start - _AROUND, 0), end + _AROUND) is not None
    )


def _says_a_law(left: f.Expression, right: f.Expression, context: Context) -> bool:
    """Whether both sides are of the same letters, of which nothing is said, and of one function, or are products."""
    letters = {name.symbol for name in names(left)}
    if not letters or letters != {name.symbol for name in names(right)}:
        return False
    said = {key[0] for key in context.once(find_definitions)}
    permuting = context.once(find_notation).permutations
    if any(key[0] in said for key in letters) or any(letter_of(name).key in permuting for name in names(left)):
        return False
    if not all(map(_is_plain, (left, right))):
        return False
    if _is_of_matrices(left, right):
        shapes = context.once(_find_shapes)
        return len(letters) > 1 and all(key[0].isupper() and key in shapes for key in letters)
    capitals = any(key[0].isupper() for key in letters)
    return any(
        _is_of_more(one) and _is_made_of(other, one.function) and not (capitals and one.function in _OF_ENTRIES)
        for one, other in ((left, right), (right, left))
        if isinstance(one, f.Call)
    )


def _find_shapes(_: Article, statements: Sequence[Statement]) -> frozenset[object]:
    """The symbols of matrices whose shapes are stated, and of which none is a row, a column or a number."""
    pairs = {key: shape for key, shape in declared_shapes(statements).items() if len(shape) == 2}
    return frozenset(
        k for k, shape in pairs.items() if not any(isinstance(x, f.Number) and x.value == 1 for x in shape)
    )


def _is_plain(e: f.Expression) -> bool:
    """Whether only letters, numbers and known functions of one thing stand in it."""
    kinds = (f.Name, f.Number, f.Sum, f.Product, f.Quotient, f.Transpose, f.Call, f.Power)
    calls = [part for part in f.walk(e) if isinstance(part, f.Call)]
    plain = all(len(call.arguments) == 1 and not call.label and not call.options for call in calls)
    names_ = (part for part in f.walk(e) if isinstance(part, f.Name))
    marked = any(name.sup or name.item or name.base in _OWN for name in names_)
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
