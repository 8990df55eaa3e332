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

from symattn.checking.expected.applied import Bare
from symattn.checking.expected.evidence import borne_out, mostly_right, worths
from symattn.checking.expected.gathered import Singles
from symattn.checking.expected.sought import weigh_against_chance
from symattn.checking.semantics.environment import Environment
from symattn.checking.unwritten import unwritten_terms
from symattn.checking.verdicts import Definition, Printed, agreeing, table_of_prints, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.vocabulary import SUM
from symattn.values.printed import round_to

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
    for count, (_, number) in enumerate(reversed(found), 1):
        if number.places < 1 <= printed.units[0][0]:
            return  # of decimals the sum is no whole number: this is a count of something else
        total, allowed = total + number.value, allowed + number.places
        if count > 1 and abs(total - (printed.values[0][0] or 0)) <= allowed:
            yield [definition.expression for definition, _ in found[-count:]]


def _add(terms: Sequence[f.Expression]) -> f.Expression:
    return f.Sum(tuple(terms), (1,) * len(terms))


def _is_power(expression: f.Expression) -> bool:
    return isinstance(expression, f.Call) and expression.function == "exp"


def _right(formula: f.Expression, printed: Printed, environment: Environment) -> Definition | None:
    definition = try_define(formula, environment)
    if definition is None:
        return None
    count = len(printed.places())
    fits = any(v.shape == printed.shape and agreeing(printed, v) == count for v in worths(definition, environment))
    return definition if fits else None
