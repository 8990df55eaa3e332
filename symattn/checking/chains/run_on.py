"""Equalities that run on: in 4 · 8 = 32 · 64 = 2048 each sign says what the last operation comes to.

The number behind a sign is the result of what stands before it, and more is done with it. What follows is a chain of
its own: 32 · 64 = 2048, in which the number may stand for what it was rounded from. So is a line `= 3 · 4 = 12` below
`= 2 · 5 = 10`, if both have lost their left sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.chains.termwise import judge_terms
from symattn.checking.expected.arrows import EQUALITIES
from symattn.checking.expected.sources import Source
from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.rounded_up import is_filled
from symattn.checking.verdicts import Definition, Printed, is_all_right, right_places, table_of_prints, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.printed import apart, differ, distance, enclose
from symattn.writing.prose import Sentence

ROUNDED = 0.05  # what a side may be off by, whose numbers are rounded


def split_run_on(
    chain: f.Chain, source: Source, environment: Environment, lost: bool = False
) -> tuple[f.Chain, f.Chain | None]:
    """The chain up to its result with which more is done, and the rest; the whole and None where it does not run on."""
    for k, side in enumerate(chain.sides[1:], 1):
        if side.relation not in EQUALITIES:
            break
        if lost and _works_out_another(chain, k, source.text, environment):
            return _split(chain, k)
        if (table := _table_above(chain, k, source.text, environment)) is not None:
            return _split(chain, k, (replace(side, expression=table, start=table.start, end=table.end),))
        number = first_operand(side.expression)
        if number is None:
            continue
        before = chain.sides[k - 1].expression
        if _has_parts_worked_out(before, side.expression):
            continue
        again = isinstance(before, f.Number) and before.value == number.value
        values = list(_values_before(chain, k, environment))
        if not values or not (again or all(_is_result(number, value, source) for value in values)):
            continue
        first = values[0]
        if isinstance(side.expression, f.Sum) and not (again or _is_no_term(side.expression, values, environment)):
            continue  # 11 may be a term of the dot product before
        value = try_define(side.expression, environment)
        name = _name_behind_dot(side.expression) if value is None else None
        if name is None and (value is None or value.true.shape != (1, 1) or not _is_other(value, first, number)):
            continue
        result = () if again else (replace(side, expression=number, start=number.start, end=number.end),)
        whole, rest = _split(chain, k, result)
        apart = name if value is None else _on_its_own(rest, value, source.text, environment)
        return whole, rest if apart is None else _beginning_with(rest, apart)
    return chain, None


def _name_behind_dot(expression: f.Expression) -> f.Name | None:
    """The name that a dot parts from the result before: precision = 8/10 = 0.8 · recall = 8/12."""
    match expression:
        case f.Product((f.Number(), f.Name() as name), ("·",)):
            return name
    return None


def _on_its_own(chain: f.Chain, value: Definition, text: str, environment: Environment) -> f.Expression | None:
    """What a chain begins with behind the result before, if a dot only parts them: 2/8 = 0.25 · 3/8 = 0.375.

    So does the plus of a next line. It comes to the number behind the next sign, and with the first number it does not.
    """
    apart = _without_first(chain.sides[0].expression) or _on_next_line(chain.sides[0].expression, text)
    after = chain.sides[1].expression if len(chain.sides) > 1 else None
    number = after if isinstance(after, f.Number) or after is None else first_operand(after)
    alone = None if apart is None or number is None else try_define(apart, environment)
    if number is None or alone is None or alone.true.shape != (1, 1) or _is_worth(number, value):
        return None
    return apart if _is_worth(number, alone) else None


def _on_next_line(expression: f.Expression, text: str) -> f.Expression | None:
    """What is added to the result before in a line of its own."""
    match expression:
        case f.Sum((f.Number() as first, second, *others), (1, 1, *signs)):
            if "\n" in text[first.end :].partition("+")[0]:
                return f.Sum((second, *others), (1, *signs)) if others else second
    return None


def _beginning_with(chain: f.Chain, first: f.Expression) -> f.Chain:
    """The chain with another first side, a part of the one it has."""
    start = min(part.start for part in f.walk(first) if isinstance(part, f.Atom))
    side = replace(chain.sides[0], expression=replace(first, start=start, end=chain.sides[0].end), start=start)
    return replace(chain, sides=(side, *map(_as_total, chain.sides, chain.sides[1:])))


def _as_total(before: f.Side, side: f.Side) -> f.Side:
    """A second number behind what began in a line of its own is what all lines come to, which nobody adds up here."""
    match before.expression, side.expression:
        case f.Number(value=one), f.Number(value=other) if one != other:
            return replace(side, expression=f.Unread(Sentence("terms_unread")))
    return side


def _split(chain: f.Chain, k: int, result: tuple[f.Side, ...] = ()) -> tuple[f.Chain, f.Chain]:
    """The sides before the k-th and what they come to, and the chain that begins with it."""
    rest = (replace(chain.sides[k], relation=""), *chain.sides[k + 1 :])
    return replace(chain, sides=(*chain.sides[:k], *result)), replace(chain, sides=rest)


def _works_out_another(chain: f.Chain, k: int, text: str, environment: Environment) -> bool:
    """Whether a new line below a result works out another result, and rightly, where the left sides have been lost."""
    before, side = chain.sides[k - 1], chain.sides[k]
    result, at = _table(before.expression), text[before.end : side.start]
    if result is None or "\n" not in at or f.is_printed(side.expression):
        return False
    end = next((j for j, each in enumerate(chain.sides[k:], k) if _table(each.expression) is not None), k)
    printed = _table(chain.sides[end].expression)
    values = [try_define(each.expression, environment) for each in chain.sides[k:end]]
    if printed is None or result.shape != (1, 1) or None in values:
        return False
    found = [value.true for value in values if value is not None and value.true.shape == printed.shape == (1, 1)]
    return any(right_places(printed, true) for true in found) and not any(right_places(result, true) for true in found)


def _table_above(chain: f.Chain, k: int, text: str, environment: Environment) -> f.Matrix | None:
    """The list of numbers that a side before comes to, where the next line divides or multiplies it: `/ √2 = [1, 2]`.

    It is that where most of its numbers which are not 0 are right, and what is done with it has a result of its own.
    """
    side = chain.sides[k].expression
    first, second = (side.parts[0], side.parts[1]) if isinstance(side, f.Quotient | f.Product) else (None, None)
    behind = chain.sides[k + 1 : k + 2]
    if not isinstance(first, f.Matrix) or second is None or not behind or not f.is_printed(behind[0].expression):
        return None
    printed = _table(first)
    if printed is None or "\n" not in text[first.end : second.start]:
        return None
    telling = {(i, j) for i, j in printed.places() if printed.values[i][j]}
    values = (try_define(each.expression, environment) for each in chain.sides[:k])
    shown = (v.true for v in values if v is not None and v.true.shape == printed.shape)
    return first if any(2 * len(right_places(printed, true) & telling) > len(telling) for true in shown) else None


def _table(expression: f.Expression) -> Printed | None:
    return table_of_prints(expression) if f.is_printed(expression) else None


def first_operand(expression: f.Expression) -> f.Number | None:
    """The number that a product, a quotient or a sum begins with."""
    match expression:
        case f.Product((first, *_)) | f.Quotient(first, _):
            return first if isinstance(first, f.Number) else first_operand(first)
        case f.Sum((first, _, *_), (1, *_)):
            return first if isinstance(first, f.Number) else first_operand(first)
    return None


def _has_parts_worked_out(before: f.Expression, side: f.Expression) -> bool:
    """Whether a side is the one before with its parts worked out: e^a/(e^a + e^b) = 3/(3 + 5).

    A part that recurs with one number in all of its places shows it: the 3 is e^a, and not what all comes to. Where it
    has no other parts, as in √2·√2 = 2·2, the 2 may be that.
    """
    places: dict[f.Expression, list[f.Expression]] = {}
    waiting = [(before, side)]
    while waiting:
        part, worked = waiting.pop()
        if isinstance(worked, f.Number):
            places.setdefault(part, []).append(worked)
        elif type(part) is not type(worked) or len(part.parts) != len(worked.parts):
            return False
        else:
            waiting += zip(part.parts, worked.parts, strict=True)
    one_number = all(worked.count(worked[0]) == len(worked) for worked in places.values())
    recurs = any(len(worked) > 1 and not isinstance(part, f.Number) for part, worked in places.items())
    return one_number and recurs and len(places) > 1


def _values_before(chain: f.Chain, k: int, environment: Environment) -> Iterator[Definition]:
    """The sides before the k-th that have a value which is one number."""
    for side in chain.sides[:k]:
        found = try_define(side.expression, environment)
        if found is not None and found.true.shape == (1, 1) and not found.true.hidden:
            yield found


def _is_no_term(side: f.Sum, values: Sequence[Definition], environment: Environment) -> bool:
    """Whether single numbers are put in before a sum, and neither its terms nor its first alone are those before it."""
    written = [value.expression for value in values if not value.symbolic]
    lists = any(isinstance(part, f.Matrix) for expression in written for part in f.walk(expression))
    if lists or not written or judge_terms(written, side, environment):
        return False
    terms = [try_define(e.terms[0], environment) for e in written if isinstance(e, f.Sum)]
    number = first_operand(side)
    return number is not None and not any(term is not None and _is_worth(number, term) for term in terms)


def _is_other(value: Definition, first: Definition, number: f.Number) -> bool:
    """Whether two values are further from each other than rounding takes them; what is added to all of one is any."""
    a, b = value.true.rows[0][0], first.true.rows[0][0]
    if isinstance(value.expression, f.Sum) and not differ(b, enclose([[number.value]]).rows[0][0]):
        return differ(a, b)
    return apart(a, b) > ROUNDED * abs(float(b.mid()))


def goes_on_from(total: Fraction | None, main: Definition, printed: Printed, text: str) -> bool:
    """Whether a formula that begins with a sign goes on with the result before it: `2 · 4 = 8`, `− 1 = 7`."""
    number = printed.values[0][0]
    if number is None or printed.shape != (1, 1) or not text.lstrip().startswith(("-", "−", "–", "+")):
        return False
    if f.is_printed(main.expression):
        return True
    if total is None:
        return False
    return distance(main.true.rows[0][0], number - total) <= printed.units[0][0] / 2


def stands_beside(
    total: Fraction | None, main: Definition, printed: Printed, source: Source, environment: Environment
) -> bool:
    """Whether a stroke or a dot only parts a result from what stands beside it: `8/2 = 4 / 6/2 = 3` are two."""
    first = first_operand(main.expression)
    if first is None or first.value != total or not source.before(first.start).rstrip().endswith(("=", "≈")):
        return False
    return is_right_without_first(main, printed, environment)


def is_stroke_between(
    main: Definition, keys: Sequence[f.Expression], printed: Printed, source: Source, environment: Environment
) -> bool:
    """Whether a stroke in plain text parts what has a value each: `P = 9 / P = 19`, `a / b = 64` where both are 64."""
    match main.expression:
        case f.Quotient(above, f.Name() as below) if source.where.kind not in ("inline", "display"):
            if isinstance(above, f.Number):
                return below in keys
            if any(key != main.expression for key in keys):
                return False  # ratio = a / b = 64
            values = [try_define(name, environment) for name in (above, below)]
            return isinstance(above, f.Name) and all(v is not None and right_places(printed, v.true) for v in values)
    return False


def is_dot_between(
    main: Definition, keys: Sequence[f.Expression], printed: Printed, source: Source, environment: Environment
) -> bool:
    """Whether a dot in plain text parts two settings, `T = 0.7 · p = 0.9`, of which the second has its value."""
    match main.expression:
        case f.Product((f.Number(), f.Name() as name), ("·",)) if source.where.kind not in ("inline", "display"):
            value = try_define(name, environment) if keys else None
            return value is not None and is_all_right(printed, value.true)
    return False


def is_dash_between(
    main: Definition, keys: Sequence[f.Expression], printed: Printed, source: Source, environment: Environment
) -> bool:
    """Whether a hyphen parts a number that words end in from an equation: `it reaches 0.5 - tanh(0.5) = 0.462`.

    What lacks in `the rest is 1 - σ(1) = 0.731` is the subtraction.
    """
    match main.expression:
        case f.Sum((f.Number(value=number) as first, second, *others), (1, -1, *signs)):
            if keys or number == 1 or isinstance(second, f.Number) or source.where.kind in ("inline", "display"):
                return False
            said = _WORD_BEFORE.search(source.before(first.start)) and _SPACED.match(source.text, first.end)
            rest = f.Sum((second, *others), (1, *signs)) if others else second
            value = try_define(rest, environment) if said else None
            return value is not None and is_all_right(printed, value.true)
    return False


_WORD_BEFORE = regex(r"[^\W\d_]\s*\Z")
_SPACED = regex(r"\s+[-–]\s")


def is_right_without_first(main: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether a product or a quotient would be right without the number that it begins with: `step 2 (1+1)·3 = 6`."""
    rest = _without_first(main.expression)
    value = None if rest is None else try_define(rest, environment)
    return value is not None and is_all_right(printed, value.true)


