"""Printed gradients, ∂L/∂Q = … and dQ = …, against what the derivative of the forward pass is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.batches import find_batch_label, without_count, without_label
from symattn.checking.formulas.gradients.forward import (
    ROW_SUMS,
    TOKENS,
    WEIGHTS,
    Reading,
    apart_from_weights,
    definitions_in,
    find_letters,
    is_of_field,
    readings_with_gradient,
    row_sums_in,
)
from symattn.checking.formulas.gradients.layers import (
    name_jacobian,
    name_one_hot,
    name_softmax,
    name_variance,
    softmax_plans,
    speaks_of_softmax,
    square_sums,
    weights_of,
)
from symattn.checking.formulas.gradients.masked import depends_on_mask
from symattn.checking.formulas.gradients.meanings import (
    along_one_path,
    has_slices,
    holds_centred,
    holds_elsewhere,
    is_if_one,
    meant_otherwise,
    readings_of,
    with_free_numbers,
    with_other_definitions,
    with_scaled_scores,
    without_epsilon,
)
from symattn.checking.formulas.gradients.named_products import find_products, name_products
from symattn.checking.formulas.gradients.one_row import (
    OF_ROWS,
    as_entries_of_one_row,
    as_one_row,
    multiplied,
    takes_for_one_row,
    weights_in_diagonals,
)
from symattn.checking.formulas.gradients.outcomes import (
    Outcome,
    condition_of,
    fails_behind_masks,
    has_derivative,
    holds_in,
    is_proven,
    keys_in,
    roots_of,
    theorem_of,
    try_readings,
)
from symattn.checking.formulas.gradients.rereadings import at_rows
from symattn.checking.formulas.gradients.right_gradients import right_sides
from symattn.checking.formulas.gradients.scales import find_scales, name_scale
from symattn.checking.formulas.gradients.upstream import find_named, judge_flat, name_gradients
from symattn.checking.formulas.gradients.weights_as_scores import (
    find_weight_letter,
    in_own_letter,
    with_weight_letter,
)
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.sections import until_defined_anew
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.statements.wording import is_plainly_otherwise, is_said_of_all, is_said_of_indices
from symattn.checking.formulas.trials.mending import mend_statement
from symattn.checking.formulas.trials.repairs import read_side
from symattn.checking.formulas.trials.symbols import declared_shapes
from symattn.checking.models.letters import join_differentials, letter_of, slope_of
from symattn.checking.models.passes import Definition, Plan, slopes_in
from symattn.checking.models.spelling import rename_indices, spell, sum_repeated
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class Equation:
    """The sides of a statement about gradients, the letters in them, and what the article says of those letters."""

    statement: Statement
    sides: list[f.Expression]
    keys: Sequence[str]
    known: dict[str, Definition]
    assumed: Definition | None  # row sums that are taken for those of the backward pass


def judge_gradient(statement: Statement, context: Context) -> Formula | None:
    """What is said of a gradient, as it stands or with the gradients that other lines call its products."""
    if _is_of_own_function(statement, context):
        return None
    found = _judge(statement, context)
    if found is not None and found.verdict == "fails" and any(map(_has_row_by_jacobian, statement.equals)):
        return None
    if found is not None or not any(map(has_derivative, statement.equals)):
        return found
    named = name_products(statement, context.once(find_products))
    found = None if named is None else _judge(named, context)
    return found or _judge_stretch(statement, context)


def _has_row_by_jacobian(side: f.Expression) -> bool:
    """Whether a row is multiplied by a matrix of slopes, dp_tᵀ ∂p_t/∂s_t: of a row itself t is no entry."""
    factors = side.factors if isinstance(side, f.Product) else ()
    for row, slopes in pairwise(factors):
        match row, slopes:
            case f.Transpose(f.Name(sub=(own,))), f.Derivative(f.Name(sub=(of,)), f.Name(sub=(by,))):
                if own == of == by:
                    return True
    return False


def _is_of_own_function(statement: Statement, context: Context) -> bool:
    """Whether it is the slope dσ/dx of a function that a line defines, σ(x) = …, and of no step of a forward pass."""
    match statement.left:
        case f.Quotient(f.Product((f.Name("d"), f.Name(letter))), f.Name(below)):
            function = "sigma" if letter == "σ" else letter
            calls = (each.left for each in context.statements if isinstance(each.left, f.Call))
            return any(call.function == function and call.arguments == (f.Name(below[1:]),) for call in calls)
    return False


def _judge_stretch(statement: Statement, context: Context) -> Formula | None:
    """What is said of dB below C = A B alone, where another stretch has C = A ⊙ B and a dB of its own."""
    if slope_of(statement.left) is None:
        return None
    slopes = (name for side in statement.equals[1:] for x in f.walk(side) if (name := slope_of(x)) is not None)
    for key in dict.fromkeys(letter_of(slope).key for slope in slopes):
        alone = until_defined_anew(statement, context, key)
        if alone is not None:
            return _judge(*alone)
    return None


def _judge(statement: Statement, context: Context) -> Formula | None:
    """Sides of which one at least is a gradient by a letter of a forward pass that is known."""
    equation = _read_equation(statement, context)
    if equation is None:
        return None
    sides, whole = equation.sides, definitions_in(context, statement, whole=True)
    every = readings_of(sides, equation.keys, equation.known, whole, statement, context)
    if not _names_loss(statement) and any(_is_of_changes(sides, reading.plan) for reading in every):
        return None  # dO = dP V + P dV: small changes, and no gradients
    return _judge_readings(equation, [r for r in every if _is_complete(sides, r.plan, whole)], context)


def _read_equation(statement: Statement, context: Context) -> Equation | None:
    """The statement as an equation of gradients; None where it is none, or no equation that can be held or not."""
    definitions = definitions_in(context, statement)
    spelled = _spell_gradients(statement, context)
    if not any(map(has_derivative, spelled)):
        return None
    sides = at_rows(without_chain_rules(name_softmax(spelled, definitions)))
    if len(sides) > 2 and _is_new_name(sides, statement, context):
        sides = sides[:-1]  # `= Δ` behind a gradient, a name for it
    if len(sides) < 2 or not any(has_derivative(side) for side in sides) or all(side == sides[0] for side in sides):
        return None
    sides, known = name_one_hot(sides, definitions)
    sides = [square_sums(apart_from_weights(side, context), known) for side in sides]
    keys = keys_in(sides)
    keys = keys_in([*sides, *(known[key].expression for key in keys if key in known and key in ROW_SUMS)])
    if any(isinstance(side, f.Derivative) and _is_of_wholes(side) for side in sides):
        return None
    assumed = row_sums_in(sides, known)
    if assumed is not None:
        known[assumed.key] = assumed
    first = sides[0]
    if isinstance(first, f.Name) and slope_of(first) is None:
        sides = sides[1:]  # a name for what follows
    if len(sides) < 2 or any(side != sides[0] and sides[0] in f.walk(side) for side in sides[1:]):
        return None  # an update, dQ = dQ + dS K
    if context.once(_has_batches) and any(map(_is_member, (part for side in sides for part in f.walk(side)))):
        return None  # X_b is a sequence of the batch
    return Equation(statement, sides, keys, known, assumed)


def _spell_gradients(statement: Statement, context: Context) -> list[f.Expression]:
    """The sides with one spelling for each gradient, scale and index."""
    named, scales = context.once(find_named), context.once(find_scales)
    label = context.once(find_batch_label)
    jacobians = {name: side for name, side in context.once(_find_jacobians).items() if name != statement.left}
    equals = [rewrite(side, lambda part: jacobians.get(part, part)) for side in statement.equals]
    weights = context.once(find_weight_letter)
    equals = [with_weight_letter(rewrite(without_label(side, label), multiplied), weights) for side in equals]
    printed = [name_scale(side, scales) for side in rename_indices(sum_repeated(equals))]
    spelled = [name_gradients(spell(without_zeros(side)), named) for side in printed]
    if any(map(has_derivative, spelled)):
        spelled = [join_differentials(side, squares=True) for side in spelled]
    parts = (part for side in spelled for part in f.walk(side))
    if any(isinstance(part, f.Derivative) and isinstance(part.by, f.Power) for part in parts):
        spelled = [name_variance(side) for side in spelled]
    if isinstance(statement.left, f.Name) and statement.left.base == "J":
        spelled = name_jacobian(spelled, definitions_in(context, statement))
    return spelled


def _find_jacobians(_: Article, statements: Sequence[Statement]) -> dict[f.Expression, f.Expression]:
    """What J_i is said to be, the Jacobian of a row: a matrix for each i, and no row of a matrix."""
    made = (s for s in statements if len(s.equals) > 1 and isinstance(s.left, f.Name) and s.left.base == "J")
    return {s.left: s.equals[1] for s in made if isinstance(s.left, f.Name) and len(letter_of(s.left).indices) == 1}


_ONE_QUERY = regex(r"\b(?:one|a single|each) query\b|\bcolumn(?: vector)? \$?P\b", re.IGNORECASE)


def _judge_readings(equation: Equation, every: Sequence[Reading], context: Context) -> Formula | None:
    """What the readings of an equation come to: it holds in one of them, is meant in another way, or fails."""
    statement, sides, keys = equation.statement, equation.sides, equation.keys
    found = list(try_readings(sides, every))
    right = [outcome for outcome in found if outcome.holds]
    alone = [each for each in right if takes_for_one_row(each.reading.plan, sides, statement, context)]
    if len(alone) < len(right):
        return _conclude_right(equation, sides, right, found, context=context)
    of_row = as_one_row(sides, keys, equation.known, context.article.words)
    row = [outcome for outcome in of_row if outcome.holds]
    if row and not takes_for_one_row(row[0].reading.plan, sides, statement, context):
        theorem = theorem_of(is_proven(sides, row[0].reading.plan))
        return accept(statement, theorem) if context.mentions(OF_ROWS) else None
    if weights_in_diagonals(sides):  # of the P of diag(P) and of no matrix
        found = [outcome for outcome in of_row if outcome.misfit is None]
    if found and (case := _case_of(sides, found)) is not None:
        differ, words = case.key == "condition.indices_differ", context.article.words
        if not is_plainly_otherwise(differ, statement, words):
            said = is_said_of_indices(differ, statement, words)
            if not said and is_said_of_all(statement, words):
                return None  # which cases are meant is not told
            return accept(statement, theorem_of(False), None if said else case)
    entries = as_entries_of_one_row(sides)
    if entries is not None and (right := [outcome for outcome in try_readings(entries, every) if outcome.holds]):
        return _conclude_right(equation, entries, right, (), context=context)
    sides, right = meant_otherwise(sides, every, statement, context)
    if not found:
        if right := right or with_other_definitions(sides, every, keys, statement, context):
            return _conclude_right(equation, sides, right, (), context=context, elsewhere=True)
        flat = judge_flat(statement, sides)
        return flat or (None if has_slices(sides) else _judge_assumed(statement, sides, keys, context))
    if right:
        return _conclude_right(equation, sides, right, found, context=context)
    if holds_elsewhere(sides, keys, statement, context):
        return None  # with another of the meanings that the article gives a letter
    right = with_scaled_scores(sides, keys, statement, context) or without_epsilon(sides, found)
    right = right or with_free_numbers(
        sides, definitions_in(context, statement, whole=True), found, context.article.source
    )
    if right and all(is_if_one(each.reading) for each in right):
        return None  # a factor that no line names, which would have to be 1
    if right := right or along_one_path(sides, found, context):
        return _conclude_right(equation, sides, right, found, context=context, elsewhere=True)
    if alone or row or _is_left_open(equation, sides, every, found, context):
        return None  # it holds of one row, or may hold
    mended = in_own_letter(mend_gradient(statement, found), context.once(find_weight_letter))
    if mended is None and all(outcome.misfit is not None for outcome in found) and _may_be_of_entries(sides):
        return None  # nothing but the sizes of its letters speaks against it
    return refuse(statement, Sentence("theorem.gradient_fails"), mended, found[0].point)


def _may_be_of_entries(sides: Sequence[f.Expression]) -> bool:
    """Whether all letters have an index, as entries do, or vectors are multiplied entry by entry."""
    parts = [part for side in sides for part in f.walk(side)]
    bounds = [bound for part in parts if isinstance(part, f.BigSum) for bound in (part.lower, part.upper)]
    names = [x for x in parts if isinstance(x, f.Name) and x.base not in _LOSSES and x not in bounds]
    indexed = all(len(name.sub) == 1 and len(name.sub[0]) == 1 for name in names)
    small = all(name.base.islower() or not name.base.isalpha() for name in names)
    return (indexed and bool(names)) or (small and any(isinstance(side, f.Elementwise) for side in sides))


def _is_left_open(
    equation: Equation,
    sides: Sequence[f.Expression],
    every: Sequence[Reading],
    found: Sequence[Outcome],
    context: Context,
) -> bool:
    """Whether an equation that fails in all of its readings may hold in another one that nothing rules out."""
    statement, read = equation.statement, [outcome.reading for outcome in found]
    if (mean := without_count(sides)) is not None and holds_in(mean, read):
        return True  # of the mean of N losses, where the lines give that of one
    if _ONE_QUERY.search(statement.before + statement.after):
        return True  # Pᵀ dP is one number where P is the column of one query
    if _is_dropped_out(sides, equation.known, context):
        return True  # the forward pass has a dropout that no line writes down
    if _is_open(every, found):
        return True  # it may hold for the gradient by other scores
    slopes = set(slopes_in(sides[1:]))
    undefined = equation.known.keys().isdisjoint(equation.keys) and all("L" not in r.plan.definitions for r in read)
    if undefined and not slopes and slopes_in(sides[:1]):
        return True  # -∂E/∂v = e cos(v): no line says what its letters are, and it is made of no gradient
    of_weights = bool(slopes) and slopes <= set(WEIGHTS)  # gradients by scores are 0 where these are hidden
    if depends_on_mask(found[0].made.drawn) and not (of_weights and fails_behind_masks(sides, found)):
        return True  # where scores are hidden it may hold
    if equation.assumed is not None or holds_centred(sides, found) or _has_open_letters(statement, context):
        return True  # the letter may be anything else, or behind a softmax that is not told
    if any(name in context.once(_find_jacobians) for side in statement.equals for name in f.walk(side)):
        return True  # what the line says that the Jacobian is may be false
    turned = [rewrite(side, lambda x: f.Transpose(x) if isinstance(x, f.Derivative) else x) for side in sides]
    as_rows = context.mentions(_LAYOUT) or context.once(_have_rows)  # ∂L/∂W has the shape of Wᵀ
    return as_rows and holds_in(turned, read)


_DROPOUT = regex(
    r"(?P<none>(?:\b(?:no|without|never|omit\w*|ignor\w*|neglect\w*)\b(?:[ \t]+[\w-]+){0,3}[ \t]+)|n[o'’]t \w+[ \t]+)?"
    r"\bdrop-?out\w*(?P<off>[ \t]+(?:\w+[ \t]+){0,3}(?:not|omitted|ignored|neglected|left out)\b)?"
    r"|(?P<without>(?:无|没有|没|不|忽略|省略|去掉)[^，。；\n]{0,6})?(?:随机失活|丢弃)",
    re.IGNORECASE,
)
_ELSEWHERE = regex(r"[^.\n]{0,40}(?:\bbut\b|\btest|inference|evaluati)|[^。\n]{0,20}(?:而是|推理|测试)", re.IGNORECASE)


def _is_dropped_out(sides: Sequence[f.Expression], known: Mapping[str, Definition], context: Context) -> bool:
    """Whether a matrix of which nothing is said multiplies entries, in an article that speaks of a dropout it has."""
    operands = (x for side in sides for part in f.walk(side) if isinstance(part, f.Elementwise) for x in part.parts)
    letters = {letter_of(x).key for x in operands if isinstance(x, f.Name) and slope_of(x) is None}
    steps = [part for step in known.values() for part in f.walk(step.expression) if isinstance(part, f.Name)]
    settled = {*known, *WEIGHTS, "Q", "K", "V", *(letter_of(name).key for name in steps)}
    return not letters <= settled and context.once(_has_dropout)


def _has_dropout(article: Article, _: Sequence[Statement]) -> bool:
    """Whether a dropout is named anywhere but where it is said that there is none."""
    named = _DROPOUT.finditer(article.said)
    return any(not any(x.groupdict().values()) or _ELSEWHERE.match(article.said, x.end()) is not None for x in named)


_LOSSES = frozenset("LℓJE")
_LAYOUT = regex(r"numerator[- ]layout|Jacobian[- ]layout|Zähler-?[Ll]ayout|分子布局", re.IGNORECASE)


def _have_rows(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a gradient by a small letter is a row somewhere, ∂L/∂z = (p − y)ᵀ: as those by matrices may be."""
    slopes = ((slope_of(s.left), s.equals[1]) for s in statements if len(s.equals) > 1)
    rows = (side.factors[0] if isinstance(side, f.Product) else side for by, side in slopes if by and by.base.islower())
    return any(isinstance(side, f.Transpose) and not isinstance(side.operand, f.Name) for side in rows)


