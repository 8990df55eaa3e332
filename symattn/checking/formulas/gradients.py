"""Printed gradients, ∂L/∂Q = … and dQ = …, against what the derivative of the forward pass is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

import sympy

from symattn.checking.equality.indices import Cut, Undecided
from symattn.checking.equality.terms import Budget
from symattn.checking.findings import Formula
from symattn.checking.formulas.context import Context, conclude, refuse
from symattn.checking.formulas.forward import (
    ROW_SUMS,
    SCORES,
    WEIGHTS,
    Reading,
    apart_from_weights,
    definitions_in,
    find_letters,
    is_of_field,
    other_definitions_in,
    readings,
    readings_with_gradient,
    row_sums_in,
)
from symattn.checking.formulas.layers import (
    additive_plans,
    linear_plans,
    name_variance,
    norm_plans,
    product_plans,
    projection_plans,
    softmax_plans,
    speaks_of_softmax,
    vector_plans,
    weights_of,
)
from symattn.checking.formulas.mending import mend_statement
from symattn.checking.formulas.pointed import show_difference
from symattn.checking.formulas.repairs import read_side
from symattn.checking.formulas.rereadings import reread
from symattn.checking.formulas.right_gradients import right_sides
from symattn.checking.formulas.statements import Statement
from symattn.checking.formulas.symbols import declared_shapes
from symattn.checking.formulas.upstream import find_named, judge_flat, name_gradients
from symattn.checking.models.equations import Difference, difference_of, is_identity
from symattn.checking.models.evaluate import UnsettledError
from symattn.checking.models.gradients import attach_gradients, upstream_of
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import Definition, Pass, Plan, at_numbers, for_every_size
from symattn.checking.models.rings import Forms
from symattn.checking.models.spelling import open_indices, rename_indices, spell
from symattn.checking.models.tensors import MisfitError
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

BITS = 160
SQUARE = {"n": 3, "m": 3, "d": 3, "e": 3, "c": 3}  # where whatever fits at some sizes fits
POINTS = ({"n": 2, "m": 3, "d": 4, "e": 5, "c": 6}, {"n": 3, "m": 4, "d": 5, "e": 2, "c": 7})
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


def judge_gradient(statement: Statement, context: Context) -> Formula | None:
    """Sides of which one at least is a gradient by a letter of a forward pass that is known."""
    named = context.once(find_named)
    spelled = [name_gradients(spell(without_zeros(side)), named) for side in rename_indices(statement.equals)]
    if any(
        isinstance(part, f.Derivative) and isinstance(part.by, f.Power) for side in spelled for part in f.walk(side)
    ):
        spelled = [name_variance(side) for side in spelled]
    sides = without_chain_rules(spelled)
    if len(sides) > 2 and _is_new_name(sides, statement, context):
        sides = sides[:-1]  # `= Δ` behind a gradient, a name for it
    if len(sides) < 2 or not any(has_derivative(side) for side in sides) or all(side == sides[0] for side in sides):
        return None
    sides = [apart_from_weights(side, context.statements) for side in sides]
    known, keys = definitions_in(context.statements, statement), keys_in(sides)
    keys = keys_in([*sides, *(known[key].expression for key in keys if key in known and key in ROW_SUMS)])
    if any(isinstance(side, f.Derivative) and _is_of_wholes(side) for side in sides):
        return None
    assumed = row_sums_in(sides, known)
    if assumed is not None:
        known[assumed.key] = assumed
    first = sides[0]
    if isinstance(first, f.Name) and slope_of(first) is None:
        sides = sides[1:]  # a name for what follows
        if len(sides) < 2:
            return None
    if any(side != sides[0] and sides[0] in f.walk(side) for side in sides[1:]):
        return None  # an update, dQ = dQ + dS K
    if context.once(_has_batches) and any(map(_is_member, (part for side in sides for part in f.walk(side)))):
        return None  # X_b is a sequence of the batch
    whole = definitions_in(context.statements, statement, whole=True)
    every = _every_reading(sides, keys, known, whole, statement, context)
    if not _names_loss(statement) and any(_is_of_changes(sides, reading.plan) for reading in every):
        return None  # dO = dP V + P dV: small changes, and no gradients
    found = [outcome for reading in every if (outcome := try_reading(sides, reading)) is not None]
    right, elsewhere = [outcome for outcome in found if outcome.holds], not found
    if not found:
        sides, right = _meant_otherwise(sides, every, statement, context)
        found = right = right or _with_other_definitions(sides, keys, statement, context)
    if not found and (flat := judge_flat(statement, sides)) is not None:
        return flat
    if not found:
        return None if has_slices(sides) else _judge_assumed(statement, sides, keys, context)
    if not right and (case := _case_of(sides, found)) is not None:
        return conclude(statement, "holds-if", Sentence("theorem.gradient_tried"), condition=case)
    if not right:
        sides, right = _meant_otherwise(sides, every, statement, context)
    if not right and _holds_elsewhere(sides, keys, statement, context):
        return None  # with another of the meanings that the article gives a letter
    if not right and (scaled := _with_scaled_scores(sides, keys, statement, context)):
        right, elsewhere = scaled, True
    if not right and (assumed is not None or _holds_centred(sides, found)):
        return None  # the letter may be anything else, or behind a softmax that is not told
    if not right and context.once(find_blocks) & {part for side in statement.equals for part in f.walk(side)}:
        return None  # K_1 is a block of the keys, and no row
    if not right:
        point = show_difference(found[0].made, found[0].difference or found[0].misfit)
        return refuse(statement, Sentence("theorem.gradient_fails"), mend_gradient(statement, found), point)
    conditions = {_key(o.reading.condition) for o in right}
    split = "" not in conditions and any(_key(o.reading.condition) not in conditions for o in found)
    proven = any(is_proven(sides, outcome.reading.plan) for outcome in right)
    theorem = Sentence("theorem.gradient_proven" if proven else "theorem.gradient_tried")
    condition = right[0].reading.condition if split or elsewhere else None
    if assumed is not None:
        condition = Sentence("condition.row_sums", name=assumed.key)
    return conclude(statement, "holds" if condition is None else "holds-if", theorem, condition=condition)


def _every_reading(
    sides: Sequence[f.Expression],
    keys: Sequence[str],
    known: dict[str, Definition],
    whole: dict[str, Definition],
    statement: Statement,
    context: Context,
) -> list[Reading]:
    """The forward passes that the article's lines admit for the letters of a statement."""
    source = context.article.source
    layers = [
        *norm_plans(keys, known),
        *vector_plans(keys, known),
        *(softmax_plans(keys, known, source) if speaks_of_softmax(known, source) else ()),
        *projection_plans(keys, whole),
        *linear_plans(keys, known),
        *product_plans(keys, known),
        *additive_plans(keys, known),
    ]
    standard = readings(keys, known, context.once(find_letters))
    every = [_without_terms_as_sizes(reading, sides) for reading in (*map(Reading, layers), *standard)]
    if statement.passage.kind in ("code", "comment"):
        every = [replace(reading, plan=replace(reading.plan, small=True)) for reading in every]
    if has_slices(sides):
        every += [replace(reading, plan=replace(reading.plan, upright=True)) for reading in every]
    return every


