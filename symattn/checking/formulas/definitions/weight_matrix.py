"""The matrix of attention weights: A = softmax(QKᵀ/√d_k), with a mask or bias added inside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from symattn.checking.formulas.definitions.attention import is_attention, set_widths
from symattn.checking.formulas.definitions.named_scores import MASKS, with_scores
from symattn.checking.formulas.definitions.scores import give_scale, scale_in
from symattn.checking.formulas.definitions.weights import BY_COLUMNS, has_column_for_query
from symattn.checking.formulas.gradients.forward import SCORES
from symattn.checking.formulas.gradients.layers import LOGITS, PROBABILITIES
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question, constantly
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.functions import has_down_option
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.notation import find_readings
from symattn.checking.formulas.trials.symbols import Key, Reading, Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

_LETTERS = frozenset(["A", "P", "α", "W", "a", "attn", "weights", "w", "S", "E"])
WEIGHTS_IN_WORDS = regex(
    r"(?:attention|attn|softmax)?[ _-]?(?:weights?|probs?|probabilities|map|matrix)|注意力(?:权重|矩阵|分布)", re.I
)
_SCORES = regex(
    r"(?:(?:scaled|masked|attention|attn|raw|similarity)[ _-]?)*(?:scores?|logits?)|(?:缩放后的?|注意力)*(?:得分|分数)",
    re.I,
)
_HEADS = regex(r"\bheads?\b|multi-?head|多头|多頭|头|cabeza|tête|Köpf|Kopf|cabeça|голов|ヘッド|헤드", re.I)
_OVER_QUERIES = regex(rf"{BY_COLUMNS.pattern}|\bslots?\b|inverted|竞争", re.I)
_OVER_CHANNELS = regex(
    r"channel[- ](?:wise )?attention|over (?:the )?\S{0,4} ?channels|cross-covariance|XCiT|\bXCA\b|通道注意力", re.I
)
_WIDTHS = frozenset(["d", "D", "k", "dim", "head_dim", "dk", "n", "m"])


def define_weight_matrix(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side that is a softmax of queries times keys and nothing else, in dropout or not."""
    if (
        isinstance(side.expression, f.Call)
        and side.expression.function == "dropout"
        and len(side.expression.arguments) == 1
    ):
        side = replace(side, expression=side.expression.arguments[0])
    if _is_of_scores(left, side.expression, context):
        drawn = [name.symbol for name in names(side.expression)]
        asked = Question(constantly(side.expression), lambda scope: _draw_scores(scope, drawn))
        yield Variant(asked, Sentence("formula.softmax"), repairs=False)
        return
    printed = side.expression
    side = replace(side, expression=with_scores(printed, context))
    heads = isinstance(left, f.Name) and _is_of_head(left, side.expression, context)
    scale = scale_in(side.expression, context)
    roles = _roles_in(side.expression, scale, heads=heads) if has_softmax(side.expression) else None
    if roles is None or not (heads or _is_weights(left)):
        return
    if has_column_for_query(side.expression, context):
        return
    query, key, extras = roles

    def prepare(scope: Scope) -> None:
        for symbol, rows in ((query, "n"), (key, "m")):
            scope.give(symbol, (scope.size(rows), scope.size("d_k")), turned=not scope.reading.rows)
        for extra in extras:
            shape = (scope.size("n"), scope.size("m"))
            drawn = scope.draw(extra, shape)
            scope.given[extra] = drawn if scope.reading.rows or scope.reading.axis == 1 else drawn.turned()
        set_widths(scope, side.expression)
        give_scale(scale, scope)

    def question(scaled: bool, rows: bool) -> Question:
        def value(evaluator: Evaluator, at: Indices) -> Tensor:
            scope = evaluator.scope
            q, k = (scope.given[x] if scope.reading.rows else scope.given[x].turned() for x in (query, key))
            scores = q @ k.turned()
            if scaled:
                scores = scores * Tensor.number(scope.size("d_k")).raised(Fraction(-1, 2))
            for extra in extras:
                given = scope.given[extra]
                scores = scores + (given if scope.reading.rows or scope.reading.axis == 1 else given.turned())
            weights = scores.softmax(1)
            return weights if scope.reading.rows or scope.reading.axis == 1 else weights.turned()

        readings = [Reading()] if rows else [Reading(False, False, axis=0), Reading(False, False, axis=1)]
        return Question(value, prepare, readings=readings, place=lambda _, e: with_scores(e, context))

    over_channels = context.mentions(_OVER_CHANNELS)
    over_queries = isinstance(printed, f.Call) and has_down_option(printed) and context.mentions(_OVER_QUERIES)
    admitted = {reading.rows for reading in find_readings(context)}
    bare = not any(isinstance(part, f.Quotient | f.Root | f.Power) for part in f.walk(side.expression))
    for scaled in (True, False):
        for rows in (True, False):
            if rows not in admitted:
                continue
            condition = None if scaled else Sentence("formula.if_unscaled")
            if not rows and len(admitted) > 1:
                condition = Sentence("formula.if_columns")
            yield Variant(
                question(scaled, rows),
                Sentence("formula.weight_matrix"),
                condition,
                repairs=scaled is not (bare and rows and len(admitted) == 1)
                and not extras
                and (rows or len(admitted) == 1)
                and not (heads and _has_letter(query))
                and not (over_queries or over_channels),
                only=() if side.expression == printed else ("axis",),
            )