def _without_first(expression: f.Expression) -> f.Expression | None:
    """A product or a quotient without the operand that it begins with."""
    match expression:
        case f.Quotient(f.Number(), below):
            return below
        case f.Quotient(above, below):
            rest = _without_first(above)
            return None if rest is None else f.Quotient(rest, below)
        case f.Product((f.Number() | f.Matrix(((f.Number(),),)), second), _):
            return second
        case f.Product((f.Number() | f.Matrix(((f.Number(),),)), *others), signs):
            return f.Product(tuple(others), signs[1:])
        case f.Product((first, *others), signs):
            rest = _without_first(first)
            return None if rest is None else f.Product((rest, *others), signs)
    return None


def _is_result(number: f.Number, value: Definition, source: Source) -> bool:
    """Whether a number is what a formula comes to, or counts up to the next whole one: 1000/128 = 8 blocks · 128."""
    return _is_worth(number, value) or is_filled(number.text, number.value, value.true, source.where.whole)


def _is_worth(number: f.Number, definition: Definition) -> bool:
    """Whether a number is what a formula comes to: just so if it is whole, but for the noughts that it ends in."""
    table, true = table_of_prints(number), definition.true
    if table is None:
        return False
    loose = table.about()
    exact = loose.units == ((Fraction(1),),)
    if exact and differ(true.rows[0][0], enclose([[number.value]]).rows[0][0]):
        return False
    return bool(right_places(loose, true))