def _is_open(every: Sequence[Reading], found: Sequence[Outcome]) -> bool:
    """Whether dS may be the gradient by what softmax is taken of, and nothing is settled of that."""
    last = "condition.last_scores"
    asked = any(each.condition is not None and each.condition.key == last for each in every)
    return asked and not any(outcome.convention == last for outcome in found)


def _conclude_right(
    equation: Equation,
    sides: Sequence[f.Expression],
    right: Sequence[Outcome],
    found: Sequence[Outcome],
    *,
    context: Context,
    elsewhere: bool = False,
) -> Formula | None:
    """That the equation holds, and under which condition where it fails without one or is read `elsewhere`; nothing
    where it does so of one row alone."""
    if all(takes_for_one_row(each.reading.plan, sides, equation.statement, context) for each in right):
        return None
    theorem = theorem_of(any(is_proven(sides, outcome.reading.plan) for outcome in right))
    condition = right[0].reading.condition if elsewhere else condition_of(right, found)
    if equation.assumed is not None:
        condition = Sentence("condition.row_sums", name=equation.assumed.key)
    return accept(equation.statement, theorem, condition)


def _has_open_letters(statement: Statement, context: Context) -> bool:
    """Whether a letter is a block, K_1 of the keys, and no row, s_{12} may be of row 1 and column 2, or a gradient is
    scaled in place."""
    parts = [part for side in statement.equals for part in f.walk(side)]
    slopes = slopes_in([spell(side) for side in statement.equals])
    overwritten = not context.once(_find_overwritten).isdisjoint(slopes)
    return overwritten or not context.once(find_blocks).isdisjoint(parts) or any(map(_has_two_digits, parts))


