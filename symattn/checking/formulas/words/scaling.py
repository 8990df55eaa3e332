"""By what a sentence scales scores: products of variance d_k come back to variance 1 by 1/√d_k, not by 1/d_k."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said, with_group
from symattn.checking.formulas.words.variances import judge_variances_said
from symattn.patterns import regex
from symattn.writing.prose import Sentence

FAR = 600  # characters behind what is said of the variance

_WIDTH = r"(?:d_\{?(?:\\(?:text|mathrm)\{)?\w+\}*|d|n)"
_SIZE = rf"(?:\\sqrt\s?\{{?\s?{_WIDTH}\s?\}}?|√\(?{_WIDTH}\)?|{_WIDTH})"
_DIVISOR = rf"\$?\s?(?P<size>{_SIZE})\s?\$?(?![\w²^_])"
_INVERSE = rf"\$?\s?(?:\\[dt]?frac\s?\{{?\s?1\s?\}}?\s?\{{?|1\s?/)\s?(?P<size>{_SIZE})\s?\}}?\s?\$?(?![\w²^_])"
_SCORES = r"(?:点积|點積|内积|得分|分数|分數)"
_PRODUCTS = r"(?:the |these |all )?(?:dot[- ]products?|inner products?|scores?|logits)"
_OF_HEADS = regex(r"(?<![A-Za-z])d(?:_\{?(?:\\(?:text|mathrm)\{)?(?:k|h|head|q)\b|(?![_\w]))")
_BY_CHOICE = regex(r"[μµ]P\b|\bmuP\b|\\mu\s*\$?\s*P\b|maximal update", re.IGNORECASE)  # scales by 1/d on purpose
_SAID = tuple(
    regex(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:用|以|乘以)\s*{_INVERSE}\s*(?:来|去|對|对)?\s*(?:进行)?(?:缩放|放缩|縮放)\s*{_SCORES}?",
        rf"{_SCORES}\s*(?:结果)?(?:都|先|要)?乘以\s*{_INVERSE}",
        rf"{_SCORES}\s*(?:结果)?(?:都|先|要)?除以\s*{_DIVISOR}",
        rf"scal(?:e|es|ed|ing) {_PRODUCTS} by (?:a factor of )?{_INVERSE}",
        rf"{_PRODUCTS} (?:is|are) (?:multiplied|scaled) by {_INVERSE}",
        rf"divid(?:e|es|ed|ing) {_PRODUCTS} by {_DIVISOR}",
        rf"{_PRODUCTS} (?:is|are) divided by {_DIVISOR}",
    )
)


def judge_scaling_in_words(context: Context) -> Iterator[Formula]:
    """Sentences that say by what products are scaled, behind one that says that their variance is d_k."""
    if not any(map(context.mentions, _SAID)) or context.mentions(_BY_CHOICE):
        return
    spreads = [each.span for each in judge_variances_said(context) if each.verdict != "fails" and each.span]
    for found in find_said(context, *_SAID):
        if not any(0 <= found.start() - end <= FAR for _, end in spreads):
            continue
        size = found["size"]
        if size[0] in "\\√":
            if _OF_HEADS.search(size) is None:
                continue  # √d_model, √n: of another width than the variance is said to be
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_scaling"))
            continue
        root = rf"\sqrt{{{size}}}" if "$" in found[0] else f"√{size}"
        right = with_group(found, "size", root)
        yield conclude_in_words(context, found.span(), "fails", Sentence("words_scaling"), right)