def _holds_elsewhere(
    sides: Sequence[f.Expression], keys: Sequence[str], statement: Statement, context: Context
) -> bool:
    """Whether it holds, or cannot be told, where a letter that is defined several times is the other thing."""
    others = zip(
        other_definitions_in(context.statements, statement),
        other_definitions_in(context.statements, statement, whole=True),
        strict=False,
    )
    for known, whole in others:
        tried = [try_reading(sides, each) for each in _every_reading(sides, keys, known, whole, statement, context)]
        found = [outcome for outcome in tried if outcome is not None]
        if not found or any(outcome.holds for outcome in found):
            return True
    return False


def _holds_centred(sides: Sequence[f.Expression], found: Sequence[Outcome]) -> bool:
    """Whether it holds where the rows of gradients that may be any numbers sum to 0."""
    readings = (replace(each.reading, plan=replace(each.reading.plan, centred=True)) for each in found)
    return any(outcome is not None and outcome.holds for outcome in (try_reading(sides, each) for each in readings))


def _with_other_definitions(
    sides: list[f.Expression], keys: Sequence[str], statement: Statement, context: Context
) -> list[Outcome]:
    """The readings in which it holds with another definition of a letter than the first, O = PV for softmax(QKᵀ) V,
    or with weights that are a softmax where the line that says what they are is not settled, e^{S − LSE}."""
    known, whole = (definitions_in(context.statements, statement, whole=every) for every in (False, True))
    others: list[tuple[dict[str, Definition], dict[str, Definition], Sentence | None]] = [
        (*each, None)
        for each in zip(
            other_definitions_in(context.statements, statement),
            other_definitions_in(context.statements, statement, whole=True),
            strict=False,
        )
    ]
    for key in WEIGHTS:
        if key in known and key in keys and _is_exponential(known[key]):
            plain, rest = ({k: d for k, d in made.items() if k != key} for made in (known, whole))
            others.append((plain, rest, Sentence("condition.softmax", name=key)))
    for own, all_, condition in others:
        for reading in _every_reading(sides, keys, own, all_, statement, context):
            outcome = try_reading(sides, reading)
            if outcome is not None and outcome.holds:
                return [replace(outcome, reading=replace(reading, condition=condition or reading.condition))]
    return []


