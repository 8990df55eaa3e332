"""What the products of a layer cost, one by one, by what their line or row calls them: 6 b n d² for Q, K and V.

A count of single products is confirmed where it is the usual one, two for each multiply-add or one, of one layer or of
all, for one sequence or a batch; another one may count more or less than its name says, so it is not called false.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import sympy
from sympy import Expr

from symattn.checking.findings import Formula
from symattn.checking.formulas.amounts.labels import label_of
from symattn.checking.formulas.amounts.orders import has_other_letters
from symattn.checking.formulas.counts import batch, counts_both, counts_in, d, d_ff, d_k, d_v, h, layers, n, our_letters
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_MACS = regex(r"\bMACs?\b|multiply[- ]?(?:add|accumulate)|乘加", re.IGNORECASE)
FAR = 700  # characters above in which operations may be said to be counted
_FLOPS = regex(r"FLOP|operations|multipl|浮点|计算量|运算|計算量|연산", re.IGNORECASE)


@dataclass(frozen=True)
class Operation:
    """What is multiplied, by the words for it, and how many additions and multiplications that takes."""

    words: re.Pattern[str]
    counts: tuple[Expr, ...]


_QKV = regex(r"\bQKV\b|Q ?[,、/&+] ?K ?(?:[,、/&+]|,? ?and|[和与]) ?V|W_?Q ?[,、] ?W_?K ?[,、] ?W_?V", re.IGNORECASE)
_OUTPUT = regex(r"out(?:put)?[ _]proj\w*|W_?\{?[Oo]\b|输出(?:投影|线性|变换|映射)|final linear", re.IGNORECASE)
_SCORES = regex(r"Q\W{0,3}K|\bQK|scores?|logits|得分|分数", re.IGNORECASE)
_VALUES = regex(
    r"\b(?:A|P|S|score|attn|weights?|scores?|softmax(?:\([^)]*\))?)\s?(?:\\cdot|[·×*@])?\s?V\b|weighted (?:sum|average)"
    r"|over V\b|加权(?:求和|平均)?",
    re.IGNORECASE,
)
_UP_OR_DOWN = regex(r"h\W{1,6}4h|4h\W{1,6}h|\b(?:up|down)[ -]?proj|\bfc[12]\b|[升降]维|(?:first|second) linear", re.I)
_TOTAL = regex(r"\btotal\b|\bsum\b|in all|per layer|合计|总计|总和|每层|一层", re.IGNORECASE)
_FFN = regex(r"\bFFN\b|\bMLP\b|feed[- ]?forward|前馈", re.IGNORECASE)
OPERATIONS = (
    Operation(_QKV, (6 * n * d**2, 6 * n * d * h * d_k, 4 * n * d * h * d_k + 2 * n * d * h * d_v)),
    Operation(_OUTPUT, (2 * n * d**2, 2 * n * d * h * d_v, 2 * n * d * h * d_k)),
    Operation(_VALUES, (2 * n**2 * d, 2 * n**2 * h * d_k, 2 * n**2 * h * d_v)),
    Operation(_SCORES, (2 * n**2 * d, 2 * n**2 * h * d_k)),
    Operation(_UP_OR_DOWN, (8 * n * d**2, 2 * n * d * d_ff)),
    Operation(_FFN, (16 * n * d**2, 4 * n * d * d_ff)),
    Operation(
        _TOTAL,
        (24 * n * d**2 + 4 * n**2 * d, 8 * n * d**2 + 4 * n**2 * d, 8 * n * d**2 + 4 * n**2 * d + 4 * n * d * d_ff),
    ),
)


_NAMES = regex(
    "|".join(each.words.pattern for each in OPERATIONS)
    + r"|\bV\b|projections?|proj\b|投影|linear|attention|注意力|values|T\b|top\b",
    re.IGNORECASE,
)


def judge_operations(statement: Statement, context: Context) -> Formula | None:
    """A count that is the usual one of the one product that its label names."""
    named = len(statement.equals) > 1 and isinstance(statement.equals[0], f.Name)
    sides = statement.equals[1 if named else 0 :]
    letters = our_letters(sides)
    counts = [sympy.expand(size.xreplace(letters)) for size in counts_in(sides) if letters is not None]
    if not counts or len({*counts}) > 1 or len(counts) < len(sides):
        return None
    source, span = context.article.words, statement.span
    label = label_of(source, *span)
    if named:
        name = statement.printed(statement.equals[0])
        label = replace(label, own=f"{label.own} {name}", sentence=f"{label.sentence} {name}")
    flops = _FLOPS.search(f"{source[max(span[0] - FAR, 0) : span[0]]} {label.own} {label.after}") is not None
    macs = _MACS.search(f"{label.column} {label.sentence} {label.after}") is not None
    if not flops or macs or not label.is_plain(_NAMES) or context.once(has_other_letters):
        return None
    factors = (sympy.Integer(1), batch, layers, batch * layers)
    usual = [sympy.expand(factor * count) for count in _named(label.own) for factor in factors]
    if counts[0] in usual:
        return accept(statement, Sentence("formula_count"))
    if 2 * counts[0] in usual and not counts_both(statement, context):
        return accept(statement, Sentence("formula_count"), Sentence("count_if_multiply_adds"))
    return None


def _named(words: str) -> tuple[Expr, ...]:
    """The counts of the one product that words name; nothing where they name none, or several."""
    found: list[Operation] = []
    for each in OPERATIONS:
        rest = each.words.sub(" ", words)
        if rest != words:
            found.append(each)
            words = rest
    return found[0].counts if len(found) == 1 else ()
