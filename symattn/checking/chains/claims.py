"""A print that is held against its formula: judged, or left alone with the reason why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from symattn.checking.chains.context import Context
from symattn.checking.chains.introduced import is_of_a_list
from symattn.checking.chains.leaving.reasons import Case, find_reason, rest_of_line
from symattn.checking.chains.magnitudes import judge_about
from symattn.checking.chains.units import judge_in_unit
from symattn.checking.expected.conventions import bases_that_fit, is_sound, judge_by_others
from symattn.checking.expected.definitions import (
    is_of_replaced,
    is_run_together,
)
from symattn.checking.expected.sources import Open, Source
from symattn.checking.findings import BAD, Place
from symattn.checking.mistakes.search import find_reading
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment, Print, Stated
from symattn.checking.semantics.evaluation import size_text
from symattn.checking.semantics.from_zero import counted_from_one
from symattn.checking.semantics.literals import meant, within_prints
from symattn.checking.semantics.rounded_up import is_rounded_up, may_be_rounded
from symattn.checking.verdicts import (
    RIGHT,
    Definition,
    Judge,
    Judgement,
    Printed,
    correct_prints,
    is_all_right,
    relation_at,
    right_places,
    try_define,
)
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import distance, has_one_digit, same_values, sums_to_one
from symattn.writing.prose import Sentence

# reasons by which names stand for something else, and why the numbers are other ones
_OTHER = ("stale_name", "from_unit", "earlier_example", "given_elsewhere", "put_in_another", "stated_behind")
_ANEW = (
    *_OTHER,
    "defined_anew",
    "other_arithmetic",
    "other_norm",
    "other_gains",
    "with_identity",
    "dotted_thousands",
    "taken_as_given",
)
_TENTH, _HUNDREDTH = Fraction(1, 10), Fraction(1, 100)
_ABOUT = regex(r"(?:[≈≃≅]|\\(?:approx|simeq|cong))[\s({]*\Z")
_NEAR = 0.05  # of what a fraction stands for
_LONG = 3  # digits, by which a number is no other one by chance


_FAR = 160  # characters in which words may say that numbers are left out
_LEFT_OUT = regex(r"\btop[- ]?(?:\d|k\b|p\b)|drop|prun|mask|zeroed|discard|掩|丢弃|剪|略去", re.IGNORECASE)


def claim(context: Context, open_: Open, printed: Printed, side: f.Side, source: Source) -> None:
    """Judge a print by what its chain has come to, or list it with the reason why not."""
    stated = open_.stated
    assert stated is not None
    true, main, record = stated.true, open_.definitions[0], context.record
    if printed.shape != true.shape and 1 in printed.shape and printed.shape == true.shape[::-1]:
        printed = printed.turned()
    if printed.shape != true.shape:
        _claim_another_shape(context, open_, printed, side, source)
        return
    if is_run_together(main, printed, context.environment):
        record.skip(source, side, Sentence("run_together"))
        return
    judge, found = judge_about(printed, open_.definitions, stated.ranged, context.environment, side)
    if is_sound(found) and judge.misses_one():
        record.skip(source, side, Sentence("shares_printed_wrong"))  # 1 is right of what they should have been
        return
    if not is_sound(found) and _is_of_others(context, open_, printed, side, source):
        return
    if not is_sound(found):
        written = open_.source.text[main.expression.start : main.expression.end]
        other = judge_by_others(judge.printed, main, found, context.environment, written)
        if other is not None:
            found, true = other[0], other[1].true
            if is_sound(found):
                context.state(open_, other[1])  # that is what it is from here on
    if not is_sound(found) and (fraction := _by_fraction(context, open_, judge.printed)) is not None:
        found, true = fraction
    if not is_sound(found) and (from_zero := _judge_from_zero(context, open_, judge.printed, side)) is not None:
        judge, found, true = *from_zero, open_.definitions[0].true
    if not _LEFT_OUT.search(source.before(side.start)[-_FAR:] + source.after(side.end)[:_FAR]):
        judge.printed, found = _without_rough_noughts(judge.printed, found, true)
    no_unit = side.relation == "=" and _is_no_unit(main, judge.printed)
    if no_unit and (known := context.environment.stated.get(main.expression)) is not None and known.prints:
        record.skip(source, side, Sentence("one_case"))  # of the vector over its norm
        return
    if no_unit or _is_rounded_up(context, open_, judge.printed, found, side, source):
        found = {(0, 0): Judgement("wrong")}
    if is_sound(found) and _changes_base(context, open_, judge.printed):
        record.skip(source, side, Sentence("another_base"))
        return
    if _claim_in_unit(context, open_, judge.printed, side, source, sound=is_sound(found)):
        return
    verdicts = {judgement.verdict for judgement in found.values()}
    rough = verdicts == {"last-digit"} and _is_rough(judge.printed)
    if (rough or not verdicts.isdisjoint(BAD)) and _leave(context, open_, judge.printed, side, source):
        return
    _say(context, open_, judge, found, true, side, source)


def _is_no_unit(main: Definition, printed: Printed) -> bool:
    """Whether a norm is said to be 1, which calls its vector a unit vector and is no rounding, and is clearly not."""
    norm = isinstance(main.expression, f.Call) and main.expression.function == "norm"
    lone = printed.texts == (("1",),) and main.true.shape == (1, 1)
    return norm and lone and distance(main.true.rows[0][0], Fraction(1)) > _NEAR


def _is_rounded_up(
    context: Context, open_: Open, printed: Printed, found: Mapping[Place, Judgement], side: f.Side, source: Source
) -> bool:
    """Whether a fraction of whole numbers is made a larger one of these, 1/2 = 1, and nothing speaks of rounding."""
    lone = side.relation == "=" and printed.shape == (1, 1) and printed.units[0][0] == 1
    if not lone or found[0, 0].verdict != "rounded":
        return False
    main, value = open_.definitions[0], printed.values[0][0]
    before, after = open_.source.before(main.expression.start), rest_of_line(source, side)
    up = is_rounded_up(value, main.true, main.expression, context.environment)
    return up and not may_be_rounded(source.where.above, before, after, open_.keys)


def _is_of_others(context: Context, open_: Open, printed: Printed, side: f.Side, source: Source) -> bool:
    """Whether a print is of other numbers: judged by a list that its text has come to since, or listed."""
    main = open_.definitions[0]
    if not main.symbolic and is_of_replaced(main, printed, context.replaced, context.environment):
        context.record.skip(source, side, Sentence("uses_replacement"))
        return True
    of_list = is_of_a_list(context, open_, printed)
    if of_list:
        claim(context, open_, printed, side, source)
    elif of_list is None:
        context.record.skip(source, side, Sentence("other_list"))
        context.give(open_, printed, side)
    return of_list is not False


def _by_fraction(context: Context, open_: Open, printed: Printed) -> tuple[dict[Place, Judgement], Balls] | None:
    """The verdict on 1.4143 of √2 ≈ 99/70 = 1.4143, and its value: it is what the fraction comes to, which is near."""
    true, source = open_.definitions[0].true, open_.source
    for fraction in open_.definitions[1:]:
        about = _ABOUT.search(source.text, 0, fraction.expression.start) is not None
        if not about or not _is_of_whole_numbers(fraction.expression) or not printed.shape == true.shape == (1, 1):
            continue
        exact, ball = fraction.true.rows[0][0], true.rows[0][0]
        found = Judge(printed, [fraction], context.environment, None).judge()
        if is_sound(found) and abs(exact - ball) < abs(ball) * _NEAR:
            context.state(open_, fraction)
            return found, fraction.true
    return None


def _is_of_whole_numbers(expression: f.Expression) -> bool:
    """Whether an expression is a fraction of whole numbers, or a multiple of one."""
    match expression:
        case f.Product(factors=parts):
            return any(map(_is_of_whole_numbers, parts)) and all(
                _is_of_whole_numbers(part) or isinstance(part, f.Number) for part in parts
            )
        case f.Quotient(f.Number(places=above), f.Number(places=below)):
            return above == below == 1
    return False


def _judge_from_zero(
    context: Context, open_: Open, printed: Printed, side: f.Side
) -> tuple[Judge, dict[Place, Judgement]] | None:
    """The verdicts on a print where its indices count from 0, if it is right only so; later ones do if it tells."""
    environment, stated = context.environment, open_.stated
    old, before = environment.from_zero, open_.definitions
    if not environment.may_count_from_zero or int in old or not before[0].symbolic:
        return None
    environment.from_zero = old | {int}
    made = [_anew(d.expression, environment) if d.symbolic else d for d in before]
    if made[0] is not None and made[0].true.shape == printed.shape:
        open_.definitions = [d for d in made if d is not None]
        context.state(open_, made[0])
        assert open_.stated is not None
        judge, found = judge_about(printed, open_.definitions, open_.stated.ranged, environment, side)
        if is_sound(found):
            written = [d for d in open_.definitions if not d.symbolic]
            if not any(_is_long(text) for row in printed.texts for text in row) and not _agree(printed, written):
                environment.from_zero = old
            return judge, found
        open_.definitions, open_.stated = before, stated
    environment.from_zero = old
    return None


def _anew(expression: f.Expression, environment: Environment) -> Definition | None:
    """What an expression comes to from its parts, whatever it has been stated to be."""
    by_parts = not isinstance(expression, f.Name)
    return try_define(rewrite(expression, counted_from_one), environment, by_parts=by_parts)


def _is_long(text: str) -> bool:
    return sum(c.isdecimal() for c in text.lstrip("-−0.")) >= _LONG


def _agree(printed: Printed, written: list[Definition]) -> bool:
    """Whether the calculation that is written out comes to the print too."""
    return any(d.true.shape == printed.shape and is_all_right(printed, d.true) for d in written)


def _without_rough_noughts(
    printed: Printed, found: Mapping[Place, Judgement], true: Balls
) -> tuple[Printed, dict[Place, Judgement]]:
    """The verdicts, and the print with the unit of its neighbours for each 0 that is wrong beside them.

    [0.67, 0.24, 0] says of 0.09 that it is nothing, to the digits of its neighbours. What a mask leaves is 0, too; so
    another share of that row has to be right.
    """
    judged, units = dict(found), [list(row) for row in printed.units]
    for i, j in found:
        unit = _unit_beside(printed, found, true, (i, j)) if printed.texts[i][j] == "0" else None
        rounded = found[i, j].verdict in ("rounded", "truncated") and (i, j) not in true.hidden
        if unit is not None and rounded and distance(true.rows[i][j], Fraction(0)) >= float(unit):
            judged[i, j] = Judgement("wrong")
            units[i][j] = unit
    return replace(printed, units=tuple(map(tuple, units))), judged


def _unit_beside(printed: Printed, found: Mapping[Place, Judgement], true: Balls, place: Place) -> Fraction | None:
    """The coarsest unit of the decimals in the row of shares of a place, if these are fine and one is right."""
    if true.hidden or not sums_to_one(true, place[0]):
        return None
    decimals = [(i, j) for i, j in found if i == place[0] and printed.units[i][j] < 1 and printed.values[i][j]]
    right = any(found[at].verdict in RIGHT and relation_at(printed, true, at) in RIGHT for at in decimals)
    unit = max((printed.units[i][j] for i, j in decimals), default=Fraction(1))
    return unit if right and unit <= _HUNDREDTH else None


def _is_rough(printed: Printed) -> bool:
    """Whether numbers have one digit each or are whole: such a one may be another value, and not badly rounded."""
    cells = ((printed.values[i][j], printed.units[i][j]) for i, j in printed.places())
    return all(value is not None and (unit == 1 or has_one_digit(value, unit)) for value, unit in cells)


def _changes_base(context: Context, open_: Open, printed: Printed) -> bool:
    """Whether a number is right only with another logarithm than the same function of something else was before."""
    name = open_.keys[0] if open_.keys else None
    called = name.text.partition("(") if isinstance(name, f.Name) else None  # IDF(a)
    function = name.function if isinstance(name, f.Call) else called[0] if called is not None and called[1] else None
    if function is None:
        return False
    fitting = bases_that_fit(printed, open_.definitions[0].expression, context.environment)
    if not fitting:
        return False
    before = context.bases.get(function, fitting)
    context.bases[function] = before & fitting or before
    return not before & fitting


def claim_by(context: Context, found: Definition, open_: Open, printed: Printed, side: f.Side, source: Source) -> None:
    """Judge a print by a formula that was found for it alone, apart from its chain."""
    open_.definitions.append(found)
    context.state(open_, found)
    claim(context, open_, printed, side, source)


def _claim_another_shape(context: Context, open_: Open, printed: Printed, side: f.Side, source: Source) -> None:
    """A print of another shape than its formula's is that of a list before it or a softmax that was promised."""
    assert open_.stated is not None
    numbers = (d for d in reversed(open_.definitions) if not d.symbolic and d.true.shape == printed.shape)
    if (written := next(numbers, None)) is not None:  # p * (g - s) = [0.5 · 0.7, 0.5 · 0.3] is no dot product
        claim_by(context, written, Open(open_.subject, source), printed, side, source)
        return
    left = context.expected.softmax_left_open(printed)
    if left is not None:
        claim_by(context, left, Open("softmax", source), printed, side, source)
        return
    sizes = {"found": size_text(printed.shape), "expected": size_text(open_.stated.true.shape)}
    context.record.skip(source, side, Sentence("printed_size", **sizes))
    product = open_.definitions[0]
    if isinstance(product.expression, f.Product):  # QKᵀ of one query and key, printed as scores of many
        context.environment.misfits |= set(product.used)
    if not printed.left_out:
        context.give(open_, printed, side)