_SCALING = re.compile(
    r"\bscal(?:e|ed|ing)\b|缩放|縮放|スケー|스케일|масштаб|\bescal|skalier|mise à l['’]échelle", re.IGNORECASE
)


def _with_scaled_scores(
    sides: list[f.Expression], keys: Sequence[str], statement: Statement, context: Context
) -> list[Outcome]:
    """The readings in which it holds if the scores are divided by √d_k, where words beside it speak of a scale and
    the line before them, S = QKᵀ, has none."""
    start, end = statement.span
    near = context.article.source[max(start - 200, 0) : end + 200]
    known, whole = (definitions_in(context.statements, statement, whole=every) for every in (False, True))
    scores = next((key for key in SCORES if key in known), None)
    if (
        scores is None
        or not _SCALING.search(near)
        or any(isinstance(x, f.Root) for x in f.walk(known[scores].expression))
    ):
        return []
    scaled = replace(known[scores], expression=f.Quotient(known[scores].expression, f.Root(f.Name("d", ("k",)))))
    every = _every_reading(sides, keys, known | {scores: scaled}, whole | {scores: scaled}, statement, context)
    condition = Sentence("condition.scaled_scores")
    tried = (try_reading(sides, replace(reading, condition=condition)) for reading in every)
    return [outcome for outcome in tried if outcome is not None and outcome.holds]


def _is_exponential(definition: Definition) -> bool:
    return isinstance(definition.expression, f.Call) and definition.expression.function == "exp"


def without_zeros(side: f.Expression) -> f.Expression:
    """The side with 0 for what is multiplied by it, whose shape nothing says."""

    def changed(part: f.Expression) -> f.Expression:
        zeros = (
            [x for x in part.factors if isinstance(x, f.Number) and not x.value] if isinstance(part, f.Product) else []
        )
        return zeros[0] if zeros else part

    return rewrite(side, changed)


def find_blocks(_: Article, statements: Sequence[Statement]) -> frozenset[f.Expression]:
    """Matrices with a number for an index that are blocks of others, [K_1; K_2], or have a formula of their own."""
    sides = [side for statement in statements for side in statement.equals]
    cells = (
        c for side in sides for part in f.walk(side) if isinstance(part, f.Matrix) for row in part.rows for c in row
    )
    lefts = (statement.left for statement in statements if len(statement.equals) > 1)
    return frozenset(
        name
        for name in (*cells, *lefts)
        if isinstance(name, f.Name) and name.base[-1:].isupper() and len(name.sub) == 1 and name.sub[0].isdigit()
    )


