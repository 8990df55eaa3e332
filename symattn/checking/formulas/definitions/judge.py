"""The judge of definitions: each pair of sides of a chain is looked up in the catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.alibi import define_penalty, define_slopes
from symattn.checking.formulas.definitions.attention import define_attention
from symattn.checking.formulas.definitions.by_entries import judge_by_entries
from symattn.checking.formulas.definitions.causal_weights import judge_causal_weights
from symattn.checking.formulas.definitions.consistency import find_slips
from symattn.checking.formulas.definitions.entrywise import (
    define_function,
    define_moment,
    define_softcap,
)
from symattn.checking.formulas.definitions.feed_forward import define_feedforward
from symattn.checking.formulas.definitions.heads import define_head, define_multihead, judge_groups
from symattn.checking.formulas.definitions.jacobian import define_jacobian
from symattn.checking.formulas.definitions.likelihood import define_likelihood
from symattn.checking.formulas.definitions.linear import define_feature, define_linear
from symattn.checking.formulas.definitions.log_sums import define_log_sum, define_row_entropy
from symattn.checking.formulas.definitions.norm_slopes import define_norm_slope
from symattn.checking.formulas.definitions.normalised import (
    define_affine,
    define_normalised,
    judge_deviation,
    judge_root_mean_square,
)
from symattn.checking.formulas.definitions.positions import define_angles, define_positions
from symattn.checking.formulas.definitions.products import define_product
from symattn.checking.formulas.definitions.residual import judge_residual
from symattn.checking.formulas.definitions.scores import (
    define_projection,
    define_scores,
    define_state_score,
    has_own_scale,
)
from symattn.checking.formulas.definitions.similarity import define_similarity
from symattn.checking.formulas.definitions.summed import define_summed
from symattn.checking.formulas.definitions.weight_matrix import define_weight_matrix
from symattn.checking.formulas.definitions.weighted import define_output, define_weighted
from symattn.checking.formulas.definitions.weights import define_average, define_weights
from symattn.checking.formulas.identities.free_identities import identify, with_projections
from symattn.checking.formulas.identities.judge import equate, find_bodies, find_named
from symattn.checking.formulas.shapes.sizes import is_size
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import EQUAL, Statement, names
from symattn.checking.formulas.statements.wording import is_disowned
from symattn.checking.formulas.trials.notation import stands_otherwise
from symattn.checking.formulas.trials.symbols import Key
from symattn.checking.formulas.trials.variant import Variant, as_call, is_same, settle
from symattn.checking.models.spelling import index_sum
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_GOES_ON = regex(  # from one formula of a name to the next
    r"(?:[\s$&\\,.;:()\[\]>*`，。；：-]|so|thus|hence|then|that is|i\.e\.|expand(?:ing|ed)?|simplif\w+|we get"
    r"|即|所以|因此|于是|展开|得到?|则)*",
    re.IGNORECASE,
)
_MOMENTS = frozenset(("var", "variance", "e", "mean", "std", "sd", "cov", "covariance"))
Definer = Callable[[f.Expression, f.Side, Statement, Context], Iterator[Variant]]
CATALOGUE: tuple[Definer, ...] = (
    define_summed,
    define_attention,
    define_weight_matrix,
    define_slopes,
    define_penalty,
    define_normalised,
    define_affine,
    define_likelihood,
    define_jacobian,
    define_norm_slope,
    define_function,
    define_positions,
    define_angles,
    define_weights,
    define_log_sum,
    define_row_entropy,
    define_linear,
    define_feature,
    define_weighted,
    define_average,
    define_output,
    define_softcap,
    define_similarity,
    define_moment,
    define_multihead,
    define_head,
    define_feedforward,
    define_state_score,
    define_scores,
    define_projection,
    define_product,
)

_JUDGES = (
    judge_residual,
    judge_groups,
    judge_deviation,
    judge_root_mean_square,
    judge_causal_weights,
    judge_by_entries,
)


def judge_definition(statement: Statement, context: Context) -> Formula | None:
    """What the catalogue says of a statement, but for attention that holds with tokens the other way than stated."""
    found = _judge(statement, context)
    other = found is not None and found.verdict != "fails" and stands_otherwise(statement, context)
    return None if other else found


def _judge(statement: Statement, context: Context) -> Formula | None:
    """The first pair of sides that fails, else one that holds."""
    for judge in _JUDGES:
        verdict = judge(statement, context)
        if verdict is not None:
            return verdict
    slips = context.once(_find_slips)
    if statement.number in slips:
        return slips[statement.number]
    found: list[Formula] = []
    sides = [side for side in statement.sides if side.relation in EQUAL]
    open_pairs = 0
    settled = True  # whether the side before is known to be the first one
    for k, (before, side) in enumerate(pairwise(sides)):
        verdict = _of_pair(before.expression, side, statement, context)
        if verdict is None and k and _is_applied(sides[0].expression):
            verdict = _of_pair(sides[0].expression, side, statement, context)  # f(x) = … = …: each is f(x)
            if verdict is not None and verdict.verdict != "fails" and not settled:
                verdict = _contradicted(sides[0].expression, before, side, statement, context)
        settled = verdict is not None
        if verdict is not None and verdict.verdict == "fails":
            meant = _says_which(before.expression, side.expression, statement)
            return None if meant or has_own_scale(side.expression, context) else verdict
        if verdict is not None:
            found.append(verdict)
        elif k or not _is_given(before.expression, side.expression, statement, context):
            open_pairs += 1  # a chain holds only if all of it does
    if len({each.condition for each in found}) > 1 and _is_applied(sides[0].expression):
        return _at_odds(sides, statement, context)  # each is right by a convention: the chain says that both are
    return found[0] if found and not open_pairs else _at_odds(sides, statement, context)


def _at_odds(sides: Sequence[f.Side], statement: Statement, context: Context) -> Formula | None:
    """That two neighbouring sides of f = a = b are not the same, where one of them is what f is: of the same letters
    and numbers, but for a size that one of them has not, b defines nothing."""
    if not sides:
        return None  # → [1, 0], which is equal to nothing
    left = as_call(sides[0].expression)
    pairs = [(a, b) for a, b in pairwise(sides[1:]) if b.relation == "=" and _are_of_one_kind(a, b)]
    tried = [
        (one, other, variant)
        for a, b in pairs
        for one, other in ((a, b), (b, a))
        for variant in _variants(left, one, statement, context)
    ]
    text = statement.passage.text
    for one, other, variant in sorted(tried, key=lambda each: (each[2].condition is not None, -len(_sizes(each[0])))):
        outcome = variant.question.ask(one.expression)
        if outcome.kind == "equal" and outcome.reading is not None:
            against = variant.question.under(outcome.reading, other.expression, variant.question.points)
            if against.kind == "apart":
                turned = f.Transpose(other.expression, start=other.start, end=other.end)
                of_token = isinstance(left, f.Name) and len(left.sub) == 1
                if (
                    of_token
                    and variant.question.under(outcome.reading, turned, variant.question.points).kind == "equal"
                ):
                    continue  # V_j and V_jᵀ are written for one vector
                kept = text[statement.start : one.end] if one.start < other.start else _without(other, one, statement)
                shown = against.shown.turned if against.shown and other.start < one.start else against.shown
                return refuse(statement, Sentence("formula.identity_fails"), kept.rstrip(), shown)
    return None


def _sizes(side: f.Side) -> set[Key]:
    return {n.symbol for n in names(side.expression) if is_size(n)}


def _numbers(side: f.Side) -> set[Fraction]:
    """The numbers that are written in a side, but 1."""
    return {part.value for part in f.walk(side.expression) if isinstance(part, f.Number)} - {Fraction(1)}


def _without(side: f.Side, behind: f.Side, statement: Statement) -> str:
    """The chain as printed, up to one of its sides and from the next one on."""
    text = statement.passage.text
    return text[statement.start : side.start] + text[behind.start : statement.chain.end]


def _are_of_one_kind(a: f.Side, b: f.Side) -> bool:
    """Whether two sides are formulas of the same letters and numbers, but for a size that only one of them has."""
    named = [{n.symbol for n in names(side.expression)} for side in (a, b)]
    sizes = [_sizes(a), _sizes(b)]
    included = sizes[0] <= sizes[1] or sizes[1] <= sizes[0]
    named = [own - of_sizes for own, of_sizes in zip(named, sizes, strict=True)]
    return named[0] == named[1] and len(named[0]) > 1 and included and _numbers(a) == _numbers(b)


def _is_given(left: f.Expression, right: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether a left side is said here to be the right one: a new name or function, but no variance and no mean, nor
    an entry p_1 of what was said to be something else."""
    if isinstance(left, f.Call):
        return left.function.lower() not in _MOMENTS
    if not isinstance(left, f.Name):
        return _is_new(left, right)
    if len(left.sub) != 1 or not left.sub[0].isdecimal():
        return True
    whole, named = replace(left, sub=()).symbol, context.once(find_named)
    return not any(key == whole and number < statement.number for number, (key, _) in named.items())


