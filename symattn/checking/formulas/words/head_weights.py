"""How many weights a head has, in words: with H = N D each of N heads maps H numbers to D, and has H·D of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_TIMES = r"\s?(?:\\?\*|\\times|\\cdot|[×·])\s?"
_PRODUCT = rf"\$?(?P<product>[A-Z](?:{_TIMES}[A-Z])+|[A-Z]\^\{{?2\}}?|[A-Z]²)\$?(?![\w^²+/-]|{_TIMES}\w)"
_WIDTHS = regex(
    r"(?<![A-Za-z])(?P<all>[A-Z])\s?=\s?(?P<a>[A-Z])\s?(?:\\?\*|\\times|\\cdot|[×·])?\s?(?P<b>[A-Z])(?![A-Za-z*])"
)
_HOW_MANY = regex(r"(?<![A-Za-z])(?P<count>[A-Z])\$?\s?(?:个(?:注意力)?头|(?:attention )?heads\b)")
_IS = r"\s*(?:应该|应当|才|都|should be|is|are|has|have|=|是|为)+\s*"
_ONE = regex(
    r"(?:每(?:一)?个(?:注意力)?头的?(?:QKV)?(?:权重)?(?:矩阵)?的?参数(?:量|矩阵|数)?"
    rf"|(?:weights|parameters) of (?:each|one|a) head){_IS}{_PRODUCT}"
)
_ALL = regex(
    rf"(?<![A-Za-z])[A-Z]\$?\s?个(?:注意力)?头(?:形成的模块|一共|总共)?的?(?:参数(?:量|矩阵|数)?)?{_IS}{_PRODUCT}"
)
_NARROW = regex(r"head_dim,\s*(?:self\.)?head_dim")  # heads that read their own part alone
COUNT, WIDTH = 3, 7  # any two numbers


def judge_head_weights(context: Context) -> Iterator[Formula]:
    """Counts of one matrix for queries, keys or values, where the article says how wide all heads are."""
    source = context.article.words
    letters = _letters(source)
    if letters is None or context.mentions(_NARROW):
        return
    (whole, count, width), theorem = letters, Sentence("words_head_weights")
    whole_width = COUNT * WIDTH
    worths = {whole: whole_width, count: COUNT, width: WIDTH}
    of_one, of_all = (whole_width * WIDTH, f"{whole}*{width}"), (whole_width**2, f"{count}*{whole}*{width}")
    for pattern, (right, made) in ((_ONE, of_one), (_ALL, of_all)):
        for found in pattern.finditer(source):
            worth = _worth(found["product"], worths)
            if worth == right:
                yield conclude_in_words(context, found.span(), "holds", theorem)
            elif worth is not None:
                yield conclude_in_words(
                    context, found.span(), "fails", theorem, found[0].replace(found["product"], made)
                )


def _letters(source: str) -> tuple[str, str, str] | None:
    """The letters of the width of all heads, of how many these are, and of the width of one."""
    said, many = _WIDTHS.search(source), _HOW_MANY.search(source)
    if said is None or many is None or len({said["all"], said["a"], said["b"]}) != 3:
        return None
    if many["count"] not in (said["a"], said["b"]):
        return None
    return said["all"], many["count"], said["b"] if many["count"] == said["a"] else said["a"]


def _worth(product: str, letters: dict[str, int]) -> int | None:
    """What the product comes to; None with another letter."""
    factors = re.findall(r"[A-Z]", product)
    factors = factors * 2 if len(factors) == 1 else factors
    return prod(letters[x] for x in factors) if all(x in letters for x in factors) else None
