"""Factors of online softmax that have a name, α = e^{m − m_new}: where one is turned, it is wrong, and not its uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.recurrences.online import (
    find_conventions,
    find_logarithms,
    in_usual_letters,
    judge_online,
)
from symattn.checking.formulas.recurrences.online_spelling import rescales
from symattn.checking.formulas.recurrences.online_states import LETTERS
from symattn.checking.formulas.recurrences.online_trials import Definitions, agrees
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import mend_statement
from symattn.checking.models.blocks import Conventions
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

FEWEST = 2  # uses of a factor that are right if it is turned; one alone may be what is wrong


def judge_online_lines(statement: Statement, context: Context) -> Formula | None:
    """What is said of an equation of online softmax, and of a factor that makes all that use it false."""
    found = judge_online(statement, context)
    if found is not None and found.verdict != "fails":
        return found
    if found is not None and _is_half_a_step(statement.equals):
        return None
    if not context.once(_has_factors, find_logarithms):
        return found
    context.once(find_conventions, find_logarithms)
    turned = context.once(_find_turned, find_logarithms, find_conventions)
    if statement.left in turned and len(statement.equals) == 2:
        logarithms = context.once(find_logarithms)
        meant = turned[statement.left]
        right = mend_statement(statement, lambda changed: in_usual_letters(changed, logarithms)[-1] == meant)
        return refuse(statement, Sentence("theorem.online_fails"), right)
    uses = any(part in turned for side in statement.equals for part in f.walk(side))
    return None if uses else found


def _has_factors(_: Article, statements: Sequence[Statement], logarithms: frozenset[str]) -> bool:
    """Whether a line has a name for e^{m − m_new}."""
    lines = (in_usual_letters(statement.equals, logarithms) for statement in statements)
    return any(len(sides) == 2 and isinstance(sides[0], f.Name) and rescales(sides[1]) for sides in lines)


def _find_turned(
    _: Article,
    statements: Sequence[Statement],
    logarithms: frozenset[str],
    known: tuple[Definitions, tuple[Conventions, ...]],
) -> Mapping[f.Expression, f.Expression]:
    """The factors e^{m_new − m} of which every use fails, and holds with e^{m − m_new}, which stands beside each."""
    defined, best = known
    lines = [in_usual_letters(statement.equals, logarithms) for statement in statements]
    found: dict[f.Expression, f.Expression] = {}
    for name, factor in defined.items():
        if name.base in LETTERS or not rescales(factor) or (meant := _turned(factor)) is None:
            continue
        uses = [sides for sides in lines if len(sides) > 1 and sides[0] != name and _is_used(name, sides)]
        made = {**defined, name: meant}
        if len(uses) >= FEWEST and all(
            not agrees(sides, defined, best) and agrees(sides, made, best) for sides in uses
        ):
            found[name] = meant
    return found


def _turned(factor: f.Expression) -> f.Expression | None:
    """e^{m − m_new} of e^{m_new − m}; None of what is not that."""
    match factor:
        case f.Call("exp", (f.Sum((f.Name() as first, f.Name() as second), (1, -1)) as power,)):
            if _is_new(first) and not _is_new(second):
                return replace(factor, arguments=(replace(power, terms=(second, first)),))
    return None


def _is_half_a_step(sides: Sequence[f.Expression]) -> bool:
    """Whether it is `O = O · e^{m_old − m_new}` alone, after which a program adds what the block has."""
    match sides:
        case (f.Name() as left, f.Product(factors)) if left in factors:
            others = [factor for factor in factors if factor != left]
            return len(others) == 1 and rescales(others[0]) and _turned(others[0]) is None
    return False


def _is_new(name: f.Name) -> bool:
    """Whether it is m_new, m' or m_i, and not m, m_old or m_{i−1}."""
    marks = (*name.sub, *name.sup)
    return bool(marks) and not any("-" in mark or "−" in mark or mark in ("old", "prev") for mark in marks)


def _is_used(name: f.Name, sides: Sequence[f.Expression]) -> bool:
    return any(part == name for side in sides for part in f.walk(side))
