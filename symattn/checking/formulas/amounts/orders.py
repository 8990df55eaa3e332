"""How the cost of a layer grows, by what its line or row calls it: O(n²d) of self-attention, O(nd²) of recurrence.

An order that is none of the usual ones may count something else, so it is not called false.

Source: Vaswani et al., Attention Is All You Need (2017), table 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from symattn.checking.findings import Formula
from symattn.checking.formulas.amounts.labels import Label, label_of
from symattn.checking.formulas.counts import d, d_ff, d_k, d_v, h, layers, n, ours_of
from symattn.checking.formulas.shapes.sizes import read_size
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.repairs import read_side
from symattn.checking.formulas.words.saying import conclude_in_words, find_said
from symattn.patterns import regex
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_ORDER = regex(
    r"[`$]{0,2}(?:\\(?:mathcal|mathrm|text)\s?\{\s?O\s?\}|(?<![A-Za-z\\_])O)\s?(?:\\left)?\("
    r"(?P<order>[^()\n|]{1,40})(?:\\right)?\)[`$]{0,2}"
)
_MEMORY = regex(r"memor|space|storage|内存|显存|空间|存储|記憶|メモリ|메모리|Speicher|mémoire", re.IGNORECASE)
_STEPS = regex(r"sequential|(?:顺序|串行)(?:操作|计算|运算)", re.IGNORECASE)
_PATH = regex(r"path|路径", re.IGNORECASE)
_LINEAR = regex(
    r"linear(?:i[sz]ed)?[- ]?(?:self-?)?(?:attention|transformers?|attn)|线性(?:注意力|化)|線形(?:アテンション|注意)",
    re.I,
)
_ATTENTION = regex(
    r"(?:softmax |self-?)?attention|attn\b|自?注意力|アテンション|어텐션|\bQK(?:\^\{?T\}?|ᵀ|\^\\top)?|transformers?",
    re.I,
)
_RECURRENT = regex(
    r"\bRNNs?\b|\bLSTMs?\b|\brecurrent(?: layers?| networks?)?\b|循环(?:神经网络|层)|リカレント|순환", re.IGNORECASE
)
_CONVOLUTION = regex(r"\bCNNs?\b|convolution(?:al)?|卷积(?:神经网络|层)?|畳み込み|합성곱", re.IGNORECASE)
_FEED_FORWARD = regex(r"\bFFN\b|\bMLP\b|feed[- ]?forward(?: networks?)?|前馈(?:网络|层)?", re.IGNORECASE)
_NAMES = regex("|".join(each.pattern for each in (_LINEAR, _ATTENTION, _RECURRENT, _CONVOLUTION, _FEED_FORWARD)), re.I)
_OTHER_LETTERS = regex(  # n is a width here, or d a length
    r"\bn\$? ?(?:is|be|=|denotes?|for|为|是|表示)[^.,;，。；\n]{0,24}"
    r"(?:hidden|width|dim|expert|layers|side|隐|维|宽|专家|层)"
    r"|\bd\$? ?(?:is|be|=|denotes?|for|为|是|表示)[^.,;，。；\n]{0,24}(?:length|tokens|depth|vocab|长度|序列|深度)"
    r"|side n\b|边长|number of layers \$?n\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Layer:
    """A kind of layer, and the orders of its time, of its memory, of the steps that wait for each other, and of the way
    from one token to another."""

    words: re.Pattern[str]
    time: tuple[Expr, ...]
    memory: tuple[Expr, ...] = ()
    steps: tuple[Expr, ...] = ()
    path: tuple[Expr, ...] = ()


_ONE = (sympy.Integer(1),)
k = Symbol("k", positive=True, integer=True)  # the width of a kernel
LAYERS = (
    Layer(_LINEAR, (n, n * d**2, n * d_k * d_v, n * d_k**2), (n, n * d, d**2, d_k * d_v)),
    Layer(
        _ATTENTION,
        (n**2, n**2 * d, n**2 * d_k, n**2 * (d_k + d_v), h * n**2 * d_k, n**2 * d + n * d**2, layers * n**2 * d),
        (n**2, h * n**2, n**2 + n * d),
        _ONE,
        _ONE,
    ),
    Layer(_RECURRENT, (n * d**2,), (), (n,), (n,)),
    Layer(_CONVOLUTION, (k * n * d**2,), (), _ONE),
    Layer(_FEED_FORWARD, (n * d**2, n * d * d_ff)),
)


def judge_orders(context: Context) -> Iterator[Formula]:
    """The orders that are the usual ones of the one layer that their line names."""
    source = context.article.words
    for found in find_said(context, _ORDER):
        label = label_of(source, *found.span())
        order = _read(found["order"])
        if order is not None and order in _usual(label) and not context.once(has_other_letters):
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_cost_of_layer"))


def has_other_letters(article: Article, _: Sequence[Statement]) -> bool:
    """Whether n is a width in an article, or d a number of tokens."""
    return _OTHER_LETTERS.search(article.words) is not None


def _usual(label: Label) -> tuple[Expr, ...]:
    """The orders of the one layer that the clause names, or its sentence where it names none."""
    named = _layers_in(label.own) or _layers_in(label.sentence)
    if len(named) != 1 or _layers_in(label.column) or not label.is_plain(_NAMES):
        return ()
    return _of(named[0], label)


def _layers_in(words: str) -> list[Layer]:
    plain = _LINEAR.sub("", words)
    return [each for each in LAYERS if each.words.search(words if each is LAYERS[0] else plain)]


def _of(layer: Layer, label: Label) -> tuple[Expr, ...]:
    """The orders of what the head of the column counts, or the words themselves."""
    for words, orders in ((_STEPS, layer.steps), (_PATH, layer.path), (_MEMORY, layer.memory)):
        if any(map(words.search, (label.column, label.own, label.after))):
            return orders
    return layer.time


def _read(order: str) -> Expr | None:
    """What stands in the brackets, in our letters."""
    side = read_side(order)
    size = None if side is None else read_size(side)
    if size is None:
        return None
    letters = {each: k if each.name == "k" else ours_of(each.name) for each in size.free_symbols}
    if None in letters.values() or len({*letters.values()}) < len(letters):
        return None
    return sympy.expand(size.xreplace(letters))
