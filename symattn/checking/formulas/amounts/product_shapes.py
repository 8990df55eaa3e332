"""Shapes of products in a sentence: Δ is n × m and K is m × d, so ΔK is n × d; `K^T V` is a `d_k x d_v` matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.sizes import kind_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_SIZE = r"[A-Za-z](?:_(?:\w|\{\w+\}|\\?text\{\w+\}))?"
_MARK = r"[`$\s]{0,6}"
_IS = r"(?:\s*(?:가|이|은|는|是|为|為|is|has shape|of shape|est|es|é|ist|の形は|は))?\s*"
_PRODUCT = (
    r"(?:(?:이|가|이므로|므로|so|hence|therefore|thus|所以|因此|故|donc|por lo tanto|also)[\s,，、]*)*"
    r"(?:곱이|곱은|(?:the |their )?product (?:is|has shape)|乘积[是为為]?|積は|le produit est|el producto es)"
)


def _shape(key: str) -> str:
    return rf"(?P<{key}1>{_SIZE})\s?(?:\\times|×|x|\*)\s?(?P<{key}2>{_SIZE})"


_NAME = r"[`$]{1,2}\s?\\?[A-Za-z]+(?:\^[^`$]{1,16})?\s?[`$]{1,2}"
_JOINED = regex(
    rf"{_NAME}{_IS}{_MARK}{_shape('a')}{_MARK}[,，、]?\s?(?:and|和|und|et|y)?\s?"
    rf"{_NAME}{_IS}{_MARK}{_shape('b')}{_MARK}[,，、]?\s?{_PRODUCT}\s?{_MARK}{_shape('c')}(?![\w_^]){_MARK}"
)
_T = r"\s?(?:\^\{?\\?(?:top|T)\}?|ᵀ|⊤)"
_GIVES = (
    r"\s*(?:(?:first|which|that|then|先|is|are|gives?|yields?|produces?|makes?|creates?|forms?|has|of|the|shape|an?"
    r"|會產生|会产生|产生|產生|得到|生成|是|为|為|一个|一個|[(,，（:：=→])\s*){1,6}"
)
_NAMED = regex(
    rf"(?P<mark>[`$])(?P<product>Q\s?K{_T}|K{_T}\s?V)(?P=mark){_GIVES}[`$]{_shape('c')}[`$]"
    r"\s*(?:的)?\s*(?:matri\w*|矩陣|矩阵|行列|행렬)"
)


def judge_product_shapes(context: Context) -> Iterator[Formula]:
    """The inner sizes agree and go; the outer ones are those of the product."""
    source = context.article.words
    theorem = Sentence("words_product_shape")
    for found in _JOINED.finditer(source):
        a, b, c = ((_plain(found[f"{x}1"]), _plain(found[f"{x}2"])) for x in "abc")
        if a[1] == b[0] and len({a[0], a[1], b[1]}) == 3:
            yield conclude_in_words(context, found.span(), "holds" if c == (a[0], b[1]) else "fails", theorem)
    for found in _NAMED.finditer(source):
        kinds = [kind_of(_plain(found[f"c{k}"])) for k in (1, 2)]
        scores = found["product"].lstrip().startswith("Q")
        if set(kinds) <= {"tokens", "width"}:
            right = kinds == (["tokens", "tokens"] if scores else ["width", "width"])
            if right and not scores and [_plain(found[f"c{k}"])[-1:] for k in (1, 2)] == ["v", "k"]:
                right = False
            yield conclude_in_words(context, found.span(), "holds" if right else "fails", theorem)


def _plain(size: str) -> str:
    return re.sub(r"[{}\\]|text", "", size)
