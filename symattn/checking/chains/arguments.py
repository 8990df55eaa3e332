"""Numbers that softmax is written to be taken of, where they were worked out: those above over τ, or a row of scores.

They are said to be right where all of them are, and are no copy of what was printed before; what else they may be, an
example of its own, nobody says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symattn.checking.chains.context import Context
from symattn.checking.chains.magnitudes import judge_about
from symattn.checking.expected.conventions import is_sound
from symattn.checking.expected.inputs import find_temperature
from symattn.checking.expected.sources import Source
from symattn.checking.verdicts import Printed, agreeing, table_of_prints, try_define
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import same_values

_MOST_LISTS = 4
_MOST_ROWS = 64


def judge_arguments(context: Context, chain: f.Chain, source: Source) -> None:
    """Say of the numbers in softmax([…]) that they are right, if they follow from what stands above."""
    for side in chain.sides:
        match side.expression:
            case f.Call("softmax", (f.Matrix() as given,)) if f.is_printed(given):
                printed = table_of_prints(given)
                if printed is not None and printed.shape[0] == 1 < printed.shape[1]:
                    _judge(context, printed, replace(side, start=given.start, end=given.end), source)


def _judge(context: Context, printed: Printed, side: f.Side, source: Source) -> None:
    environment = context.environment
    for formula in _formulas(context, printed):
        definition = try_define(formula, environment)
        if definition is None or agreeing(printed, definition.true) < len(printed.places()):
            continue
        judge, found = judge_about(printed, [definition], None, environment, side)
        whole = all(unit == 1 for unit in judge.printed.units[0])  # [1, 0, 1] is no 0.58, 0 and 0.58 rounded
        if is_sound(found) and not (whole and any(judgement.verdict != "exact" for judgement in found.values())):
            text = source.text[side.start : side.end]
            context.record.say(text, (side.start, side.end), judge.printed, found, definition.true, source)
            return


def _formulas(context: Context, printed: Printed) -> Iterator[f.Expression]:
    """What the numbers may be made of: lists over a temperature, rows of scores that were printed otherwise."""
    environment, columns = context.environment, printed.shape[1]
    lists = [
        name
        for name, stated in reversed(environment.stated.items())
        if isinstance(name, f.Name) and not stated.stale and stated.true.shape == printed.shape
    ][:_MOST_LISTS]
    if any(same_values(environment.stated[name].true, printed.as_given) for name in lists):
        return
    temperature = find_temperature(environment)
    if temperature is not None:
        yield from (f.Quotient(name, temperature) for name in lists)
    for logits in context.expected.roles.logits():
        stated = environment.stated.get(logits)
        rows = [row for value in stated.prints for row in value.printed.rows] if stated is not None else []
        copied = any(same_values(Balls((1, len(row)), None, (row,)), printed.as_given) for row in rows)
        if copied or (stated is not None and stated.stale):
            return
        whole = try_define(logits, environment)
        if whole is not None and whole.true.shape[1] == columns > 1:
            yield from (f.Entry(logits, (str(i + 1), ":")) for i in range(min(whole.true.shape[0], _MOST_ROWS)))
