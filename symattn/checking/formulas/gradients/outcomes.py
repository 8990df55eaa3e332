"""What a statement on gradients comes to in one reading of its letters: at points of two sizes, and for every size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

import sympy

from symattn.checking.equality.indices import Cut, Undecided
from symattn.checking.equality.terms import Budget
from symattn.checking.findings import Counterexample
from symattn.checking.formulas.gradients.forward import Reading
from symattn.checking.formulas.trials.pointed import show_difference
from symattn.checking.models.equations import Difference, difference_of, is_identity
from symattn.checking.models.evaluate import UnsettledError
from symattn.checking.models.gradients import attach_gradients, upstream_of
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import Pass, Plan, at_numbers, for_every_size, slopes_in, values_in
from symattn.checking.models.rings import Forms
from symattn.checking.models.spelling import open_indices
from symattn.checking.models.tensors import MisfitError
from symattn.reading import formula as f
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

BITS = 160
SQUARE = {"n": 3, "m": 3, "d": 3, "e": 3, "c": 3}  # where whatever fits at some sizes fits
POINTS = ({"n": 2, "m": 3, "d": 4, "e": 5, "c": 6}, {"n": 3, "m": 4, "d": 5, "e": 2, "c": 7})
BEHIND_MASKS = 1e-9  # what is less is left of a weight that is hidden
MOST_PRODUCTS = 5_000  # of one proof


@dataclass(frozen=True)
class Outcome:
    """What a statement comes to in one reading: where it differs, sizes that do not fit, or neither."""

    reading: Reading
    made: Pass
    difference: Difference | None = None
    misfit: MisfitError | None = None

    @property
    def holds(self) -> bool:
        return self.difference is None and self.misfit is None

    @property
    def point(self) -> Counterexample:
        """Where the sides differ."""
        return show_difference(self.made, self.difference or self.misfit)

    @property
    def convention(self) -> str:
        """The key of the condition of the reading."""
        return "" if self.reading.condition is None else self.reading.condition.key


def try_readings(
    sides: Sequence[f.Expression], readings: Iterable[Reading], *, distinct: bool | None = None
) -> Iterator[Outcome]:
    """What the statement comes to in each reading in which that is settled."""
    return (made for each in readings if (made := try_reading(sides, each, distinct=distinct)) is not None)


def holding(sides: Sequence[f.Expression], readings: Iterable[Reading]) -> list[Outcome]:
    """The readings in which it holds."""
    return [outcome for outcome in try_readings(sides, readings) if outcome.holds]


def holds_in(sides: Sequence[f.Expression], readings: Iterable[Reading], *, distinct: bool | None = None) -> bool:
    """Whether it holds in one of the readings."""
    return any(outcome.holds for outcome in try_readings(sides, readings, distinct=distinct))


def condition_of(right: Sequence[Outcome], found: Sequence[Outcome]) -> Sentence | None:
    """Under which condition it holds, where it fails under others."""
    conditions = {outcome.convention for outcome in right}
    split = "" not in conditions and any(outcome.convention not in conditions for outcome in found)
    return right[0].reading.condition if split else None


def theorem_of(proven: bool) -> Sentence:
    """What shows that a gradient is right."""
    return Sentence("theorem.gradient_proven" if proven else "theorem.gradient_tried")


def fails_behind_masks(sides: Sequence[f.Expression], found: Sequence[Outcome]) -> bool:
    """Whether it is false too where masks hide what comes later, and where they hide nothing."""
    for masks in ("causal", "open"):
        readings = (replace(each.reading, plan=replace(each.reading.plan, masks=masks)) for each in found)
        outcomes = list(try_readings(sides, readings))
        if not outcomes or any(outcome.holds for outcome in outcomes):
            return False
    return True


def try_reading(sides: Sequence[f.Expression], reading: Reading, *, distinct: bool | None = None) -> Outcome | None:
    """What the statement comes to at the points; None if a letter is not settled or its definitions do not fit.

    Sides whose sizes do not fit say nothing false if they are equal, or not to be told, where all sizes are the same.
    """
    outcome = None
    for seed, sizes in enumerate(POINTS):
        try:
            outcome = _at_sizes(sides, reading, sizes, seed, distinct)
        except MisfitError as misfit:
            return _where_square(sides, reading, Outcome(reading, at_numbers(reading.plan, sizes, seed), misfit=misfit))
        if outcome is None or not outcome.holds:
            return outcome
    return outcome


def _where_square(sides: Sequence[f.Expression], reading: Reading, misfit: Outcome) -> Outcome | None:
    """That sizes do not fit, if the sides are different where all of them are the same, or fit not even there.

    ∂y_i/∂z_j is a number: where sizes matter, its letters have not been understood.
    """
    if isinstance(sides[0], f.Derivative) and slope_of(sides[0]) is None:
        return None
    try:
        outcome = _at_sizes(sides, reading, SQUARE, 0, None)
    except MisfitError:
        return misfit
    return None if outcome is None or outcome.holds else misfit


def _at_sizes(
    sides: Sequence[f.Expression], reading: Reading, sizes: Mapping[str, int], seed: int, distinct: bool | None
) -> Outcome | None:
    """The same at one point. Raises MisfitError where the two sides do not fit."""
    plan = reading.plan
    roots = roots_of(sides, plan)
    if _is_free(sides, plan, roots) or any(_is_untied(part, plan) for side in sides for part in f.walk(side)):
        return None
    with precision(BITS):
        made = at_numbers(plan, sizes, seed)
        attach_gradients(made, roots)
        try:
            for root in roots:
                made.letter(root)
        except (MisfitError, UnsettledError):
            return None  # the forward pass itself has no value in this reading
        least = BEHIND_MASKS if plan.masks else 0.0
        first: Difference | MisfitError | None = None
        try:
            for left, right in _compared(sides):  # all of them: a letter of the last side may not be settled
                try:
                    found: Difference | MisfitError | None = difference_of(
                        left, right, made, distinct=distinct, least=least
                    )
                except MisfitError as misfit:
                    found = misfit
                first = first or found
        except (UnsettledError, ZeroDivisionError):
            return None
    if isinstance(first, MisfitError):
        raise first
    return None if first is not None and _is_cut(sides, plan) else Outcome(reading, made, first)


def _compared(sides: Sequence[f.Expression]) -> Iterator[tuple[f.Expression, f.Expression]]:
    """Every side beside a first one that is a derivative, which has all indices: δ_pn alone does not tell their
    ranges; each side beside the next one elsewhere."""
    first, *others = sides
    return ((first, side) for side in others) if isinstance(first, f.Derivative) else pairwise(sides)


def _is_free(sides: Sequence[f.Expression], plan: Plan, roots: Sequence[str]) -> bool:
    """Whether a side is a gradient that may be any numbers as far as other lines say: this one tells it."""
    slopes = [slope_of(side) for side in sides]
    alone = [letter_of(slope).key for slope in slopes if slope is not None]
    return roots != ["L"] and any((plan.known(key) or key) in roots for key in alone)


def _is_untied(part: f.Expression, plan: Plan) -> bool:
    """Whether a derivative is one of a letter by another that no line makes it depend on, ∂S/∂Q of any S."""
    if not isinstance(part, f.Derivative) or slope_of(part) is not None:
        return False
    of, by = part.of, part.by
    if not isinstance(of, f.Name) or not isinstance(by, f.Name):
        return False
    own, other = (plan.known(key) or key for key in (letter_of(of).key, letter_of(by).key))
    return own != other and other not in plan.needs(own)


def _is_cut(sides: Sequence[f.Expression], plan: Plan) -> bool:
    """Whether sums go up to an index or begin at one, Z_t = Σ_{s ≤ t}: nothing is said of s > t then."""
    needed = {key for own in keys_in(sides) for key in plan.needs(own)}
    bodies = [(plan.definitions[key].expression, plan.definitions[key].indices) for key in needed & {*plan.definitions}]
    bodies += [(side, tuple(open_indices(sides[0]))) for side in sides]
    return any(
        isinstance(bound, f.Name) and bound.base in indices
        for body, indices in bodies
        for part in f.walk(body)
        if isinstance(part, f.BigSum)
        for bound in (part.lower, part.upper)
    )


def is_proven(sides: Sequence[f.Expression], plan: Plan) -> bool:
    """Whether the normal forms agree: the letter that is differentiated by is free, what is made of it is not."""
    ring = Forms(Budget(MOST_PRODUCTS, seconds=inf))
    sizes = {letter: sympy.Symbol(letter, integer=True, positive=True) for letter in "nmdec"}
    sizes["1"] = sympy.Integer(1)
    roots = roots_of(sides, plan)
    try:
        for key in slopes_in(sides):
            spelling = plan.known(key)
            if spelling is not None and spelling not in roots and spelling in plan.definitions:
                shape = for_every_size(plan, sizes, ring).letter(spelling).shape
                plan = plan.with_free(spelling, tuple(map(str, shape)))
        made = for_every_size(plan, sizes, ring)
        attach_gradients(made, roots)
        return all(is_identity(left, right, made) for left, right in _compared(sides))
    except (Undecided, Cut, UnsettledError, MisfitError):
        return False


def roots_of(sides: Sequence[f.Expression], plan: Plan) -> list[str]:
    """The letters whose gradients may be any numbers: of those in the statement the ones furthest on."""
    keys = _slopes_with_definitions(sides, plan)
    if keys and "L" in plan.definitions and all((plan.known(key) or key) in plan.needs("L") for key in keys):
        return ["L"]
    roots = upstream_of(plan, list(dict.fromkeys(plan.known(key) or key for key in keys)))
    if len(roots) > 1 and _is_free(sides, plan, roots):
        outputs = [key for key in plan.definitions if all(root in plan.needs(key) for root in roots)]
        return min(([key] for key in outputs), key=lambda key: len(plan.needs(key[0])), default=roots)
    if len(roots) == 1 and _runs_back(sides[0], keys, roots[0], plan):
        outputs = [key for key in plan.definitions if key != plan.known(roots[0]) and roots[0] in plan.needs(key)]
        return max(([key] for key in outputs), key=lambda key: len(plan.needs(key[0])), default=roots)
    return roots


def _runs_back(first: f.Expression, keys: Sequence[str], root: str, plan: Plan) -> bool:
    """Whether a gradient is said by those of what its letter is made of, ∂L/∂μ by ∂L/∂x."""
    own = slope_of(first)
    others = {plan.known(key) or key for key in keys} - {root}
    return own is not None and plan.known(letter_of(own).key) == root and bool(others) and others <= plan.needs(root)


def _slopes_with_definitions(sides: Sequence[f.Expression], plan: Plan) -> list[str]:
    """The letters of gradients in the sides, and in what the letters in them are defined to be, D_i of gradients."""
    waiting = [(values_in(side), slopes_in([side])) for side in sides]
    seen, found = set[str](), dict[str, None]()
    while waiting:
        letters, slopes = waiting.pop()
        found |= dict.fromkeys(slopes)
        for letter in letters:
            key = letter if letter in plan.sizes else plan.known(letter)
            if key is not None and key not in seen and key in plan.definitions:
                seen.add(key)
                waiting.append((plan.definitions[key].values, plan.definitions[key].slopes))
    return list(found)


def has_derivative(side: f.Expression) -> bool:
    return any(isinstance(part, f.Derivative) or slope_of(part) is not None for part in f.walk(side))


def keys_in(sides: Sequence[f.Expression]) -> list[str]:
    """The letters in them, those of gradients included."""
    names = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    return list(dict.fromkeys(letter_of(slope_of(name) or name).key for name in names))
