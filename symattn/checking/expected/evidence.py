"""When printed numbers show that a formula gave them, which nobody wrote beside them.

Every number right is evidence, and so are numbers that are all close with half of them right; how much is asked of a
step depends on what else may have been printed there, and the rules of the steps say which of these they take.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import inf, log
from typing import Any

from symattn.checking.findings import Place
from symattn.checking.semantics.environment import Environment
from symattn.checking.slips import is_slip
from symattn.checking.verdicts import Definition, Printed, right_places
from symattn.patterns import regex
from symattn.values.balls import Balls
from symattn.values.printed import Ball, apart, cosine, distance, may_round_to, rest_of, size_of, sums_to_one

CLOSE = 0.1  # of the largest entry: closer than any other step of the calculation comes by chance
ALONG = 0.95  # the cosine of the angle between a row and what it is wrong for
ALIKE = 0.5  # the cosine of the angle between the numbers printed and those of the formula
NEAR = 2  # units of the last place
NEAR_PART = 0.0005  # of the largest entry
PLAIN = (None, 0, 1)
_FLATTEST = 1 / 64  # a factor of scores, over √4096; with less, any row of equal weights would fit
_Cell = tuple[Fraction, Fraction]  # a score and its weight
Evidence = Callable[[Definition, Printed, Environment], bool]


def borne_out(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether every printed number is close to the one that the formula gives, for true values or printed ones."""
    return len(printed.places()) >= 3 and any(is_close(value, printed) for value in worths(definition, environment))


