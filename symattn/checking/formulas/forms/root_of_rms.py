"""x/(√RMS(x) + ε) and x/√(RMS(x) + ε): a second root of what is a root already."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.normalised import without_epsilon
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_THEOREM = Sentence("formula.root_of_rms")


def judge_root_of_rms(statement: Statement, context: Context) -> Formula | None:
    """x divided by RMS(x), times the gain; where no line says that RMS(x) is a mean without a root. It holds if ε is
    meant to be added to the root, where it is, as it is usual below it."""
    if len(statement.equals) != 2 or (below := _divided(statement.equals[1])) is None:
        return None
    root = without_epsilon(below)
    if not isinstance(root, f.Root):
        return accept(statement, _THEOREM, None if root is below else Sentence("formula.if_plus"))
    if context.once(_is_mean_square):
        return None
    return refuse(statement, _THEOREM, statement.with_text(statement.printed(root.radicand), root).strip())


def _divided(e: f.Expression) -> f.Expression | None:
    """RMS(x), or its root, plus ε or not, of x/(RMS(x) + ε) γ; None of anything else."""
    if isinstance(e, f.Product | f.Elementwise):
        quotients = [x for x in e.parts if isinstance(x, f.Quotient)]
        others = [x for x in e.parts if not isinstance(x, f.Quotient)]
        named = all(isinstance(x, f.Name) for x in others) and len(others) == 1
        return _divided(quotients[0]) if len(quotients) == 1 and named else None
    if not isinstance(e, f.Quotient) or not isinstance(e.numerator, f.Name):
        return None
    below = without_epsilon(e.denominator)
    inside = without_epsilon(below.radicand) if isinstance(below, f.Root) else below
    return e.denominator if _is_rms(inside, e.numerator) else None


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