def _claim_in_unit(
    context: Context, open_: Open, printed: Printed, side: f.Side, source: Source, *, sound: bool
) -> bool:
    """Whether a print says in a unit what it is, so that it is judged in that, or listed."""
    in_unit = judge_in_unit(open_, printed, side, source, context.environment, sound=sound)
    if in_unit is None:
        return False
    stated = open_.stated
    assert stated is not None
    if isinstance(in_unit, Sentence):
        context.record.skip(source, side, in_unit)
        stated.stale = stated.in_unit = True  # what follows may be from this number, or from its formula
    elif not in_unit[0]:
        open_.definitions = [in_unit[1]]
        context.state(open_, in_unit[1], stale=True)  # p may be 75 or 0.75 from here on
        claim(context, open_, printed, side, source)
    else:
        true = in_unit[1].true
        bad = context.record.say(open_.subject, (side.start, side.end), printed, in_unit[0], true, source)
        stated.prints.append(Print(printed.as_given, correct_prints(printed, bad, true), bad))
        if not same_values(true, stated.true):
            stated.stale = stated.in_unit = True  # it may be in MB, in bytes or in KB from here on
    return True


def _leave(context: Context, open_: Open, printed: Printed, side: f.Side, source: Source) -> bool:
    """Whether there is a reason not to call a print wrong: then it is listed, or judged by the numbers put in alone."""
    doubt = find_reason(Case(context, open_, printed, side, source))
    if doubt is None:
        return False
    if doubt.key in _OTHER and _put_in_alone(context, open_, printed):
        claim(context, open_, printed, side, source)
        return True
    context.record.skip(source, side, doubt)
    if doubt.key == "unit_unread" and open_.stated is not None:
        open_.stated.stale = open_.stated.in_unit = True  # what follows may be from this number, or from its formula
    if doubt.key == "taken_as_given":
        context.words.add(str(doubt.fields["name"]))
    if doubt.key in _ANEW and not printed.left_out:
        main = open_.definitions[0].expression
        if not open_.keys and isinstance(main, f.Name) and any(None in row for row in printed.values):
            open_.keys = [main]  # behind a mask from here on
        context.give(open_, printed, side)
    return True


