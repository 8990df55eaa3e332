"""What lines say of models: `70B FP16: ~140 GB`, `64 Q-heads, 8 KV-heads → 12.5% KV-cache`, `INT8: 7B = 7GB`.

A model called 8B may have 8.03 billion parameters, and what is saved may count something else: an equation is made of
these only where it holds, or where the line says that the share is that of the cache.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.worked.compared import SAVED, agrees, bytes_in

_PARAMETERS = regex(r"(?<![\w.,])(?P<count>\d{1,4}(?:\.\d{1,3})?)B(?![\w])")
_GIGABYTES = regex(r"(?P<amount>(?:\d{1,3}(?:,\d{3})+|\d{1,6})(?:\.\d{1,3})?)\s?GB")
_PER_PARAMETER = regex(
    r"(?:每个?参数|per (?:parameter|param|weight)\b|je parameter|par paramètre|por parámetro|por parâmetro)\D{0,8}"
    r"(?P<behind>\d(?:\.\d+)?)\s?(?:bytes?|字节|octets)"
    r"|(?P<before>\d(?:\.\d+)?)\s?(?:bytes?|字节|octets)\s?(?:per|/|je|par|por|每)\s?(?:parameter|param\b|weight|参数)",
    re.IGNORECASE,
)
_PERCENT = regex(r"(?P<percent>\d{1,3}(?:\.\d{1,4})?\s?%)")
_HEADS = regex(
    r"(?<![\w.])(?P<heads>\d{1,4})\s?(?:个\s?)?(?:(?:Q|query|attention)[- ]?)?(?:heads?\b|头|個头|голов|헤드|ヘッド)",
    re.IGNORECASE,
)
_GROUPS = regex(
    r"(?<![\w.])(?P<groups>\d{1,4})\s?(?:个\s?)?(?:KV[- ]?(?:heads?\b|groups?\b|头|голов|헤드)|groups?\b|组|組)",
    re.IGNORECASE,
)
_OF_CACHE = regex(r"\s?(?:of (?:the )?)?KV[- ]?(?:cache|缓存|кэш)", re.IGNORECASE)
_TRAINED = regex(  # what peft prints
    r"trainable params:\s?(?P<some>[\d,]{1,20})\s?\|\|\s?all params:\s?(?P<all>[\d,]{1,20})\s?\|\|\s?trainable%:\s?"
    r"(?P<share>\d{1,3}(?:\.\d{1,20})?)"
)
_SIZES = (4, 2, 1, Fraction(1, 2))
_NEAR = 12  # characters between a percent and the word that says what it is


def with_model_sizes(line: Located) -> Located:
    """The line with the equations that it states of a model.

    >>> with_model_sizes(Located.whole("LLaMA 70B FP16: ~140 GB, 2x A100 80GB")).text
    'LLaMA ; (70) · 10^9 · 2 bytes = 140 GB; , 2x A100 80GB'
    >>> with_model_sizes(Located.whole("GQA: 64 Q-heads, 8 KV-heads → 12.5% KV-cache")).text
    'GQA: ; (8)/(64) = 12.5%;  KV-cache'
    """
    if "GB" in line.text:
        line = _with_gigabytes(line)
    if "%" not in line.text:
        return line
    trained = _TRAINED.search(line.text)
    if trained is None:
        return _with_share_of_heads(line)
    some, whole = (trained[name].replace(",", "") for name in ("some", "all"))
    share = line.cut(*trained.span("share")).led_by(f"; ({some})/({whole}) · 100 = ")
    return line.replaced([(trained.span(), _ended(share))])


def _with_gigabytes(line: Located) -> Located:
    counts = list(_PARAMETERS.finditer(line.text))
    amount = _GIGABYTES.search(line.text, counts[0].end()) if len(counts) == 1 else None
    said = _PER_PARAMETER.search(line.text)
    size = Fraction(said["behind"] or said["before"]) if said else bytes_in(line.text)
    if (
        amount is None
        or size not in _SIZES
        or size is None
        or not agrees(Fraction(counts[0]["count"]) * size, amount["amount"])
    ):
        return line
    width = _decimal(size)
    equation = line.cut(*amount.span()).led_by(f"; ({counts[0]['count']}) · 10^9 · {width} bytes = ")
    changes = [((counts[0].start(), amount.end()), _ended(equation))]
    saved = _PERCENT.search(line.text, amount.end())
    if saved is not None and size < 2 and SAVED.search(line.text, amount.end()):
        percent = line.cut(*saved.span())
        if agrees(100 * (1 - size / 2), percent.text):
            changes.append((saved.span(), _ended(percent.led_by(f"; 1 - {width}/2 = "))))
    return line.replaced(changes)


def _with_share_of_heads(line: Located) -> Located:
    heads, percent = _HEADS.search(line.text), _PERCENT.search(line.text)
    found = list(_GROUPS.finditer(line.text, heads.end(), percent.start())) if heads and percent else []
    numbers = {group["groups"] for group in found}
    if heads is None or percent is None or len(numbers) != 1 or len(_PERCENT.findall(line.text)) > 1:
        return line
    groups = numbers.pop()
    share = Fraction(int(groups), int(heads["heads"]) or 1)
    printed = line.cut(*percent.span())
    around = line.text[max(percent.start() - _NEAR, 0) : percent.end() + _NEAR]
    formula = f"({groups})/({heads['heads']})"
    if SAVED.search(around):
        formula, share, said = f"1 - {formula}", 1 - share, False
    else:
        said = _OF_CACHE.match(line.text, percent.end()) is not None
    if not 0 <= share <= 1 or not (said or agrees(100 * share, printed.text)):
        return line
    return line.replaced([((heads.start(), percent.end()), _ended(printed.led_by(f"; {formula} = ")))])


def _ended(equation: Located) -> Located:
    return join([equation, Located.inserted("; ", equation.span(len(equation.text) - 1, len(equation.text))[1])])


def _decimal(size: Fraction) -> str:
    return "0.5" if size == Fraction(1, 2) else str(size)
