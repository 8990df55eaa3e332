"""Sizes that sentences work out: "768 dimensions and 12 heads, so each head works in 64", "the root of 2 is 1.4".

The width of a head may be chosen freely, and so may a scale: an equation is made of them only where it holds, or where
the sentence says that the width is divided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_SENTENCE = regex(r"(?:[^.!?。！？\n]|[.!?](?=\S)|\n(?!\s*\n))+")
_WIDTH = r"(?:dim(?:ension)?(?:s|al|en|ões|iones)?\b|dimensões|dimensiones|차원|维|維|次元)"
_NUMBER = r"(?<![\d.,])\d{1,5}(?![\d%]|[.,]\d)"
_EACH = regex(
    r"(?:\b(?:each|every|per|jeder|jedem|pro|chaque|par|cada|por|ogni)\s+(?:attention[\s-]+)?"
    r"(?:heads?|kopf|tête|cabeza|cabeça|testa)\b"
    r"|(?:每一?[个個]?|各)\s?(?:注意力)?\s?(?:头|頭|heads?|ヘッド)|각\s?(?:heads?|헤드))"
    r"[^\d.=≈]{0,40}?(?<![\d.,_])(?P<width>\d{1,5})"
    r"(?![\d%]|[.,]\d|\s?[×x*·/])(?P<unit>[\s-]?" + _WIDTH + ")?",
    re.IGNORECASE,
)
_CALLED = regex(r"width|dimension|size|d_?\{?(?:k|head|h)\b|维度|維度|次元|차원|breite|taille|tamaño", re.IGNORECASE)
_HEADS = regex(
    rf"(?P<a>{_NUMBER})[\s-](?:attention |parallel |parallele )?(?:heads?|köpfen?|têtes|cabezas|cabeças|teste)\b"
    rf"|(?P<b>{_NUMBER})\s?[个個]?(?:注意力)?(?:头|頭|ヘッド|헤드)"
    rf"|(?<![\w\\])(?:h|H|n_h|n_?heads?|num_?heads?)[`$]?\s*=\s*[`$]?(?P<c>{_NUMBER})"
    rf"|(?:heads?\s?수|헤드\s?수|头数|頭數|ヘッド数)\s?[(（=:：]?\s?(?P<d>{_NUMBER})",
    re.IGNORECASE,
)
_MODEL = regex(
    rf"(?P<a>{_NUMBER})[\s-]?{_WIDTH}"
    rf"|d_?\{{?(?:\\(?:text|mathrm)\{{)?model\}}{{0,2}}[`$]?\s*=\s*[`$]?(?P<b>{_NUMBER})"
    rf"|(?:{_WIDTH}|hidden size|width|embedding|维度|維度)\s?[(（]\s?(?P<c>{_NUMBER})\s?[)）]",
    re.IGNORECASE,
)
_DIVIDED = regex(  # among the heads, and not by √d_k
    r"\bsplit\b|\bdivided?\s+(?:equally\s+|evenly\s+)?(?:into|among|across|between|over)\b|\bgeteilt\b|\baufgeteilt"
    r"|\brépartie?s?\b|수(?:[(（]\d+[)）])?로 나[누눠눈]|分成|拆分|均分|分割",
    re.IGNORECASE,
)
_FAR = 30  # characters between "split into" and the number of heads
_KEYS = regex(rf"(?<![\w\\])d_\{{?k\}}?[`$]?\s*=\s*[`$]?(?P<keys>{_NUMBER})")
_SCALED = regex(
    rf"\b(?:scale|scaling factor|factor)\s+(?:is|becomes)\s+(?P<scale>1\s?/\s?{_NUMBER})"
    rf"|\b(?:standard deviation|std)\s+(?:of\s+|is\s+|about\s+){{0,2}}(?P<deviation>{_NUMBER})",
    re.IGNORECASE,
)
_ROOT = regex(
    r"(?:\bsquare\s+root\s+of\s+|\bQuadratwurzel\s+(?:von|aus)\s+|\bracine\s+carrée\s+de\s+|\bra[ií]z\s+cuadrada\s+de\s+"
    r"|\braiz\s+quadrada\s+de\s+)(?P<of>\d{1,5}(?![\d.,%]*\d)|[a-zà-ü]{2,7})\s+(?:is|equals|ist|est|es|é)\s+"
    r"(?P<sign>(?:about|approximately|roughly|around|etwa|ungefähr|rund|environ|aproximadamente|cerca\s+de)\s+)?"
    r"(?P<root>\d+(?:\.\d+)?)(?![\d%]|\.\d|\s?(?:[-+×*/·]|times\b|mal\b|fois\b|veces\b))",
    re.IGNORECASE,
)
_ROUGHLY = regex(  # around 22 (√512)
    r"(?:\b(?:about|approximately|roughly|around|etwa|ungefähr|environ)\s|[≈~]\s?|[约約]\s?)\s?±?\s?(?P<number>\d+(?:\.\d+)?)"
    r"\s?[(（]\s?(?:sqrt\(\s?(?P<a>\d{1,6})\s?\)|√\s?(?P<b>\d{1,6}))\s?[)）]",
    re.IGNORECASE,
)
_WORDS = "zero one two three four five six seven eight nine ten"
_GERMAN = "null eins zwei drei vier fünf sechs sieben acht neun zehn"
_COUNT = {word: k for words in (_WORDS, _GERMAN) for k, word in enumerate(words.split())}


def find_spoken_sizes(text: Located) -> Iterator[Located]:
    """The equations that sentences make of sizes, each where its result stands.

    >>> text = "With 768 dimensions and 12 heads each head has 64 dimensions."
    >>> [e.text for e in find_spoken_sizes(Located.whole(text))]
    ['768 / 12 = 64']
    >>> [e.text for e in find_spoken_sizes(Located.whole("The square root of two is about 1.4."))]
    ['√2 ≈ 1.4']
    """
    for found in _ROOT.finditer(text.text):
        number = found["of"] if found["of"].isdecimal() else _COUNT.get(found["of"].lower())
        if number is not None:
            sign = "≈" if found["sign"] else "="
            yield text.cut(*found.span("root")).led_by(f"√{number} {sign} ")
    for found in _ROUGHLY.finditer(text.text):
        yield text.cut(*found.span("number")).led_by(f"√{found['a'] or found['b']} ≈ ")
    for sentence in _SENTENCE.finditer(text.text):
        if _EACH.search(sentence[0]):
            yield from _widths(text.cut(*sentence.span()))
        elif _KEYS.search(sentence[0]):
            yield from _scales(text.cut(*sentence.span()))


def _widths(sentence: Located) -> Iterator[Located]:
    """The width of a head, where a sentence says how wide all of them are and how many there are."""
    each = list(_EACH.finditer(sentence.text))
    if len(each) != 1 or not (each[0]["unit"] or _CALLED.search(each[0][0])):
        return
    before = sentence.text[: each[0].start()]
    heads, models = (_numbers(pattern, before) for pattern in (_HEADS, _MODEL))
    models -= heads
    if len(heads) != 1 or len(models) != 1:
        return
    [count], [whole], width = heads, models, int(each[0]["width"])
    if count and (whole == count * width or _is_divided(before)):
        yield sentence.cut(*each[0].span("width")).led_by(f"{whole} / {count} = ")


def _is_divided(text: str) -> bool:
    """Whether a width is said to be split among heads, which stand right behind that: a head may be wider otherwise."""
    divided = _DIVIDED.search(text)
    return divided is not None and any(0 <= h.start() - divided.end() <= _FAR for h in _HEADS.finditer(text))


def _numbers(pattern: re.Pattern[str], text: str) -> set[int]:
    return {int(next(filter(None, found.groups()))) for found in pattern.finditer(text)}


def _scales(sentence: Located) -> Iterator[Located]:
    """What a sentence says of d_k = 64 that is 1/√64, or √64."""
    keys = {int(found["keys"]) for found in _KEYS.finditer(sentence.text)}
    said = list(_SCALED.finditer(sentence.text))
    if len(keys) != 1 or len(said) != 1:
        return
    [width] = keys
    root, found = isqrt(width), said[0]
    if found["scale"] and root**2 == width and int(found["scale"].partition("/")[2]) == root:
        yield sentence.cut(*found.span("scale")).led_by(f"1 / √{width} = ")
    if found["deviation"] and int(found["deviation"]) ** 2 == width:
        yield sentence.cut(*found.span("deviation")).led_by(f"√{width} = ")


_DEVIATION = regex(
    rf"(?<![\w\\])d_\{{?k\}}?\s?=\s?(?P<keys>{_NUMBER})(?P<between>\s{{0,9}}[:：,→]\s{{0,9}}(?P<words>[^=≈\n\d√/]{{2,60}}?))"
    r"\s?(?=[=≈]\s?\d+(?:\.\d+)?(?![\d%]|[.]\d|\s?[-+*/×·√]))"
)
_OF_PRODUCTS = regex(
    r"dot.products?|q\s?·\s?k|scores?\b|내적|点积|點積|内积|Skalarprodukt|produit scalaire", re.IGNORECASE
)
_CALLED_DEVIATION = regex(
    r"\bstd\b|standard deviation|표준편차|标准差|標準差|標準偏差|Standardabweichung|écart[- ]type|desviación",
    re.IGNORECASE,
)
_OF_SCALED = regex(r"\bscal(?:ed?|ing)\b|divid|after|normali[sz]|스케일|缩放|之后", re.IGNORECASE)


def with_deviations(line: Located) -> Located:
    """The line with √d_k for the standard deviation of the products of queries and keys, whose entries have that of 1.

    >>> with_deviations(Located.whole("d_k = 64: the dot product has a standard deviation ≈ 8")).text
    'd_k = 64; √64 ≈ 8'
    >>> with_deviations(Located.whole("d_k = 64: the scaled dot product has std = 1")).text
    'd_k = 64: the scaled dot product has std = 1'
    """
    changes: list[tuple[tuple[int, int], Located]] = []
    for match in _DEVIATION.finditer(line.text) if "d_" in line.text else ():
        words = match["words"]
        if _OF_PRODUCTS.search(words) and _CALLED_DEVIATION.search(words) and not _OF_SCALED.search(words):
            root = Located.inserted(f"; √{match['keys']} ", line.span(*match.span("between"))[0])
            changes.append(((match.start("between"), match.end()), root))
    return line.replaced(changes)
