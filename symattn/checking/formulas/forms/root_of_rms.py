"""x/(√RMS(x) + ε): a second root of what is a root already."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.normalised import without_epsilon
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_THEOREM = Sentence("formula.root_of_rms")


def judge_root_of_rms(statement: Statement, context: Context) -> Formula | None:
    """x divided by RMS(x), plus ε or not, times the gain; where no line says that RMS(x) is a mean without a root."""
    if len(statement.equals) != 2 or (root := _divided(statement.equals[1])) is None:
        return None
    if not isinstance(root, f.Root):
        return conclude(statement, "holds", _THEOREM)
    if context.once(_is_mean_square):
        return None
    return refuse(statement, _THEOREM, statement.with_text(statement.printed(root.radicand), root).strip())


def _divided(e: f.Expression) -> f.Expression | None:
    """RMS(x), or its root, of x/(RMS(x) + ε) γ; None of anything else."""
    if isinstance(e, f.Product | f.Elementwise):
        quotients = [x for x in e.parts if isinstance(x, f.Quotient)]
        others = [x for x in e.parts if not isinstance(x, f.Quotient)]
        named = all(isinstance(x, f.Name) for x in others) and len(others) == 1
        return _divided(quotients[0]) if len(quotients) == 1 and named else None
    if not isinstance(e, f.Quotient) or not isinstance(e.numerator, f.Name):
        return None
    below = without_epsilon(e.denominator)
    inside = below.radicand if isinstance(below, f.Root) else below
    return below if _is_rms(inside, e.numerator) else None


def _is_rms(e: f.Expression, of: f.Name) -> bool:
    match e:
        case f.Name(base, (), (), (item,)):
            return base.lower() == "rms" and item == of.base
        case f.Call(function, (f.Name() as argument,)):
            return function.lower() == "rms" and argument.symbol == of.symbol
    return False


def _is_mean_square(_: Article, statements: tuple[Statement, ...]) -> bool:
    """Whether a line says what RMS(x) is, and takes no root."""
    for statement in statements:
        left, *others = statement.equals or (f.Name(""),)
        named = (isinstance(left, f.Name) and left.base.lower() == "rms") or (
            isinstance(left, f.Call) and left.function.lower() == "rms"
        )
        if named and others and not any(isinstance(part, f.Root) for part in f.walk(others[0])):
            return True
    return False
