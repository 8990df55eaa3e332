"""What stands behind an arrow: [2, 1] → softmax → [0.73, 0.27], or the step alone that the numbers show.

An arrow says that something follows, not how. It is read as an equation where a step is applied to the numbers before
it, or named on the way and the numbers are its, but for slips; or where no step is named and all numbers are those of
the one usual step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from symattn.checking.expected.evidence import are_close
from symattn.checking.expected.sources import Open
from symattn.checking.semantics.environment import Environment
from symattn.checking.slips import is_slip
from symattn.checking.verdicts import Printed, agreeing, define_like, relation_at, table_of_prints, try_define
from symattn.reading import formula as f
from symattn.values.printed import distance

EQUALITIES = ("", "=", "≈", ":=")
STEPS = frozenset(("softmax", "exp", "relu", "gelu", "silu", "sigmoid", "tanh", "layernorm", "rmsnorm"))
MOST_NEAR = 2  # lists that may be meant though not all numbers are right
_UNNAMED = ("softmax", "exp")  # what a list becomes without a word, as shown by its numbers


def equation_behind(chain: f.Chain, k: int, lists: Sequence[f.Expression], environment: Environment) -> f.Chain | None:
    """The equation that the arrow before side `k` of a chain leads to; `lists` are those printed just before."""
    side, rest = chain.sides[k], chain.sides[k:]
    if side.relation != "→":
        return None
    ends = next((i for i, s in enumerate(rest) if i and s.relation not in EQUALITIES), len(rest))
    named = isinstance(side.expression, f.Name) and side.expression.base.lower() in STEPS
    if named and len(rest) > 1 and f.is_printed(rest[1].expression):
        return _applied(chain.sides[:k], side, rest[1:], lists, environment)
    if named and len(rest) > 2 and isinstance(rest[1].expression, f.Name) and f.is_printed(rest[2].expression):
        found = _applied(chain.sides[:k], side, rest[2:], lists, environment)  # [2, 1] → softmax → A = [0.73, 0.27]
        if found is None or rest[2].relation not in ("=", "≈"):
            return None
        step, *others = found.sides
        return f.Chain((replace(rest[1], relation=""), replace(step, relation="="), *others))
    if not f.is_printed(side.expression):
        unread = isinstance(side.expression, f.Unread)
        return None if unread or ends < 2 else replace(chain, sides=(replace(side, relation=""), *rest[1:]))
    before = chain.sides[k - 1]
    if _is_applied(before.expression, side.expression, environment) or _is_worked_out(before, side, environment):
        return f.Chain((replace(before, relation=""), replace(side, relation="="), *rest[1:]))
    if k == 1 and isinstance(before.expression, f.Name) and before.expression.base.lower() in STEPS:
        return _applied((), before, rest, lists, environment)
    return _shown(chain.sides[:k], rest, lists, environment)


def with_shares(chain: f.Chain) -> f.Chain:
    """The chain with a result that is said once more in percent, p = 3/4 = 0.75 → 75%, as equal to that.

    Only one that is a print of the same is that; any other share is what it becomes.
    """

    def is_share(before: f.Side, side: f.Side) -> bool:
        number, share = before.expression, side.expression
        if not isinstance(number, f.Number) or not isinstance(share, f.Number) or before.relation not in ("=", "≈"):
            return False
        said = share.text.rstrip("}").endswith(_PERCENT) and not number.text.endswith(_PERCENT)
        return said and abs(share.value - number.value) <= (share.places + number.places) / 2

    sides = chain.sides
    alike = (side.relation == "→" and is_share(before, side) for before, side in pairwise(sides))
    rest = (replace(side, relation="=") if same else side for side, same in zip(sides[1:], alike, strict=True))
    return replace(chain, sides=(sides[0], *rest))


_PERCENT = ("%", "％")


def _is_applied(call: f.Expression, result: f.Expression, environment: Environment) -> bool:
    """Whether a step is applied to numbers before the arrow, softmax([2, 1]) → [0.73, 0.27], and gives as many."""
    printed = table_of_prints(result) if isinstance(call, f.Call) and call.function in STEPS else None
    if printed is None or any(isinstance(part, f.Name) for part in f.walk(call)):
        return False
    bare = isinstance(call.parts[0], f.Number) and call.parts[0].end == call.end
    if bare and printed.units == ((Fraction(1),),):
        return False  # `exp 7->15` is about the exponent of a float
    return define_like(printed, call, environment) is not None


def _is_worked_out(before: f.Side, side: f.Side, environment: Environment) -> bool:
    """Whether arithmetic stands before the arrow, and what it comes to behind it, 0.5 · 1.2 → 0.6, or a slip of that.

    A slip has three digits or more, and is that of a product of numbers, by more than rounding them can explain: what
    stands behind an arrow may be another number, and 1.5 − 2.5 a range.
    """
    expression, result = before.expression, side.expression
    if not isinstance(result, f.Number) or isinstance(expression, (f.Number, f.Matrix)):
        return False
    if any(isinstance(part, (f.Name, f.Unread)) for part in f.walk(expression)):
        return False
    worth, printed = try_define(expression, environment), table_of_prints(result)
    if worth is None or printed is None or worth.true.shape != (1, 1) or worth.true.hidden:
        return False
    true, unit = worth.true.rows[0][0], printed.units[0][0]
    fits = relation_at(printed, worth.true, (0, 0)) in ("exact", "rounded", "truncated")
    if fits or any(isinstance(part, f.Sum) for part in f.walk(expression)):
        return fits
    literals = [part for part in f.walk(expression) if isinstance(part, f.Number) and part.value and part.places < 1]
    rounding = sum(abs(n.places / (2 * n.value)) for n in literals) * abs(result.value) + unit
    told = unit <= _HUNDREDTH and abs(result.value) >= _THREE_DIGITS * unit and distance(true, result.value) > rounding
    return told and (result.value > 0) == (true.mid() > 0) and is_slip(result.value, unit, true)


_HUNDREDTH, _THREE_DIGITS = Fraction(1, 100), 100


def as_result(chain: f.Chain, last: Open) -> f.Chain:
    """A list behind an arrow on a line of its own as what softmax comes to, which the line before leaves open."""
    side, *others = chain.sides
    applied = last.stated is None and last.definitions and isinstance(last.definitions[-1].expression, f.Call)
    if side.relation != "→" or others or not applied or not isinstance(side.expression, f.Matrix):
        return chain
    call = last.definitions[-1].expression
    assert isinstance(call, f.Call)
    return replace(chain, sides=(replace(side, relation="="),)) if call.function in STEPS else chain


def _applied(
    before: tuple[f.Side, ...],
    step: f.Side,
    rest: tuple[f.Side, ...],
    lists: Sequence[f.Expression],
    environment: Environment,
) -> f.Chain | None:
    """softmax(what stands before) = what stands behind, of which all numbers are right; else half, or all are close.

    Of several lists before, another one may be meant than the last: under "temperature 1" the one above all of them.
    """
    assert isinstance(step.expression, f.Name)
    printed = table_of_prints(rest[0].expression)
    found: list[tuple[int, f.Call]] = []
    for argument in _arguments(before, lists, environment) if printed is not None else ():
        formula = f.Call(step.expression.base.lower(), (argument,), start=step.start, end=step.end)
        found.append((_agreeing(formula, printed, environment), formula))
    count = 0 if printed is None else len(printed.places())
    meant = [formula for right, formula in found if right == count]
    meant += [formula for right, formula in found[:MOST_NEAR] if right]
    if not meant:
        return None
    return f.Chain((replace(step, relation="", expression=meant[0]), replace(rest[0], relation="="), *rest[1:]))


def _shown(
    before: tuple[f.Side, ...], rest: tuple[f.Side, ...], lists: Sequence[f.Expression], environment: Environment
) -> f.Chain | None:
    """The usual step of the list before of which all numbers are those behind the arrow."""
    printed, side = table_of_prints(rest[0].expression), rest[0]
    if printed is None or len(printed.places()) <= 1:
        return None
    for argument in _arguments(before, lists, environment):
        if not _shows_a_step(printed, argument):
            continue
        for step in _UNNAMED:
            formula = f.Call(step, (argument,), start=side.start, end=side.end)
            if _agreeing(formula, printed, environment) == len(printed.places()):
                return f.Chain((replace(side, relation="", expression=formula), replace(side, relation="="), *rest[1:]))
    return None


def _shows_a_step(printed: Printed, argument: f.Expression) -> bool:
    """Whether there are decimals, and not all 0.0 or 1.0: whole, [1, 1] would become [1, 0] and [0, 1] alike.

    What a mask of −∞ leaves is exactly that.
    """
    if any(isinstance(part, f.Infinity) for part in f.walk(argument)):
        return True
    return any(printed.units[i][j] < 1 and printed.values[i][j] not in (0, 1) for i, j in printed.places())


def _arguments(
    before: tuple[f.Side, ...], lists: Sequence[f.Expression], environment: Environment
) -> Iterator[f.Expression]:
    """What an arrow starts from: the formula before it, its last numbers, or the lists printed last."""
    known = [s.expression for s in before if not isinstance(s.expression, f.Unread | f.Number)]
    known = [e for e in known if not isinstance(e, f.Name) or environment.knows(e)]
    if known and not isinstance(before[-1].expression, f.Unread):
        yield known[0]
        yield known[-1]
    else:
        yield from lists


def _agreeing(formula: f.Call, printed: Printed | None, environment: Environment) -> int:
    """How many numbers are those of a formula: half of them at least, or one where all are close to it."""
    definition = None if printed is None else define_like(printed, formula, environment)
    if printed is None or definition is None:
        return 0
    right = agreeing(printed, definition.true)
    return right if 2 * right >= len(printed.places()) else int(are_close(definition.true, printed.as_given))
