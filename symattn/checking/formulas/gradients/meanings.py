"""The readings of a statement on gradients: forward passes that its letters may belong to, and other meanings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.formulas.gradients.batches import find_batch_label, without_label
from symattn.checking.formulas.gradients.forward import (
    NUMBERS,
    OUTPUTS,
    SCORES,
    SHAPES,
    SIZES,
    TOKENS,
    WEIGHTS,
    Reading,
    definitions_in,
    find_letters,
    is_of_field,
    other_definitions_in,
    readings,
    with_scaled_product,
)
from symattn.checking.formulas.gradients.last_scores import readings_by_last_scores
from symattn.checking.formulas.gradients.layers import (
    VARIANCE,
    additive_plans,
    find_token_axis,
    linear_plans,
    name_one_hot,
    norm_plans,
    product_plans,
    projection_plans,
    rms_plans,
    softmax_plans,
    speaks_of_softmax,
    vector_plans,
)
from symattn.checking.formulas.gradients.masked import with_masks_added
from symattn.checking.formulas.gradients.outcomes import Outcome, holding, holds_in, keys_in, try_readings
from symattn.checking.formulas.gradients.own_scores import is_keys_by_queries
from symattn.checking.formulas.gradients.rereadings import is_comment, reread
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import Definition, swap_case
from symattn.checking.models.spelling import spell
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence


def readings_of(
    sides: Sequence[f.Expression],
    keys: Sequence[str],
    known: dict[str, Definition],
    whole: dict[str, Definition],
    statement: Statement,
    context: Context,
) -> list[Reading]:
    """The forward passes that the article's lines admit for the letters of a statement."""
    known, whole = (with_masks_added(made, sides) for made in (known, whole))
    source = context.article.words
    logistic = any(isinstance(x, f.Call) and x.function in ("sigma", "sigmoid") for side in sides for x in f.walk(side))
    # σ(z)(1 − σ(z)) = a(1 − a) is of another activation
    softmax = speaks_of_softmax(known, context.article.said) and not logistic
    layers = [
        *norm_plans(sides, keys, known, source),
        *rms_plans(keys, known, source),
        *vector_plans(keys, known),
        *(softmax_plans(keys, known, source) if softmax else ()),
        *projection_plans(keys, whole, context.once(find_token_axis)),
        *linear_plans(keys, known),
        *product_plans(keys, known),
        *additive_plans(keys, known),
    ]
    standard = [*readings(keys, known, context.once(find_letters))]
    if not context.once(_goes_on_unscaled):
        standard += readings_by_last_scores(known, sides)
    every = [_without_terms_as_sizes(reading, sides) for reading in (*map(Reading, layers), *standard)]
    if statement.passage.kind in ("code", "comment"):
        every = [replace(reading, plan=replace(reading.plan, small=True)) for reading in every]
    if has_slices([*sides, *(known[key].expression for key in keys if key in known)]):
        every += [replace(reading, plan=replace(reading.plan, upright=True)) for reading in every]
    return every


