"""Sums that a word says, and shares of them: e^2 = 7.39, e^0 = 1, "Sum = 8.39", "[0.88, 0.12]".

What is added up is named by nobody: it is the last list, its exponentials, or the numbers computed one by one before.
So the sum itself has to be right, and so have all shares; where it is not, something else may have been added up, but
for a slip of the pen: two digits swapped or one that is another. A long number needs no word: attention = 150,994,944
after two numbers that add up to it. What is called a mean is such a sum divided by how many there are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from symattn.checking.expected.applied import Bare
from symattn.checking.expected.evidence import borne_out, mostly_right, worths
from symattn.checking.expected.gathered import Singles
from symattn.checking.expected.sought import weigh_against_chance
from symattn.checking.expected.sources import Source
from symattn.checking.semantics.environment import Environment
from symattn.checking.unwritten import unwritten_terms
from symattn.checking.verdicts import Definition, Printed, agreeing, table_of_prints, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.vocabulary import SUM, THE_REST
from symattn.values.balls import Balls
from symattn.values.printed import round_to, same_values

_WORDS = rf"{SUM}|denominator|求和|之和|분모|分母|和"
_NAME = regex(_WORDS, re.IGNORECASE)
_ABOUT = r"about|approximately|roughly|(?:大约|大約|约|約)[为為]?|약|ungefähr|environ|cerca de|aproximadamente"
_LINKS = rf"(?:(?:is|of|为|為|是|は|equals|ist|est|es)\s*)?(?:{_ABOUT})|is|of|为|為|是|は|equals|[:：=≈]"
_VERBS = r"sum(?:s|med|ming)?(?: up)? to|add(?:s|ed|ing)? up to|tota(?:l|ls|ling|lling)"
_SAID = regex(rf"(?<![a-z])(?:(?:{_WORDS})\s*(?:{_LINKS})?|(?:{_VERBS})(?:\s*(?:{_ABOUT}))?)[\s`]*$", re.IGNORECASE)
_LONG = 6  # digits
_MOST = 64  # numbers that are added up


def is_called_sum(name: f.Expression) -> bool:
    """Whether a name says that it is a sum."""
    return isinstance(name, f.Name) and not name.indices and _NAME.fullmatch(name.base) is not None


def over_own_sum(part: f.Expression, environment: Environment) -> f.Expression:
    """Exponentials divided by what is only called their sum, [e², e¹]/sum, as divided by what they add up to."""
    match part:
        case f.Quotient(f.Matrix(rows=(row,)) as numbers, f.Name() as below) if len(row) > 1 and is_called_sum(below):
            if not environment.knows(below) and all(map(_is_power, row)):
                return replace(part, numerator=numbers, denominator=_add(row))
    return part


def is_said_to_be_sum(label: str) -> bool:
    """Whether the words right before a number say that it is a sum.

    >>> is_said_to_be_sum("e^0 = 1, their sum is"), is_said_to_be_sum("which add up to")
    (True, True)
    >>> is_said_to_be_sum("the sum of the others and")
    False
    """
    return _SAID.search(label) is not None


def is_long(printed: Printed) -> bool:
    """Whether a number has so many digits that it is the sum of others by no chance, 150,994,944."""
    return printed.shape == (1, 1) and sum(c.isdigit() for c in printed.texts[0][0].lstrip("-−0.")) >= _LONG


def find_total(
    last: Bare | None, singles: Singles, printed: Printed, around: str, environment: Environment
) -> Definition | None:
    """What a number is the sum of: the last list, its exponentials, or the numbers computed last; None if it is not.

    A number that stands `around` it in words may be one more term.
    """
    if printed.shape != (1, 1) or printed.values[0][0] is None:
        return None
    for terms in _terms(last, singles, printed):
        for each in (terms, [singles.as_printed(term) for term in terms]):
            if (found := _right(_add(each), printed, environment)) is not None:
                return found
    run = _run(singles)
    added = unwritten_terms(around)
    return _nearly([_add([singles.as_printed(x) for x in run])], printed, environment, added) if run else None


def sum_of_all_powers(
    singles: Singles,
    lists: Sequence[f.Expression],
    printed: Printed,
    now: tuple[f.Expression, Source] | None,
    environment: Environment,
) -> Definition | None:
    """The sum of exponentials that stand right before it, of just the numbers of a list: so many has its softmax.

    It is what is meant however wrong it is printed, unless that is the sum of the list itself, of some of them or of
    several such lists, or one more may have been added. `now` is the name of the sum, and where it stands.
    """
    before = "" if now is None else now[1].before(now[0].start)
    if now is None or _REST.search(now[1].where.above[-_AROUND:] + now[1].text + now[1].where.after[:_AROUND]):
        return None
    run, value = _run(singles), printed.values[0][0]
    if value is None or printed.shape != (1, 1) or not all(map(_is_power, run)) or not _ends_in(before, singles, run):
        return None
    powers = try_define(f.Matrix((tuple(x.arguments[0] for x in run if isinstance(x, f.Call)),)), environment)
    total = try_define(_add(run), environment)
    if powers is None or total is None or not _is_known(powers.true, lists, environment):
        return None
    numbers = [singles.as_printed(x) for x in run]
    prints = [x.value for x in numbers if isinstance(x, f.Number)]
    slack = sum((x.places for x in numbers if isinstance(x, f.Number) and x.places < 1), printed.units[0][0])
    others = [sum(some, Fraction(0)) for k in range(1, len(prints)) for some in combinations(prints, k)]
    others += [round_to(sum(powers.true.rows[0][1:], powers.true.rows[0][0]), _FINE), Fraction(1)]
    others += [sum(prints, Fraction(0)) * k for k in range(2, _MOST)]
    missing = any(abs(value - other) <= slack for other in others)
    added = _is_power_of_e(value - sum(prints), slack) or any(abs(value - sum(prints) - x) <= slack for x in prints)
    return None if missing or added else total


def _ends_in(before: str, singles: Singles, run: Sequence[f.Expression]) -> bool:
    """Whether a text ends in the results of a run, and in no other number, and leaves none to dots."""
    end = len(before)
    for each in reversed(run):
        number = singles.as_printed(each)
        start = before.rfind(number.text, max(end - _GAP, 0), end) if isinstance(number, f.Number) else -1
        rest = before[start + len(number.text) : end] if isinstance(number, f.Number) and start >= 0 else "..."
        if _LEFT_OUT.search(rest) or (each is run[-1] and not _LEADS_ON.fullmatch(rest)):
            return False
        end = start
    return 1 < len(run) <= _MOST_IN_A_ROW


def _is_known(values: Balls, lists: Sequence[f.Expression], environment: Environment) -> bool:
    """Whether numbers are those of a list that was printed, or of a name."""
    stated = (known.true for known in environment.stated.values() if not known.stale)
    printed = (d.true for each in lists if (d := try_define(each, environment)) is not None)
    return any(same_values(values, other) for other in (*printed, *stated) if other.shape == values.shape)


_LEADS_ON = regex(  # from the last exponential to the name of the sum, or past it
    r"(?:[^\w\\]|_|\\[ ,;:!>()\[\]]|\\(?:q?quad|text|mathrm|textrm|mbox|to|rightarrow|Rightarrow|implies)(?![a-z]))*"
    rf"(?:(?:so|the|their|and|total|hence|thus|giving|die|ihre|la|il|le|leur|su|它们的|其|則|则|{_WORDS}|{_LINKS})[\W_]*){{0,4}}",
    re.IGNORECASE,
)
_REST = regex(THE_REST, re.IGNORECASE)
_AROUND = 200  # characters
_LEFT_OUT = regex(r"\.\.\.|…|dots|\betc|\bothers?\b|\brest\b|其余|其他|等")
_MOST_IN_A_ROW = 6
_GAP = 60  # characters from one exponential to the next, and to their sum
_FINE = Fraction(1, 1_000_000)


def find_mean(singles: Singles, printed: Printed, environment: Environment) -> Definition | None:
    """The mean of the numbers of one kind computed last, −ln 0.6 and −ln 0.4, if a number is that but for a slip."""
    run = _run(singles) if printed.shape == (1, 1) else []
    means = [
        f.Quotient(_add(each), f.Number(str(len(run)), Fraction(len(run)), Fraction(1)))
        for each in (run, [singles.as_printed(x) for x in run])
        if run
    ]
    found = (_right(mean, printed, environment) for mean in means)
    return next((x for x in found if x is not None), None) or _nearly(means, printed, environment)


def _run(singles: Singles) -> list[f.Expression]:
    """The functions of numbers that were computed last, one after the other: exponentials, or logarithms."""
    latest = [definition.expression for definition, _ in reversed(singles.latest(_MOST))]
    kinds = [_kind(expression) for expression in latest]
    count = next((k for k, kind in enumerate(kinds) if kind is None or kind != kinds[0]), len(kinds))
    return latest[:count][::-1] if count > 1 else []


def _kind(expression: f.Expression) -> str | None:
    """The function that a number was computed by, perhaps with a minus."""
    match expression:
        case f.Sum(terms=(f.Call(function=function),)):
            return f"-{function}"
        case f.Call(function=function):
            return function
    return None


def _nearly(
    formulas: Sequence[f.Expression], printed: Printed, environment: Environment, terms: Sequence[Fraction] = ()
) -> Definition | None:
    """The formula of which a number of four digits or more is a slip: digits swapped, or a decimal that is another.

    A difference of 1, 0.368 or 0.050 is no slip: the exponential of a whole number may have been added too, or one of
    the `terms`.
    """
    digits = _digits(printed.texts[0][0])
    value, unit = printed.values[0][0], printed.units[0][0]
    if value is None or len(digits.lstrip("0")) < _FEWEST_OF_A_SLIP:
        return None
    for formula in formulas:
        definition = try_define(formula, environment)
        if definition is None or definition.true.shape != (1, 1) or definition.true.hidden:
            continue
        true = round_to(definition.true.rows[0][0], unit)
        right = _digits(str(int(true / unit))).rjust(len(digits), "0")
        off = [k for k, (a, b) in enumerate(zip(digits, right, strict=False)) if a != b]
        swapped = (
            len(off) == 2 and off[1] == off[0] + 1 and {*digits[off[0] : off[1] + 1]} == {*right[off[0] : off[1] + 1]}
        )
        changed = len(off) == 1 and abs(value - true) < 1 and not _is_power_of_e(value - true, unit)
        added = any(abs(value - true - term) <= 2 * unit for term in terms)
        if len(digits) == len(right) and (swapped or changed) and not added:
            return definition
    return None


def _is_power_of_e(difference: Fraction, unit: Fraction) -> bool:
    return any(abs(float(difference) - math.exp(-k)) <= 2 * unit for k in range(_MOST))


_FEWEST_OF_A_SLIP = 4


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def find_shares(
    singles: Singles, lists: Sequence[Bare], called: bool, printed: Printed, environment: Environment
) -> Definition | None:
    """Each of the exponentials or of the `lists` computed last over their sum, if a row of weights is that.

    One that is `called` weights may have a number wrong; of a list beside one that is not, all digits have to show it.
    """
    rows, count = printed.shape
    powers = [d.expression for d, _ in singles.latest(count + 1) if _is_power(d.expression)][-count:]
    parts = [powers] if len(powers) == count else []
    parts += [list(row) for each in lists if (row := _exponentials(each.expression)) and len(row) == count]
    for terms in parts if rows == 1 < count else ():
        shares = f.Matrix((tuple(f.Quotient(x, _add(terms)) for x in terms),))
        definition = _right(shares, printed, environment)
        shown = called or terms is powers or weigh_against_chance(printed) >= _SHOWN
        if definition is not None and shown:
            return definition
        definition = try_define(shares, environment) if called else None
        if definition is None:
            continue
        half = terms is powers and 2 * agreeing(printed, definition.true) >= count
        if (half and borne_out(definition, printed, environment)) or mostly_right(definition, printed, environment):
            return definition
    return None


_SHOWN = 2.5  # powers of ten against chance


def _exponentials(expression: f.Expression) -> Sequence[f.Expression]:
    """The numbers of a list that may be exponentials: positive, and not shares themselves."""
    match expression:
        case f.Matrix(rows=(row,)) if all(isinstance(x, f.Number) and x.value >= 0 for x in row):
            return row if sum(x.value for x in row if isinstance(x, f.Number)) > _MOST_OF_SHARES else ()
    return ()


_MOST_OF_SHARES = Fraction(101, 100)


def find_divided_sum(formula: f.Expression, environment: Environment) -> tuple[f.Number, Printed, Definition] | None:
    """The 3.0 of [1, 2] / 3.0, or of its cells 1/3.0 and 2/3.0, if it is the sum of what it divides.

    A whole number is none that somebody had to add up: 1/3 is a fraction.
    """
    match formula:
        case f.Quotient(f.Matrix(rows=(row,)), f.Number() as divisor) if len(row) > 1:
            terms: Sequence[f.Expression] = row
        case f.Matrix(rows=((f.Quotient(_, f.Number() as divisor), _, *_) as row,)):
            parts = [cell for cell in row if isinstance(cell, f.Quotient) and cell.denominator == divisor]
            if len(parts) < len(row):
                return None
            terms = [cell.numerator for cell in parts]
        case _:
            return None
    printed = table_of_prints(divisor) if divisor.places < 1 else None
    definition = None if printed is None else _right(_add(terms), printed, environment)
    return None if printed is None or definition is None else (divisor, printed, definition)


def _terms(last: Bare | None, singles: Singles, printed: Printed) -> Iterator[Sequence[f.Expression]]:
    """What may have been added up: a list, its exponentials, and of the numbers computed last any that come near."""
    match last.expression if last is not None else None:
        case f.Matrix(rows=(row,)) if 1 < len(row) <= _MOST:
            yield row
            yield [f.Call("exp", (cell,)) for cell in row]
    found = singles.latest(_MOST)
    total, allowed = Fraction(0), printed.units[0][0]
    for count, (definition, number) in enumerate(reversed(found), 1):
        if count > 1 and _is_sum_of_powers(definition.expression) and _is_power(found[-1][0].expression):
            return  # that of the row above, which these are no more of
        if number.places < 1 <= printed.units[0][0]:
            return  # of decimals the sum is no whole number: this is a count of something else
        total, allowed = total + number.value, allowed + number.places
        if count > 1 and abs(total - (printed.values[0][0] or 0)) <= allowed:
            yield [definition.expression for definition, _ in found[-count:]]


def _add(terms: Sequence[f.Expression]) -> f.Expression:
    return f.Sum(tuple(terms), (1,) * len(terms))


def _is_power(expression: f.Expression) -> bool:
    return isinstance(expression, f.Call) and expression.function == "exp"


def _is_sum_of_powers(expression: f.Expression) -> bool:
    terms = expression.terms if isinstance(expression, f.Sum) else ()
    return len(terms) > 1 and all(isinstance(term, f.Number) or _is_power(term) for term in terms)


def _right(formula: f.Expression, printed: Printed, environment: Environment) -> Definition | None:
    definition = try_define(formula, environment)
    if definition is None:
        return None
    count = len(printed.places())
    fits = any(v.shape == printed.shape and agreeing(printed, v) == count for v in worths(definition, environment))
    return definition if fits else None
