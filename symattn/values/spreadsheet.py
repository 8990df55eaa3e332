"""The functions of spreadsheets on enclosures: what a formula is worth, at the precision in force.

Empty cells are 0 in arithmetic; empty ones and texts are left out of sums. Source: ECMA-376 part 1, 18.17.7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce

from flint import arb, fmpq

from symattn.errors import NotSupportedError
from symattn.values.enclosures import bounds, whole_of
from symattn.writing.prose import Sentence

Entry = arb | bool | str | None  # a number, true or false, a text, an empty cell
Table = tuple[tuple[Entry, ...], ...]
_VAST = arb(10) ** 1000
MOST_PLACES = 30
DOUBLE = arb(10) ** -14  # numbers that are nearer, relatively, may be one double


def number(value: Fraction) -> arb:
    """A number as it is written."""
    return arb(fmpq(value.numerator, value.denominator))


def apply(name: str, arguments: Sequence[Table], *, array: bool) -> Table:
    """What a function or an operator makes of its arguments. Raises NotSupportedError for one that is not known.

    `array` says that cells of an area are taken one by one; else one is wanted where several stand.
    """
    if name in _EACH and len(arguments) in _EACH[name][0]:
        return _each(_EACH[name][1], arguments, array=array)
    if name in _TABLES and len(arguments) == _TABLES[name][0]:
        return _TABLES[name][1](*arguments)
    if name in _GATHER and arguments:
        return ((_finite(_GATHER[name](_numbers(arguments))),),)
    if name == "SUMPRODUCT" and arguments:
        return ((_sum_of_products(arguments),),)
    if name in _LOGICAL and arguments:
        return ((_LOGICAL[name](_conditions(arguments)),),)
    known = name in _LOGICAL or name in _EACH or name in _TABLES or name in _GATHER or name == "SUMPRODUCT"
    raise NotSupportedError(Sentence("spreadsheet.arguments" if known else "spreadsheet.function", name=name[:40]))


def is_true(entry: Entry) -> bool:
    """Whether a condition holds: a number does unless it is 0."""
    if isinstance(entry, bool):
        return entry
    value = _ball(entry)
    if value.contains(0) and not value.is_exact():
        raise _at_zero(value)
    return not value.contains(0)


def _choose(condition: Entry, one: Entry, other: Entry) -> Entry:
    return one if is_true(condition) else other


def _not(condition: Entry) -> Entry:
    return not is_true(condition)


def _conditions(tables: Iterable[Table]) -> list[bool]:
    found = [is_true(x) for table in tables for row in table for x in row if x is not None]
    if not found:
        raise NotSupportedError(Sentence("spreadsheet.no_value"))
    return found


def _compare(holds: Callable[[arb], bool]) -> Callable[[Entry, Entry], Entry]:
    """A comparison by the difference of numbers; of true and false beside numbers programs think differently."""

    def compare(x: Entry, y: Entry) -> Entry:
        if any(isinstance(a, bool) and isinstance(b, arb) for a, b in ((x, y), (y, x))):
            raise NotSupportedError(Sentence("spreadsheet.logical"))
        return holds(_difference(_ball(x), _ball(y)))

    return compare


def _difference(x: arb, y: arb) -> arb:
    """Raises NotSupportedError where doubles may not tell numbers apart."""
    apart = x - y
    if apart.is_exact() and apart.contains(0):
        return apart
    if apart.contains(0):
        raise _at_zero(apart)
    if not abs(apart) > DOUBLE * (abs(x) + abs(y)):
        raise NotSupportedError(Sentence("spreadsheet.near"))
    return apart


def _finite(value: arb) -> arb:
    if not (value.is_finite() and abs(value) < _VAST):
        may_be_less = not (value.is_nan() or abs(value) > _VAST)
        raise NotSupportedError(Sentence("spreadsheet.wide" if may_be_less else "spreadsheet.no_value"))
    return value


def _valued(entry: Entry) -> Entry:
    return _finite(entry) if isinstance(entry, arb) else entry


def _ball(entry: Entry) -> arb:
    if isinstance(entry, str):
        raise NotSupportedError(Sentence("spreadsheet.text", text=entry[:20]))
    return arb(entry or 0) if entry is None or isinstance(entry, bool) else entry


def _each(function: Callable[..., Entry], arguments: Sequence[Table], *, array: bool) -> Table:
    """Entry by entry; a single one, a row or a column beside a larger area is repeated."""
    rows, columns = max(len(a) for a in arguments), max(len(a[0]) for a in arguments)
    if any(len(a) not in (1, rows) or len(a[0]) not in (1, columns) for a in arguments):
        raise NotSupportedError(Sentence("spreadsheet.sizes"))
    if not array and rows * columns > 1:
        raise NotSupportedError(Sentence("spreadsheet.one_cell"))
    taken = (lambda entry: entry) if function in _OF_ENTRIES else _ball
    return tuple(
        tuple(
            _valued(function(*(taken(a[i if len(a) > 1 else 0][j if len(a[0]) > 1 else 0]) for a in arguments)))
            for j in range(columns)
        )
        for i in range(rows)
    )


def _numbers(tables: Iterable[Table]) -> list[arb]:
    """The numbers; what is true or false counts or not by the way in which it is given, which is not told here."""
    if any(isinstance(x, bool) for table in tables for row in table for x in row):
        raise NotSupportedError(Sentence("spreadsheet.logical"))
    return [x for table in tables for row in table for x in row if isinstance(x, arb)]


def _sum_of_products(tables: Sequence[Table]) -> arb:
    if len({(len(t), len(t[0])) for t in tables}) > 1:
        raise NotSupportedError(Sentence("spreadsheet.sizes"))
    rows = (zip(*lines, strict=True) for lines in zip(*tables, strict=True))
    cells = (entries for row in rows for entries in row)
    terms = (
        reduce(lambda x, y: x * y, (arb(0) if isinstance(e, str | bool) else _ball(e) for e in entries))
        for entries in cells
    )
    return _finite(sum(terms, arb(0)))


def _product(a: Table, b: Table) -> Table:
    if len(a[0]) != len(b):
        raise NotSupportedError(Sentence("spreadsheet.sizes"))
    if any(x is None for row in (*a, *b) for x in row):
        raise NotSupportedError(Sentence("spreadsheet.no_value"))
    columns = list(zip(*b, strict=True))
    return tuple(
        tuple(
            _finite(sum((_ball(x) * _ball(y) for x, y in zip(row, column, strict=True)), arb(0))) for column in columns
        )
        for row in a
    )


def _transpose(a: Table) -> Table:
    return tuple(zip(*a, strict=True))


def _divide(x: arb, y: arb) -> arb:
    if y.contains(0):
        raise _at_zero(y)
    return x / y


def _at_zero(x: arb) -> NotSupportedError:
    """No value where a number is 0; one that may be 0 is to be enclosed with more bits."""
    return NotSupportedError(Sentence("spreadsheet.no_value" if x.is_exact() else "spreadsheet.wide"))


def _power(x: arb, y: arb) -> arb:
    whole = whole_of(y) if y.is_exact() else None
    if whole is not None and whole > 0 and x.contains(0) and not x.is_exact():  # FLINT has no power of 0 ± r
        largest = x.abs_upper() ** whole
        return largest.union(-largest)
    if whole is not None and (whole > 0 or (whole == 0 and not x.contains(0))):
        return x**whole
    if x > 0:
        return x**y
    if whole is not None and not x.contains(0):
        return x**whole
    raise _at_zero(x) if x.contains(0) else NotSupportedError(Sentence("spreadsheet.no_value"))


def _round(x: arb, places: arb) -> arb:
    """A half is rounded away from zero; an enclosure that does not tell is none."""
    by = whole_of(places)
    if by is None or abs(by) > MOST_PLACES:
        raise NotSupportedError(Sentence("spreadsheet.no_value"))
    unit = Fraction(10) ** -by
    if abs(x) < number(unit / 2):
        return arb(0)
    at = bounds(x)
    ends = {_nearest(Fraction(end) * Fraction(2) ** at.exponent / unit) for end in (at.low, at.high)}
    if len(ends) > 1:
        raise NotSupportedError(Sentence("spreadsheet.round"))
    return number(ends.pop() * unit)


def _nearest(x: Fraction) -> int:
    whole = (2 * abs(x) + 1) // 2
    return int(whole if x >= 0 else -whole)


def _variance(xs: Sequence[arb], less: int) -> arb:
    mean = _divide(sum(xs, arb(0)), arb(len(xs)))
    return _divide(sum(((x - mean) * (x - mean) for x in xs), arb(0)), arb(len(xs) - less))


def _deviation(xs: Sequence[arb], less: int) -> arb:
    """The root of a variance, which is never below 0."""
    variance = _variance(xs, less)
    return variance.sqrt() if variance > 0 else arb(0).union(variance.abs_upper().sqrt())


def _root(x: arb) -> arb:
    if x.contains(0) and not x.is_exact():
        raise _at_zero(x)
    return x.sqrt() if not x < 0 else arb("nan")


def _largest(xs: Sequence[arb]) -> arb:
    return reduce(arb.max, xs) if xs else arb(0)


def _least(xs: Sequence[arb]) -> arb:
    return reduce(arb.min, xs) if xs else arb(0)


def _ln(x: arb) -> arb:
    if x.contains(0):
        raise _at_zero(x)
    return x.log()


def _log(x: arb, base: arb | None = None) -> arb:
    return _divide(_ln(x), _ln(arb(10) if base is None else base))


_EACH: Mapping[str, tuple[Sequence[int], Callable[..., Entry]]] = {
    "+": ((2,), lambda x, y: x + y),
    "-": ((2,), lambda x, y: x - y),
    "*": ((2,), lambda x, y: x * y),
    "/": ((2,), _divide),
    "^": ((2,), _power),
    "POWER": ((2,), _power),
    "negative": ((1,), lambda x: -x),
    "percent": ((1,), lambda x: x / 100),
    "EXP": ((1,), arb.exp),
    "SQRT": ((1,), _root),
    "LN": ((1,), _ln),
    "LOG": ((1, 2), _log),
    "LOG10": ((1,), lambda x: _log(x)),
    "ABS": ((1,), abs),
    "TANH": ((1,), arb.tanh),
    "SIN": ((1,), arb.sin),
    "COS": ((1,), arb.cos),
    "ROUND": ((2,), _round),
    "=": ((2,), _compare(lambda x: x.contains(0))),
    "<>": ((2,), _compare(lambda x: not x.contains(0))),
    "<": ((2,), _compare(lambda x: x < 0)),
    ">": ((2,), _compare(lambda x: x > 0)),
    "<=": ((2,), _compare(lambda x: x <= 0)),
    ">=": ((2,), _compare(lambda x: x >= 0)),
    "IF": ((3,), _choose),
    "NOT": ((1,), _not),
}
_OF_ENTRIES = {_EACH[name][1] for name in ("=", "<>", "<", ">", "<=", ">=", "IF", "NOT")}  # the others take numbers
_LOGICAL: Mapping[str, Callable[[Sequence[bool]], bool]] = {"AND": all, "OR": any}
_GATHER: Mapping[str, Callable[[Sequence[arb]], arb]] = {
    "SUM": lambda xs: sum(xs, arb(0)),
    "PRODUCT": lambda xs: reduce(lambda x, y: x * y, xs, arb(1)) if xs else arb(0),
    "SUMSQ": lambda xs: sum((x * x for x in xs), arb(0)),
    "MAX": _largest,
    "MIN": _least,
    "COUNT": lambda xs: arb(len(xs)),
    "AVERAGE": lambda xs: _divide(sum(xs, arb(0)), arb(len(xs))),
    "VAR.P": lambda xs: _variance(xs, 0),
    "VARP": lambda xs: _variance(xs, 0),
    "VAR.S": lambda xs: _variance(xs, 1),
    "VAR": lambda xs: _variance(xs, 1),
    "STDEV.P": lambda xs: _deviation(xs, 0),
    "STDEVP": lambda xs: _deviation(xs, 0),
    "STDEV.S": lambda xs: _deviation(xs, 1),
    "STDEV": lambda xs: _deviation(xs, 1),
}
_TABLES: Mapping[str, tuple[int, Callable[..., Table]]] = {
    "MMULT": (2, _product),
    "TRANSPOSE": (1, _transpose),
    "ROWS": (1, lambda a: ((arb(len(a)),),)),
    "COLUMNS": (1, lambda a: ((arb(len(a[0])),),)),
    "PI": (0, lambda: ((arb.pi(),),)),
    "TRUE": (0, lambda: ((True,),)),
    "FALSE": (0, lambda: ((False,),)),
}
