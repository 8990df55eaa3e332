"""Parameters counted in a line: "W₁(128×512) + b₁(512) = 66,048", "U: 40×10=400, b: 40 → Total: 440".

Letters of weights stand for what is in their brackets; a total behind an arrow is that of the numbers before it, each
of which has a name. Where these are more than letters, "heads: 8, width: 64", it may be a product, and has to hold.
"""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.vocabulary import SUM

_SIZE = r"\d{1,6}(?:\s?[×x*]\s?\d{1,6}){0,3}"
_LETTER = r"(?:[WUVbγβEB]|gamma|beta|bias|\\gamma|\\beta)(?:_?[A-Za-z0-9₀-₉]{1,4})?"
_TERM = rf"{_LETTER}\s?\(\s?{_SIZE}\s?\)"
_SUM = regex(rf"(?<![\w\\(+×*]){_TERM}(?:\s?\+\s?{_TERM})+(?=\s?[=≈]\s?(?P<rest>[\d\s,.+×*=≈]{{1,120}}))")
_OPENING = regex(rf"{_LETTER}\s?(?=\()")
_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+"
_ITEM = rf"[^\W\d]\w{{0,12}}\s?[:：]\s?(?:[^:：;,→\n]|,(?=\d{{3}}(?!\d))){{0,60}}?(?<![\d.,])(?:{_NUMBER})"
_TOTAL = regex(
    rf"(?<!\w)(?P<items>{_ITEM}(?:[,;]\s{{1,3}}{_ITEM})+)\s?(?:→|->|⇒|=>)\s?"
    rf"(?:{SUM})\s?[:：=]\s?(?P<total>{_NUMBER})(?![\d.%]|,\d|\s?[-+×*/·])",
    re.IGNORECASE,
)
_END = regex(rf"(?<![\d.,])(?P<number>{_NUMBER})(?=[,;]\s|\Z)")
_BETWEEN = regex(r",(?=\s{1,3}[^\W\d]\w{0,12}\s?[:：])")


_MORE = regex(  # = 8 params (+W_out=2, total 10)
    rf"(?P<some>{_NUMBER})\s?(?P<words>(?:params?|parameters?|weights)?\s?\(\+\s?(?:{_LETTER}|\w{{1,12}})\s?[=:]\s?)"
    rf"(?P<more>{_NUMBER}),\s?(?P<said>total(?:\s?[:=])?\s?)(?P<total>{_NUMBER})(?P<close>\))",
    re.IGNORECASE,
)


def with_parameters(line: Located) -> Located:
    """The line with the sizes of weights alone where they are added up, and with the sum that a total is of.

    >>> with_parameters(Located.whole("W₁(2×3) + b₁(3) = 6 + 3 = 9")).text
    '(2×3) + (3) = 6 + 3 = 9'
    >>> with_parameters(Located.whole("U: 4×5=20, b: 4 → Total: 24")).text
    'U: 4×5=20; b: 4; 20 + 4 = 24'
    >>> with_parameters(Located.whole("3 matrices: 3×4 = 12 params (+W_out=2, total 14)")).text
    '3 matrices: 3×4 = 12; 12 + 2 = 14'
    """
    if "(" in line.text and "+" in line.text:
        spans = [
            (match.start() + found.start(), match.start() + found.end())
            for match in _SUM.finditer(line.text)
            if "×" in match[0] or _is_sum(match)
            for found in _OPENING.finditer(match[0])
        ]
        line = line.without(spans)
    if "(+" in line.text and (more := _MORE.search(line.text)) is not None:
        some, total = line.cut(*more.span("some")), line.cut(*more.span("total"))
        summed = join([some, total.led_by(f"; {more['some']} + {more['more']} = ")])
        line = line.replaced([(more.span(), summed)])
    changes: list[tuple[tuple[int, int], Located]] = []
    for match in _TOTAL.finditer(line.text) if ":" in line.text or "：" in line.text else ():
        items = line.cut(*match.span("items")).substitute(_BETWEEN, lambda _: ";")
        numbers = [found["number"] for found in _END.finditer(items.text)]
        total = line.cut(*match.span("total"))
        if _of_letters(items.text) or sum(map(_value, numbers)) == _value(total.text):
            summed = join([items, total.led_by(f"; {' + '.join(numbers)} = ")])
            changes.append(((match.start("items"), match.end()), summed))
    return line.replaced(changes)


def _of_letters(items: str) -> bool:
    """Whether all items are letters of weights, of which one at least is worked out."""
    names = [found["name"] for found in _NAME.finditer(items)]
    return len(names) == items.count(":") + items.count("：") and "=" in items and all(map(_WEIGHT.fullmatch, names))


_NAME = regex(r"(?P<name>[^\W\d]\w*)\s?[:：]")
_WEIGHT = regex(r"[WUVbγβE](?:_?[A-Za-z0-9₀-₉]{1,3})?")


def _value(number: str) -> int:
    return int(number.replace(",", ""))


def _is_sum(match: re.Match[str]) -> bool:
    """Whether lone numbers in brackets add up to the result: letters before them might also be functions."""
    result = re.findall(_NUMBER, match["rest"])
    sizes = re.findall(r"\d+", " ".join(re.findall(r"\(([^()]*)\)", match[0])))
    return bool(result) and sum(map(int, sizes)) == _value(result[-1])