def _has_batches(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a shape of three axes is stated: with an index a letter is then a matrix, and no row."""
    return any(len(shape) > 2 for shape in declared_shapes(statements).values())


def _is_member(e: f.Expression) -> bool:
    name = slope_of(e) or e
    return isinstance(name, f.Name) and name.base.isupper() and len(letter_of(name).indices) == 1


def _names_loss(statement: Statement) -> bool:
    """Whether it is written with ∂L/∂X, and not with dX alone."""
    return any(isinstance(part, f.Derivative) for side in statement.equals for part in f.walk(side))


def _is_of_changes(sides: Sequence[f.Expression], plan: Plan) -> bool:
    """Whether what dX is said to be is made of dY alone where X is computed from Y: then d is no gradient."""
    first = slope_of(sides[0])
    if first is None:
        return False
    own = plan.known(letter_of(first).key)
    others = {plan.known(key) for key in slopes_in(sides[1:])}
    return bool(others) and own is not None and None not in others and own not in others and others <= plan.needs(own)


def _is_new_name(sides: Sequence[f.Expression], statement: Statement, context: Context) -> bool:
    """Whether the last side is a name that stands nowhere before it and is no letter of the field."""
    last = sides[-1]
    if not isinstance(last, f.Name) or slope_of(last) is not None or is_of_field(letter_of(last).key):
        return False
    before = [side for s in context.statements[: statement.number] for side in s.equals]
    return not any(part == last for side in (*before, *sides[:-1]) for part in f.walk(side))


def _judge_assumed(
    statement: Statement, sides: list[f.Expression], keys: Sequence[str], context: Context
) -> Formula | None:
    """What holds if a letter that no line settles is what it is elsewhere: a softmax, or the gradient by the scores."""
    known = definitions_in(context.statements, statement)
    softmax = [] if speaks_of_softmax(known, context.article.source) else softmax_plans(keys, known, "")
    read = [Reading(plan, Sentence("condition.softmax", name=weights_of(plan))) for plan in softmax]
    slopes = slopes_in(sides)
    plain = [key for key in keys if key not in slopes]
    for reading in (*read, *readings_with_gradient(plain, keys, known, context.once(find_letters))):
        outcome = try_reading(sides, reading)
        if outcome is not None and outcome.holds:
            return conclude(statement, "holds-if", Sentence("theorem.gradient_tried"), condition=reading.condition)
    return None


def without_chain_rules(sides: list[f.Expression]) -> list[f.Expression]:
    """The sides without those that only name what is multiplied, ∂L/∂S · ∂S/∂Q for ∂L/∂Q."""
    return [sides[0], *(side for side in sides[1:] if not _is_chain_rule(sides[0], side))] if sides else sides


def _is_chain_rule(first: f.Expression, side: f.Expression) -> bool:
    if not isinstance(first, f.Derivative) or not isinstance(side, f.Product):
        return False
    factors = [x.operand if isinstance(x, f.Transpose) else x for x in side.factors]
    links = [x for x in factors if isinstance(x, f.Derivative)]
    if len(links) != len(factors) or not any(map(_is_of_wholes, links)):
        return False
    above, below = Counter(x.of for x in links), Counter(x.by for x in links)
    return above - below == Counter([first.of]) and below - above == Counter([first.by])


def _is_of_wholes(e: f.Derivative) -> bool:
    """Whether this is no gradient of a loss and none of its letters has an index, ∂p/∂z: a matrix or a number."""
    return slope_of(e) is None and not any(isinstance(x, f.Name) and letter_of(x).indices for x in (e.of, e.by))


def _without_terms_as_sizes(reading: Reading, sides: Sequence[f.Expression]) -> Reading:
    """The D of dP − D is no size, as that of √D is, but what FlashAttention calls D; nor is the H of log p + H.

    What is so added to others is unsettled if not defined.
    """
    sums = [part for side in sides for part in f.walk(side) if isinstance(part, f.Sum)]
    terms = {letter_of(x).key for each in sums for term in each.terms for x in _factors(term) if isinstance(x, f.Name)}
    added = {"D"} & terms
    for each in sums:
        names = [term for term in each.terms if isinstance(term, f.Name)]
        others = [term for term in each.terms if not isinstance(term, f.Name | f.Number)]
        added |= {letter_of(name).key for name in names if others}
    sizes = {letter: size for letter, size in reading.plan.sizes.items() if letter not in added}
    return replace(reading, plan=replace(reading.plan, sizes=sizes))


def _factors(term: f.Expression) -> Sequence[f.Expression]:
    return term.factors if isinstance(term, f.Product) else (term,)


def _meant_otherwise(
    sides: list[f.Expression], every: Sequence[Reading], statement: Statement, context: Context
) -> tuple[list[f.Expression], list[Outcome]]:
    """The sides as the words around them mean them, and the readings in which they hold then."""
    for other in reread(sides, statement, context):
        tried = (try_reading(other, reading) for reading in every)
        right = [outcome for outcome in tried if outcome is not None and outcome.holds]
        if right:
            return other, right
    return sides, []


def mend_gradient(statement: Statement, found: Sequence[Outcome]) -> str | None:
    """The equation with one slip mended, in the first reading in which it had a meaning."""

    def holds(sides: Sequence[f.Expression]) -> bool:
        joined = [spell(side) for side in sides]
        return any(o is not None and o.holds for o in (try_reading(joined, outcome.reading) for outcome in found[:1]))

    return mend_statement(statement, holds) or _looked_up(statement, found)


def _looked_up(statement: Statement, found: Sequence[Outcome]) -> str | None:
    """The gradient as it is known, in the letters of the article."""
    first = spell(statement.left)
    name = slope_of(first)
    if name is None or statement.head is not None:
        return None
    short = isinstance(first, f.Name)
    side = statement.sides[0]
    left = statement.passage.text[side.start : side.end].strip().rstrip("&").strip()

    def written(letter: str) -> str:
        return f"d{letter}" if short else rf"\frac{{\partial L}}{{\partial {letter}}}"

    for outcome in found:
        for text in right_sides(name, outcome.reading.plan, written):
            expression = read_side(text)
            if expression is not None and (o := try_reading([first, expression], outcome.reading)) and o.holds:
                return f"{left} = {text}"
    return None


def _key(condition: Sentence | None) -> str:
    return "" if condition is None else condition.key


def has_slices(sides: Sequence[f.Expression]) -> bool:
    """Whether rows of matrices are in it, P_{i:}."""
    names = (part for side in sides for part in f.walk(side) if isinstance(part, f.Name))
    return any(mark == ":" or mark.endswith(":") for name in names for mark in letter_of(name).indices)


def has_derivative(side: f.Expression) -> bool:
    return any(isinstance(part, f.Derivative) or slope_of(part) is not None for part in f.walk(side))


def slopes_in(sides: Sequence[f.Expression]) -> list[str]:
    """The letters X of the gradients ∂L/∂X in them."""
    found = [slope for side in sides for part in f.walk(side) if (slope := slope_of(part)) is not None]
    return list(dict.fromkeys(letter_of(name).key for name in found))


def keys_in(sides: Sequence[f.Expression]) -> list[str]:
    """The letters in them, those of gradients included."""
    names = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    return list(dict.fromkeys(letter_of(slope_of(name) or name).key for name in names))


def roots_of(sides: Sequence[f.Expression], plan: Plan) -> list[str]:
    """The letters whose gradients may be any numbers: of those in the statement the ones furthest on."""
    keys = slopes_in(list(_with_definitions(sides, plan)))
    if "L" in plan.definitions and all((plan.known(key) or key) in plan.needs("L") for key in keys):
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


def _with_definitions(sides: Sequence[f.Expression], plan: Plan) -> Iterator[f.Expression]:
    """The sides, and what the letters in them are defined to be, D_i of gradients for one."""
    waiting, seen = list(sides), set[str]()
    while waiting:
        e = waiting.pop()
        yield e
        for part in f.walk(e):
            if not isinstance(part, f.Name) or slope_of(part) is not None:
                continue
            letter = letter_of(part).key
            key = letter if letter in plan.sizes else plan.known(letter)
            if key is not None and key not in seen and key in plan.definitions:
                seen.add(key)
                waiting.append(plan.definitions[key].expression)


def _case_of(sides: Sequence[f.Expression], found: Sequence[Outcome]) -> Sentence | None:
    """Where ∂y_i/∂z_j without δ_ij is right: for i ≠ j or for i = j, as the cases of a Jacobian are printed apart."""
    names = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    whole = any(name.base == "δ" for name in names) or any(isinstance(side, f.Cases) for side in sides)
    if whole or not isinstance(sides[0], f.Derivative) or slope_of(sides[0]) is not None:
        return None
    for distinct, key in ((True, "condition.indices_differ"), (False, "condition.indices_agree")):
        outcomes = (try_reading(sides, outcome.reading, distinct=distinct) for outcome in found)
        if any(outcome is not None and outcome.holds for outcome in outcomes):
            return Sentence(key)
    return None


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
    if _is_free(sides, plan, roots):
        return None
    with precision(BITS):
        made = at_numbers(plan, sizes, seed)
        attach_gradients(made, roots)
        try:
            for root in roots:
                made.letter(root)
        except (MisfitError, UnsettledError):
            return None  # the forward pass itself has no value in this reading
        try:
            for left, right in pairwise(sides):
                if (difference := difference_of(left, right, made, distinct=distinct)) is not None:
                    return None if _is_cut(sides, plan) else Outcome(reading, made, difference)
        except (UnsettledError, ZeroDivisionError):
            return None
    return Outcome(reading, made)


def _is_free(sides: Sequence[f.Expression], plan: Plan, roots: Sequence[str]) -> bool:
    """Whether a side is a gradient that may be any numbers as far as other lines say: this one tells it."""
    slopes = [slope_of(side) for side in sides]
    alone = [letter_of(slope).key for slope in slopes if slope is not None]
    return roots != ["L"] and any((plan.known(key) or key) in roots for key in alone)


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
        return all(is_identity(left, right, made) for left, right in pairwise(sides))
    except (Undecided, Cut, UnsettledError, MisfitError):
        return False
