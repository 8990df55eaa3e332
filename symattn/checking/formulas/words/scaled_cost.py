"""What scaling by 1/√d_k does: it changes how large scores are, and not how many operations they take."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.writing.prose import Sentence

NEAR = 200  # characters in front of a sentence, in which the scaling stands

_WIDTH = r"d(?:_\{?(?:\\(?:text|mathrm)\s?\{)?\w+\}*)?"
_SQUARE = rf"\$?\s?O\(\s?{_WIDTH}\s?(?:²|\^\s?\{{?2\}}?)\s?\)\s?\$?"
_ONCE = rf"\$?\s?O\(\s?{_WIDTH}\s?\)\s?\$?"
_LOWERED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:缩放)?点积(?:注意力)?的?(?:计算|时间)?复杂度从\s?{_SQUARE}\s?(?:降低|降|减少|减小|下降|变)(?:到|至|为|成)\s?{_ONCE}",
        rf"complexity of (?:the )?(?:scaled )?dot[- ]products?(?: attention)? (?:is reduced |drops |falls |goes )?"
        rf"from {_SQUARE} to {_ONCE}",
    )
)
_SCALED = re.compile(r"\\sqrt\s?\{?\s?d|√\s?\(?d|缩放|scal(?:e|ed|ing)\b")


def judge_scaled_cost(context: Context) -> Iterator[Formula]:
    """Sentences that say that scaling lowers what a dot product costs from d² to d."""
    source = context.article.source
    for found in (match for pattern in _LOWERED for match in pattern.finditer(source)):
        if _SCALED.search(source, max(found.start() - NEAR, 0), found.start()):
            yield conclude_in_words(context, found.span(), "fails", Sentence("words_scaled_cost"))
