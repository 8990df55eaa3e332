"""What is said of an equation whose sides were worked out, with one slip mended if it is right then."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal, TypeVar

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.pointed import Drawn, show_difference
from symattn.checking.formulas.trials.repairs import edits, read_side
from symattn.checking.models.equations import Difference, difference_of
from symattn.checking.models.evaluate import Model, UnsettledError
from symattn.checking.models.tensors import MisfitError
from symattn.checking.work import OutOfWorkError, Work, within
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

MOST_STEPS = 40_000  # of mending one equation
BITS = 160
M = TypeVar("M", bound=Model)
# True where all sides agree; a model at a point and how they differ there; None where a letter is not settled
Outcome = Literal[True] | tuple[Drawn, Difference | MisfitError] | None


def judge_sides(
    statement: Statement, compare: Callable[[Sequence[f.Expression]], Outcome], theorem: str, fails: str
) -> Formula | None:
    """That an equation holds by a theorem, or fails by the same: the keys of both sentences."""
    outcome = compare(statement.equals)
    if outcome is None:
        return None
    if outcome is True:
        return conclude(statement, "holds", Sentence(theorem))
    right = mend_statement(statement, lambda changed: compare(changed) is True)
    return refuse(statement, Sentence(fails), right, show_difference(*outcome))


def compare_at(
    models: Iterable[M], pairs: Sequence[tuple[f.Expression, f.Expression]], bound: Mapping[str, int] | None = None
) -> Literal[True] | tuple[M, Difference | MisfitError] | None:
    """True where the two of each pair agree in all models; None where a letter is not settled in one."""
    with precision(BITS):
        for model in models:
            try:
                for left, right in pairs:
                    if (difference := difference_of(left, right, model, bound)) is not None:
                        return model, difference
            except MisfitError as misfit:
                return model, misfit
            except (UnsettledError, ZeroDivisionError):
                return None
    return True


def mend_statement(statement: Statement, holds: Callable[[Sequence[f.Expression]], bool]) -> str | None:
    """The whole equation as it should read: the first edit of one side, the last side first, under which it holds."""
    try:
        with within(Work(MOST_STEPS)):
            return _first_that_holds(statement, holds)
    except OutOfWorkError:
        return None


def _first_that_holds(statement: Statement, holds: Callable[[Sequence[f.Expression]], bool]) -> str | None:
    sides = [side for side in statement.sides if side.expression in statement.equals]
    first = 0 if statement.head is None else len(statement.sides) - len(statement.chain.sides)
    for k in range(len(sides) - 1, max(first - 1, 0), -1):
        side = sides[k]
        own = statement.printed(side)
        for made in chain(_turn_differences(own), _move_steps(own), (edit.text for edit in edits(own))):
            expression = read_side(made)
            changed = [s.expression for s in sides]
            if expression is None or expression in changed[:k] + changed[k + 1 :]:  # l = l says nothing
                continue
            changed[k] = expression
            if holds(changed):
                return statement.with_text(made, side).strip()
    return None


def _turn_differences(text: str) -> Iterator[str]:
    """n − m for m − n, and both for m + n."""
    for found in _DIFFERENCE.finditer(text):
        first, sign, second = found.groups()
        for a, b in ((second, first), (first, second)) if sign == "+" else ((second, first),):
            yield f"{text[: found.start()]}{a}-{b}{text[found.end() :]}"
            if text.count(found[0]) > 1:
                yield text.replace(found[0], f"{a}-{b}")


def _move_steps(text: str) -> Iterator[str]:
    """d_{i-1} for d_i and the other way round, one of them, where both steps stand in it."""
    for step in sorted({found[1] for found in _STEP_BEFORE.finditer(text)}):
        before = re.compile(rf"_\{{\s*{step}\s*-\s*1\s*\}}")
        for found in before.finditer(text):
            yield f"{text[: found.start()]}_{step}{text[found.end() :]}"
        for found in re.finditer(rf"_(?:{step}(?![a-zA-Z])|\{{\s*{step}\s*\}})", text):
            yield f"{text[: found.start()]}_{{{step}-1}}{text[found.end() :]}"


_STEP_BEFORE = regex(r"_\{\s*([a-z])\s*-\s*1\s*\}")
_DIFFERENCE = regex(r"(?<![\\a-zA-Z])([a-z])\s*([-−+])\s*([a-z])(?![a-zA-Z])")