def _find_overwritten(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters whose gradients are scaled in place, dS ← dS/√d_k: what stands behind that may be of either."""
    pairs = ((spell(s.sides[0].expression), spell(s.sides[1].expression)) for s in statements if len(s.sides) > 1)
    return frozenset(
        letter_of(name).key
        for left, right in pairs
        if (name := slope_of(left)) is not None and isinstance(right, f.Product | f.Quotient) and left in f.walk(right)
    )


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
    """Whether what dX is said to be is made of dY alone where X is computed from Y, or d stands before brackets,
    d(tr A): then d is no gradient."""
    products = [part for side in sides for part in f.walk(side) if isinstance(part, f.Product)]
    if any(isinstance(part.factors[0], f.Name) and part.factors[0].text == "d" for part in products):
        return True
    first = slope_of(sides[0])
    if first is None:
        return False
    own = plan.known(letter_of(first).key)
    others = {plan.known(key) for key in slopes_in(sides[1:])}
    return bool(others) and own is not None and None not in others and own not in others and others <= plan.needs(own)


def _is_complete(sides: Sequence[f.Expression], plan: Plan, known: Mapping[str, Definition]) -> bool:
    """Whether no line uses the tokens that are differentiated by for more than is differentiated, Y = X + Q."""
    own = slope_of(sides[0])
    tokens = None if own is None else plan.known(letter_of(own).key)
    if tokens is None or tokens not in TOKENS:
        return True
    covered = {key for root in roots_of(sides, plan) for key in plan.needs(root)}
    return all(made.key in covered or tokens not in keys_in([made.expression]) for made in known.values())


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
    known = definitions_in(context, statement)
    known_otherwise = speaks_of_softmax(known, context.article.said) or _speaks_of_norms(context)
    softmax = [] if known_otherwise else softmax_plans(keys, known, "")
    read = [Reading(plan, Sentence("condition.softmax", name=weights_of(plan))) for plan in softmax]
    slopes = slopes_in(sides)
    plain = [key for key in keys if key not in slopes]
    every = (*read, *readings_with_gradient(plain, keys, known, context.once(find_letters)))
    first = next((each for each in try_readings(sides, every) if each.holds), None)
    return None if first is None else accept(statement, theorem_of(False), first.reading.condition)


_NORMS = regex(r"norm\b|normali[sz]ation|归一化|正規化|정규화", re.IGNORECASE)
_ATTENTION = regex(r"attention|attn|注意力|注意|어텐션", re.IGNORECASE)


def _speaks_of_norms(context: Context) -> bool:
    """Whether the article is on norms and not on attention: its outputs are no softmax."""
    return context.mentions(_NORMS) and not context.mentions(_ATTENTION)


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


def mend_gradient(statement: Statement, found: Sequence[Outcome]) -> str | None:
    """The equation with one slip mended, in the first reading in which it had a meaning."""

    def holds(sides: Sequence[f.Expression]) -> bool:
        joined = name_softmax([spell(side) for side in sides], {})
        return holds_in(joined, [outcome.reading for outcome in found[:1]])

    return mend_statement(statement, holds) or _looked_up(statement, found)


def _looked_up(statement: Statement, found: Sequence[Outcome]) -> str | None:
    """The gradient as it is known, in the letters of the article."""
    first = spell(statement.left)
    name = slope_of(first)
    if name is None or statement.head is not None:
        return None
    short = isinstance(first, f.Name)
    left = statement.printed(statement.sides[0]).strip().rstrip("&").strip()

    def written(letter: str) -> str:
        return f"d{letter}" if short else rf"\frac{{\partial L}}{{\partial {letter}}}"

    for outcome in found:
        for text in right_sides(name, outcome.reading.plan, written):
            expression = read_side(text)
            if expression is not None and holds_in([first, expression], [outcome.reading]):
                return f"{left} = {text}"
    return None


def _case_of(sides: Sequence[f.Expression], found: Sequence[Outcome]) -> Sentence | None:
    """Where ∂y_i/∂z_j without δ_ij is right: for i ≠ j or for i = j, as the cases of a Jacobian are printed apart."""
    names = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    whole = any(name.base == "δ" for name in names) or any(isinstance(side, f.Cases) for side in sides)
    if whole or not isinstance(sides[0], f.Derivative) or slope_of(sides[0]) is not None:
        return None
    for distinct, key in ((True, "condition.indices_differ"), (False, "condition.indices_agree")):
        if holds_in(sides, (outcome.reading for outcome in found), distinct=distinct):
            return Sentence(key)
    return None


def _has_two_digits(part: f.Expression) -> bool:
    """Whether a letter has an index of several digits, which may be several indices."""
    return isinstance(part, f.Name) and any(len(index) > 1 and index.isdigit() for index in part.sub)