def _goes_on_unscaled(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether dQ = dS K or dK = dSᵀ Q is printed without a scale, and no line or word scales it.

    Then dS is the gradient by S = QKᵀ itself, and by no S that is scaled already.
    """
    pairs = [tuple(map(spell, s.equals[:2])) for s in statements if len(s.equals) > 1]
    of_inputs = [pair for pair in pairs if (by := slope_of(pair[0])) is not None and by.base in ("Q", "K")]
    plain = bool(of_inputs) and all(_is_plain_slope(left, right) for left, right in of_inputs)
    return plain and _SCALES_GRADIENTS.search(article.said) is None


_SCALES_GRADIENTS = regex(
    r"d[QK]\b[^.\n]{0,80}(?:multipl|divid|scale|乘以|除以|缩放)|(?:multipl|divid|scale|乘以|除以|缩放)[^.\n]{0,80}d[QK]\b",
    re.I,
)


def _is_plain_slope(left: f.Expression, right: f.Expression) -> bool:
    by = slope_of(left)
    if by is None or by.base not in ("Q", "K") or not isinstance(right, f.Product) or len(right.factors) != 2:
        return False
    first, other = (x.operand if isinstance(x, f.Transpose) else x for x in right.factors)
    scores = slope_of(first)
    return scores is not None and scores.base in SCORES and isinstance(other, f.Name) and other.base in ("Q", "K")


def holds_elsewhere(sides: Sequence[f.Expression], keys: Sequence[str], statement: Statement, context: Context) -> bool:
    """Whether it holds, or cannot be told, where a letter that is defined several times is the other thing."""
    others = list(_others(statement, context))
    first = [definitions_in(context, statement, whole=whole) for whole in (False, True)]
    for reading in readings_of(sides, keys, name_one_hot((), first[0])[1], first[1], statement, context):
        if reading.plan.sizes.get("d_model") == "c":  # of one head that is as wide as the tokens
            alone = replace(reading, plan=replace(reading.plan, sizes={**reading.plan.sizes, "d_model": "d"}))
            if holds_in(sides, [alone]):
                return True
    scaled, all_scaled = (with_scaled_product(keys, known) for known in first)
    if scaled is not None and all_scaled is not None:
        others.append((scaled, all_scaled))
    if is_comment(statement, context):  # S = K Qᵀ may be the tile of a product, beside the S of dQ = dS K
        plain, rest = ({k: d for k, d in made.items() if not any(map(is_keys_by_queries, d.parts))} for made in first)
        others += [(plain, rest)] if plain != first[0] else []
    for known, whole in ((name_one_hot((), own)[1], every) for own, every in others):
        found = list(try_readings(sides, readings_of(sides, keys, known, whole, statement, context)))
        if not found or any(outcome.holds for outcome in found):
            return True
    return False


def _others(statement: Statement, context: Context) -> Iterator[tuple[dict[str, Definition], dict[str, Definition]]]:
    """The definitions with another one of one letter, without those of Q, K and V and with them."""
    every = (other_definitions_in(context, statement, whole=whole) for whole in (False, True))
    return zip(*every, strict=False)


def holds_centred(sides: Sequence[f.Expression], found: Sequence[Outcome]) -> bool:
    """Whether it holds where the rows of gradients that may be any numbers sum to 0."""
    readings = (replace(each.reading, plan=replace(each.reading.plan, centred=True)) for each in found)
    return holds_in(sides, readings)


def with_other_definitions(
    sides: list[f.Expression], every: Sequence[Reading], keys: Sequence[str], statement: Statement, context: Context
) -> list[Outcome]:
    """The readings in which it holds with another definition of a letter than the first, O = PV for softmax(QKᵀ) V,
    or with weights that are a softmax where the line that says what they are is not settled, e^{S − LSE}.

    In none of `every` it holds, whichever way it is meant; most of the others are one of these again.
    """
    known, whole = (definitions_in(context, statement, whole=own) for own in (False, True))
    others: list[tuple[dict[str, Definition], dict[str, Definition], Sentence | None]] = [
        (*each, None) for each in _others(statement, context)
    ]
    for key in WEIGHTS:
        spelling = key if key in known else swap_case(key)
        if spelling in known and key in keys and _is_exponential(known[spelling]):
            plain, rest = ({k: d for k, d in made.items() if k != spelling} for made in (known, whole))
            others.append((plain, rest, Sentence("condition.softmax", name=key)))
    plain, rest = (_settled_alone(made) for made in (known, whole))
    if plain != known:
        others.append((plain, rest, None))
    tried = [reading.plan for reading in every]
    ways = [sides, *reread(sides, statement, context)]
    for own, all_, condition in others:
        found = readings_of(sides, keys, name_one_hot((), own)[1], all_, statement, context)
        new = [reading for reading in found if reading.plan not in tried]
        tried += [reading.plan for reading in new]
        for meant in ways:
            for outcome in try_readings(meant, new):
                if outcome.holds:
                    condition = condition or outcome.reading.condition
                    return [replace(outcome, reading=replace(outcome.reading, condition=condition))]
    return []


def _settled_alone(known: Mapping[str, Definition]) -> dict[str, Definition]:
    """The definitions without those of O and P by a step before that nothing says, O = O_last / l_last.

    O = G ∘ (PV) stays, though nothing says what G is: the gradients are others with it.
    """

    def is_settled(made: Definition) -> bool:
        unknown = [key for key in keys_in([made.expression]) if key not in known and not is_of_field(key)]
        own = any(key.startswith(made.key + "_") for key in unknown)
        return made.key not in (*OUTPUTS, *WEIGHTS) or not own

    return {key: made for key, made in known.items() if is_settled(made)}


_SCALING = regex(
    r"\bscal(?:e|ed|ing)\b|缩放|縮放|スケー|스케일|масштаб|\bescal|skalier|mise à l['’]échelle", re.IGNORECASE
)


def with_scaled_scores(
    sides: list[f.Expression], keys: Sequence[str], statement: Statement, context: Context
) -> list[Outcome]:
    """The readings in which it holds if the scores are divided by √d_k, where words beside it speak of a scale and
    the line before them, S = QKᵀ, has none."""
    near = context.around(statement, 200)
    known, whole = (definitions_in(context, statement, whole=every) for every in (False, True))
    scores = next((key for key in SCORES if key in known), None)
    if (
        scores is None
        or not _SCALING.search(near)
        or any(isinstance(x, f.Root) for x in f.walk(known[scores].expression))
    ):
        return []
    scaled = replace(known[scores], expression=f.Quotient(known[scores].expression, f.Root(f.Name("d", ("k",)))))
    every = readings_of(sides, keys, known | {scores: scaled}, whole | {scores: scaled}, statement, context)
    condition = Sentence("condition.scaled_scores")
    return holding(sides, (replace(reading, condition=condition) for reading in every))


def without_epsilon(sides: Sequence[f.Expression], found: Sequence[Outcome]) -> list[Outcome]:
    """The readings in which it holds if ε, which keeps norms from a division by 0, is 0: 1/σ for 1/√(σ² + ε)."""

    def dropped(part: f.Expression) -> f.Expression:
        small = isinstance(part, f.Name) and part.base in _EPSILON and not part.sub
        return f.Number("0", Fraction(0), Fraction(1), start=part.start, end=part.end) if small else part

    right = []
    for reading in (each.reading for each in found):
        made = {k: replace(d, expression=rewrite(d.expression, dropped)) for k, d in reading.plan.definitions.items()}
        if made == reading.plan.definitions:
            continue
        plain = replace(
            reading, plan=replace(reading.plan, definitions=made), condition=Sentence("condition.no_epsilon")
        )
        right += holding([rewrite(side, dropped) for side in sides], [plain])
    return right


_EPSILON = ("ε", "ϵ", "eps", "epsilon")


def along_one_path(sides: Sequence[f.Expression], found: Sequence[Outcome], context: Context) -> list[Outcome]:
    """The readings in which it holds if ∂x̂_i/∂x_i is along one path alone, with μ and σ² held, by which the article
    differentiates for the other paths."""
    held = context.once(_find_intermediates, find_batch_label)
    readings = (
        replace(each.reading, plan=replace(each.reading.plan, held=held), condition=Sentence("condition.held"))
        for each in found
    )
    return holding(sides, (each for each in readings if each.plan.held & each.plan.definitions.keys()))


def _find_intermediates(_: Article, statements: Sequence[Statement], label: str) -> frozenset[str]:
    """The letters by which the article differentiates, σ for σ² too, without the label of a batch."""
    sides = (without_label(side, label) for statement in statements for side in statement.equals)
    slopes = (part.by for side in sides for part in f.walk(side) if isinstance(part, f.Derivative))
    names = (part for by in slopes for part in f.walk(by) if isinstance(part, f.Name))
    keys = {letter_of(name).key for name in names}
    return frozenset(keys | ({VARIANCE} if "σ" in keys else set()))


def _is_exponential(definition: Definition) -> bool:
    """e^{S − LSE}, or 2 to such a power."""
    match definition.expression:
        case f.Call("exp") | f.Power(f.Number("2"), f.Sum()):
            return True
    return False


def meant_otherwise(
    sides: list[f.Expression], every: Sequence[Reading], statement: Statement, context: Context
) -> tuple[list[f.Expression], list[Outcome]]:
    """The sides as the words around them mean them, and the readings in which they hold then."""
    for other in reread(sides, statement, context):
        if right := holding(other, every):
            return other, right
    return sides, []


def _without_terms_as_sizes(reading: Reading, sides: Sequence[f.Expression]) -> Reading:
    """The D of dP − D is no size, as that of √D is, but what FlashAttention calls D; nor is the M of S + M, the H of
    log p + H, or what is multiplied entry by entry.

    What is so added to others is unsettled if not defined.
    """
    sums = [part for side in sides for part in f.walk(side) if isinstance(part, f.Sum)]
    made = [p for each in reading.plan.definitions.values() for p in each.parts if isinstance(p, f.Sum)]
    added = {"D"} & _terms_in(sums) | {"M"} & _terms_in([*sums, *made])
    for each in sums:
        names = [term for term in each.terms if isinstance(term, f.Name)]
        others = [term for term in each.terms if not isinstance(term, f.Name | f.Number)]
        added |= {letter_of(name).key for name in names if others}
    entrywise = (part for side in sides for part in f.walk(side) if isinstance(part, f.Elementwise))
    added |= {letter_of(x).key for part in entrywise for x in part.factors if isinstance(x, f.Name)}
    sizes = {letter: size for letter, size in reading.plan.sizes.items() if letter not in added}
    return replace(reading, plan=replace(reading.plan, sizes=sizes))


def _terms_in(sums: Sequence[f.Sum]) -> set[str]:
    """The letters that are added, or factors of what is."""
    return {letter_of(x).key for each in sums for term in each.terms for x in _factors(term) if isinstance(x, f.Name)}


def _factors(term: f.Expression) -> Sequence[f.Expression]:
    return term.factors if isinstance(term, f.Product) else (term,)


def has_slices(sides: Sequence[f.Expression]) -> bool:
    """Whether rows of matrices are in it, P_{i:}."""
    names = (part for side in sides for part in f.walk(side) if isinstance(part, f.Name))
    return any(mark == ":" or mark.endswith(":") for name in names for mark in letter_of(name).indices)


_ONE = f.Number("1", Fraction(1), Fraction(1))
_ROOT = f.Root(f.Name("d", ("k",)))
_USUAL = {"formula.if_one": _ONE, "formula.if_inverse": f.Quotient(_ONE, _ROOT), "formula.if_root": _ROOT}


def with_free_numbers(
    sides: Sequence[f.Expression], known: Mapping[str, Definition], found: Sequence[Outcome], source: str
) -> list[Outcome]:
    """The readings in which it holds with one of the scales of scores for a number that no line names, as the scale of
    dQ = scale · dS K behind S = QKᵀ/√d, and that it is this one."""
    right = []
    for name in _free_numbers(sides, known):
        own = name.base if "\\" in name.text else name.text or name.base
        spelled = "|".join(map(re.escape, {own, name.text or own, name.base}))
        if re.search(rf"(?<![\w\\])(?:{spelled})\s*(?:=|≈|\\approx)\s*\d", source):
            continue  # the text says which number it is
        for key, value in _USUAL.items():
            condition = Sentence(key, name=own)
            open_ = (
                each.reading for each in found if name.base in NUMBERS or name.base not in each.reading.plan.shapes
            )
            right += holding(sides, (_with_number(reading, name, value, condition) for reading in open_))
        if right:
            break
    return right


def is_if_one(reading: Reading) -> bool:
    """Whether a reading holds only if some number is 1."""
    return reading.condition is not None and reading.condition.key == "formula.if_one"


def _free_numbers(sides: Sequence[f.Expression], known: Mapping[str, Definition]) -> Iterator[f.Name]:
    """The small letters without marks, and words, of which no line says anything."""
    used = {letter for made in known.values() for letter in made.letters} | known.keys()
    names = dict.fromkeys(x for side in sides for x in f.walk(side) if isinstance(x, f.Name) and slope_of(x) is None)
    for name in names:
        plain = not (name.sub or name.sup or name.item) and name.base.islower() and letter_of(name).key == name.base
        if plain and name.base not in (*used, *SIZES, *TOKENS) and name.base.upper() not in SHAPES:
            yield name


def _with_number(reading: Reading, name: f.Name, value: f.Expression, condition: Sentence) -> Reading:
    definitions = {**reading.plan.definitions, name.base: Definition(name.base, (), value)}
    return replace(reading, plan=replace(reading.plan, definitions=definitions), condition=condition)