def _is_new(left: f.Expression, right: f.Expression) -> bool:
    """Whether a product qᵀk has no letter of what it is said to be, which tells then what they are."""
    own = {n.base for n in names(left)}
    inner = isinstance(left, f.Product) and (
        left.operators == ("·",) or [isinstance(x, f.Transpose) for x in left.factors] in ([True, False], [False, True])
    )
    return inner and bool(own) and own.isdisjoint(n.base for n in names(right))


def _says_which(left: f.Expression, right: f.Expression, statement: Statement) -> bool:
    """Whether two products are said to be 1, as Q'Q = QQ' = 1 says which Q are meant."""
    one = any(side == f.Name("I") or (isinstance(side, f.Number) and side.value == 1) for side in statement.equals)
    return one and isinstance(left, f.Product) and isinstance(right, f.Product)


def _is_applied(left: f.Expression) -> bool:
    """Whether it is a function of letters, Attention(Q, K, V), or an entry of one, softmax(x)_i."""
    return isinstance(left.operand if isinstance(left, f.Entry) else as_call(left), f.Call)


def _contradicted(
    left: f.Expression, before: f.Side, side: f.Side, statement: Statement, context: Context
) -> Formula | None:
    """That the side before is another value than this one, which is right, where both are of the same letters."""
    own = {n.base for n in names(side.expression)}
    if not {n.base for n in names(before.expression)} <= own or is_disowned(statement):
        return None
    if not _numbers(before) <= _numbers(side):
        return None  # softmax(QKᵀ/8) V, where d_k = 64
    for variant in _variants(as_call(left), side, statement, context):
        outcome = variant.question.ask(side.expression)
        if outcome.kind != "equal" or outcome.reading is None:
            continue
        other = variant.question.under(outcome.reading, before.expression, variant.question.points)
        if other.kind in ("apart", "misfit"):
            right = _without(before, side, statement)
            theorem = variant.refuted or variant.theorem
            shown = other.shown.turned if other.shown and other.kind == "apart" else other.shown
            return conclude(statement, "fails", theorem, right=right, counterexample=shown)
    return None


