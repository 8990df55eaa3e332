"""Cosine similarity, cos(q, k) = q · k / (‖q‖ ‖k‖), and the cosine of the angle between two vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.symbols import Reading, Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

LENGTH = 3  # entries of a vector
_ANY_SIMILARITY = frozenset(("sim", "similarity", "s", "score"))
_NAMED = regex(r"cos(?:ine)?(?:_?sim(?:ilarity)?)?", re.IGNORECASE)
_COSINE = regex(r"\bcosine|余弦|餘弦|コサイン|코사인|coseno|cosinus", re.IGNORECASE)


def define_similarity(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The form of a side behind `cos(q, k) =` that divides by lengths."""
    vectors = _vectors(left, context) or _of_angle(left, side.expression)
    if not any(isinstance(part, f.Quotient) for part in f.walk(side.expression)) and _is_inner(
        left, statement, context
    ):
        return
    used = {n.symbol for n in names(side.expression)}
    if vectors is None or used != {n.symbol for n in vectors}:
        return
    first, second = (n.symbol for n in vectors)

    def prepare(scope: Scope) -> None:
        for key in (first, second):
            scope.give(key, (LENGTH, 1), turned=scope.reading.row_vectors)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        rows = evaluator.scope.reading.row_vectors
        x, y = (given.turned() if rows else given for given in map(evaluator.scope.given.__getitem__, (first, second)))
        length = (x.turned() @ x).apply("sqrt") * (y.turned() @ y).apply("sqrt")
        return (x.turned() @ y) / length

    question = Question(value, prepare, readings=[Reading(True, rows) for rows in (False, True)])
    usual = rf"\frac{{{vectors[0].text} \cdot {vectors[1].text}}}{{\|{vectors[0].text}\| \|{vectors[1].text}\|}}"
    yield Variant(question, Sentence("formula.cosine"), usual=usual)


def _is_inner(left: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether an inner product is meant: of unit vectors, or of what no word near calls a cosine, or some word so."""
    words = statement.before[-_NEAR:] + " " + statement.after[:_NEAR]
    start, end = statement.span
    around = context.article.words[max(start - _NEAR, 0) : end].rpartition("\n\n")[2] + statement.after[:_NEAR]
    named = isinstance(left, f.Call) and _NAMED.fullmatch(left.function) is not None
    called = named or _COSINE.search(statement.before[-_NEAR:]) is not None
    return _UNIT.search(around) is not None or not called or (not named and _INNER.search(words) is not None)


_NEAR = 120
_UNIT = regex(
    r"normali[sz]ed(?! (?:dot|inner|scalar|by Layer))|normiert|normad|normé|нормирован|unit[- ](?:length|vector|norm)"
    r"|length one|归一化|歸一化|单位向量|正規化|정규화"
    r"|(?:\\\||‖|\|)\s*\$?\s*=\s*1(?![\d.])",
    re.IGNORECASE,
)
_INNER = regex(
    r"inner product|dot[- ]product|MIPS|内积|內積|点积|點積|producto (?:interno|escalar)|Skalarprodukt|produit scalaire"
    r"|prodotto scalare|内積|내적|скалярн",
    re.IGNORECASE,
)


def _vectors(left: f.Expression, context: Context) -> tuple[f.Name, f.Name] | None:
    """The q and k of cos(q, k), or of sim(q, k) where the article speaks of cosines."""
    match left:
        case f.Call(function, (f.Name() as x, f.Name() as y), ()) if x != y:
            spoken = function in _ANY_SIMILARITY and context.mentions(_COSINE)
            return (x, y) if spoken or _NAMED.fullmatch(function) else None
    return None


def _of_angle(left: f.Expression, right: f.Expression) -> tuple[f.Name, f.Name] | None:
    """The a and b of cos θ = a · b / (‖a‖ ‖b‖)."""
    match left, right:
        case f.Call("cos", (f.Name("θ" | "φ" | "α", (), ()),)), f.Quotient(above, below):
            lengths = [part for part in f.walk(below) if isinstance(part, f.Call) and part.function == "norm"]
            found = [part.arguments[0] for part in lengths if isinstance(part.arguments[0], f.Name)]
            inner = {n for n in f.walk(above) if isinstance(n, f.Name)}
            if len(found) == 2 and inner == set(found):
                return found[0], found[1]
    return None
