"""Products of unit vectors: q·k of two random ones of width d lies in [−1, 1] and has variance 1/d, not d."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.moments import SPREADS_SAID
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said, with_group
from symattn.patterns import regex
from symattn.writing.prose import Sentence

FAR = 300  # characters of a sentence

_UNIT = regex(
    r"(?<!not )(?<!non-)\bunit(?:[- ](?:norm|length))? vectors?\b"
    r"|\bvectors? (?:of|with) (?:unit (?:length|norm)|length 1)\b"
    r"|on the unit sphere|(?<!非)[单單]位向量|単位ベクトル",
    re.IGNORECASE,
)
_OTHERS = regex(  # other vectors are set against them, or they are made longer
    r"1\s?/\s?d|\\frac|\b(?:unlike|instead|rather|whereas|while|but|not|scaled|multipl\w+|times)\b|而|但|不同|乘",
    re.IGNORECASE,
)
_ENDS = regex(r"[.;。；\n]")
_WIDTH = regex(r"[dn](?:_\{?(?:\\?(?:text|mathrm)\{)?\w+\}*)?")


def judge_unit_vectors(context: Context) -> Iterator[Formula]:
    """Sentences that give a product of random unit vectors the variance d."""
    source = context.article.words
    for found in find_said(context, *SPREADS_SAID, beside=_UNIT):
        width = _WIDTH.fullmatch(found["size"].replace("$", "").strip())
        before = [end.end() for end in _ENDS.finditer(source, max(found.start() - FAR, 0), found.start())]
        start = before[-1] if before else max(found.start() - FAR, 0)
        end = _ENDS.search(source, found.end(), found.end() + FAR)
        sentence = source[start : found.end() + FAR if end is None else end.start()]
        if width is None or not _UNIT.search(sentence) or _OTHERS.search(sentence):
            continue
        right = with_group(found, "size", found["size"].replace(width[0], f"1/{width[0]}"))
        yield conclude_in_words(context, found.span(), "fails", Sentence("words_unit_vectors"), right)
