"""Numbers in a unit: percents, and bytes with a prefix. What a formula comes to is held against them in that unit."""

from __future__ import annotations

from fractions import Fraction

from symattn.checking.chains.byte_units import are_mixed, byte_unit, is_scaled, judge_in_bits, judge_in_bytes
from symattn.checking.chains.magnitudes import Judged, has_letter, judge_by_letter, judge_operations
from symattn.checking.disowned import said_to_be_a_fault
from symattn.checking.expected.conventions import is_sound
from symattn.checking.expected.definitions import has_dotted_thousands
from symattn.checking.expected.sources import Open, Source
from symattn.checking.findings import BAD
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Judge, Printed, try_define
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_NEAR = 5  # a part of a sum that no other unit of bytes is off by
_HUNDRED = f.Number("100", Fraction(100), Fraction(1))


def judge_in_unit(
    open_: Open, printed: Printed, side: f.Side, source: Source, environment: Environment, *, sound: bool
) -> Judged | Sentence | None:
    """The verdict on a number in its unit, or why there is none; None where the number alone says what it is.

    `sound` is whether it is right without its unit. Where there are no verdicts the definition is to be taken instead.
    """
    judged = _judge_in_unit(open_, printed, side, source, environment, sound=sound)
    if isinstance(judged, tuple) and any(each.verdict in BAD for each in judged[0].values()):
        if has_dotted_thousands(judged[1], printed, environment):
            return Sentence("dotted_thousands")
        before = source.before(open_.definitions[0].expression.start)
        return said_to_be_a_fault(source.where.label, before, source.after(side.end)) or judged
    return judged


def _judge_in_unit(
    open_: Open, printed: Printed, side: f.Side, source: Source, environment: Environment, *, sound: bool
) -> Judged | Sentence | None:
    definition = open_.definitions[0]
    if printed.texts[0][0].endswith("%") and printed.shape == (1, 1):
        return _judge_percent(definition, printed, environment, sound=sound)
    counted = judge_operations(definition, printed, source.after(side.end), environment)
    if counted is not None and not sound:
        return counted
    in_bits = judge_in_bits(definition, printed, source.after(side.end), environment)
    if not isinstance(in_bits, bool):
        return in_bits
    if in_bits and not sound:
        return Sentence("unit_unread")
    unit = byte_unit(side.expression, source.after(side.end))
    if not (sound or unit) and has_letter(printed, definition.expression):
        return judge_by_letter(open_, printed, source, side, environment)
    mixed = are_mixed(definition.expression, unit)
    if (sound or not unit) and not mixed:
        return None
    if not mixed and _adds_the_same(definition, printed.values[0][0]):
        return None
    in_bytes = judge_in_bytes(open_, printed, side, source, environment)
    if in_bytes is None and (mixed or is_scaled(unit)):
        return Sentence("unit_unread")
    return in_bytes


def _adds_the_same(definition: Definition, value: Fraction | None) -> bool:
    """Whether a sum of plain numbers comes near its print: 24.5 − 3.5 = 20.5 GB counts what its terms do."""
    numbers: list[f.Number] = []
    signs: tuple[int, ...] = ()
    if isinstance(definition.expression, f.Sum):
        numbers = [x for x in definition.expression.terms if isinstance(x, f.Number) and not x.unit]
        signs = definition.expression.signs
    if not numbers or len(numbers) < len(signs) or not value:
        return False
    total = sum((s * number.value for s, number in zip(signs, numbers, strict=True)), Fraction(0))
    return abs(total - value) < abs(value) / _NEAR


def _judge_percent(
    definition: Definition, printed: Printed, environment: Environment, *, sound: bool
) -> Judged | Sentence | None:
    """A number in percent, 75 %: of a formula that is one already, 3/4 · 100, it is the value without the sign.

    What fits without the sign alone may be in percent, 1.5 + 1.5 = 3 %, or have a factor too many; 62.9 + 37.1 = 100 %
    has none.
    """
    match definition.expression:
        case f.Quotient(_, below) if below is _HUNDRED:
            return None
    numbers = [part for part in f.walk(definition.expression) if isinstance(part, f.Number)]
    if any("%" in number.text for number in numbers):
        return None
    in_percent = try_define(f.Quotient(definition.expression, _HUNDRED), environment)
    if in_percent is None or in_percent.true.shape != (1, 1):
        return None
    value = printed.values[0][0]
    shares = all(number.value < 1 for number in numbers)  # 0.62 + 0.38 is a whole
    if not sound and value == 1 and not shares and _adds_the_same(definition, Fraction(100)):
        return {}, in_percent
    found = Judge(printed, [in_percent], environment, None).judge()
    if not any(number.value == 100 and number.places == 1 for number in numbers):
        return Sentence("unit_unread") if is_sound(found) and not sound else None
    return Sentence("unit_unread") if sound and not is_sound(found) else ({}, in_percent)
