"""Comments that say Qᵀ K of the line below, which multiplies queries by keys turned: tokens are rows there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.programs.scores import find_rows
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.writing.prose import Sentence

_T = r"\s?(?:\^\{?(?:\\top|T)\}?|ᵀ|⊤)"
_COMMENT = re.compile(
    rf"^[ \t]*#[^\n]*?(?P<said>(?P<root>\\d?frac\s?\{{\s?)?(?P<product>Q{_T}\s?K)(?!\w)[^\n]*?)[ \t]*$", re.MULTILINE
)
NEAR = 3  # lines below


def judge_comments(context: Context) -> Iterator[Formula]:
    """The formula of a comment beside the product that the program computes."""
    source = context.article.words
    lines = find_rows(source)
    for found in _COMMENT.finditer(source):
        below = [start for start in lines if found.end() < start and source.count("\n", found.end(), start) <= NEAR]
        if below:
            said = found["said"]
            first = found.start("said") if found["root"] else _start(source, found)
            text = source[first : found.start("said")] + said.replace(found["product"], "QK^T")
            span = (first, found.start("said") + len(said))
            yield conclude_in_words(context, span, "fails", Sentence("words_code_comment"), text)


def _start(source: str, found: re.Match[str]) -> int:
    """Where an equation begins in the comment, `Attention(Q, K, V) = softmax(QᵀK…) V`."""
    hash_end = source.index("#", found.start()) + 1
    return hash_end + len(source[hash_end : found.end()]) - len(source[hash_end : found.end()].lstrip())
