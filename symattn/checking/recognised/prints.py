"""The numbers of a page, line by line as a reader sees them, each with its place in the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from symattn.patterns import regex
from symattn.reading.articles.article import Article
from symattn.reading.articles.scanning.commas import read_commas
from symattn.reading.formula import Commas

Span = tuple[int, int]
_SMALL = 100  # below it nobody rounds to whole numbers
_MOST_LINES = 20_000
_MOST_IN_LINE = 200
_LONGEST, _FARTHEST = 40, 60  # digits, and the power of ten, of a number that is looked at
_GAP = 60  # characters between two numbers of a list
_POINT = (  # [0.5,0.25] and [2,1] have no spaces; 12,5 is left alone
    r"\d{1,3}(?:\{?,\}?\d{3})++(?:\.\d++)?(?!,\d)|\d*+\.\d++|(?<=[\[,])\d++(?=,[-−]?\d|\])"
    r"|\d++\.?+(?!,?\d)"
)
_COMMA = r"\d++(?:\{?,\}?\d++)?"
_POINTED = r"\d{1,3}(?:\.\d{3})++(?:\{?,\}?\d++)?|\d++(?:\{?,\}?\d++)?"
_DECIMAL_IN_BRACES = regex(r"(?<!\d)0\{,\}\d|\d\{,\}\d{1,2}(?!\d)")

_ZERO_COMMA, _FEWEST_COMMAS = regex(r"(?<![\d.,\[(])0,\d"), 2
_DECIMAL_POINT = regex(r"(?<![\d.])\d+\.(?:\d{1,2}|\d{4,})(?![\d.])")
_THOUSANDS = regex(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.,])")


def _number(body: str, goes_on: str) -> re.Pattern[str]:
    return regex(
        rf"(?<![\w^.])(?P<sign>(?:(?<=[\s\[({{|,;:=$/≈+])|(?<=^))[-−–] ?)?(?P<body>{body})"
        rf"(?P<power>[eE][-+]?\d{{1,3}})?(?P<percent> ?\\?%)?(?![A-Za-z\d_]|{goes_on}\d|\^)"
    )


_NUMBERS = {Commas.DECIMAL: _number(_COMMA, r"[.,]"), Commas.POINTED: _number(_POINTED, r"[.,]")}
_PLAIN = _number(_POINT, r"\.")
_AND = r"and|und|et|y|e|ed|i|и|和|與|与|と|와|과|및|ve"
_SEPARATOR = regex(rf"(?:[\s,;、，；|&`*$]|(?<=\s)/(?=\s))+(?:(?:{_AND})(?:[\s,`*$])+)?|\s*(?:{_AND})[\s`*$]*")
_BLANKED = regex(  # {,} between digits stays
    r"\\[,;:! ]|\\(?:left|right|big|Big|quad|qquad|displaystyle|textstyle|mathbf|mathrm|text|boldsymbol)(?![A-Za-z])"
    r"|(?<!\d\{,)[{}](?!,\}\d)|\$\$?|&nbsp;|&ensp;|&emsp;|\*\*|(?:array|tensor|Tensor|Matrix|np\.array)(?=\()|~(?=\s?-?\d)"
)
_INDEX = regex(r"(?<=[^\W\d_])(?:_\{[\w\s,]{1,12}\}|_\d{1,3}(?!\d))")
_LABEL = regex(  # z_1 =, P(a) =
    rf"(?:[\s,;、，；|&]|{_AND})*\\?(?P<base>[^\W\d_]{{1,12}})['′]?[_\d₀-₉]{{0,4}}(?:\([^()=\d\n]{{1,20}}\))?[\s|]*[=≈][\s|]*"
)
_PLUS = regex(r"[\s$`]*\+[\s$`]*")
_FEWEST_ADDED = 3  # numbers of a sum that are a list
_SHARE_OF = regex(rf"(?:[\s,;、，；]|{_AND})*[^\W\d_]{{1,20}}[:：]?\s+")
_CELL_END = regex(r"</t[dh]\s*>|&amp;|(?<!\\)&(?![a-z]+;)", re.IGNORECASE)
_TAG = regex(r"</?[A-Za-z][^<>]{0,2000}>")
_ROW_END = regex(r"(?:\\\\(?:\[[^\]\n]*\])?|</tr\s*>|</(?:p|li|div|h\d)>|<br\s*/?>)(?!\s*\n)", re.IGNORECASE)
_MINUS = regex(r"&minus;|\\text\{-\}")


@dataclass(frozen=True)
class Print:
    """A number as it is printed: its worth, the unit of its last place, its text and where that stands."""

    value: Fraction
    unit: Fraction
    text: str
    span: Span

    @cached_property
    def about(self) -> float:
        """Its worth, about."""
        return float(self.value)

    @cached_property
    def place(self) -> float:
        """The unit of its last place, about."""
        return float(self.unit)

    @property
    def name(self) -> str:
        """Its text, without braces around a comma."""
        return self.text.replace("{,}", ",")

    @cached_property
    def whole(self) -> bool:
        """Whether it is a small whole number, as nobody rounds to."""
        return self.unit == 1 and abs(self.value) < _SMALL

    @cached_property
    def finest(self) -> Fraction:
        """The place of its last digit that is not 0: of 0.300 a tenth, since it may come of tenths."""
        unit = self.unit
        while self.value and unit < 1 and (self.value / (10 * unit)).denominator == 1:
            unit *= 10
        return unit


@dataclass(frozen=True)
class Line:
    """A line and its numbers; `parts` tells which of them are lists: their first and their last."""

    start: int
    text: str
    numbers: tuple[Print, ...]
    parts: tuple[Span, ...]


def shown_text(article: Article) -> str:
    """The page as plain text, each character where it stood: rows end in line breaks, cells in bars."""
    text = _ROW_END.sub(_put("\n"), article.shown)
    text = _CELL_END.sub(_put("|"), text)
    if article.path.endswith((".html", ".htm")) or "<td" in text or "<br" in text:
        text = _TAG.sub(_put(" "), text)
    text = _MINUS.sub(lambda found: "−".rjust(len(found[0])), text)
    text = _INDEX.sub(_put("_"), text)
    return _BLANKED.sub(_put(" "), text)


def _put(sign: str) -> Callable[[re.Match[str]], str]:
    return lambda found: sign.ljust(len(found[0]))


def read_lines(article: Article) -> list[Line]:
    """The lines of a page with their numbers."""
    texts = shown_text(article).split("\n")[:_MOST_LINES]
    commas = _commas(article, texts)
    pattern = _NUMBERS.get(commas, _PLAIN)
    lines: list[Line] = []
    at = 0
    for text in texts:
        numbers = tuple(_from_entity(n, article.shown) for n in _prints(pattern, text, at, commas))
        lines.append(Line(at, text, numbers, tuple(_parts(text, at, numbers))))
        at += len(text) + 1
    return lines


def _commas(article: Article, texts: Sequence[str]) -> Commas:
    """What the commas of its formulas are, or else those of its words."""
    if _DECIMAL_IN_BRACES.search(article.shown):
        return Commas.DECIMAL
    known = next((p.commas for p in article.passages), Commas.UNKNOWN)
    known = read_commas(texts) if known is Commas.UNKNOWN else known
    if known not in (Commas.UNKNOWN, Commas.DOUBTFUL):
        return known
    shown = "\n".join(texts)
    plain = len(_ZERO_COMMA.findall(shown)) >= _FEWEST_COMMAS and _DECIMAL_POINT.search(shown) is None
    return (Commas.POINTED if _THOUSANDS.search(shown) else Commas.DECIMAL) if plain else known


def _from_entity(number: Print, shown: str) -> Print:
    """A number with the whole of its sign, where that is &minus;."""
    start, end = number.span
    return replace(number, span=(shown.rfind("&", 0, start), end)) if shown[start] == ";" else number


def _prints(pattern: re.Pattern[str], text: str, at: int, commas: Commas) -> Iterator[Print]:
    end = -1  # of the number before
    for k, found in enumerate(pattern.finditer(text)):
        if k == _MOST_IN_LINE:
            return
        body, sign, start = found["body"].replace("{", "").replace("}", ""), found["sign"], found.start()
        if sign and sign[-1] == " " and end >= 0 and not text[end:start].strip():  # 3 − 2
            sign, start = "", found.start("body")
        end = found.end()
        body = body.replace(".", "").replace(",", ".") if commas in _NUMBERS else body.replace(",", "")
        if len(body) > _LONGEST or (found["power"] and abs(int(found["power"][1:])) > _FARTHEST):
            continue
        power = (int(found["power"][1:]) if found["power"] else 0) - (2 if found["percent"] else 0)
        whole, _, decimals = body.partition(".")
        unit = Fraction(1, 10 ** len(decimals)) * Fraction(10) ** power
        value = Fraction(int((whole or "0") + decimals)) * unit
        yield Print(-value if sign else value, unit, _spelled(text[start:end]), (at + start, at + end))


def _spelled(text: str) -> str:
    """A number as findings spell it: −0.60 with the minus of a program."""
    return text.replace("−", "-").replace("–", "-").replace("- ", "-")


def _parts(text: str, at: int, numbers: Sequence[Print]) -> Iterator[Span]:
    """Which of the numbers of a line are lists, by what stands between them.

    So are entries that have one letter, z_1 = 0.5, z_2 = 0.25, percents with a word before each, and what is added up.
    """
    first = 0
    added = _added(text, at, numbers)
    ends = [0, *(n.span[1] - at for n in numbers)]
    labels = [
        _label(text[max(end, n.span[0] - at - _GAP) : n.span[0] - at]) for end, n in zip(ends, numbers, strict=False)
    ]
    for k in range(1, len(numbers) + 1):
        if k < len(numbers):
            start, stop = numbers[k - 1].span[1] - at, numbers[k].span[0] - at
            between = text[start:stop]
            if len(between) <= _GAP and (
                k in added or _SEPARATOR.fullmatch(between) or _go_on(numbers, labels, k, between)
            ):
                continue
        yield first, k
        first = k


def _added(text: str, at: int, numbers: Sequence[Print]) -> set[int]:
    """The numbers that are added to the one before them, three or more in a row: 2.718 + 1.649 + 1."""
    found: set[int] = set()
    run: list[int] = []
    for k in range(1, len(numbers) + 1):
        if k < len(numbers) and _PLUS.fullmatch(text, numbers[k - 1].span[1] - at, numbers[k].span[0] - at):
            run.append(k)
            continue
        found.update(run if len(run) + 1 >= _FEWEST_ADDED else ())
        run = []
    return found


def _label(before: str) -> str | None:
    """The letter that stands with = before a number, without its index."""
    found = next(reversed(list(_LABEL.finditer(before))), None)
    return found["base"] if found is not None and found.end() == len(before) else None


def _go_on(numbers: Sequence[Print], labels: Sequence[str | None], k: int, between: str) -> bool:
    """Whether a number has the letter of the one before it, or both are percents of which only a word tells."""
    alike = labels[k] is not None and labels[k] == labels[k - 1] and _LABEL.fullmatch(between) is not None
    percents = numbers[k].text.endswith("%") and numbers[k - 1].text.endswith("%")
    return alike or (percents and _SHARE_OF.fullmatch(between) is not None)