def _find_slips(article: Article, statements: Sequence[Statement]) -> dict[int, Formula]:
    return find_slips(Context(article, tuple(statements)))


def _of_pair(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Formula | None:
    if isinstance(left, f.Name) and not any(names(side.expression)):
        return None  # D=128/256 are numbers, and no formula
    left, side = as_call(left), replace(side, expression=rewrite(_without_groups(side.expression), index_sum))
    variants = _variants(left, side, statement, context) or equate(left, side, statement, context)
    found = settle(statement, side, variants) if variants else None
    said = _said_before(left, statement, context)
    return found or (None if is_same(said, side.expression) else _settle_free(said, side, statement, context))


def _said_before(left: f.Expression, statement: Statement, context: Context) -> f.Expression:
    """What a name was just said to be, S = (KU)ᵀQ and then S = Uᵀ…, or itself."""
    if not isinstance(left, f.Name):
        return left
    named, number = context.once(find_named), statement.number - 1
    key, body = named.get(number, ((), left))
    if key != left.symbol:
        return left
    between = context.article.words[context.statements[number].span[1] : statement.span[0]]
    return body if _GOES_ON.fullmatch(between) else left


def _settle_free(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Formula | None:
    """Whether two sides are the same whatever their symbols are."""
    found = [settle(statement, side, [variant]) for variant in identify(left, side, context)]
    held = next((verdict for verdict in found if verdict is not None and verdict.verdict != "fails"), None)
    failing = next((verdict for verdict in found if verdict is not None and not _says_nothing(verdict)), None)
    return held or failing or _settle_projected(left, side, statement, context)


def _settle_projected(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Formula | None:
    """Whether a side is the one before with Q = X W_Q and the like put in, where both have been left open."""
    if isinstance(left, f.Name):
        return None
    for projected in with_projections(left, side.expression, context.once(find_bodies)):
        for variant in identify(projected, side, context):
            verdict = settle(statement, side, [replace(variant, repairs=False)])
            if verdict is not None:
                return verdict
    return None


def _says_nothing(verdict: Formula) -> bool:
    """Whether what would be right is a = a."""
    left, _, right = (verdict.right or "").partition("=")
    return verdict.verdict == "fails" and "".join(left.split()) == "".join(right.split())


def _without_groups(e: f.Expression) -> f.Expression:
    """K_{g(i)} and V_{g(i)} of the group of head i as K_i and V_i, which are those that the head has."""
    heads = {n.sub[0] for n in names(e) if n.base == "Q" and len(n.sub) == 1}
    if len(heads) != 1:
        return e
    head = heads.pop()
    group = re.compile(rf"\w+\({re.escape(head)}\)")

    def own(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or part.base not in ("K", "V") or len(part.sub) != 1:
            return part
        return replace(part, sub=(head,)) if group.fullmatch(part.sub[0]) else part

    return rewrite(e, own)


def _variants(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> list[Variant]:
    """What the first definer that knows the left side holds the other one against."""
    for define in CATALOGUE:
        variants = list(define(left, side, statement, context))
        if variants:
            return variants
    return []
