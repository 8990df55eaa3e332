"""Numbers written out in a calculation, 400/1.414: what they may stand for, and where wrong ones come from.

A number may have been rounded or cut off to its digits, or be the print of something stated before. It stands for the
same wherever it is written: in 7.0/(7.0 + 1) both are one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce

from symattn.checking.findings import Cause, Place
from symattn.checking.semantics.environment import Environment, Written
from symattn.checking.semantics.evaluation import evaluate, try_evaluate
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import (
    Ball,
    constant_printed,
    differ,
    enclose,
    has_one_digit,
    is_larger,
    lies_within,
    may_round_to,
    parts_of,
    stands_for,
)

PARTS = {1: 64, 2: 8, 3: 4}  # how many parts a range is cut into, by how many numbers are written more than once


class Literals:
    """What a side of a chain may be worth, its numbers being prints."""

    def __init__(self, expression: f.Expression, environment: Environment) -> None:
        self.expression, self.environment = expression, environment
        self.whole = self._worth(expression, {})

    def cover(self, true: Balls, place: Place) -> bool:
        """Whether the numbers can stand for ones from which the true entry follows."""
        if self.whole is None or self.whole.shape != true.shape or entry_differs(self.whole, true, place):
            return False
        cell = cell_of(self.expression, place)
        at = (0, 0) if cell is not self.expression else place
        for choice in self._choices(cell):
            value = self._worth(cell, choice)
            if value is None or not _entries_differ(value, at, true, place):
                return True
        return False

    def may_print(self, place: Place, printed: Fraction, unit: Fraction) -> bool:
        """Whether the numbers can stand for ones whose result is printed so."""
        i, j = place
        return self.whole is not None and may_round_to(self.whole.rows[i][j], printed, unit)

    def _choices(self, cell: f.Expression) -> Iterator[Mapping[Written, Balls]]:
        """A part of its range for each number that is written more than once."""
        written = Counter((p.value, p.places) for p in f.walk(cell) if isinstance(p, f.Number) and p.places < 1)
        twice = [number for number, times in written.items() if times > 1]
        parts = [parts_of(self._range(*number), PARTS[len(twice)]) if len(twice) in PARTS else [] for number in twice]
        if not all(parts):
            return iter([{}])
        return (dict(zip(twice, chosen, strict=True)) for chosen in itertools.product(*parts))

    def _range(self, value: Fraction, unit: Fraction) -> Balls:
        return stands_for(value, unit, self.environment.meant_by(value))

    def _worth(self, expression: f.Expression, choice: Mapping[Written, Balls]) -> Balls | None:
        inner = self.environment.lookup(whole=expression)

        def lookup(part: f.Expression) -> Balls | None:
            if isinstance(part, f.Number):
                chosen = choice.get((part.value, part.places))
                return self._range(part.value, part.places) if chosen is None else chosen
            return inner(part)

        return try_evaluate(expression, lookup)


def meant(expression: f.Expression, environment: Environment) -> Iterator[Balls]:
    """The values where numbers that are evidently prints stand for what they print: 0.33 for 1/3, 1.41 for √2.

    A number may have been printed of several: the one printed last first, and so on for all of them at once.
    """
    may_be = _prints_in(expression, environment)
    known = {
        id(part): environment.meant_by(part.value) or environment.meant_in_short(part.value, part.places)
        for part in may_be
    }
    roots = environment.may_have_roots
    constants = {id(part): constant_printed(part.value, part.places, roots=roots) for part in may_be}
    evident = {at: [*known[at], constant] for at, constant in constants.items() if constant is not None}
    for prints in (known, known | evident) if evident else (known,):
        for k in range(max(map(len, prints.values()), default=0)):
            value = _with_meanings(expression, prints, environment, k)
            if value is None:
                break
            yield value


def _prints_in(expression: f.Expression, environment: Environment) -> list[f.Number]:
    """The numbers that may be prints: decimals, and factors that are a weight printed as 0 or 1."""
    parts = list(f.walk(expression))
    decimals = [part for part in parts if isinstance(part, f.Number) and part.places < 1]
    factors = (x for part in parts if isinstance(part, f.Product) for x in part.factors if isinstance(x, f.Number))
    return decimals + [x for x in factors if x.value in (0, 1) and environment.judged.get(x.value)]


def _with_meanings(
    expression: f.Expression, prints: Mapping[int, Sequence[Ball]], environment: Environment, k: int
) -> Balls | None:
    """The value with the k-th meaning of each number, by its identity, or its last one."""
    inner = environment.lookup(whole=expression)

    def lookup(part: f.Expression) -> Balls | None:
        meanings = prints.get(id(part))
        return Balls((1, 1), None, ((meanings[min(k, len(meanings) - 1)],),)) if meanings else inner(part)

    return try_evaluate(expression, lookup)


def has_digits_cut(number: f.Number) -> bool:
    """Whether a decimal is long enough to be cut: 0.002 has no digits to have been."""
    return abs(number.value) >= 100 * number.places


def rounds_up(expression: f.Expression, environment: Environment) -> bool:
    """Whether a number in it is larger than what it is the print of: who rounds there does not cut off here."""
    numbers = (part.value for part in f.walk(expression) if isinstance(part, f.Number) and part.places < 1)
    return any(is_larger(number, value) for number in numbers for value in environment.judged.get(number, ())[-1:])


def within_prints(expression: f.Expression, environment: Environment) -> Balls | None:
    """All that a side may be worth where numbers in it are rounded prints of what nobody knows; None where none is.

    That are numbers taken as given that are no inputs, those before large powers of ten, 8.6 · 10⁹, and of two decimals
    or more those squared in a variance, and shares.
    """
    results = {*_squared_differences(expression), *_shares(expression)}
    inner, changed = environment.lookup(whole=expression), False

    def lookup(part: f.Expression) -> Balls | None:
        nonlocal changed
        if (
            isinstance(part, f.Number)
            and part.places > 1
            and "." in part.text
            and not environment.numbers.get(part.value)
        ):
            changed = True
            return enclose([[part.value]], [[part.places / 2]])
        if isinstance(part, f.Number) and part.places < 1:
            unit = environment.unsure.get(abs(part.value))
            fine = part.places <= _TWO_DECIMALS
            if unit is None and fine and id(part) in results and part.value not in environment.judged:
                unit = part.places
            if unit is not None:
                changed = True
                return enclose([[part.value]], [[unit / 2]])
            if prints := environment.meant_by(part.value):
                changed |= len(prints) > 1  # 0.001 may be one weight here and another there
                return Balls((1, 1), None, ((reduce(lambda a, b: a.union(b), prints),),))
        return inner(part)

    value = try_evaluate(expression, lookup)
    return value if changed else None


def with_long_literals(expression: f.Expression, environment: Environment) -> Balls:
    """All that a side may be worth where numbers of three digits and three decimals in it are rounded.

    What was held against a formula is known to more digits, and what was printed wrong is no rounded number.
    """

    def is_rounded(number: f.Number) -> bool:
        fine = number.places <= THREE_DECIMALS and has_digits_cut(number)
        unsure = number.places <= THREE_DECIMALS and abs(number.value) in environment.unsure
        return unsure or (fine and number.value not in environment.judged)

    return evaluate(expression, environment.lookup(ranged=is_rounded, whole=expression))


def lost_decimals(expressions: Iterable[f.Expression], value: Fraction | None, environment: Environment) -> bool:
    """Whether a whole number is what one of these is rounded to, 0.7 + 0.4 = 1, though it is a sum of decimals."""
    return value is not None and any(
        _is_of_decimals(expression, value) and not _may_come_to(expression, value, environment)
        for expression in expressions
    )


def misses_one(
    expressions: Iterable[f.Expression], value: Fraction | None, unit: Fraction, environment: Environment
) -> bool:
    """Whether shares are written to add up to 1, 0.42 + 0.33 + 0.34 = 1.0, and do not, whatever they are prints of."""
    for shares in (e for e in expressions if value == 1 and _is_of_shares(e)):
        total = evaluate(shares, environment.lookup(ranged=lambda _: True, whole=shares)).rows[0][0]
        if not may_round_to(total, Fraction(1), unit if unit < 1 else Fraction(0)):
            return True
    return False


def _is_of_shares(expression: f.Expression) -> bool:
    """Whether an expression is a sum of decimals between 0 and 1 that stand for themselves, without units."""
    if not isinstance(expression, f.Sum) or len(expression.terms) < 2 or min(expression.signs) < 0:
        return False
    terms = [term for term in expression.terms if isinstance(term, f.Number) and not term.unit]
    return len(terms) == len(expression.terms) and all(0 < t.value < 1 and t.places < 1 for t in terms)


def _is_of_decimals(expression: f.Expression, value: Fraction) -> bool:
    """Whether decimals are added up to one digit or two, or are multiplied to one: larger ones are rounded silently."""
    parts = list(f.walk(expression))
    plain = isinstance(expression, f.Sum | f.Product) and all(
        isinstance(p, f.Sum | f.Product | f.Number) for p in parts
    )
    summed = not any(isinstance(part, f.Product) for part in parts)
    decimals = any(isinstance(part, f.Number) and part.places < 1 for part in parts)
    return plain and decimals and abs(value) < (100 if summed else 10)


def _may_come_to(expression: f.Expression, value: Fraction, environment: Environment) -> bool:
    """Whether a sum or a product is a number where its decimals are rounded: 0.33 + 0.33 + 0.33 is 1."""
    ranges = evaluate(expression, environment.lookup(ranged=lambda number: number.places < 1, whole=expression))
    return lies_within(ranges.rows[0][0], value)


_TWO_DECIMALS = Fraction(1, 100)
_TWENTIETH = Fraction(1, 20)
THREE_DECIMALS = Fraction(1, 1_000)


def _squared_differences(expression: f.Expression) -> Iterator[int]:
    """The numbers of ((−0.53)² + 0.21² + …)/n, by identity."""
    for part in f.walk(expression):
        if not (isinstance(part, f.Quotient) and isinstance(part.numerator, f.Sum) and len(part.numerator.terms) > 1):
            continue
        squares = [t for t in part.numerator.terms if isinstance(t, f.Power) and _is_two(t.exponent)]
        if len(squares) == len(part.numerator.terms):
            inside = ([x for x in f.walk(square.base) if isinstance(x, f.Number)] for square in squares)
            yield from (id(numbers[0]) for numbers in inside if len(numbers) == 1)


def _shares(expression: f.Expression) -> Iterator[int]:
    """The weights of 0.81·v₁ + 0.10·v₂ + 0.10·v₃, by identity, which add up to 1 but for rounding.

    Of two, one with one digit is chosen: 0.95·m + 0.05·g. Where they add up to 1 just so, three or more are rounded
    that are no twentieths, as 0.67, 0.24 and 0.09.
    """
    for part in f.walk(expression):
        if not isinstance(part, f.Sum) or min(part.signs) < 0:
            continue
        products = [term.factors for term in part.terms if isinstance(term, f.Product)]
        for k in (0, -1) if len(products) == len(part.terms) else ():
            weights = [x for factors in products if isinstance(x := factors[k], f.Number) and 0 <= x.value <= 1]
            chosen = len(weights) == 2 and any(has_one_digit(x.value, x.places) for x in weights)
            off = sum((x.value for x in weights), Fraction(-1))
            slack = sum((x.places for x in weights if x.places < 1), Fraction(0)) / 2
            odd = len(weights) > 2 and any(x.value % _TWENTIETH for x in weights)
            if len(weights) == len(products) and not chosen and (odd or off) and abs(off) <= slack:
                yield from map(id, weights)


def _is_two(exponent: f.Expression) -> bool:
    return isinstance(exponent, f.Number) and exponent.value == 2


def is_again(expression: f.Expression, environment: Environment) -> bool:
    """Whether a side is what has been written by its name, a row or an entry of it, or these turned.

    What a name stands for that only a formula gives, O = A V, is computed where a row of it is printed first.
    """
    while isinstance(expression, f.Entry | f.Transpose):
        expression = expression.operand
    return isinstance(expression, f.Name) and environment.is_written(expression)


def repeats_wrong(expression: f.Expression, environment: Environment) -> bool:
    """Whether a number is written, digit for digit, that was printed wrong before: 5.75 for 5, and then 5.75 · 3.

    It may be another quantity, so that nothing is said to follow from it. But 15 behind it is what is right.
    """
    numbers = (part for part in f.walk(expression) if isinstance(part, f.Number))
    return bool(environment.mends) and any((part.value, part.places) in environment.mends for part in numbers)


def wrong_literals(expression: f.Expression, environment: Environment) -> list[Cause]:
    """Where the numbers written in an expression come from that were printed wrong before."""
    values = (part.value for part in f.walk(expression) if isinstance(part, f.Number))
    return [cause for value in values if (cause := environment.numbers.get(value)) is not None]


def wrong_in_cell(expression: f.Expression, place: Place, environment: Environment) -> list[Cause]:
    """Those written in one cell; none where a whole number in it was never printed before."""
    cell = cell_of(expression, place)
    numbers = (part for part in f.walk(cell) if isinstance(part, f.Number))
    if any(part.value not in environment.numbers and part.places >= 1 for part in numbers):
        return []
    if all(isinstance(part, f.Sum) or _is_nought_or_one(part) for part in f.walk(cell)):
        return []  # 1 + 1 + 0: a one is any
    return wrong_literals(cell, environment)


def _is_nought_or_one(part: f.Expression) -> bool:
    return isinstance(part, f.Number) and part.value in (0, 1)


def cell_of(expression: f.Expression, place: Place) -> f.Expression:
    """The cell of a matrix as written; of anything else the whole."""
    i, j = place
    if isinstance(expression, f.Matrix) and i < len(expression.rows) and j < len(expression.rows[i]):
        return expression.rows[i][j]
    return expression


def entry_differs(a: Balls, b: Balls, place: Place) -> bool:
    """Whether two matrices certainly have different entries at a place."""
    return _entries_differ(a, place, b, place)


def _entries_differ(a: Balls, at: Place, b: Balls, place: Place) -> bool:
    if (at in a.hidden) != (place in b.hidden):
        return True
    return at not in a.hidden and differ(a.rows[at[0]][at[1]], b.rows[place[0]][place[1]])