def in_order(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether numbers are borne out, or are rows of weights that all have the order of those of the formula, where the
    text says that softmax is taken: other weights have that order too, those of a sigmoid or of a next head.

    The order may be that of the scores as they were printed, right or wrong: nobody sees the right ones.
    """
    if borne_out(definition, printed, environment):
        return True
    if len(printed.values) < 2 or printed.shape[1] < 3 or not has_shares(printed):
        return False
    known = (value for value in worths(definition, environment) if value.shape == printed.shape and not value.hidden)
    return _says_softmax(environment.told) and any(same_order(value, printed) for value in known)


def _says_softmax(told: str) -> bool:
    """Whether what stands before a matrix names softmax and nothing else, or nothing stands between it and a matrix."""
    told = told.rstrip("$\\[(` \t\n")
    between = told[max(map(told.rfind, ("]", "}", "$"))) + 1 :]
    if not any(c.isalpha() for c in between):
        return True
    return _SOFTMAX.search(told) is not None and _OTHER_WEIGHTS.search(told) is None


_SOFTMAX = regex(r"soft-?max|ソフトマックス|소프트맥스|софтмакс", re.IGNORECASE)
_OTHER_WEIGHTS = regex(
    r"sigmoid|uniform|\bmix|\bhalf\b|\bhalves\b|another|\bsecond\b|\bother\b|\bhead\b|instead|suppose|assum|imagin|\btrain|squar"
    r"|random|dropout|temperature|hard|sparse|average|假设|另一|第二|随机|平方|均匀|温度|训练|平均|头",
    re.IGNORECASE,
)


def has_shares(printed: Printed) -> bool:
    """Whether every row of a print adds up to 1."""
    shares = printed.as_prints()
    return shares is not None and all(sums_to_one(shares, i) for i in range(printed.shape[0]))


def same_order(value: Balls, printed: Printed) -> bool:
    """Whether the numbers of each row, all different, have the order of those of a value of that shape.

    What a mask made nothing is 0 in both.
    """
    return all(_same_order(row, values) for row, values in zip(printed.values, value.rows, strict=True))


def _same_order(row: Sequence[Fraction | None], values: Sequence[Ball]) -> bool:
    shown = [(number, x.mid()) for number, x in zip(row, values, strict=True) if number != 0 or x != 0]
    numbers, mids = [number for number, _ in shown], [mid for _, mid in shown]
    return None not in numbers and len(numbers) == len(set(numbers)) and _order(numbers) == _order(mids)


def _order(row: Sequence[Any]) -> list[int]:
    return sorted(range(len(row)), key=row.__getitem__)


def telling_places(printed: Printed) -> list[Place]:
    """Where the numbers are neither 0 nor 1 nor −∞."""
    return [(i, j) for i, j in printed.places() if printed.values[i][j] not in PLAIN]


def shown_places(printed: Printed, value: Balls) -> set[Place]:
    """Where the numbers of a print are right and show something: no 0 or 1 that any share may be rounded or cut off to.

    What a whole number is more than a tenth away from, it shows nothing of.
    """

    def shows(i: int, j: int) -> bool:
        number = printed.values[i][j]
        if number is None or printed.units[i][j] < 1 or (i, j) in value.hidden:
            return True
        return distance(value.rows[i][j], number) <= CLOSE * max(1.0, abs(float(number)))

    return {place for place in right_places(printed, value) if shows(*place)}


def evident(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether the numbers themselves show that they are those of a formula: each close, and all or half of them right.

    Of the half, 0 and 1 are left out, since any softmax comes near them.
    """
    count, telling = len(printed.places()), telling_places(printed)

    def shows(value: Balls) -> bool:
        right = shown_places(printed, value)
        half = 2 * len(right.intersection(telling)) >= len(telling) > 0
        return len(right) == count or (len(right) >= 3 and half and not _are_edited(environment))

    return borne_out(definition, printed, environment) and any(
        shows(value) for value in worths(definition, environment)
    )


def mostly_right(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether numbers are evidently those of a formula, or most of them are right: by chance they are not.

    Most are three quarters, three at least; in a row of two decimals or more they are over half, two at least.
    """
    if evident(definition, printed, environment):
        return True
    telling = telling_places(printed)
    if len(telling) > _LARGEST or _are_edited(environment):
        return False
    places = [shown_places(printed, value).intersection(telling) for value in worths(definition, environment)]
    if printed.shape[0] == 1:
        fine = max(sum(_is_fine(printed, place) for place in right) for right in places)
        least = 1 if _has_lost_a_share(definition, printed) else 2
        return fine >= least and 2 * fine > len(telling) - (2 - least)
    right = max(map(len, places))
    return right >= 3 and 4 * right >= 3 * len(telling)


def _are_edited(environment: Environment) -> bool:
    """Whether words before numbers say that some of them have been changed on purpose."""
    return _EDITED.search(environment.told) is not None


_EDITED = regex(
    r"\b(?:(?-i:[Cc]lip(?:s|ped|ping)?)|cap(?:ped|s)?|floor|edit(?:s|ed)?|corrupt\w*|nois[ey]\w*|inject\w*|attacker|rollout"
    r"|spot the|find the (?:error|mistake)|adds? the (?:residual|identity))\b|截断|裁剪|封顶|加单位阵|找出错误|改动",
    re.IGNORECASE,
)


def _has_lost_a_share(definition: Definition, printed: Printed) -> bool:
    """Whether numbers do not add up to 1 that are called by what does: one of them is wrong, whichever it is."""
    shares = printed.as_prints()
    if shares is None or definition.true.hidden or definition.true.shape != printed.shape:
        return False
    if not sums_to_one(definition.true, 0) or sums_to_one(shares, 0):
        return False
    return all(number != 0 or x == 0 for number, x in zip(printed.values[0], definition.true.rows[0], strict=True))


def _is_fine(printed: Printed, place: Place) -> bool:
    """Whether a number has two decimals or more, and is no share near 0 or 1, as those of any large scores are."""
    i, j = place
    value = printed.values[i][j]
    near = value is not None and (abs(value) < _HUNDREDTH or 0 < 1 - value < _HUNDREDTH)
    return printed.units[i][j] <= _HUNDREDTH and not near


_HUNDREDTH = Fraction(1, 100)
_LARGEST = 10_000  # numbers, of which nobody looks through more to see which are right


def is_shown(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether a program printed what a formula gives: every number right, or the numbers make it evident.

    Who runs a program has what it computed; where that is something else, it was another formula.
    """
    found = is_as_computed(definition, printed, environment) or evident(definition, printed, environment)
    found = found or _is_within_prints(definition, printed, environment)
    return found or any(_has_one_slip(value, printed) for value in worths(definition, environment))


def _has_one_slip(value: Balls, printed: Printed) -> bool:
    """Whether one number alone is not what a program computes, and that is a slip of the pen.

    Any other number may have been put in between: by a call, a loop, or a name for the same array.
    """
    if value.shape != printed.shape or len(printed.places()) > _LARGEST:
        return False
    off = [place for place in printed.places() if not _is_near(value, printed, place)]
    if len(off) != 1 or off[0] in value.hidden:
        return False
    (i, j), number = off[0], printed.values[off[0][0]][off[0][1]]
    return number not in PLAIN and number is not None and is_slip(number, printed.units[i][j], value.rows[i][j])


def _is_within_prints(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether all numbers but one or a tenth are what a formula may give of numbers that a program printed rounded."""
    ranged = {k: s.ranged for k in definition.used if (s := environment.stated.get(k)) and s.ranged is not None}
    telling = telling_places(printed)
    if not ranged or len(telling) < _FEWEST_RUN or len(telling) > _LARGEST:
        return False
    value = definition.reckoned(environment, ranged)
    if (
        value is None
        or value.shape != printed.shape
        or any(float(value.rows[i][j].rad()) > CLOSE * size_of(value) for i, j in telling)
    ):
        return False
    off = [place for place in printed.places() if not _may_be(value, printed, place)]
    return len(off) <= max(1, len(telling) // 10)


def _may_be(value: Balls, printed: Printed, place: Place) -> bool:
    return _agrees(value, printed, place, may_round_to)


_FEWEST_RUN = 6


def is_as_computed(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether every number is right, or so near that a program with more digits than it printed may have had it."""
    return any(
        value.shape == printed.shape and all(_is_near(value, printed, place) for place in printed.places())
        for value in worths(definition, environment)
    )


def _is_near(value: Balls, printed: Printed, place: Place) -> bool:
    def fits(x: Ball, number: Fraction, unit: Fraction) -> bool:
        return distance(x, number) < max(NEAR * float(unit), NEAR_PART * size_of(value))

    return _agrees(value, printed, place, fits)


def _agrees(value: Balls, printed: Printed, place: Place, fits: Callable[[Ball, Fraction, Fraction], bool]) -> bool:
    """Whether a number fits that of a value, with its unit, or both are −∞."""
    i, j = place
    number = printed.values[i][j]
    if number is None or place in value.hidden:
        return (number is None) == (place in value.hidden)
    return fits(value.rows[i][j], number, printed.units[i][j])


def shows_rows(definition: Definition, printed: Printed) -> bool:
    """Whether one row of several is right, every number, and the others point where those of the formula do."""
    rows, columns = printed.shape
    if rows < 2 or columns < 3 or len(printed.places()) < rows * columns:
        return False
    right = right_places(printed, definition.true)
    whole = [i for i in range(rows) if all((i, j) in right for j in range(columns))]
    lines = (Balls((1, columns), None, (row,)) for row in definition.true.rows)
    along = all(cosine(line, (values,)) > ALONG for line, values in zip(lines, printed.values, strict=True))
    return bool(whole) and along


def point_along(definition: Definition, printed: Printed) -> bool:
    """Whether all rows of several are multiples of those of the formula, one of them of the same size.

    Rows that were centred like this are the standardised ones, by another deviation; one factor would be that of all.
    """
    rows, columns = printed.shape
    if rows < 2 or columns < 3 or len(printed.places()) < rows * columns or definition.true.shape != printed.shape:
        return False
    lines = [Balls((1, columns), None, (row,)) for row in definition.true.rows]
    if any(cosine(line, (values,)) < _MULTIPLE for line, values in zip(lines, printed.values, strict=True)):
        return False
    return any(
        all(
            v is not None and distance(x, v) <= _SAME_SIZE * size_of(line)
            for x, v in zip(line.rows[0], values, strict=True)
        )
        for line, values in zip(lines, printed.values, strict=True)
    )


_MULTIPLE = 0.9999  # the cosine of the angle between a row and a multiple of it that was rounded
_SAME_SIZE = 0.001


def are_alike(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether the numbers are many and point the way that those of the formula do."""
    if len(printed.places()) < 6 or definition.true.shape != printed.shape or definition.true.hidden:
        return False
    return any(cosine(value, printed.values) > ALIKE for value in worths(definition, environment))


def agree(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether every number is right, for true values or printed ones."""
    count = len(printed.places())
    return count >= 4 and most_right(definition, printed, environment) == count


def agree_all(definition: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether every number is right, two or more."""
    count = len(printed.places())
    return count > 1 and most_right(definition, printed, environment) == count


def worths(definition: Definition, environment: Environment) -> Iterator[Balls]:
    """What a formula gives from true values, and from the last prints."""
    yield definition.true
    if (value := definition.reckoned(environment, environment.last_prints(definition.used))) is not None:
        yield value


def most_right(definition: Definition, printed: Printed, environment: Environment) -> int:
    """How many of the printed numbers a formula gives, of true values or of printed ones."""
    return max(len(shown_places(printed, value)) for value in worths(definition, environment))


def is_close(value: Balls, printed: Printed) -> bool:
    if value.shape != printed.shape:
        return False
    largest = size_of(value)
    for i, j in printed.places():
        number = printed.values[i][j]
        if (number is None) != ((i, j) in value.hidden):
            return False
        if number is None:
            continue
        rest = rest_of(number, printed.units[i][j])  # any softmax of large scores comes near 1
        if distance(value.rows[i][j], number) > (CLOSE * largest if rest is None else rest / 2):
            return False
    return True


def are_close(value: Balls, other: Balls) -> bool:
    """Whether every entry is close to the other's, or the same is hidden."""
    allowed = CLOSE * max(size_of(value), size_of(other))
    pairs = [
        (x, y)
        for i, row in enumerate(value.rows)
        for j, (x, y) in enumerate(zip(row, other.rows[i], strict=True))
        if (i, j) not in value.hidden
    ]
    return value.hidden == other.hidden and all(apart(x, y) <= allowed for x, y in pairs)


def is_far(definition: Definition, printed: Printed) -> bool:
    """Whether a lone number is less than half of what numbers alone come to, or more than twice as large."""
    value = definition.true
    number = printed.values[0][0] if printed.shape == value.shape == (1, 1) and not value.hidden else None
    if number is None or definition.symbolic:
        return False
    amount, true = abs(float(number)), abs(float(value.rows[0][0].mid()))
    return not true / 2 <= amount <= 2 * true


def fits_one_scale(given: Printed, printed: Printed) -> bool:
    """Whether rows of weights, or columns of them, are those of scores at one temperature, whatever that is.

    Their ratios are exponentials of the differences, all with one factor, and so are those of a part of a longer row.
    Two weights always fit, which shows nothing.
    """
    unit = min(map(min, printed.units))  # 0.2 beside 0.15 is 0.20
    rows = [
        [(s, w) for s, w in zip(*row, strict=True) if s is not None and w is not None]
        for row in zip(given.values, printed.values, strict=True)
    ]
    full = all(len(row) == len(rows[0]) for row in rows)
    return _fit(rows, unit) or (full and len(rows) > 1 and _fit(list(map(list, zip(*rows, strict=True))), unit))


def _fit(rows: list[list[_Cell]], unit: Fraction) -> bool:
    low, high, told = _FLATTEST, inf, 0
    for (s, v), (t, w) in chain.from_iterable(combinations(sorted(row, reverse=True), 2) for row in rows):
        if s == t:
            if abs(v - w) > unit:
                return False
            continue
        told += 1
        if v > unit:
            low = max(low, log((v - unit) / (w + unit)) / float(s - t))
        if w > unit:
            high = min(high, log((v + unit) / (w - unit)) / float(s - t))
    return told > 1 and low <= high