def _say(
    context: Context,
    open_: Open,
    judge: Judge,
    found: Mapping[Place, Judgement],
    true: Balls,
    side: f.Side,
    source: Source,
) -> None:
    """Say what was found of a print, and remember it for what follows."""
    stated, printed, main, environment = open_.stated, judge.printed, open_.definitions[0], context.environment
    assert stated is not None
    is_bad = any(j.verdict in BAD for j in found.values())
    reading = None if printed.left_out else find_reading(printed, found, open_.definitions, environment)
    own = judge.own() if is_bad else None
    at = side.start, side.end
    loose = open_.sought or stated.ranged is not None  # it follows from numbers that were rounded before
    bad = context.record.say(open_.subject, at, printed, found, true, source, reading, own, loose=loose)
    _note_meanings(context, main, printed, stated)
    if len(found) > 1 and all(j.verdict == "exact" for j in found.values()):
        _take_for_exact(context, main, printed, stated)
    open_.claimed = True
    context.record.note_used(main.expression)
    environment.note_use(environment.needs(main.used))
    context.expected.note_claim(open_, printed, bad=is_bad)
    if len(stated.prints) == 0:
        context.expected.note_row(open_, printed, side.expression)
    if not is_bad and isinstance(main.expression, f.Name):
        environment.printed_sizes.add(main.expression)
    if source.where.kind == "output" and stated.ranged is not None and not (is_bad or printed.left_out):
        stated.ranged = printed.as_run()  # closer than what follows from the prints before
    if not printed.left_out:
        stated.prints.append(Print(printed.as_given, correct_prints(printed, bad, true), bad))


