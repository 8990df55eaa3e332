"""Equations that are worked out by the article's own lines: what these define is put in, other letters are any tensors.

No line has to be of a kind that is known, and no letter has to be the usual one. That an equation fails is said only
where a slip explains it, and where no line that it rests on has been found false itself.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.batches import find_batch_label
from symattn.checking.formulas.gradients.forward import (
    Equation,
    all_definitions_in,
    definition_of,
    definitions_in,
    find_equations,
    find_masked,
    find_weights,
    is_as_masked,
)
from symattn.checking.formulas.gradients.outcomes import has_derivative, roots_of
from symattn.checking.formulas.gradients.own_scores import is_keys_by_queries
from symattn.checking.formulas.gradients.rereadings import is_comment
from symattn.checking.formulas.gradients.scales import find_scaled, find_scales, with_other_scale
from symattn.checking.formulas.identities.amounts import is_amount
from symattn.checking.formulas.identities.biases import is_misplaced
from symattn.checking.formulas.identities.conditional import is_conditional
from symattn.checking.formulas.identities.own_calls import apply_own, defines_own, find_own_functions
from symattn.checking.formulas.identities.own_notation import Notation, find_notation, own_letters, spell_own
from symattn.checking.formulas.identities.parameters import differentiates_by_a_mark
from symattn.checking.formulas.shapes.inference import View
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.sections import find_headings
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.comparison import FEWEST
from symattn.checking.formulas.trials.mending import mend_statement
from symattn.checking.formulas.trials.pointed import show_difference
from symattn.checking.formulas.trials.standing import have_columns
from symattn.checking.formulas.trials.variant import has_decimals, is_same
from symattn.checking.models.equations import Difference, difference_of
from symattn.checking.models.evaluate import Scope, UnsettledError, evaluate, evaluate_number
from symattn.checking.models.gradients import attach_gradients
from symattn.checking.models.inference import IDENTITY, LIST, USUAL, Ranks, infer
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import Definition, Pass, Plan, with_slopes
from symattn.checking.models.rings import Numbers, Size, slope_by
from symattn.checking.models.spelling import spell
from symattn.checking.models.tensors import MisfitError, Tensor, Tensors
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

BITS = 160
NONE = NUMBERS = frozenset[str]()  # no letter is a vector
POINTS = 4  # the last two with numbers of either sign, each number negative at one of them
FURTHER = 5  # in place of those at which a side has no value
KINKED = 20  # points where a function is linear on pieces, the last with numbers of either sign in any order
SIZES = ((2, 3, 4, 5, 3, 2, 4, 3), (3, 2, 5, 4, 2, 3, 2, 4))
_SHOWN = Sentence("formula.tried", theorem=Sentence("formula.identity"))
_REFUTED = Sentence("formula.identity_fails")


@dataclass(frozen=True)
class Tried:
    """What two neighbouring sides come to under one reading: a pass at a point, and how they differ there."""

    made: Pass
    difference: Difference | MisfitError | None

    @property
    def is_of_numbers(self) -> bool:
        """Whether every letter is a number."""
        return not any(self.made.plan.shapes.values())


def judge_by_own_lines(statement: Statement, context: Context, doubted: Set[str], settled: Set[str]) -> Formula | None:
    """An equation of which two neighbouring sides have a meaning by other lines.

    `doubted` are the letters that false lines are about, `settled` those of lines that hold.
    """
    if differentiates_by_a_mark(statement.equals) or is_amount(statement.left):
        return None
    beside = _count_beside(statement, context)
    known = _definitions(statement, context, beside)
    exact = _count_exact(statement)
    sides = _prepared(statement.equals[:exact], context)
    if defines_own(statement, context.once(find_own_functions)):
        sides = sides[1:]  # what a function is
    pairs = list(_pairs(sides, known))
    if not pairs or not doubted.isdisjoint(letter_of(slope_of(x) or x).key for x in _letters(sides, known)):
        return None
    if not _is_complete(sides, known, beside):
        return None
    notation = context.once(find_notation)
    compared = [compare_sides(left, right, known, notation) for left, right in pairs]
    if all(any(tried.difference is None for tried in each) for each in compared):
        lying = any(map(_is_of_rows_alone, compared)) and have_columns(context) is not False
        return None if lying else conclude(statement, "holds", _SHOWN)
    failing = [
        (pair, next((tried for tried in each if tried.is_of_numbers), each[0]))
        for pair, each in zip(pairs, compared, strict=True)
        if each
        and not _is_definition(pair)
        and not all(map(_is_of_numbers, pair))  # 8/2 = 4 × 4, a size
        and all(tried.difference is not None for tried in each)
    ]
    if (
        not failing
        or any(_is_open(part, failing[0][1].made) for side in failing[0][0] for part in (side, *f.walk(side)))
        or not known.keys() >= _called_on_both_sides(statement, context)
        or not _is_certain(*failing[0], statement, context, beside, settled)
        or is_conditional(statement, context)
    ):
        return None

    def holds(changed: Sequence[f.Expression]) -> bool:
        own = [pair for pair in _pairs(_prepared(changed[:exact], context), known) if not _is_definition(pair)]
        return bool(own) and all(
            any(t.difference is None for t in compare_sides(*pair, known, notation)) for pair in own
        )

    right = mend_statement(statement, holds)
    if right is None and not _is_of_own_functions(failing[0][1], statement, context):
        return None
    return refuse(statement, _REFUTED, right, show_difference(failing[0][1].made, failing[0][1].difference))


def _is_of_rows_alone(tried: Sequence[Tried]) -> bool:
    """Whether two sides agree where vectors are rows, and differ where they are columns."""
    return not tried[-1].made.plan.columns and any(isinstance(each.difference, Difference) for each in tried[:-1])


def _is_open(part: f.Expression, made: Pass) -> bool:
    """Whether it is ∂r/∂q of whole vectors, which some write with a column for each entry of r, or what a sum that is
    set to 0 may be an equation for."""
    if isinstance(part, f.Number) and not part.value:
        return True
    if not isinstance(part, f.Derivative) or slope_of(part) is not None or not isinstance(part.of, f.Name):
        return False
    letter = letter_of(part.of)
    return not letter.indices and not made.letter(letter.key).is_number


_CALLED = regex(r"(?<![A-Za-z\\])(\\[A-Za-z]+|[^\W\d_])(?:\\left)?\(")


def _called_on_both_sides(statement: Statement, context: Context) -> set[str]:
    """The letters right in front of brackets on both sides, δ(-x) = δ(x): functions, which no line defines."""
    text = statement.passage.text
    called = [{each[1] for each in _CALLED.finditer(text, s.start, s.end)} for s in statement.sides]
    twice = set[str]().union(*(a & b for a, b in pairwise(called)))
    own = {key[0] for key in context.once(find_own_functions)}
    names = {part for side in statement.equals for part in f.walk(side) if isinstance(part, f.Name)}
    return {letter_of(name).key for name in names if twice & {name.text, name.base} and name.base not in own}


def _count_exact(statement: Statement) -> int:
    """How many sides stand before the first that is no equal of them, `≈ 2.67 d`."""
    sides = [side for side in statement.sides if side.expression in statement.equals]
    return next((k for k, s in enumerate(sides) if s.relation == "≈" or has_decimals(s.expression)), len(sides))


def _is_definition(pair: tuple[f.Expression, f.Expression]) -> bool:
    """Whether a name is said to be something: where another line says otherwise, it may have been given anew."""
    return isinstance(pair[0], f.Name) and slope_of(pair[0]) is None


def _is_complete(sides: Sequence[f.Expression], known: Mapping[str, Definition], beside: Mapping[str, int]) -> bool:
    """Whether no line makes anything of what a loss is differentiated by but those that lead to the other gradients."""
    by = slope_of(sides[0])
    if by is None:
        return True
    whole = Plan({}, known, {})
    own = whole.known(letter_of(by).key) or letter_of(by).key
    roots = {whole.known(root) or root for root in roots_of(sides, whole)}
    covered = {key for root in roots for key in whole.needs(root)}
    behind = Plan({}, {key: made for key, made in known.items() if key not in roots}, {})
    later = {key for key, made in known.items() if own in behind.needs(key) and not has_derivative(made.expression)}
    return covered.issuperset(later & beside.keys() if roots & beside.keys() else later)


def _count_beside(statement: Statement, context: Context) -> dict[str, int]:
    """How often each letter is defined under the heading that the statement stands under."""
    section = bisect_right(context.once(find_headings), statement.span[0])
    context.once(find_equations, find_weights, find_scales, find_batch_label)
    here = context.once(_by_section, find_equations, find_headings).get(section, ())
    return Counter(key for other, key in here if other is not statement)


def _by_section(
    _: Article, __: Sequence[Statement], equations: Sequence[Equation], headings: Sequence[int]
) -> dict[int, list[tuple[Statement, str]]]:
    """Under each heading, the statements that define a letter, with the letter."""
    found: dict[int, list[tuple[Statement, str]]] = {}
    for each in equations:
        if each.whole is not None:
            own = found.setdefault(bisect_right(headings, each.statement.span[0]), [])
            own.append((each.statement, each.whole.key))
    return found


def _is_certain(
    pair: tuple[f.Expression, f.Expression],
    tried: Tried,
    statement: Statement,
    context: Context,
    beside: Mapping[str, int],
    settled: Set[str],
) -> bool:
    """Whether an equation that fails is false itself, and not a line by which it is worked out.

    A gradient is held against the forward pass, what has no gradient in it against lines that hold; without any lines
    it is false where its sides are multiples of each other, or where a function of numbers is put in that is defined
    for all of them, and no condition on its letters otherwise.
    """
    used = tried.made.plan.definitions.keys()
    meanings = all_definitions_in(context, statement, whole=True)
    if any(len(meanings.get(key, ())) > 1 and beside.get(key) != 1 for key in used):
        return False
    scaled = context.once(find_scaled)
    if any(len(with_other_scale(meanings.get(key, [])[:1], scaled)) > 1 for key in used):
        return False  # two lines of the article are at odds
    made = [part for key in used for part in tried.made.plan.definitions[key].parts]
    if is_comment(statement, context) and any(map(is_keys_by_queries, made)):
        return False  # a tile, by its operands
    if any(map(has_derivative, pair)):
        slopes = [part for side in pair for part in f.walk(side) if isinstance(part, f.Derivative)]
        said = [each.expression for each in tried.made.plan.definitions.values()]
        said += [slope.of for slope in slopes if not isinstance(slope.of, f.Name)]
        told = {*used, "δ", IDENTITY, *(key for e in said for key in _keys_in(e))}
        return told.issuperset(key for side in pair for key in _keys_in(side))  # 1/m may be the mean of a batch
    if used:
        return used <= settled
    return _is_of_own_functions(tried, statement, context) or _are_multiples(*pair, tried.made.plan)


def _is_of_own_functions(tried: Tried, statement: Statement, context: Context) -> bool:
    """Whether all that an equation says, it says of numbers and of functions that the article defines for them."""
    functions = context.once(find_own_functions)
    applied = any(apply_own(side, functions) is not side for side in statement.equals)
    return applied and tried.is_of_numbers


def find_defined(statement: Statement) -> set[str]:
    """The letters that a line says something of: what stands on its left side, but for what is differentiated."""
    left = spell(statement.left)
    if has_derivative(left) or statement.head is not None:
        return set()
    return {letter_of(part).key for part in f.walk(left) if isinstance(part, f.Name)}


def _prepared(equals: Sequence[f.Expression], context: Context) -> list[f.Expression]:
    functions = context.once(find_own_functions)
    return spell_own([apply_own(side, functions) for side in equals], context.once(find_notation))


def _definitions(statement: Statement, context: Context, beside: Mapping[str, int]) -> Mapping[str, Definition]:
    """What other lines define, σ by σ² = … and functions too; what several define is the last thing said before."""
    known = definitions_in(context, statement, whole=True)
    equations = context.once(find_equations, find_weights, find_scales, find_batch_label)
    masked = context.once(find_masked, find_equations)
    for equation in equations:
        made, before = equation.whole, equation.statement.number < statement.number
        if made is None or not is_as_masked(made, masked):
            continue
        if before and (made.key in known or made.key in beside):
            known[made.key] = made
    for number, made in context.once(find_others, find_notation):
        if number != statement.number:
            known.setdefault(made.key, made)
    notation = context.once(find_notation)

    def spelled(key: str) -> Definition:
        return replace(known[key], expression=own_letters(known[key].expression, notation))

    return View(known.keys(), spelled)


def find_others(_: Article, statements: Sequence[Statement], notation: Notation) -> list[tuple[int, Definition]]:
    """The definitions of powers of letters, of functions and of letters with a label, with their statements."""
    found = []
    for statement in statements:
        left = statement.left
        own = isinstance(left, f.Power | f.Call) or left in notation.labelled
        if len(statement.equals) < 2 or statement.head is not None or not own:
            continue
        name, right = spell_own(statement.equals[:2], notation)
        if isinstance(name, f.Power) and isinstance(name.exponent, f.Number) and name.exponent.value:
            exponent = 1 / name.exponent.value
            name = name.base
            right = f.Power(right, f.Number(str(exponent), exponent, Fraction(1)))
        made = definition_of(name, right, whole=True) if isinstance(name, f.Name) else None
        found += [] if made is None else [(statement.number, made)]
    return found


def _pairs(
    sides: Sequence[f.Expression], known: Mapping[str, Definition]
) -> Iterator[tuple[f.Expression, f.Expression]]:
    """Neighbouring sides that say more than what a name is, or the same again."""
    for k, (left, right) in enumerate(pairwise(sides)):
        if is_same(left, right) or (f.is_printed(right) and not is_zero_of_sum(right, sides)):
            continue
        if _is_of_numbers(left) != _is_of_numbers(right) and not is_zero_of_sum(right, sides):
            continue  # the value of one case, whose letters are given: f(x) = 2(5)
        if isinstance(left, f.Name) and slope_of(left) is None:
            made = known.get(letter_of(left).key)
            if made is None or is_same(made.expression, right):
                continue
        if k and isinstance(right, f.Name) and letter_of(right).key not in known and slope_of(right) is None:
            continue  # a name for what stands before it
        yield left, right


def _is_of_numbers(side: f.Expression) -> bool:
    return not any(isinstance(part, f.Name) for part in f.walk(side))


def is_zero_of_sum(side: f.Expression, sides: Sequence[f.Expression]) -> bool:
    """Whether it is the 0 of Σ_i (x_i − μ) = 0."""
    zero = isinstance(side, f.Number) and not side.value
    return zero and any(isinstance(part, f.BigSum) and part.index for other in sides[:1] for part in f.walk(other))


def _letters(sides: Sequence[f.Expression], known: Mapping[str, Definition]) -> Iterator[f.Name]:
    """The names in some formulas and in what they are made of."""
    waiting, seen = list(sides), set[str]()
    while waiting:
        for part in f.walk(waiting.pop()):
            if isinstance(part, f.Name):
                yield part
                key = letter_of(slope_of(part) or part).key
                if key in known and key not in seen:
                    seen.add(key)
                    waiting.append(known[key].expression)


def compare_sides(
    left: f.Expression, right: f.Expression, known: Mapping[str, Definition], notation: Notation
) -> list[Tried]:
    """What the sides come to under each reading that gives both a value, up to one in which they agree."""
    found: list[Tried] = []
    for vectors in (*([notation.bold] if notation.bold else []), USUAL, None, NUMBERS):
        if found and vectors is None:
            continue
        for columns, rows in product((True, False), (False, True)):
            try:
                plan = infer([left, right], known, Ranks(columns, rows, vectors, notation.permutations))
                of_numbers = not any(plan.shapes.values())
                made = (left, right, *(definition.expression for definition in plan.definitions.values()))
                if any(is_misplaced(each, plan.shapes) for each in made):
                    continue
                if (of_numbers and (columns, rows) != (True, False)) or (vectors is NUMBERS and not of_numbers):
                    continue  # of numbers alone there is one reading
                found.append(_try(left, right, plan, notation.permutations))
                if found[-1].difference is None:
                    return found
            except (UnsettledError, MisfitError, ZeroDivisionError):
                continue
    return found


def _try(left: f.Expression, right: f.Expression, plan: Plan, permutations: frozenset[str]) -> Tried:
    """Whether two sides agree at every point. Raises UnsettledError where no point gives both a value."""
    found: list[Tried] = []
    made = [left, right, *(definition.expression for definition in plan.definitions.values())]
    least = KINKED if any(map(_has_kink, made)) else POINTS
    for seed in range(least + FURTHER):
        try:
            found.append(_at_point(left, right, plan, seed, permutations))
        except (UnsettledError, ZeroDivisionError):
            if seed == least - 1 and not found:
                raise
            continue  # a logarithm of what is negative there
        if found[-1].difference is not None or (seed >= least - 1 and len(found) >= FEWEST):
            return found[-1]
    raise UnsettledError("at one point alone they may be equal by chance")


def _has_kink(e: f.Expression) -> bool:
    """Whether a function stands in it that is linear on pieces, where numbers of one sign show one piece alone."""
    return any(isinstance(part, f.Call) and part.function.lower() in _KINKED for part in f.walk(e))


_KINKED = frozenset(("relu", "abs", "max", "min", "norm", "sign", "sgn", "clip", "clamp"))


def _at_point(
    left: f.Expression, right: f.Expression, plan: Plan, seed: int, permutations: frozenset[str] = NONE
) -> Tried:
    with precision(BITS):
        made = _at_numbers(plan, SIZES[min(seed, 1)], seed, permutations)
        if has_derivative(left) or has_derivative(right):
            attach_gradients(made, roots_of([left, right], plan))
        return Tried(made, difference_of(left, right, made))


def _keys_in(e: f.Expression) -> Iterator[str]:
    """The letters in an expression but those of gradients and of losses."""
    if isinstance(e, f.Derivative):
        return
    if isinstance(e, f.Name) and slope_of(e) is None:
        yield letter_of(e).key
    for part in e.parts:
        yield from _keys_in(part)


def _are_multiples(left: f.Expression, right: f.Expression, plan: Plan) -> bool:
    """Whether one number is always the same multiple of the other: 8/3 d and 6 d."""
    if any(plan.shapes.values()):
        return False
    try:
        differences = [_at_point(left, right, plan, seed).difference for seed in range(POINTS)]
        with precision(BITS):
            ratios = [d.left / d.right for d in differences if isinstance(d, Difference) and not d.right.contains(0)]
    except (UnsettledError, ZeroDivisionError):
        return False
    return len(ratios) == POINTS and all((ratio - ratios[0]).contains(0) for ratio in ratios)


def _at_numbers(plan: Plan, sizes: Sequence[int], seed: int, permutations: frozenset[str]) -> Pass:
    """The pass at small numbers, positive ones at first."""
    ring = Numbers()
    names = {axis for shape in plan.shapes.values() for axis in shape} | {*plan.sizes.values()}
    open_ = sorted(axis for axis in names if not axis.isdigit())
    numbered = {axis: int(axis) for axis in names if axis.isdigit()} | dict(zip(open_, sizes, strict=False))

    def free(key: str, shape: tuple[Size, ...]) -> Tensor:
        generator = random.Random(f"{key} {seed}")
        mixed = (seed in (POINTS - 2, POINTS - 1) or seed >= POINTS + FURTHER) and key != "ε"

        def drawn() -> Any:
            while (value := Fraction(generator.randint(1, 5), generator.choice((2, 3)))) == 1:
                pass  # at 1 a square is its root
            return ring.number(-value if shape and mixed and generator.random() < 0.5 else value)

        if not shape:
            first = random.Random(key if seed < POINTS else f"{key} {seed}").random() < 0.5
            number = -drawn() if mixed and first == (seed % 2 == 0) else drawn()
            return Tensors(ring).make((), lambda: number)
        if key == IDENTITY and shape[0] == shape[1]:
            return Tensors(ring).identity(shape[0])
        if key in permutations and shape[0] == shape[1]:
            places = _order(int(shape[0]), generator)
            return Tensors(ring).make(shape, lambda i, j: ring.number(Fraction(places[i] == j)))
        entries = [[drawn() for _ in range(int(shape[1]))] for _ in range(int(shape[0]))]
        return Tensors(ring).make(shape, lambda i, j: entries[i][j])

    return _OwnPass(plan, ring, numbered, free)


def _order(count: int, generator: random.Random) -> list[int]:
    """Another order of so many places, which is not undone by itself from three places on."""
    while True:
        places = generator.sample(range(count), count)
        again = [places[k] for k in places]
        if count < 2 or (again if count > 2 else places) != sorted(places):
            return places


class _OwnPass(Pass):
    """A pass that differentiates by whole vectors too, ∇_x r, and by powers of letters, ∂y/∂σ²."""

    def special(self, e: f.Expression, scope: Scope) -> Tensor | None:
        if not isinstance(e, f.Call) or e.function != LIST:
            return super().special(e, scope)
        cells = [evaluate(cell, scope).at() for cell in e.arguments]
        shape = (len(cells), 1) if self.plan.columns else (1, len(cells))
        return self.tensors.make(shape, lambda i, j: cells[i + j])

    def derivative(self, e: f.Derivative, scope: Scope) -> Tensor:
        if slope_of(e) is not None:
            return super().derivative(e, scope)
        if isinstance(e.of, f.Name) and e.of != e.by and letter_of(e.of).key not in self.plan.definitions:
            raise UnsettledError("derivative")  # no line says what it is made of
        if isinstance(e.by, f.Power):
            exponent = evaluate_number(e.by.exponent)
            if exponent is None or not exponent:
                raise UnsettledError("derivative")
            t = self.tensors
            outer = t.scale(t.power(evaluate(e.by.base, scope), exponent - 1), exponent)
            return t.divide(self.derivative(f.Derivative(e.of, e.by.base), scope), outer)
        if isinstance(e.by, f.Name) and not (by := letter_of(e.by)).indices:
            x = self.letter(by.key)
            if x.is_vector and (y := evaluate(e.of, scope)).is_vector:
                return self._jacobian_of(e.of, by.key, (y, x), scope)
            if not x.is_number:
                return self._gradient_of(e.of, by.key, x, scope)
        return super().derivative(e, scope)

    def _jacobian_of(self, of: f.Expression, key: str, vectors: tuple[Tensor, Tensor], scope: Scope) -> Tensor:
        """∂r/∂q of vectors, a row for each entry of r."""

        def place(x: Tensor, at: int) -> tuple[int, int]:
            return (at, 0) if x.shape[1] == 1 else (0, at)

        y = vectors[0]
        shape = [int(max(vector.shape)) for vector in vectors]
        slopes = evaluate(of, Scope(with_slopes(self, key), scope.bound))
        return self.tensors.make(shape, lambda i, j: slope_by(slopes.at(*place(y, i)), j))

    def _gradient_of(self, of: f.Expression, key: str, x: Tensor, scope: Scope) -> Tensor:
        """∂y/∂X of a number, of the shape of X."""
        value = evaluate(of, Scope(with_slopes(self, key), scope.bound))
        if not value.is_number:
            raise UnsettledError("derivative")
        slopes = {place: slope_by(value.at(), k) for k, place in enumerate(x.places)}
        return self.tensors.make(x.shape, lambda *place: slopes[place])
