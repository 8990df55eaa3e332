"""What words say of a derivative that its letters do not: a constraint, an approximation, another function.

Nothing of that is understood; a derivative that is false without it may be right with it, and is not called false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, Judge
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_BEFORE, _AFTER, _RIGHT_BEFORE = 600, 200, 60  # characters
_RESTRICTED = regex(
    r"\bunit\b|\bnormali[sz]ed\b|\bconstrain|\bdetach|stop[- ]?grad|\bheld\b|\bfixed\b|\bconstant\b|\bsymmetr"
    r"|\bdiagonal|\borthogon|\bresidual|\bkernel matrix|\bregime\b|approxim|\b(?:to|at) first[- ]order|\bsmall\b|taylor"
    r"|linear(?:is|iz)|\bsaturat|\bat (?:the )?(?:optim|minim|init|origin)"
    r"|\\pm\s*1|±\s?1|(?:\\in|∈)\s*\\?\{|(?:\||‖|\\rVert)\s*=\s*1|\^\{?2\}?\s*=\s*1\b"
    r"|对称|对角|正交|单位(?:向量|长度)|近似|一阶|小角|很小|常数|固定|残差|约束|断开|対称|直交",
    re.IGNORECASE,
)
_IN_SIGHT = 150
_CASE = regex(  # for t = 1, the true class, two keys, at equal scores
    r"(?<![_{])[A-Za-zα-ω}]\s*=\s*\$?-?\d+(?![\d.]*\s*[-+*/·(\\^A-Za-z])|\b(?:case|class(?:es)?|labels?|positives?|negatives?|binary|two|correct"
    r"|others?|equal|target)\b|类|標籤|标签|情形|情况|正例|负例|两个|二分类|Klasse|clase|classe|クラス|ラベル",
    re.IGNORECASE,
)
_SWAPPED = regex(r"(?P<of>[A-Za-z])_\{?(?P<a>[a-z])(?P<b>[a-z])\}?\s*=\s*(?P=of)_\{?(?P=b)(?P=a)\}?")  # w_ij = w_ji
_FUNCTIONS = {
    "sigmoid": r"sigmoid|logistic|逻辑函数|シグモイド|시그모이드",
    "tanh": r"tanh|hyperbolic tangent|双曲正切",
    "relu": r"re-?lu",
    "softplus": r"soft-?plus",
    "exp": r"exponential|指数",
    "log": r"logarithm|对数",
    "gelu": r"gelu",
    "silu": r"silu|swish",
    "elu": r"\belu\b|\bselu\b",
    "": r"\b(?:cube|cubic|square|quadratic|inverse|reciprocal|sine|cosine|others?)\b|立方|平方|正弦|余弦|倒数|其他",
}
_SPELLED = {name: regex(pattern, re.IGNORECASE) for name, pattern in _FUNCTIONS.items()}


Told = Callable[[Statement, Context], bool]


def _unless(told: Told) -> Callable[[Judge], Judge]:
    """What makes of a judge one that calls nothing false of which more is told."""

    def spared(judge: Judge) -> Judge:
        def judge_plain(statement: Statement, context: Context) -> Formula | None:
            found = judge(statement, context)
            return None if found is not None and found.verdict == "fails" and told(statement, context) else found

        return judge_plain

    return spared


def _around(statement: Statement, context: Context, before: int, after: int) -> str:
    """The words of an article around a statement, and the statement itself."""
    start, end = statement.span
    return context.article.words[max(start - before, 0) : end + after]


_NEAR = 250
_DISTRIBUTION = regex(
    r"\buniform|bernoulli|ternary|rademacher|chi-square|\bunit[- ]?(?:norm|length|vectors?\b)|\baligned\b|\btrained\b"
    r"|\bmeasured\b|\bk\s*=\s*q\b|\bq\s*=\s*k\b|\\sim\s*U\b|[~∼]\s*U\(|mean (?:one|1)\b|deviation of (?:the )?entries"
    r"|±|\\pm|均匀分布|伯努利|训练后|单位向量|均值为\s?1|一様分布|gleichverteilt|uniforme",
    re.IGNORECASE,
)


_TWO = regex(
    r"\btwo (?:classes|keys|tokens|entries|logits|scores)|\bbinary\b|\bequal scores|两个(?:键|词|类|元素)|两类|二分类"
    r"|zwei (?:Klassen|Schlüssel)|deux classes|dos clases",
    re.IGNORECASE,
)


def _is_told(statement: Statement, context: Context) -> bool:
    start, end = statement.span
    words = context.article.words
    around = words[max(start - _BEFORE, 0) : start] + " " + words[end : end + _AFTER]
    before = words[max(start - _RIGHT_BEFORE, 0) : start].rpartition("\n\n")[2]
    named = {name for name, pattern in _SPELLED.items() if pattern.search(before)}
    near = words[max(start - _IN_SIGHT, 0) : start] + " " + words[end : end + _RIGHT_BEFORE]
    if _CASE.search(near) or _SWAPPED.search(around):
        return True
    return _RESTRICTED.search(around) is not None or bool(named - context.once(_find_only_function))


def _find_only_function(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The function of an article's formulas, where they have only one."""
    parts = (part for each in statements for side in each.sides for part in f.walk(side.expression))
    called = (part.function for part in parts if isinstance(part, f.Call))
    found = frozenset({"sigma": "sigmoid", "σ": "sigmoid", "ln": "log"}.get(name, name.lower()) for name in called)
    known = found & _FUNCTIONS.keys()
    return known if len(known) == 1 else frozenset()


