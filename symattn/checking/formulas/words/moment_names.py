"""What letters for moments are called: Var[x] is the variance, and not the standard deviation, which is its root."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_COMMAND = r"\\?(?:(?:math|text|operatorname)\w*\*?\s?\{)?"
_MOMENT = rf"{_COMMAND}(?<![A-Za-z])(?P<letter>Var|Std|E|𝔼)\}}?\s?\\?[\[(](?P<of>[^\[\]()\n$]{{1,12}})\\?[\])]\$?`?"
_IS = r"\s*(?:为|是|表示|代表|指|即|:|：|is|denotes|means|stands for|は|은|는)\s*(?:the\s+|an?\s+)?"
_CALLED = (
    r"(?P<word>标准差|標準差|標準偏差|方差|變異數|分散|均值|平均值?|期望|standard deviation|variance|mean|expectation)"
)
_SAID = regex(rf"[$`]?{_MOMENT}{_IS}{_CALLED}(?!\s*(?:的?平方|squared|的?根|or|of\b|/|或))", re.IGNORECASE)
# of a clause: "the standard deviation squared" is the variance
_ENDS = regex(r"[\s*$`）)]*(?:[,.;:，。；：\n]|\Z)")
_KINDS = (
    ("variance", regex(r"方差|變異數|分散|variance", re.IGNORECASE)),
    ("mean", regex(r"均|期望|mean|expectation", re.IGNORECASE)),
    ("deviation", regex(r".*")),
)
_OF = {"var": "variance", "std": "deviation", "e": "mean", "𝔼": "mean"}
_INSTEAD = {"标准差": "方差", "標準差": "變異數", "標準偏差": "分散", "standard deviation": "variance"}


def judge_moment_names(context: Context) -> Iterator[Formula]:
    """Lines that say what Var[x], E[x] or Std[x] is: its name in the field is right, that of another is false."""
    for found in _SAID.finditer(context.article.words):
        called = next(kind for kind, words in _KINDS if words.search(found["word"]))
        theorem = Sentence("words_moment_name")
        letter, ends = found["letter"].lower(), _ENDS.match(context.article.words, found.end()) is not None
        if called == _OF[letter]:
            yield conclude_in_words(context, found.span(), "holds", theorem)
        elif letter == "var" and called == "deviation" and ends:
            word = _INSTEAD.get(found["word"].lower())
            right = None if word is None else found[0].replace(found["word"], word)
            yield conclude_in_words(context, found.span(), "fails", theorem, right)
