"""The first print of a chain: the formula that it is held against, or numbers that are given."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symattn.checking.chains.context import Context
from symattn.checking.chains.introduced import note_list
from symattn.checking.chains.sizes import with_sizes_that_fit
from symattn.checking.expected.called import find_called
from symattn.checking.expected.definitions import (
    is_counted_from_zero,
    is_same,
    main_definition,
    without_other_sigma,
    without_what_is_anew,
)
from symattn.checking.expected.doubts import said_to_change
from symattn.checking.expected.evidence import is_shown
from symattn.checking.expected.implied_steps import is_probability, role_of_words
from symattn.checking.expected.inputs import has_broken_shares, has_shares, is_chosen, is_computed, is_given
from symattn.checking.expected.labels import is_assumed
from symattn.checking.expected.named_rows import row_in
from symattn.checking.expected.said_plainly import said_of
from symattn.checking.expected.sources import Given, Open, Source, Where
from symattn.checking.findings import Cause, Place
from symattn.checking.semantics.environment import Environment, Print, Stated
from symattn.checking.verdicts import (
    Definition,
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
from symattn.values.printed import Ball, has_one_digit, round_to, same_values
from symattn.writing.prose import Sentence

_WORD = regex(r"[A-Z]{2,9}")
_TENTH, _HUNDREDTH = Fraction(1, 10), Fraction(1, 100)  # finer units are those of rounded numbers


def begin(context: Context, open_: Open, printed: Printed, side: f.Side, source: Source) -> None:
    """Find what the first print of a chain is to be held against; without anything it is what is given."""
    before = context.environment.stated.get(open_.keys[0]) if open_.keys else None
    main = _main_formula(context, open_, printed, side, source)
    if main is None:
        _take_as_given(context, open_, printed, side, source)
        if before is not None and not before.given and open_.stated is not None:
            another = before.example < context.where.example  # whose inputs are what it begins with
            open_.stated.stale = printed.shape == (1, 1) and not another  # of what was computed: a remark, or a case
        return
    open_.definitions = [main, *(d for d in open_.definitions if d is not main)]
    context.state(open_, main)


def _main_formula(context: Context, open_: Open, printed: Printed, side: f.Side, source: Source) -> Definition | None:
    """The formula that stands before a print, or is found for it; None where the numbers are other ones."""
    label = context.where.label
    _take_for_another(open_, printed)
    if open_.keys == [_PI] and not open_.definitions:
        open_.take(_circle_constant(printed, context.environment))
    if not (open_.definitions or open_.keys or open_.failures):
        open_.take(find_called(context.where, side.relation, printed, context.environment))
    if not open_.definitions and not open_.labelled:
        context.expected.find_formula(open_, printed, source)
    if not (open_.definitions or open_.failures):
        open_.take(_said_plainly(context, open_, printed, side, source), label)
    if not open_.definitions:
        context.expected.seek_formula(open_, printed)
    _forget_what_was(open_, printed, context.environment)
    definitions = without_other_sigma(without_what_is_anew(open_.definitions, context.environment), printed)
    rows = [row_in(d, label, printed, context.environment) for d in definitions]
    alone = {d.expression for d, row in zip(definitions, rows, strict=True) if row is not d}
    open_.keys = [key for key in open_.keys if key not in alone]  # a row is not all that the formula comes to
    open_.definitions = with_sizes_that_fit(rows, printed, (label, source.after(side.end)), context.environment)
    if open_.definitions and _is_anew(context, open_, printed, source.place(side.start)[0]):
        known = open_.definitions[0].expression
        context.record.skip(source, side, Sentence("defined_anew", name=source.text[known.start : known.end]))
        open_.definitions = []
        if isinstance(known, f.Name) and not open_.keys:
            open_.keys.append(known)
    main = main_definition(open_.definitions, open_.keys) if open_.definitions else None
    if main is not None and context.expected.is_run(main, source):
        # a program prints no column that is a list
        lying = 1 in printed.shape and printed.shape == main.true.shape[::-1]
        if not is_shown(main, printed.turned() if lying else printed, context.environment):
            context.record.skip(source, side, Sentence("printed_otherwise"))
            return None
    return main


_PI = f.Name("π")


def _circle_constant(printed: Printed, environment: Environment) -> Definition | None:
    """What π is where its digits are printed, 3.14: it may be a permutation or a policy, too."""
    known = try_define(_PI, environment)
    decimals = printed.shape == (1, 1) and printed.units[0][0] <= _HUNDREDTH
    return known if known is not None and decimals and is_all_right(printed, known.true) else None


def _forget_what_was(open_: Open, printed: Printed, environment: Environment) -> None:
    """Take formulas of which only a number above is known for names, where numbers put in give another: Δc = e · LR."""
    plain = (d for d in open_.definitions if not d.symbolic and d.true.shape == (1, 1))
    if printed.shape != (1, 1) or all(_is_cut_off(printed, d.true) for d in plain):
        return
    for known in [d for d in open_.definitions if d.symbolic and d.expression in environment.stated]:
        unread = not isinstance(known.expression, f.Name) and _has_unknown_letters(known.expression, environment)
        if unread and _is_cut_off(printed, known.true):
            open_.definitions.remove(known)
            open_.keys.append(known.expression)
            environment.stated.pop(known.expression)


def _has_unknown_letters(expression: f.Expression, environment: Environment) -> bool:
    """Whether a formula is known by the number it came to alone: what its letters are was not read."""
    return not all(environment.knows(part) for part in f.walk(expression) if isinstance(part, f.Name))


def _take_for_another(open_: Open, printed: Printed) -> None:
    """Take σ_2 that is printed as a column for a symbol of its own, and for no entry of a σ above."""
    match open_.definitions:
        case [Definition(expression=f.Name() as name, true=true), *others] if true.shape == (1, 1) != printed.shape:
            open_.definitions = [d for d in others if d.true.shape == printed.shape]
            open_.keys.insert(0, name)


def _said_plainly(context: Context, open_: Open, printed: Printed, side: f.Side, source: Source) -> Definition | None:
    """The softmax that the words between a list and this one say that it is, where no name has another value."""
    name = open_.keys[0] if open_.keys else None
    if open_.anew is None and name is not None and not open_.labelled and context.environment.knows(name):
        return None
    return said_of(printed, side, source, context.environment)


def _take_as_given(context: Context, open_: Open, printed: Printed, side: f.Side, source: Source) -> None:
    """Take numbers without a formula for what a calculation begins with, or for a copy of a row that was wrong."""
    failures = [_of_word(context, open_) or reason for reason in open_.failures[:1]]
    for reason in [*failures, *([open_.anew] if open_.anew is not None else ())]:
        context.record.skip(source, side, reason)
    if open_.anew is not None:
        context.anew = source.place(side.start)[0]
    open_.given = True
    context.squares.update(key for key in open_.keys if isinstance(key, f.Power))
    if open_.labelled or not open_.keys:
        note_list(context, printed)
    computed = is_computed(printed, side.relation, open_)  # and may be rounded
    given = bool(open_.keys) and context.record.is_input(open_.keys[0])
    result = not is_given(open_, printed) if not given else has_shares(printed) and is_probability(open_.keys[0])
    if context.where.kind == "output":
        ranged = printed.as_run()
    elif result and not computed and not is_chosen(open_, printed):
        ranged = printed.as_prints()
    else:
        ranged = printed.as_ranges(rounded=computed)
    open_.stated = context.stated(printed.as_given, ranged, given=True)
    open_.stated.loose = printed.as_prints()
    if not open_.failures:
        context.record.givens.append(Given(open_, open_.stated, side, source))
    open_.definitions = [Definition(side.expression, open_.stated.true, (), open_.stated.true)]
    open_.stated.unsound = not given and has_broken_shares(printed)
    named = bool(open_.keys) and not open_.labelled and not given  # words alone may begin something new
    named = named or _are_called_weights(context.where, printed)
    copied = context.environment.wrong_rows.known_again(side.expression) if named else {}
    if copied:
        _copy(context, open_.stated, printed, copied)
    else:
        context.record.remember_numbers(printed, {}, open_.stated.true, given=given)
        if computed or result:
            context.doubt_digits(printed, _TENTH if side.relation == "≈" else _HUNDREDTH)
        context.environment.wrong_rows.note(printed.values, {}, open_.stated.true)  # what is given anew is meant
    context.keep(open_)
    context.expected.note_row(open_, printed, side.expression)


def _of_word(context: Context, open_: Open) -> Sentence | None:
    """What is said where the letters of a name such as PE are taken for factors, none of which has a value."""
    match open_.keys:
        case [f.Product() as product] if open_.failures[0].key == "name_unknown":
            word = open_.source.text[product.start : product.end]
            names = [part for part in f.walk(product) if isinstance(part, f.Name)]
            if _WORD.fullmatch(word) and not any(map(context.environment.knows, names)):
                return Sentence("taken_as_given", name=word)
    return None


def _are_called_weights(where: Where, printed: Printed) -> bool:
    """Whether words call a row weights, three numbers of two decimals or more: no chance repeats it, errors and all.

    Below a heading or words that speak of an example they may begin something new.
    """
    telling = printed.shape[0] == 1 and printed.shape[1] > 2 and max(printed.units[0]) <= _HUNDREDTH
    said = where.label + where.above[where.above.rfind("\n#") + 1 :]
    return telling and role_of_words(where.label.lower()) == "weights" and not is_assumed(said)


def _is_anew(context: Context, open_: Open, printed: Printed, line: int) -> bool:
    """Whether what is known by its own name is printed with other numbers, or an entry as counted from 0."""
    known, environment = open_.definitions[0], context.environment
    restated = all(_is_restated(context, d.expression, line) for d in open_.definitions)
    other = restated and not is_same(known.true, printed, context.where.label)
    program = context.where.kind == "code" or context.where.before.rstrip(" ").endswith(">>>")
    stated = environment.stated.get(known.expression) if isinstance(known.expression, f.Name) else None
    if stated is not None and stated.stale:
        other |= _is_cut_off(printed, known.true)  # set anew by what is not known: 0. is not 0.79 with fewer digits
    alias = stated is None and known.expression in environment.stated
    again = any(not d.symbolic and same_values(d.true, known.true) for d in open_.definitions)
    if alias and not again and _has_unknown_letters(known.expression, environment):
        other |= _is_cut_off(printed, known.true)  # w_1x + b, of which only the number above is known
    if stated is not None and stated.example < context.where.example and printed.shape == (1, 1):
        other |= relation_at(printed, known.true, (0, 0)) != "exact"  # 0.7 in a next example is no 0.698
    if stated is not None and stated.given and stated.section != context.where.section:
        other |= _is_another_choice(printed, known.true)
    if program and isinstance(known.expression, f.Name):  # what a program is given, it sets anew
        given = all(environment.stated[key].given for key in known.used)
        other |= given and len(right_places(printed, known.true)) < len(printed.places())
    return other or is_counted_from_zero(known, printed, environment)


def _is_another_choice(printed: Printed, true: Balls) -> bool:
    """Whether a number of one digit is not all that a name was given: η = 0.2 of one exercise is no 0.25 rounded."""
    lone, value, unit = printed.shape == true.shape == (1, 1), printed.values[0][0], printed.units[0][0]
    return lone and value is not None and has_one_digit(value, unit) and relation_at(printed, true, (0, 0)) != "exact"


def _is_cut_off(printed: Printed, true: Balls) -> bool:
    """Whether a number is not what its value rounds to."""
    places = printed.places() if printed.shape == true.shape else ()
    told = ((i, j) for i, j in places if (i, j) not in true.hidden and printed.values[i][j] is not None)
    return any(relation_at(printed, true, place) not in ("exact", "rounded") for place in told)


def _is_restated(context: Context, expression: f.Expression, line: int) -> bool:
    """Whether this is a value that is known by its own name, or a square right below one, μ = 2, σ² = 0.

    A square whose root was taken, σ = √σ² = √25, is what is given; so is one that stood before its root.
    """
    match expression:
        case f.Power(f.Name(), f.Number(value=2)) if context.environment.is_root_taken(expression):
            return True
        case f.Power(f.Name(), f.Number(value=2)) if expression in context.squares:
            return True
        case f.Power(f.Name() as base, f.Number()) if line - 1 <= context.anew <= line:
            return context.environment.knows(base)
        case f.Power(f.Name(), f.Number(value=2)) if said_to_change(context.where.label):
            return expression in context.environment.stated  # if σ² = 4
        case f.Matrix(rows=rows):  # (x, y) = (4, 2) of what was given
            return all(context.environment.is_given(cell) for row in rows for cell in row)
    return context.environment.is_alias(expression)


def _copy(context: Context, stated: Stated, printed: Printed, copied: Mapping[Place, tuple[Ball, Cause]]) -> None:
    """Take numbers that repeat a row printed wrong before for that row: what follows from them is carried."""
    bad = {place: cause for place, (_, cause) in copied.items()}
    rows = [list(row) for row in printed.as_given.rows]
    for (i, j), (right, _) in copied.items():
        rows[i][j] = right
    stated.true = Balls(printed.shape, None, tuple(map(tuple, rows)), printed.as_given.hidden)
    stated.ranged = stated.loose = None
    stated.prints.append(Print(printed.as_given, correct_prints(printed, bad, stated.true), bad))
    context.record.remember_numbers(printed, bad, stated.true)
    for i, j in copied:
        value, unit = printed.values[i][j], printed.units[i][j]
        if value is not None and not has_one_digit(value, unit):
            instead = round_to(stated.true.rows[i][j], unit)
            context.environment.mend_within(context.where.section, (value, unit), instead)
