"""The one number of a side that nothing else can stand for: all the rest of the side before it is written once more.

1/(1 + e^(-0.3112)) = 1/1.7323 says that the sum is 1.7323, and (0.3 - 0.5) · 0.3 · (1 - 0.3) = (-0.2) · (0.22) that
the last two factors make 0.22, since -0.2 is what the first makes. Only numbers are looked at, no names: whatever the
chain is about, such an equation holds or does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from symattn.checking.chains.termwise import Term, pair_up
from symattn.checking.findings import Place
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.evaluation import evaluate
from symattn.checking.verdicts import RIGHT, Definition, Judge, Judgement, Printed, table_of_prints, try_define
from symattn.reading import formula as f
from symattn.values.printed import distance, may_round_to

_Pair = tuple[f.Expression, f.Expression]  # a calculation, and the number or matrix in its place
_MOST = 6  # factors or terms that are put together
_ROUNDING = 0.02  # of what a side comes to
_TWO_DECIMALS = Fraction(1, 100)
_PLAIN = f.Number | f.Sum | f.Product | f.Quotient | f.Power | f.Root | f.Call | f.Matrix


def find_worked_apart(formulas: Sequence[f.Expression], written: f.Expression, environment: Environment) -> list[Term]:
    """The numbers of a side that are forced by what stands beside them, judged; nothing where it is not certain."""
    if not _is_of_numbers(written):
        return []
    for formula in reversed(formulas):
        if not _is_of_numbers(formula):
            continue
        pair = _left_alone(formula, written)
        terms = [] if pair is None else list(_judged([pair], environment))
        terms = terms or _put_together(formula, written, environment)
        if terms and all(term.right or _is_certain(term) for term in terms):
            return terms
    return []


def _is_of_numbers(expression: f.Expression) -> bool:
    """Whether nothing but numbers without units stands in it, and no factor 0 that hides the others."""
    parts = list(f.walk(expression))
    plain = all(isinstance(part, _PLAIN) and not getattr(part, "unit", "") for part in parts)
    factors = (x for part in parts if isinstance(part, f.Product) for x in part.factors)
    return plain and not any(isinstance(x, f.Number) and not x.value for x in factors)


def _left_alone(formula: f.Expression, written: f.Expression) -> _Pair | None:
    """The only part of a formula that is another in a side: put in, it makes the formula that side."""
    match pair_up(formula, written):
        case [(part, shown)] if shown != written:
            return (part, shown) if rewrite(formula, lambda x: shown if x == part else x) == written else None
    return None


def _judged(pairs: Sequence[_Pair], environment: Environment) -> Iterator[Term]:
    for part, shown in pairs:
        definition, printed = try_define(part, environment), table_of_prints(shown)
        if definition is None or printed is None or printed.left_out or definition.true.shape != printed.shape:
            return
        found = Judge(printed, [definition], environment, None).judge()
        yield Term(definition, printed, shown, _but_for_digits(found, part, printed, environment))


def _but_for_digits(
    found: dict[Place, Judgement], part: f.Expression, printed: Printed, environment: Environment
) -> dict[Place, Judgement]:
    """What is found of numbers, where decimals may have had more digits: 1 − 0.73 is 0.269 of 0.7311."""
    within = evaluate(part, environment.lookup(ranged=lambda number: number.places <= _TWO_DECIMALS))

    def may_be(place: Place) -> bool:
        i, j = place
        value, unit = printed.values[i][j], printed.units[i][j]
        return value is not None and may_round_to(within.rows[i][j], value, unit)

    return {
        at: judged if judged.verdict in RIGHT or not may_be(at) else Judgement("input-rounding")
        for at, judged in found.items()
    }


def _put_together(formula: f.Expression, written: f.Expression, environment: Environment) -> list[Term]:
    """The terms where neighbours are worked out together, a · b · c = d · e: all but one are right in one way only."""
    ways = []
    for pairs in _groups(formula, written):
        terms = list(_judged(pairs, environment))
        right = sum(term.right for term in terms)
        if len(terms) == len(pairs) and right >= len(pairs) - 1:
            ways.append((right, terms))
    most = max((right for right, _ in ways), default=0)
    best = [terms for right, terms in ways if right == most]
    if len(best) != 1 or (not all(term.right for term in best[0]) and _come_to_the_same(formula, written, environment)):
        return []
    return best[0]


def _come_to_the_same(formula: f.Expression, written: f.Expression, environment: Environment) -> bool:
    """Whether two sides are the same but for some rounding, so that their parts stand in another order."""
    sides = [environment.worth(side) for side in (formula, written)]
    value, other = (None if side is None else float(side.rows[0][0].mid()) for side in sides)
    return value is None or other is None or abs(value - other) <= _ROUNDING * abs(value)


def _groups(formula: f.Expression, written: f.Expression) -> Iterator[list[_Pair]]:
    """The ways to put neighbouring factors or terms together so that there are as many as in a side of numbers."""
    match formula, written:
        case f.Product(parts, operators), f.Product(shown) if not isinstance(parts[0], f.Matrix):
            pass
        case f.Sum(parts, signs), f.Sum(shown, others) if min(*signs, *others) > 0:
            operators = ()
        case _:
            return
    if not 1 < len(shown) < len(parts) <= _MOST or not all(isinstance(x, f.Number) for x in shown):
        return
    for cuts in combinations(range(1, len(parts)), len(shown) - 1):
        groups = [parts[a:b] for a, b in pairwise([0, *cuts, len(parts)])]
        made = (_together(group, operators) for group in groups)
        yield [(whole, x) for whole, x in zip(made, shown, strict=True) if whole != x]


def _together(group: Sequence[f.Expression], operators: Sequence[str]) -> f.Expression:
    if len(group) == 1:
        return group[0]
    if operators:
        return f.Product(tuple(group), ("·",) * (len(group) - 1))
    return f.Sum(tuple(group), (1,) * len(group))


def _is_certain(term: Term) -> bool:
    """Whether numbers that do not fit are slips: of the size of what is right, half of a matrix right.

    A whole number is one only where whole numbers are added and multiplied: 2 may stand for 2.4.
    """
    right = sum(judgement.verdict in RIGHT for judgement in term.found.values())
    if term.printed.shape != (1, 1) and 2 * right < len(term.found):
        return False
    fine = all(unit < 1 for row in term.printed.units for unit in row)
    return (fine or _is_whole(term.definition)) and all(
        _is_alike(term.printed, term.definition, at) for at in term.found
    )


def _is_whole(definition: Definition) -> bool:
    parts = list(f.walk(definition.expression))
    numbers = (part for part in parts if isinstance(part, f.Number))
    return all(isinstance(part, f.Number | f.Sum | f.Product | f.Matrix) for part in parts) and all(
        number.places == number.value.denominator == 1 for number in numbers
    )


def _is_alike(printed: Printed, definition: Definition, place: tuple[int, int]) -> bool:
    """Whether a number is not more than twice as large as the right one, nor less than half of it, but for the sign."""
    value, true = printed.values[place[0]][place[1]], definition.true.rows[place[0]][place[1]]
    size = distance(true, Fraction(0))
    return value is not None and size / 2 <= abs(float(value)) <= 2 * size
