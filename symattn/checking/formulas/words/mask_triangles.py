"""Which triangle of the scores a causal mask hides, as a sentence says it: the upper one is set to −∞."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.mask_cases import CAUSAL, REVERSED, keys_stand_in_rows
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said, with_group
from symattn.patterns import regex
from symattn.writing.prose import Sentence

NEAR = 160  # characters of the text that call a mask causal, or say that it is none or another one
_HIDDEN = (
    r"[$`\s\\(]*(?:[-−]\s?(?:\\infty|∞|inf\w*|1e\d)|float\(['\"]-inf['\"]\)"
    r"|negative infinity|minus infinity|负无穷|負無窮)"
)
_WHICH = r"(?P<which>upper|lower)[- ]triang\w*(?: (?:part|region|portion|elements?|entries|half|matrix|positions?))?"
_NOTHING_ELSE = r"(?:(?!\b(?:and|but|except|rest|other|others|outside|above|below)\b)[^.,;\n]){0,24}?"
_VERB = r"\b(?:set|filled|masked|assigned|replaced|becomes?|is|are)\b"
_SAID = (
    regex(rf"{_WHICH}{_NOTHING_ELSE}{_VERB}{_NOTHING_ELSE}{_HIDDEN}", re.IGNORECASE),
    regex(
        rf"\b(?:sets?|fills?|setting|filling) {_NOTHING_ELSE}{_WHICH}{_NOTHING_ELSE}\b(?:to|with|by)\b{_HIDDEN}",
        re.IGNORECASE,
    ),
    regex(
        r"(?<![非除外])(?P<which>[上下])三角(?:区域|部分|矩阵|元素|位置|區域)?(?:的?(?:元素|值|分数|位置))?[全都均]?部?被?"
        rf"(?:设|設|置|填|赋|变|變|为|為|=)[成为為置充值]{{0,3}}{_HIDDEN}"
    ),
)
_DENIED = regex(
    r"\bnot\b|n't|\bnever\b|instead|rather|mistake|wrong|incorrect|\bbug\b|strictly lower|\bif\b|transpos"
    r"|keys? (?:(?:stand|are|lie)s? )?(?:in|as|along) (?:the )?rows"
    r"|\bK\s?Q\s?(?:\^|ᵀ)|不[是能]|而不|错|誤|转置",
    re.IGNORECASE,
)
_OTHER = {"upper": "lower", "lower": "upper", "上": "下", "下": "上"}


def judge_mask_triangles(context: Context) -> Iterator[Formula]:
    """−∞ above the diagonal hides the keys behind a query; below it, those before it, which a causal mask does not."""
    source = context.article.words
    for found in find_said(context, *_SAID):
        around = source[max(found.start() - NEAR, 0) : found.end() + NEAR]
        others = around.replace(found[0], " ")
        if (
            not CAUSAL.search(others)
            or REVERSED.search(others)
            or _DENIED.search(around)
            or keys_stand_in_rows(context)
        ):
            continue
        if found["which"].lower() in ("upper", "上"):
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_code_mask"))
        else:
            right = with_group(found, "which", _OTHER[found["which"].lower()])
            yield conclude_in_words(context, found.span(), "fails", Sentence("words_code_mask"), right)
