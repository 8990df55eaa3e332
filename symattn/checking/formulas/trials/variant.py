"""A definition in one of its usual forms, and how a printed one is held against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from symattn.checking.findings import Formula, FormulaVerdict
from symattn.checking.formulas.statements.context import conclude
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.statements.wording import is_disowned
from symattn.checking.formulas.trials.comparison import Outcome, Question
from symattn.checking.formulas.trials.repairs import mend, read_side
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class Variant:
    """A usual form: the question, what shows the verdict, and the convention under which it is this form.

    `repairs` says whether a printed formula may be told to be this one with a slip, `letters` what it is a function of.
    Where all forms have `usual`, the roles of all symbols are settled and every convention is among them: a side that
    is none of these is false, whatever was meant.
    """

    question: Question
    theorem: Sentence
    condition: Sentence | None = None
    repairs: bool = True
    refuted: Sentence | None = None  # what shows that it fails, if said otherwise
    proof: Callable[[f.Expression], bool] | None = None  # of the printed side, for every size
    letters: tuple[str, ...] = ()  # what the function is a function of
    without: tuple[str, ...] = ()  # slips that would be another convention
    only: tuple[str, ...] = ()  # the slips that are looked for, if not all
    usual: str = ""  # the form as it is written, where what is none of the usual forms is false
    shapes: bool = False  # whether that is so only of what fits under no reading


def settle(statement: Statement, side: f.Side, variants: Sequence[Variant]) -> Formula | None:
    """Whether a printed side is one of the usual forms, or one of them with a slip."""
    outcomes: list[Outcome] = []
    for variant in variants:
        outcome = variant.question.ask(side.expression)
        if outcome.kind == "equal":
            verdict: FormulaVerdict = "holds" if variant.condition is None else "holds-if"
            proven = variant.proof is not None and variant.proof(side.expression)
            shown = Sentence("formula.proven" if proven else "formula.tried", theorem=variant.theorem)
            return conclude(statement, verdict, shown, condition=variant.condition)
        outcomes.append(outcome)
    if is_disowned(statement) or any(outcome.kind == "unsettled" for outcome in outcomes):
        return None
    printed = statement.printed(side)
    for two, (variant, outcome) in product((False, True), list(zip(variants, outcomes, strict=True))):
        found = mend(printed, variant.question, variant, two=two) if variant.repairs else None
        if found is not None:
            theorem, right = variant.refuted or variant.theorem, statement.with_text(found.text, side)
            return conclude(statement, "fails", theorem, right=right, counterexample=outcome.shown)
    if side.relation != "=" or not all(variant.usual for variant in variants) or has_decimals(side.expression):
        return None
    if any(v.shapes and o.kind != "misfit" for v, o in zip(variants, outcomes, strict=True)):
        return None
    variant, outcome = variants[0], outcomes[0]
    usual = read_side(variant.usual)
    if usual is not None and is_same(usual, side.expression):
        return None  # it is printed as is usual, and could not be worked out as it is meant
    right = statement.passage.text[statement.start : side.start].removesuffix(r"\left") + variant.usual
    return conclude(statement, "fails", variant.refuted or variant.theorem, right=right, counterexample=outcome.shown)


def has_decimals(e: f.Expression) -> bool:
    """Whether rounded constants stand in it, which make an approximation of it."""
    return any(isinstance(part, f.Number) and "." in part.text for part in f.walk(e))


_LABELLED = ("score", "sim", "similarity")


def as_call(left: f.Expression) -> f.Expression:
    """`\\text{Attention(Q, K, V)}` as the function that its letters say, `P E(pos, 2i)` as PE(pos, 2i), and
    score_{dot}(q, k) as score(q, k)."""
    if isinstance(left, f.Product) and len(left.factors) == 2 and left.factors[0] == f.Name("P"):
        call = left.factors[1]
        if isinstance(call, f.Call) and call.function.upper() == "E" and len(call.arguments) == 2:
            return f.Call("pe", call.arguments, start=left.start, end=left.end)
    match left:
        case f.Product((f.Name(base, (_,), ()), f.Matrix((cells,), "(")), ("",)) if base.lower() in _LABELLED:
            return f.Call(base.lower(), cells, start=left.start, end=left.end)
    if not isinstance(left, f.Name) or not left.base.endswith(")") or left.sub or left.sup:
        return left
    inside = read_side(left.base)
    return left if inside is None else inside


def is_same(a: f.Expression, b: f.Expression) -> bool:
    """Whether one is the other said again, W X beside W · X: nothing is claimed then."""
    return rewrite(a, f.without_signs) == rewrite(b, f.without_signs)
