"""Names that an article gives to gradients, `\\frac{∂L}{∂Z} = G_Z`, and what every gradient is linear in."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

Named = dict[f.Name, f.Derivative]
_LINEAR = ("rowsum", "sum", "diag", "tril")
_FREE = frozenset("QKVXHqkvxh")  # what a loss is computed from


def find_named(article: Article, statements: Sequence[Statement]) -> Named:
    """The names that are said to be gradients, the first time each."""
    found: Named = {}
    for statement in statements:
        slopes = [slope for side in statement.equals if (slope := _whole_slope(side)) is not None]
        if not slopes:
            continue
        for side in statement.equals:
            if isinstance(side, f.Name) and slope_of(side) is None and len(side.base) == 1 and _is_own(side, slopes[0]):
                found.setdefault(side, slopes[0])
    return found


def _whole_slope(side: f.Expression) -> f.Derivative | None:
    """∂L/∂Z of a whole letter."""
    name = slope_of(side)
    return None if name is None or letter_of(name).indices else f.Derivative(f.Name("L"), name)


def _is_own(name: f.Name, slope: f.Derivative) -> bool:
    """Whether the name is the author's own, G_Z, ζ_1 or Δ: no matrix of the field, and no sum of rows."""
    return bool(name.sub) or name.base in "ΔGgζξηγ" or name == slope.by


def name_gradients(side: f.Expression, named: Named) -> f.Expression:
    """The side with ∂L/∂Z for G_Z, and where G_Z is that, ∂L/∂Y for G_Y too."""
    families = {name.base for name, slope in named.items() if _labels(name) == _labels_of(slope)}

    def changed(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name):
            return part
        if part in named:
            return f.Derivative(named[part].of, named[part].by, start=part.start, end=part.end)
        if part.base in families and len(part.sub) == 1 and not part.sup and part.sub[0].isupper():
            base, _, label = part.sub[0].partition("_")
            by = f.Name(base, (label,) if label else ())
            return f.Derivative(f.Name("L"), by, start=part.start, end=part.end)
        return part

    return rewrite(side, changed)


def _labels(name: f.Name) -> str:
    return name.sub[0] if len(name.sub) == 1 else ""


def _labels_of(slope: f.Derivative) -> str:
    assert isinstance(slope.by, f.Name)
    return letter_of(slope.by).key


def judge_flat(statement: Statement, sides: Sequence[f.Expression]) -> Formula | None:
    """A gradient that is not 0 where the gradients behind it are: every gradient is linear in these."""
    first = slope_of(sides[0])
    if first is None or statement.head is not None:
        return None
    for side in sides[1:]:
        left = set(_surviving(side))
        plain = all(name.base in _FREE and letter_of(name).key != letter_of(first).key for name in left)
        if left and plain and _is_left(side) and any(slope_of(part) is not None for part in f.walk(side)):
            return refuse(statement, Sentence("theorem.gradient_flat"))
    return None


def _surviving(e: f.Expression) -> list[f.Name]:
    """The names of what is left where every gradient is 0."""
    if slope_of(e) is not None or not _is_left(e):
        return []
    if isinstance(e, f.Name):
        return [e]
    parts = (e.body,) if isinstance(e, f.BigSum) else e.parts
    return [name for part in parts for name in _surviving(part)]


def _is_left(e: f.Expression) -> bool:
    """Whether something is left where every gradient is 0; of several terms that are left nothing is known."""
    if slope_of(e) is not None or isinstance(e, f.Derivative):
        return False
    match e:
        case f.Number():
            return e.value != 0
        case f.Product(factors, _) | f.Elementwise(factors):
            return all(map(_is_left, factors))
        case f.Sum(terms, _):
            return sum(map(_is_left, terms)) == 1
        case f.Quotient(above, _):
            return _is_left(above)
        case f.Transpose(operand):
            return _is_left(operand)
        case f.BigSum(body=body):
            return _is_left(body)
        case f.Call(function, (argument,)) if function in _LINEAR:
            return _is_left(argument)
        case f.Name():
            return True
    return False
