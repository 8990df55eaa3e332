"""Lists that a sentence gives without brackets: "the weights are 0.14, 0.28 and 0.58", "权重分别为 0.14、0.28 和 0.58".

Two numbers or more, most of them with decimals, behind a verb or a sign, the last one joined by a word; behind a colon
a comma will do.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.matrices import list_of

_NUMBER = r"[-−]?\d+(?:\.\d+)?(?![\d%])"
_AND = r"(?:\s*,)?\s+(?:and|und|et|y|e)\s+|\s*(?:和|与|及|以及)\s*"
_BEFORE = (
    r"(?:\b(?:gives?|are|were|becomes?|yields?|obtain|get|to|about|roughly|approximately|sind|ergibt|sont|donne|son|da)"
    r"(?:\s+(?:about|roughly|approximately|then|now))?\s+|[:：=≈]\s*|(?:分别|约|即)?(?:为|是|得到|等于|變為|变为|成为|约)\s*)"
)
_NEXT = rf"\s*[,，、]\s*{_NUMBER}"
_LIST = regex(
    rf"(?:{_BEFORE}(?P<list>{_NUMBER}(?:{_NEXT})*(?:{_AND}){_NUMBER})|[:：]\s*(?P<bare>{_NUMBER}(?:{_NEXT})+))"
    r"(?=\s*(?:$|[.;。；，,)）](?!\s*\d)|respectively\b|for\b|on\b))",
    re.IGNORECASE,
)


_NUMBERS = regex(_NUMBER)
Span = tuple[int, int]

# cat: 0.66, dog: 0.24 or weight on "the" ≈ 0.15   weight on "cat" ≈ 0.63
_SHARE = r"0?\.\d+(?![\d%])"
_ITEM = (
    rf"(?:[^\W\d_][\w'’-]+\s?[:：]|(?:[^\W\d_]+ ){{0,3}}(?:\"[^\"\n]{{1,20}}\"|“[^”\n]{{1,20}}”)\s?[:：=≈])\s?{_SHARE}"
)
_LABELLED = regex(rf"(?<![\w\"“.]){_ITEM}(?:(?:\s?[,，、;；|]\s?|\s{{2,}}){_ITEM})+(?=\s*(?:$|[.。;；)）](?!\d)))")
_SHARES_OF = regex(rf"(?<=[:：=≈]){_SHARE}|(?<=[:：=≈]\s){_SHARE}")


def with_labelled_shares(line: Located) -> Located:
    """The line with shares that have a word each as a list, where they add up to about 1.

    >>> with_labelled_shares(Located.whole("softmax → cat: 0.66, dog: 0.24, bird: 0.10")).text
    'softmax → [0.66, 0.24, 0.10]'
    >>> with_labelled_shares(Located.whole("mean: 0.66, deviation: 0.74")).text
    'mean: 0.66, deviation: 0.74'
    """
    found: list[tuple[Span, Located]] = []
    for match in _LABELLED.finditer(line.text) if "." in line.text else ():
        numbers = [line.cut(*m.span()) for m in _SHARES_OF.finditer(line.text, match.start(), match.end())]
        total = sum((Fraction(number.text) for number in numbers), Fraction(0))
        if abs(total - 1) < _OFF:
            found.append((match.span(), list_of(numbers)))
    return line.replaced(found)


_OFF = Fraction(1, 10)


def with_lists(line: Located) -> Located:
    """The line with such lists in brackets.

    >>> with_lists(Located.whole("Dividing by √2 gives 0.71, 1.41 and 2.12.")).text
    'Dividing by √2 gives [0.71, 1.41, 2.12].'
    >>> with_lists(Located.whole("权重分别为 0.14、0.28 和 0.58。")).text
    '权重分别为 [0.14, 0.28, 0.58]。'
    >>> with_lists(Located.whole("The heads are 2 and 3, the range is 0.1 to 0.5.")).text
    'The heads are 2 and 3, the range is 0.1 to 0.5.'
    """
    found: list[tuple[Span, Located]] = []
    for match in _LIST.finditer(line.text) if "." in line.text else ():
        span = match.span("list" if match["list"] else "bare")
        numbers = [line.cut(*m.span()) for m in _NUMBERS.finditer(line.text, *span)]
        if 2 * sum("." in number.text for number in numbers) > len(numbers):
            found.append((span, list_of(numbers)))
    return line.replaced(found)


_ARROW = r"(?:→|-{1,2}>|⇒|⟶)"
_SHARES = r"(?:attention\s)?weights?|probs?|probabilit(?:y|ies)|(?:注意力)?权重|概率"
_LED = regex(rf"(?<=[→>⇒⟶])\s*(?:{_SHARES})\s*[:：]?(?=\s*\[)", re.IGNORECASE)
_SCORED = regex(rf"(?:scores?|logits?|得分|分数)\s+(?=\[[^\[\]]*\]\s*{_ARROW})", re.IGNORECASE)
_COUNTED = regex(
    r"(?<![^\W_])(?:rows?|queries|query|keys?|tokens?|words?|heads?|positions?|Zeile|ligne|fila|linha|riga)\s\d{1,3}\s+"
    rf"(?=\[[^\[\]]*\]\s*(?:[:：]|{_ARROW}))",
    re.IGNORECASE,
)


def without_names(line: Located) -> Located:
    """The line without what the lists beside an arrow are called, "scores [2, 1] → weights: [0.73, 0.27]".

    So is the number of a row that a list is, with a colon behind it.

    >>> without_names(Located.whole("scores [2, 1] → weights: [0.73, 0.27]")).text
    '[2, 1] → [0.73, 0.27]'
    >>> without_names(Located.whole("Row 2 [2, 1]: e^2 = 7.39")).text
    '[2, 1]: e^2 = 7.39'
    """
    for pattern in (_LED, _SCORED, _COUNTED):
        line = line.without([match.span() for match in pattern.finditer(line.text)])
    return line


_VECTOR = rf"\[\s*{_NUMBER}(?:\s*,\s*{_NUMBER})+\s*\]"
_NAMED = regex(
    rf"(?<![\w.)\]\"'])(?<![-+−*/×·⋅@^])(?<![-+−*/×·⋅@^] )"
    rf"(?P<name>[A-Za-z](?:_?[A-Z0-9₀-₉]){{0,3}})(?P<vector>{_VECTOR})"
    r"(?!\s*[-+−*/·×⋅@=≈^\[ᵀ])"
)


def with_named_vectors(line: Located) -> Located:
    """The line with a sign of equality between a letter and the decimals that it is said to stand for.

    >>> with_named_vectors(Located.whole("the key K1[0.8, 0.5] and the value V1[0.3, 0.5]")).text
    'the key K1 = [0.8, 0.5] and the value V1 = [0.3, 0.5]'
    >>> with_named_vectors(Located.whole("the entry A[1, 2], the sum [1, 2] + P[0.5, 1]")).text
    'the entry A[1, 2], the sum [1, 2] + P[0.5, 1]'
    """
    if "[" not in line.text or "." not in line.text:
        return line
    return line.substitute(_NAMED, lambda m: f"{m['name']} = {m['vector']}" if "." in m["vector"] else None)