def _is_partial(statement: Statement, context: Context) -> bool:
    """Whether it is ∂y/∂x of y = gx where a line says what g is of x: g may be held fixed."""
    left = statement.left
    if isinstance(left, f.Derivative) and _has_labels(left, context):
        return True
    if not isinstance(left, f.Derivative) or not _PARTIAL.search(statement.text):
        return False
    made = {s.left: frozenset(names(s.equals[1])) for s in context.statements if len(s.equals) > 1}
    return any(left.by in made.get(letter, ()) for letter in made.get(left.of, ()) if letter != left.by)


def _has_labels(left: f.Derivative, context: Context) -> bool:
    """Whether a letter of what is differentiated is said to be 0 or 1 somewhere, the target y = 1."""
    made = (s.equals[1] for s in context.statements if len(s.equals) > 1 and s.left == left.of)
    letters = {name.base for side in made for name in names(side) if name != left.by and name.base.isalpha()}
    words = context.article.words
    return any(
        re.search(rf"(?<![A-Za-z\\{{_]){letter}(?:_\w)?[\s$`]*=[\s$`]*[01](?![.\d])", words) for letter in letters
    )


_PARTIAL = regex(r"\\partial|∂")


def _is_of_others(statement: Statement, context: Context) -> bool:
    return _DISTRIBUTION.search(_around(statement, context, _NEAR, _NEAR)) is not None


def _is_of_two(statement: Statement, context: Context) -> bool:
    return _TWO.search(_around(statement, context, _NEAR, _RIGHT_BEFORE)) is not None


def _is_of_one_class(statement: Statement, context: Context) -> bool:
    """Whether a gradient is p_i − 1, or p_i, beside words on the true class or on the others."""
    match statement.equals[-1]:
        case f.Name() | f.Sum((f.Name(), f.Number()), (1, -1)):
            return _CLASS.search(context.around(statement, _BESIDE)) is not None
    return False


_BESIDE = 90  # characters
_CLASS = regex(
    r"\b(?:true|correct|right|target|gold|actual|ground[- ]truth|wrong|incorrect|others?|remaining|rest|otherwise)\b"
    r"|(?:\\neq?|≠|!=)\s*(?:y|t|c|k)\b|正确|真实|目标|其他|其它|其余|错误|正解|それ以外|정답|나머지"
    r"|\b(?:richtig\w*|korrekt\w*|übrig\w*|ander\w*|correct[eo]?s?|autres?|vra(?:ie?)?|demás|otr[ao]s|verdader\w*)\b",
    re.IGNORECASE,
)

unless_told = _unless(
    lambda statement, context: any(told(statement, context) for told in (_is_told, _is_partial, _is_of_one_class))
)
unless_of_others = _unless(_is_of_others)  # of means and variances, beside words on entries that are no standard ones
# of softmax, beside words on two entries, of which s_1 s_2 is right, or on one class
unless_of_two = _unless(
    lambda statement, context: _is_of_two(statement, context) or _is_of_one_class(statement, context)
)
