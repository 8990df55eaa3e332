"""From which exponent on e^x is too large for a format, in a sentence: 11.09 = ln 65504 for float16."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said
from symattn.patterns import regex
from symattn.values.floats.formats import FORMATS
from symattn.values.saturation.thresholds import logarithm
from symattn.writing.prose import Sentence

DIGITS = 8

# other scripts stand right beside these names
_FORMATS = {
    name: regex(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z0-9])|{other}", re.IGNORECASE)
    for name, words, other in (
        ("float16", "float ?16|fp ?16|half[- ]precision", "半精度"),
        ("float32", "float ?32|fp ?32|single[- ]precision", "单精度|單精度|単精度"),
        ("bfloat16", "bfloat ?16|bf ?16", "脑浮点"),
        ("float64", "float ?64|fp ?64|double[- ]precision", "双精度|雙精度|倍精度"),
    )
}
_POWER = regex(r"\be\s?\^|\\exp\b|\bexp\b|指数|exponential", re.IGNORECASE)
_OVERFLOWS = regex(r"溢出|overflow|オーバーフロー|오버플로", re.IGNORECASE)
_NOT = regex(
    r"不会|不再|不溢出|未溢出|没有溢出|避免|防止|安全|しない|않|\bwithout\b|\bbefore\b|\bsafe|\bstill\b|\bnot\b|n't\b|\bno\b|\bavoid|\bprevent|\bnever\b|下溢|underflow",
    re.IGNORECASE,
)
_LETTER = r"(?<![\w\\])(?P<letter>[xzs](?:_\{?\w\}?)?)"
_FROM = regex(
    rf"\$?\s?{_LETTER}\s*+(?:\$\s*+)?(?P<sign>\\geq?(?:slant)?\b|≥|>=|\\gt\b|>|大于等于|大于|超过|exceeds"
    r"|is (?:above|greater than|larger than))"
    r"\s*+(?:\$\s*+)?(?P<number>\d{1,3}(?:\.\d{1,4})?)\$?(?![\d.]*\d)",
    re.IGNORECASE,
)
_SENTENCE = regex(r"(?:[^.。；;\n]|\.(?=\S))+")
_INCLUSIVE = regex(r"\\ge|≥|>=|等于")


def judge_overflow_in_words(context: Context) -> Iterator[Formula]:
    """Sentences that name a format and the x from which on e^x overflows in it."""
    source = context.article.words
    for sentence in find_said(context, _SENTENCE, beside=_OVERFLOWS):
        text = sentence[0]
        if not _OVERFLOWS.search(text) or _NOT.search(text) or not _POWER.search(text):
            continue
        named = [name for name, words in _FORMATS.items() if words.search(text)]
        bounds = list(_FROM.finditer(source, *sentence.span()))
        if len(named) != 1 or len(bounds) != 1:
            continue
        behind = _OVERFLOWS.search(source, bounds[0].end(), sentence.end())
        yield from _judge(context, bounds[0], behind.end() if behind else bounds[0].end(), named[0])


def _judge(context: Context, bound: re.Match[str], end: int, name: str) -> Iterator[Formula]:
    """What is said holds if every such x overflows, or from the printed decimals on; a whole number may be cut off."""
    number, most = Decimal(bound["number"]), logarithm(FORMATS[name].overflow, DIGITS)
    inclusive = _INCLUSIVE.search(bound["sign"]) is not None
    begin = bound.start("letter") - ("$" in bound[0][: bound.start("letter") - bound.start()])
    span = (begin, max(end, bound.end()))
    theorem = Sentence("words_overflow", format=name, limit=str(most.quantize(Decimal("0.01"))))
    places = -int(number.as_tuple().exponent)
    rounded = places > 0 and abs(number - most) <= Decimal(1).scaleb(-places) / 2
    if number >= most or rounded:
        yield conclude_in_words(context, span, "holds", theorem)
    elif places == 0 and (inclusive or number + 1 < most):
        least = int(most) + 1 if inclusive else int(most)
        right = context.article.words[span[0] : span[1]].replace(bound["number"], str(least), 1)
        shown = Counterexample(((bound["letter"], bound["number"]),), f"e^{number}", str(FORMATS[name].largest))
        yield conclude_in_words(context, span, "fails", theorem, right, shown)
