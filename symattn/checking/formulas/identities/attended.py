"""Attention beside attention of other matrices: Attention(ΠQ, ΠK, ΠV) = Π Attention(Q, K, V), for permutations Π."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.identities.own_lines import Tried, compare_sides
from symattn.checking.formulas.identities.own_notation import Notation, find_notation, spell_own
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.notation import find_readings
from symattn.checking.formulas.trials.pointed import show_difference
from symattn.checking.formulas.trials.variant import is_same
from symattn.checking.models.letters import letter_of
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ROLES = frozenset("QKVX")
_WIDTHS = frozenset("dDkhC")


def judge_attended(statement: Statement, context: Context) -> Formula | None:
    """An equation of attention by no other letters than its matrices, numbers, and permutations of tokens."""
    sides = statement.equals
    notation = context.once(find_notation)
    if len(sides) != 2 or len(statement.sides) != 2 or not all(map(_attends, sides)) or is_same(*sides):
        return None
    names = (part for side in sides for part in f.walk(side) if isinstance(part, f.Name))
    known = all(name in _PLAIN or letter_of(name).key in notation.permutations for name in names)
    if not known or _is_of_arguments(sides) or not _is_usual(context):
        return None
    start, end = statement.span
    near = context.article.words[max(start - _NEAR, 0) : end + _NEAR // 2]
    if _BY_PLACE.search(near) is not None:
        return None
    admitted = {reading.rows for reading in find_readings(context)}
    compared = [_compare(sides, rows, notation) for rows in sorted(admitted, reverse=True)]
    if any(any(tried.difference is None for tried in each) for each in compared):
        return conclude(statement, "holds", Sentence("formula.tried", theorem=Sentence("formula.identity")))
    if not all(compared) or _SPECIAL.search(near) is not None:
        return None
    shown = compared[0][0]
    return refuse(statement, Sentence("formula.identity_fails"), None, show_difference(shown.made, shown.difference))


_PLAIN = frozenset(map(f.Name, _ROLES))


_NEAR = 300  # characters
# keys that are hidden, or tokens that know their places: then it is not the attention of the article's line
_BY_PLACE = regex(
    r"(?<!without )(?<!no )(?:\b(?:causal|mask(?:s|ed|ing)?|decoders?|GPT|bias(?:es)?|window)\b"
    r"|\b(?:RoPE|rotary|ALiBi|position-aware|QK-?norm)\b"
    r"|(?:with|after|adding|add|added|using) (?:the |a |an |any )?(?:\w+ )?position\w*|by their positions)"
    r"|因果|(?<!无)(?<!不加)掩码|旋转位置|加(?:上|入)?位置",
    re.IGNORECASE,
)
# matrices that are not any matrices: equal, zero, of one row, or of rows of length 1
_SPECIAL = regex(
    r"(?<![\w\\])[QKVXnmTN][\s$]*(?:=|\\to|\\equiv)[\s$]*(?:\\mathbf\s*\{?)?(?:[QKVX](?!_)|[01](?![\d.]))[\s$}]*(?:[,.;:=)]|\Z|$"
    r"|\b(?:and|then|hence|so|we)\b)"
    r"|\b(?:(?:single|one|only|1) (?:token|key|row|word|position|vector|element|value|query)|shar(?:e|es|ed|ing)|tied"
    r"|equal|equals|identical|the same|coincide\w*|zero|vanish\w*|all three|cosine|normali[sz]\w*|unit (?:length|norm)"
    r"|uniform|constant)\b|(?:单个|一个|只有一)(?:词|键|token|标记)|共享|相同|相等|都是|归一化|余弦",
    re.IGNORECASE | re.MULTILINE,
)


def _is_of_arguments(sides: Sequence[f.Expression]) -> bool:
    """Whether it says what the arguments are, Attention(X, X, X) for (Q, K, V), or (Q, K, K) where keys are values."""
    calls = [part for side in sides for part in f.walk(side) if isinstance(part, f.Call) and _is_attention(part)]
    roles = {part.base for call in calls for part in f.walk(call) if part in _PLAIN and isinstance(part, f.Name)}
    alike = {tuple(call.arguments.index(x) for x in call.arguments) for call in calls}
    return len(alike) > 1 or ("X" in roles and len(roles) > 1)


def _attends(e: f.Expression) -> bool:
    return any(map(_is_attention, f.walk(e)))


def _is_attention(e: f.Expression) -> bool:
    """Whether it is attention of three matrices, or of tokens by themselves."""
    return isinstance(e, f.Call) and e.function == "attention" and len(e.arguments) in (1, 3) and not e.options


def _is_usual(context: Context) -> bool:
    """Whether a line says what attention is, and makes it of its arguments, weights and widths: of no mask."""
    lines = [s.equals for s in context.statements if len(s.equals) > 1 and _is_attention(s.left)]
    lines = [sides for sides in lines if all(isinstance(x, f.Name) for x in sides[0].parts)]
    names = (part for sides in lines for side in sides for part in f.walk(side) if isinstance(part, f.Name))
    return bool(lines) and all(name.base in _ROLES or name.base in _WIDTHS or name.base == "W" for name in names)


def _compare(sides: Sequence[f.Expression], rows: bool, notation: Notation) -> list[Tried]:
    written = [rewrite(side, lambda part: _written(part, rows)) for side in sides]
    left, right = spell_own(written, notation)
    return compare_sides(left, right, {}, notation)


def _written(part: f.Expression, rows: bool) -> f.Expression:
    """softmax(c QKᵀ) V for attention with tokens in rows, V softmax(c KᵀQ) down the columns where they are columns."""
    if not isinstance(part, f.Call) or not _is_attention(part):
        return part
    given = [x if rows else f.Transpose(x) for x in part.arguments]
    if len(given) == 1:
        given = [_product(given[0], f.Name("W", (), (role,))) for role in "QKV"]
    q, k, v = given
    attended = _product(f.Call("softmax", (_product(f.Name("c"), q, f.Transpose(k)),)), v)
    return attended if rows else f.Transpose(attended)


def _product(*factors: f.Expression) -> f.Expression:
    return f.Product(factors, ("",) * (len(factors) - 1))