def _take_for_exact(context: Context, main: Definition, printed: Printed, stated: Stated) -> None:
    """Numbers given to more decimals than exactly follow from them are no rounded ones: [0.25, 0.75]·[10, 30] = 25."""
    unit = min(printed.units[i][j] for i, j in printed.places())
    if stated.ranged is not None and context.environment.take_for_exact(main.used, unit):
        stated.ranged = None


def _put_in_alone(context: Context, open_: Open, printed: Printed) -> bool:
    """Keep of the sides before a print only the numbers put in, 2(0.7 − 1): they count, whatever names mean."""
    plain = [d for d in open_.definitions if not (d.symbolic or f.is_printed(d.expression))]
    if not plain or len(plain) == len(open_.definitions) or plain[0].true.shape != printed.shape:
        return False
    open_.definitions = plain
    context.state(open_, plain[0])
    return True


def _note_meanings(context: Context, definition: Definition, printed: Printed, stated: Stated) -> None:
    """Remember what the numbers of a print may stand for where those it is made of are prints: −ln 0.22 = 1.51."""
    if within_prints(definition.expression, context.environment) is not None:
        context.doubt_digits(printed, _TENTH)
    for value in (*meant(definition.expression, context.environment), *_of_meanings(context, definition)):
        if stated.true.shape == value.shape and is_all_right(printed, value):
            stated.meant.append(value)
        for i, j in right_places(printed, value) - value.hidden:
            number = printed.values[i][j]
            if number is not None:
                context.environment.note_judged(number, value.rows[i][j])


def _of_meanings(context: Context, definition: Definition) -> Iterator[Balls]:
    """The value where names that were computed from prints are what they are without that rounding."""
    known = ((key, context.environment.stated.get(key)) for key in definition.used)
    choice = {key: stated.meant[-1] for key, stated in known if stated is not None and stated.meant}
    value = definition.reckoned(context.environment, choice) if choice else None
    if value is not None:
        yield value
