"""Words near numbers that say that they are not what the numbers before them give, or by what these are divided."""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.patterns import regex

_MADE_UP = regex(
    r"suppos|assum|imagin|say\b|pretend|instead|without|rather than|another|unrelated|random"
    r"|differs?|changed|only|except|bias|floor|penalt|made[- ]up|hypothet|illustrat"
    r"|measured|reported|observed|bench|\bhours?\b|\bms\b|accurac|wrong|mistake"
    r"|incorrect|spot the|corrupt|noise|clip|cap(?:ped|s)?\b|dropout"
    r"|假设|随机|测得|实测|错误|代わりに|仮に|가정|대신"
    r"|angenommen|statt|supposons|au lieu|supongamos|en lugar|suponha|em vez|invece|supponiamo|предположим|вместо",
    re.IGNORECASE,
)
_TEMPERATURE = regex(
    r"temperatur|température|温度|溫度|온도|температур|(?-i:\bT ?=)|τ|\\tau|softmax\([^)\n]*(?:/|√|sqrt|frac)"
    r"|(?:without|before|ohne|vor|sans|avant|sin|senza|sem|без|不用|没有|不经过) (?:the |any )?softmax",
    re.IGNORECASE,
)
_SINGLED_OUT = regex(
    r"\b(?:first|second|third|fourth|fifth|sixth|last|middle|\d+(?:st|nd|rd|th)|row \d)\b"
    r"|第\s?[一二三四五六七八\d]|最后|最後|番目|번째|\b(?:erste|zweite|dritte|vierte|fünfte|letzte)[nrms]?\b|premi[eè]r|deuxi|troisi|quatri|derni"
    r"|primer|segund|tercer|cuart|últim|ultim|secondo|terzo|quarto|перв|втор|трет|четв|последн"
    r"|raise|nudg|shift|bonus|damp|threshold|limit|at most|ceiling|exceed|never|stands? for|\bmin\(|\bmax\(|huber|below"
    r"|提高|阈值|上限|不超过|以后|erhöh|höchstens|augment|au plus|seuil|aument|umbral|soglia|máximo|порог|не более",
    re.IGNORECASE,
)
_AMOUNT = regex(r"(?<![\w.,])\d+(?:[.,]\d+)?(?![\w]|[.,]\d)")
_MOST_AMOUNTS = 12
_SQRT = regex(r"\\?sqrt[ ({]*")
_CALL = regex(r"[A-Za-z]\(\s*\[*\s*$")
_AT_ONE = regex(r"(?:(?-i:\bT)|τ|\\tau|temperatur\w*(?: of)?)\s?=?\s?1(?:[.,]0+)?(?![.,]?\d)", re.IGNORECASE)
_MASKED = regex(r"mask|\bpad|top-?[kp]|largest|keep|kept|掩|遮|填充|マスク|마스크|маск|maschera|máscara", re.IGNORECASE)
_DIVIDED = regex(
    r"(?:(?:divid|(?P<either>scal))\w*(?: [a-z]+){0,3} (?:by|por|par|per)|durch|÷|除以|divis\w* (?:by|por|par)|делим на"
    r"|разделить на)[ $]*(?:1/)?(?P<by>(?:√|\\?sqrt[ ({]*)?\d+(?:[.,]\d+)?)",
    re.IGNORECASE,
)
_FACTOR_WORDS = {
    "halve": "1/2",
    "hälfte": "1/2",
    "减半": "1/2",
    "一半": "1/2",
    "a third": "1/3",
    "drittel": "1/3",
    "a quarter": "1/4",
    "viertel": "1/4",
    "doubl": "2",
    "verdoppel": "2",
    "翻倍": "2",
    "tripl": "3",
}


def says_made_up(words: str) -> bool:
    """Whether numbers are made up, measured or changed, so that they follow from nothing that is printed."""
    return _MADE_UP.search(words) is not None


def singles_out(words: str) -> bool:
    """Whether words speak of one of the numbers, which then is another on purpose.

    >>> singles_out("Now raise the fourth score"), singles_out("The exponentials")
    (True, False)
    """
    return _SINGLED_OUT.search(words) is not None


def amounts_in(words: str) -> list[Fraction]:
    """The numbers that words mention, by which one of a list may have been changed.

    >>> amounts_in("by 0.55, or 3 times")
    [Fraction(11, 20), Fraction(3, 1)]
    """
    return [Fraction(text.replace(",", ".")) for text in _AMOUNT.findall(words)[:_MOST_AMOUNTS]]


def changes_softmax(words: str) -> bool:
    """Whether a temperature is spoken of, or a scale in its brackets, with which a softmax is another one."""
    return _TEMPERATURE.search(_AT_ONE.sub("", words)) is not None


def is_argument(words: str) -> bool:
    """Whether what follows is handed to a function.

    >>> is_argument("softmax(["), is_argument("weights ([")
    (True, False)
    """
    return _CALL.search(words) is not None


def says_masked(words: str) -> bool:
    """Whether some of the numbers are left out."""
    return _MASKED.search(words) is not None


def factors_said(words: str) -> tuple[str, ...]:
    """What words say that numbers are multiplied by, as factors are named; to scale may be to divide or to multiply.

    >>> factors_said("Dividing by √3 and"), factors_said("They halve:"), factors_said("so")
    (('1/√3',), ('1/2',), ())
    >>> factors_said("Scale by √3")
    ('1/√3', '√3')
    """
    found = _DIVIDED.search(words)
    if found is not None:
        by = _SQRT.sub("√", found["by"])
        return (f"1/{by}", by) if found["either"] else (f"1/{by}",)
    low = words.lower()
    return tuple(factor for word, factor in _FACTOR_WORDS.items() if word in low)[:1]
