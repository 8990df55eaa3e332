"""How large scores grow, in words: with variance d_k they are as large as √d_k, and not in proportion to d_k."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said, with_group
from symattn.checking.formulas.words.spread import VARIANCE
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_SCORES = r"(?:dot[- ]products?|inner products?|scores)"
_SIZE = r"(?P<size>\$?(?P<root>√|\\sqrt\s?\{?\s?)?d(?:_\{?k\}?|ₖ)\}?\$?)(?![\w²^])"
_GROWTH = (
    regex(
        rf"(?:{_SCORES} grows? in (?:magnitude|size)|(?:magnitude|size) of (?:the |these )?{_SCORES} (?:grows?|is))"
        rf" (?:in proportion|proportional(?:ly)?|linearly) (?:to|with|in) {_SIZE}",
        re.IGNORECASE,
    ),
    regex(rf"(?:点积|内积)(?:结果)?的?(?:大小|幅度|量级|数值)(?:会)?(?:与|和|随着?)\s*{_SIZE}\s*(?:成正比|线性增长)"),
)


def judge_magnitude(context: Context) -> Iterator[Formula]:
    """Right of the root of the width, false of the width itself, where the article has the variance."""
    for found in find_said(context, *_GROWTH, beside=VARIANCE):
        if found["root"]:
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_spread"))
            continue
        size = found["size"].strip("$")
        root = f"$\\sqrt{{{size}}}$" if found["size"].startswith("$") else f"√{size}"
        right = with_group(found, "size", root)
        yield conclude_in_words(context, found.span(), "fails", Sentence("words_spread"), right)
