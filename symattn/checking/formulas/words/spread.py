"""How far scores spread, in numbers: with variance d_k = 64 the standard deviation is 8, and not 64."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said, with_group
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_WIDTH = r"\$?d(?:_\{?(?:k|h|head|\\text\{head\})\}?)?\s*=\s*(?P<width>\d{1,5})\$?"
_SPREAD = regex(
    rf"{_WIDTH}[^.\n。$=]{{0,60}}?(?:\bstd\b|standard deviation|标准差|標準偏差)\s*"
    r"(?:of|is|are|about|around|为|是|約|约|[=≈~:：])*\s*"
    r"\$?(?P<value>\d+(?:\.\d+)?)(?![\d.]*\d)",
    re.IGNORECASE,
)
_SCALED = regex(r"scaled|divid|after scaling|缩放后|除以", re.IGNORECASE)
VARIANCE = regex(  # that the variance of the product is d_k
    r"Var\w*\}?\s*(?:\\left)?[\[(]\s*q[^\])\n]{0,20}k[^\n]{0,80}(?:=|≈|\\approx)\s*d(?:_?\{?k|ₖ)"
    r"|variance (?:of |is )?\$?d(?:_\{?k|ₖ)|方差(?:为|是)\s*\$?d(?:_\{?k|ₖ)",
    re.IGNORECASE,
)


def judge_spread(context: Context) -> Iterator[Formula]:
    """Right where it is the root of the width, false where it is the width itself."""
    for found in find_said(context, _SPREAD, beside=VARIANCE):
        width, value = int(found["width"]), Fraction(found["value"])
        if width < 2 or _SCALED.search(found[0]):
            continue
        places = len(found["value"].partition(".")[2])
        slack = Fraction(1, 2 * 10**places)
        theorem = Sentence("words_spread")
        if (value - slack) ** 2 <= width <= (value + slack) ** 2:
            yield conclude_in_words(context, found.span(), "holds", theorem)
        elif value == width:
            yield conclude_in_words(context, found.span(), "fails", theorem, with_group(found, "value", f"√{width}"))
