"""Derivatives of functions that an article gives a name: ∂g_2(x_2)/∂x_2 = −c/x_2² where g_2(x_2) = c/x_2."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.scalar_slopes import ScalarModel, settle
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import Outcome, judge_sides
from symattn.checking.formulas.trials.symbols import draw_fraction
from symattn.checking.models.evaluate import Scope, UnsettledError
from symattn.checking.models.rings import Numbers, Slopes
from symattn.checking.models.tensors import Tensor
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.values.enclosures import precision

_ENTRYWISE = frozenset(("exp", "log", "tanh", "sin", "cos", "sqrt", "sigmoid"))
_BITS = 160


def judge_own_function(statement: Statement, context: Context) -> Formula | None:
    """What the derivative of a function by its argument is said to be, where a line before says what that is."""
    left = statement.left
    if not isinstance(left, f.Derivative) or len(statement.equals) < 2 or len(statement.equals) != len(statement.sides):
        return None
    applied, by = left.of, left.by
    if not isinstance(by, f.Name) or not _is_applied(applied, by):
        return None
    body = _last_defined(applied, statement, context)
    others = [part for side in statement.equals[1:] for part in f.walk(side)]
    if body is None or not all(map(_is_plain, (*f.walk(body), *others))) or applied in others:
        return None

    def compare(changed: Sequence[f.Expression]) -> Outcome:
        return settle(
            [rewrite(side, lambda part: body if part == applied else part) for side in changed], by, {}, _Model
        )

    return judge_sides(statement, compare, "theorem.scalar_slope", "theorem.scalar_slope_fails")


def _is_applied(e: f.Expression, by: f.Name) -> bool:
    """Whether this is g(x), which is read as a product of two names."""
    match e:
        case f.Product((f.Name() as function, f.Name() as x), ("",)):
            return x == by and function != by and function.base.islower() and x.base.islower()
    return False


def _last_defined(applied: f.Expression, statement: Statement, context: Context) -> f.Expression | None:
    """The formula behind the last `g(x) =` before a statement."""
    for other in reversed(context.statements[: statement.number]):
        sides = other.equals
        for side, following in pairwise(sides):
            if side == applied:
                return following
    return None


def _is_plain(part: f.Expression) -> bool:
    """Whether it is made of numbers by entrywise functions: a largest or a sum over others may depend on more."""
    if isinstance(part, f.Call):
        return part.function in _ENTRYWISE and not part.label
    if isinstance(part, f.Name):
        return not part.base.isupper()  # a matrix
    return isinstance(part, f.Number | f.Sum | f.Product | f.Quotient | f.Power | f.Root)


class _Model(ScalarModel):
    """A number and what is made of it, and of other letters, which do not depend on it."""

    positive = True  # so that there are logarithms

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        try:
            return super().value(name, scope)
        except UnsettledError:
            with precision(_BITS):
                number = Numbers().number(draw_fraction(random.Random(f"{name.symbol} {self.seed}")))
                made = (number, Numbers().number(Fraction(0)))
            entry = made if isinstance(self.tensors.ring, Slopes) else number
            return self.tensors.make((), lambda: entry)
