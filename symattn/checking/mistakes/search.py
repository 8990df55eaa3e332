"""Mistakes with a name: another formula under which all the printed numbers are right.

A reading is never a guess. It is given when every entry of the claim is right under it, from the true values or from
what was printed last before; when the wrong entries have odds of at least 200 to one against fitting it by chance, for
every formula that its rule had to choose from; and when no other reading, strong or weak, explains the claim too. Two
readings are one where their sentences or their formulas are the same; then the earlier rule has the word. A swap
speaks of its own entries alone. A lone number gets no reading.

Truncation needs no rule: numbers cut off instead of rounded are judged `truncated`, not wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symattn.checking.findings import Place, Reading
from symattn.checking.mistakes.evidence import STRONG, surprise
from symattn.checking.mistakes.misprints import find_misprint
from symattn.checking.mistakes.rules import (
    Reread,
    Rule,
    elementwise,
    head_orders,
    masks,
    softmax_axis,
    softmax_unnormalised,
    take_apart,
    transpose_results,
    transposes,
    versions,
)
from symattn.checking.mistakes.scales import divisors, other_scales
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import RIGHT, Definition, Judgement, Printed
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import relation
from symattn.writing.prose import Sentence

MOST_ENTRIES = 1024
MOST_PARTS = 80
MOST_DEFINITIONS = 3
LARGEST, FINEST = Fraction(10) ** 30, Fraction(1, 10**30)

# rules in order of simplicity; a rule that chooses among many formulas needs so much more evidence
RULES: tuple[Rule, ...] = (
    transposes,
    transpose_results,
    softmax_axis,
    masks,
    head_orders,
    elementwise,
    softmax_unnormalised,
)


def find_reading(
    printed: Printed,
    found: Mapping[Place, Judgement],
    definitions: Sequence[Definition],
    environment: Environment,
    width: int | None = None,
) -> Reading | None:
    """The reading that explains a claim with wrong entries, if exactly one of those known does.

    `width` is d_k where it is known: dividing by it instead of by its root is one mistake, not one of many divisors.
    """
    wrong = [at for at in printed.places() if found[at].verdict == "wrong"]
    if not wrong or not 1 < len(found) <= MOST_ENTRIES or not _ordinary(printed):
        return None
    held = _other_formulas(printed, wrong, definitions[:MOST_DEFINITIONS], environment, width)
    misprint = find_misprint(printed, found, wrong, definitions[0].true)
    if held and misprint is None:
        ((name, strong), *others) = held
        return Reading(name) if strong and not others else None
    return None if held else misprint


def explaining(reading: Reading | None, place: Place, judgement: Judgement) -> Reading | None:
    """The reading, if it explains why the number at a place is wrong."""
    return reading if reading is not None and judgement.verdict == "wrong" and reading.explains(place) else None


def _ordinary(printed: Printed) -> bool:
    """Whether floating point can hold the numbers, by which the strength of the evidence is weighed."""
    numbers = [abs(x) for row in printed.values for x in row if x is not None]
    return all(x < LARGEST for x in numbers) and all(u > FINEST for row in printed.units for u in row)


def _other_formulas(
    printed: Printed,
    wrong: Sequence[Place],
    definitions: Sequence[Definition],
    environment: Environment,
    width: int | None,
) -> list[tuple[Sentence, bool]]:
    """Every other formula that explains the claim, by name, each once; and whether the evidence for it is strong."""
    held: list[tuple[Reread, bool]] = []
    for definition in definitions:
        if not definition.symbolic:
            continue
        formula = take_apart(definition.expression, environment)
        if sum(1 for _ in f.walk(formula)) > MOST_PARTS:
            continue
        for reread, strong in _explaining(formula, printed, wrong, definition.true, environment, width):
            same = [k for k, (other, _) in enumerate(held) if _same(reread, other)]
            if not same:
                held.append((reread, strong))
            elif strong:
                held[same[0]] = (held[same[0]][0], True)
    return [(reread.name, strong) for reread, strong in held]


def _explaining(
    formula: f.Expression,
    printed: Printed,
    wrong: Sequence[Place],
    true: Balls,
    environment: Environment,
    width: int | None,
) -> Iterator[tuple[Reread, bool]]:
    normal = [n for n in (true, *versions(formula, environment)) if n.shape == printed.shape]
    for reread, candidates in _candidates(formula, printed, wrong, environment, width):
        fits = [v for v in versions(reread.expression, environment) if explains(v, printed, wrong)]
        if fits:
            odds = max(surprise(printed, wrong, normal, value) for value in fits)
            yield reread, odds >= STRONG * candidates


def _candidates(
    formula: f.Expression, printed: Printed, wrong: Sequence[Place], environment: Environment, width: int | None
) -> Iterator[tuple[Reread, int]]:
    """Each other formula with how many its rule had to choose from; of scales, none and d_k are choices of one."""
    for rule in RULES:
        every = list(rule(formula, environment))
        yield from ((reread, len(every)) for reread in every)
    scales = 2 * len(divisors(environment))
    for reread in other_scales(formula, environment, printed, wrong):
        is_usual = reread.name.key == "reading.scale_left_out" or reread.name.fields.get("below") == str(width)
        yield reread, 1 if is_usual else scales


def _same(one: Reread, other: Reread) -> bool:
    said = one.name.key == other.name.key and one.name.fields == other.name.fields
    return said or one.expression == other.expression


def explains(value: Balls, printed: Printed, wrong: Sequence[Place]) -> bool:
    """Whether every print is the exact, rounded or truncated value; the wrong ones are asked first."""
    if value.shape != printed.shape:
        return False
    return all(_right(value, printed, at) for places in (wrong, printed.places()) for at in places)


def _right(value: Balls, printed: Printed, at: Place) -> bool:
    i, j = at
    number = printed.values[i][j]
    if number is None or at in value.hidden:
        return number is None and at in value.hidden
    return relation(value.rows[i][j], number, printed.units[i][j]) in RIGHT
