"""Definitions that do not come to what the article says: S = QKᵀ/d_k, A = softmax(S), Attention(Q, K, V) = A V.

The formula that gathers them is false; the slip is in the one that makes it true when it is mended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.attention import define_attention
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.statements.wording import is_disowned
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.notation import defined
from symattn.checking.formulas.trials.repairs import mend, read_side
from symattn.checking.formulas.trials.symbols import Key, Scope
from symattn.checking.formulas.trials.variant import Variant, as_call
from symattn.checking.work import OutOfWorkError
from symattn.reading import formula as f


def find_slips(context: Context) -> dict[int, Formula]:
    """The statements, by their number, whose slip makes a later formula of attention false, as far as work allows."""
    found: dict[int, Formula] = {}
    with suppress(OutOfWorkError):
        _find_slips(context, found)
    return found


def _find_slips(context: Context, found: dict[int, Formula]) -> None:
    for statement in context.statements:
        sides = [side for side in statement.chain.sides if side.relation == "="]
        left = as_call(statement.left)
        if len(sides) != 1 or is_disowned(statement):
            continue
        variants = list(define_attention(left, sides[0], statement, context))[:1]
        for variant in variants:
            if variant.condition is not None or variant.question.ask(sides[0].expression).kind != "apart":
                continue
            for source, mended in _slips(sides[0].expression, variant, context):
                found.setdefault(source.number, mended)
                break


def _slips(printed: f.Expression, variant: Variant, context: Context) -> Iterator[tuple[Statement, Formula]]:
    """What the printed side is made of, each definition mended in its turn."""
    used = {n.symbol for n in names(printed)}
    for source in _sources(used, context.statements):
        side = source.chain.sides[1]
        key, _ = defined(source.left)  # type: ignore[arg-type]
        question = _question(variant.question, key, printed)
        edit = mend(source.printed(side), question)
        if edit is not None and not isinstance(read_side(edit.text), f.Name):  # V' = V: nobody names it anew
            right, shown = source.with_text(edit.text, side), variant.question.ask(printed).shown
            yield source, conclude(source, "fails", variant.theorem, right=right, counterexample=shown)


def _question(question: Question, key: Key, printed: f.Expression) -> Question:
    """The same question with another definition of one symbol."""

    def place(scope: Scope, definition: f.Expression) -> f.Expression:
        scope.definitions[key] = ((), definition)
        return printed

    return Question(question.expected, question.prepare, question.free, question.readings, question.points, place)


def _sources(used: set[Key], statements: Sequence[Statement]) -> list[Statement]:
    """The statements that define symbols, and what those are made of, the nearest to the inputs first."""
    found: list[Statement] = []
    for statement in reversed(statements):
        sides = statement.chain.sides
        if len(sides) < 2 or sides[1].relation != "=" or not isinstance(sides[0].expression, f.Name):
            continue
        key, letters = defined(sides[0].expression)
        if key in used and not letters:
            used |= {n.symbol for n in names(sides[1].expression)}
            found.append(statement)
    return found[::-1]