def _roles_in(e: f.Expression, scale: f.Name | None, *, heads: bool) -> tuple[Key, Key, list[Key]] | None:
    """The queries, the keys and the masks of a softmax of whole matrices, or of those of one head where it says so."""
    used = list(dict.fromkeys(n.symbol for n in names(e) if scale is None or n.symbol != scale.symbol))
    found = [[key for key in used if key[0].lower() == role] for role in "qk"]
    extras = [key for key in used if key[0].lower() not in "qk" and key[0] not in _WIDTHS]
    if any(len(keys) != 1 for keys in found):
        return None
    query, key = found[0][0], found[1][0]
    if any(extra[0] not in MASKS for extra in extras) or len(extras) > 1 or query[1:] != key[1:]:
        return None
    if not heads and any(mark.islower() and len(mark) < 3 for mark in (*query[1], *key[1])):
        return None  # vectors with an index: by entries
    if query[0].islower() and key[0].isupper():
        return None  # one query, a row or a column as softmax(q Kᵀ) or softmax(K q) needs it
    return query, key, extras


def _is_of_scores(left: f.Expression, printed: f.Expression, context: Context) -> bool:
    """Whether this is P = softmax(S) of scores, or p = softmax(z) of logits, of which no line says what they are."""
    if not isinstance(printed, f.Call) or has_down_option(printed):
        return False
    inside = printed.arguments[0] if has_softmax(printed) else None
    named = isinstance(left, f.Name) and left != inside and (_is_weights(left) or left.base in PROBABILITIES)
    match inside:
        case f.Sum((f.Name() as scores, f.Name(base)), (1, 1)) if named and base in MASKS:
            inside = scores
    return named and isinstance(inside, f.Name) and is_scores(inside) and with_scores(inside, context) == inside


def is_scores(name: f.Name) -> bool:
    called = name.base in (*SCORES, *LOGITS) or _SCORES.fullmatch("_".join((name.base, *name.sub)))
    return bool(called) and not any(len(mark) < 3 and mark.islower() for mark in name.sub)


def _draw_scores(scope: Scope, keys: Iterable[Key]) -> None:
    for key in keys:
        scope.given[key] = scope.draw(key, (scope.size("n"), scope.size("m")))


def _is_weights(left: f.Expression) -> bool:
    if isinstance(left, f.Call):
        return is_attention(left.function) and len(left.arguments) == 2
    if not isinstance(left, f.Name) or any(len(mark) < 3 for mark in left.sub):
        return False
    return left.base in _LETTERS or WEIGHTS_IN_WORDS.fullmatch("_".join((left.base, *left.sub))) is not None


def _is_of_head(left: f.Name, printed: f.Expression, context: Context) -> bool:
    """Whether it is A_1 of Q_1 and K_1, or A_i of Q_i and K_i where an article speaks of heads: the weights of one."""
    own = (left.sub, left.sup)
    capitals = [name for name in names(printed) if name.base in ("Q", "K")]
    same = len(capitals) == 2 and all((name.sub, name.sup) == own for name in capitals)
    if left.base not in _LETTERS or not same or len(marks := (*left.sub, *left.sup)) != 1:
        return False
    return all(map(str.isdigit, left.sub)) if not left.sup and marks[0].isdigit() else context.mentions(_HEADS)


def _has_letter(symbol: Key) -> bool:
    """Whether it is of any head, Q_i, and not of a numbered one: whoever writes so may keep K_i transposed."""
    return not all(mark.isdigit() for part in symbol[1:] for mark in part)


def has_softmax(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function == "softmax" and len(e.arguments) == 1
