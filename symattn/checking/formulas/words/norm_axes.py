"""What is normalised, in words: layer norm over the features of a token; softmax keeps the order alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, with_group
from symattn.writing.prose import Sentence

_NORM = r"(?:layer[- ]?norm(?:ali[sz]ation)?|LN|层归一化|層正規化|레이어 ?정규화)"
_VERB = (
    r"(?:\s*(?:的意思是|就?是|则是|則是|则|normali[sz]es|is|takes|computes|works|operates|means|하는|는|은|を|は)\s*[，,]?"
    r"|\s*(?:the |mean and variance|statistics|normalized|normalised)\s*)*"
)
_AXIS = r"(?P<axis>batch)\s?(?:维度|維度|dimension|axis|차원|次元)?"
_ACROSS = re.compile(
    rf"{_NORM}{_VERB}\s*(?:在|对|沿着?|over|across|along)\s*(?:the )?{_AXIS}(?!\s?(?:norm|size|of))", re.IGNORECASE
)
_SIZE_NOT = re.compile(r"not|不是|而不|而非|instead|unlike|rather", re.IGNORECASE)
_KEPT = re.compile(
    r"softmax[^.。\n]{0,160}?(?P<kept>preserv\w+ (?:the |a |as )?(?:propor\w+|ratios?)"
    r"|保持\w{0,4}比例(?:不变)?|keep\w* the (?:proportions|ratios))"
    r"(?P<of>[^.。,，\n]{0,40})",
    re.IGNORECASE,
)


def judge_norm_axes(context: Context) -> Iterator[Formula]:
    """Layer norm over the batch is batch norm; softmax keeps differences of logarithms, and no ratios of scores."""
    source = context.article.words
    for found in _ACROSS.finditer(source):
        if not _SIZE_NOT.search(found[0]):
            right = with_group(found, "axis", "feature")
            yield conclude_in_words(context, found.span(), "fails", Sentence("words_norm_axis"), right)
    for found in _KEPT.finditer(source):
        span = found.start("kept"), found.end("of")
        if not _SIZE_NOT.search(found[0]) and not re.search(r"exp|probab|logarit", found[0], re.IGNORECASE):
            yield conclude_in_words(context, span, "fails", Sentence("words_softmax_keeps"))
