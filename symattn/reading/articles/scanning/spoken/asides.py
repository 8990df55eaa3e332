"""What stands beside an equation without being a part of it: `144 KB / token`, `With scaling /√2 → softmax(…) = …`."""

from __future__ import annotations

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_PER = regex(
    r"(?<=[=≈] )(?P<amount>\d[\d.,]*\s?(?:[KMGT]i?)?B)"
    r"(?P<per>\s?/\s?(?:tok(?:en)?s?|토큰|词|トークン|токен|layer|层|層)\b)"
)
_STEP = regex(r"^\s*(?:[^\W\d]+[ -]){1,4}/ ?√\s?\w+ *(?:→|->) *(?=[a-z]{3,}\(\[)")
_AND = regex(
    r"[=≈]\s?[-−]?\d+(?:[.,]\d+)?(?P<and> [ey] )"
    r"(?=[-−]?\d|(?:[oaie]|os|as|il|la|lo|le|gli|el|los|las|una?|uma?) [^\W\d_]{3,})"
)


def with_conjunctions(line: Located) -> Located:
    """The line with a mark for the "and" of languages that have a letter for it, between a result and what follows.

    >>> with_conjunctions(Located.whole("a perda é -ln 0.5 = 0.69 e o gradiente -0.5")).text
    'a perda é -ln 0.5 = 0.69; o gradiente -0.5'
    >>> with_conjunctions(Located.whole("x = 2 e + 1")).text
    'x = 2 e + 1'
    """
    return line.replaced((found.span("and"), line.put("; ", *found.span("and"))) for found in _AND.finditer(line.text))


def without_rates(line: Located) -> Located:
    """An amount of bytes at the end of an equation without what it is for each of, or what was done to get to one.

    >>> without_rates(Located.whole("KV = 2 × 36 × 2048 bytes = 144 KB / token")).text
    'KV = 2 × 36 × 2048 bytes = 144 KB'
    >>> without_rates(Located.whole("With scaling /√2 → softmax([1, 0]) = [0.73, 0.27]")).text
    'softmax([1, 0]) = [0.73, 0.27]'
    """
    if "√" in line.text and (step := _STEP.match(line.text)) is not None:
        line = line.cut(step.end(), len(line.text))
    return line.without(found.span("per") for found in _PER.finditer(line.text)) if "/" in line.text else line
