"""Sums and measures that words give: "Mean: 5.25", "the variance is 6.69", "方差为 6.69" are equations.

Of other words a number behind a colon says too little; what these mean is known.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.vocabulary import SUM

_SPOKEN = {
    "mean": "mean|average|moyenne|mittelwert|均值|平均值|平均",
    "variance": "variance|varianz|varianza|方差",
    "std": "standard deviation|std(?:[. ]?dev)?|écart-type|standardabweichung|标准差|標準差",
    "sum": f"{SUM}|denominator|求和|之和|분모|分母",
}
_WORDS = "|".join(f"(?P<{name}>{words})" for name, words in _SPOKEN.items())
_EQUATION = regex(
    rf"(?<![^\W\d_])(?<![-_\\{{])(?:{_WORDS})(?:\s*\((?:μ|mu|σ²|σ\^2|σ|sigma)\))?"
    r"(?:[*_`]*\s*[:：][*_`]*|\s+(?:is|was|equals|est|ist|es)\s|\s*[为為是约]|(?<=[值差])(?=\s?-?\d))\s*"
    r"(?P<number>[*_`]*[-−]?\d+(?:\.\d+)?)(?=[*_`]*\s*(?:$|[,;。，；、|]|\.(?:\s|$)|and\b|with\b|和|且))",
    re.IGNORECASE,
)


_CENTRED = regex(rf"(?:{_SPOKEN['mean']})[^\d,;。；、]{{0,8}}0(?![\d.])", re.IGNORECASE)

_SUPPOSED = regex(  # "if the sum is 0" says nothing of a sum
    r"(?:\b(?:if|unless|suppose|assume|wenn|falls|si)\b"
    r"|如果|若|当|假设|もし|만약)[^.;,:，。；：]*$",
    re.IGNORECASE,
)

# a verb beside the sign that says the same, "the weights are ≈ [0.1, 0.9]", is no part of the name
_VERB = regex(r"(?<=\w)\s+(?:is|are|was|were|equals?)(?=\s*[≈≃=]\s*[-−+~]?[\d\[(])")


def with_equations(line: Located) -> Located:
    """The line with such words and numbers as equations.

    >>> with_equations(Located.whole("The mean is 5.25 and **Standard deviation:** 2.59.")).text
    'The mean = 5.25 and **std = 2.59.'
    >>> with_equations(Located.whole("Sum: 3 + 4, the mean time is 5 ms")).text
    'Sum: 3 + 4, the mean time is 5 ms'
    >>> with_equations(Located.whole("The weights are ≈ [0.1, 0.9].")).text
    'The weights ≈ [0.1, 0.9].'
    >>> with_equations(Located.whole("If the sum is 0, nothing is divided; if so, the sum is 2")).text
    'If the sum is 0, nothing is divided; if so, the sum = 2'
    >>> with_equations(Located.whole("归一化到均值 0、方差 1")).text
    '归一化到均值 0、方差 1'
    """
    line = line.without([match.span() for match in _VERB.finditer(line.text)])
    equations = _EQUATION.finditer(line.text)
    found = [(_name_of(m), m) for m in equations if _SUPPOSED.search(line.text[: m.start()]) is None]
    said = {(name, match["number"].strip("*_`")) for name, match in found}
    if said & {("variance", "1"), ("std", "1")} and _CENTRED.search(line.text):
        return line  # what normalisation is for
    spans = [(match.start(), match.end("number") - len(match["number"].lstrip("*_`"))) for _, match in found]
    named = (Located.inserted(f"{name} = ", line.span(*match.span())[0]) for name, match in found)
    return line.replaced(zip(spans, named, strict=True))


_HEADING = regex(rf"[\s>*_#]*(?:{_WORDS})[*_\s]*[:：][*_\s]*", re.IGNORECASE)
_ALONE = regex(r"\s*[*_`]*[-−]?\d+(?:\.\d+)?[*_`]*\s*")
_APART = 3  # lines from a word to its number


def join_words_to_numbers(lines: list[Located]) -> list[Located]:
    """The lines with a number that stands alone beside the word that stands alone above it: "Sum:", and below "25.68".

    >>> [line.text for line in join_words_to_numbers([Located.whole(x) for x in ("Sum:", "", "25.68", "Total:")])]
    ['Sum: 25.68', '', '', 'Total:']
    """
    found = list(lines)
    for k, line in enumerate(lines):
        if line.text.rstrip(" *_").endswith((":", "：")) and len(line.text) < 80 and _HEADING.fullmatch(line.text):
            below = next((i for i in range(k + 1, min(k + _APART, len(lines))) if lines[i].text.strip()), k)
            if below > k and _ALONE.fullmatch(lines[below].text):
                found[k], found[below] = join([line, lines[below].strip()], " "), lines[below].cut(0, 0)
    return found


_PERCENT = regex(  # 2.718 / 3.718 = 0.731 (73%)
    r"(?<=[=≈])\s*~?(?P<number>\d*\.\d+)"
    r"(?P<aside>\s*\((?:[≈~]|about |约)?\s*(?P<percent>\d{1,3}(?:\.\d+)?)\s?%\s*\))"
)


_ENDED = regex(r"\s*(?:$|[,;，；。]|\.(?:\s|$)|\s{2})")


def without_percents(line: Located) -> Located:
    """The line without the brackets of what says a result again in percent, or without that where more follows it.

    Another percentage at the end is one of something else, or one of the two is wrong: it is parted from the result.

    >>> without_percents(Located.whole("3 / 8 = 0.375 (37.5%), 3 / 4 = 0.75 (5%)")).text
    '3 / 8 = 0.375 ≈ 37.5%, 3 / 4 = 0.75; (5%)'
    >>> without_percents(Located.whole("3 / 8 = 0.375 (37.5%) = 1 - 0.625")).text
    '3 / 8 = 0.375  = 1 - 0.625'
    """
    changes: list[tuple[tuple[int, int], Located]] = []
    for match in _PERCENT.finditer(line.text) if "%" in line.text else ():
        unit = Fraction(1, 10 ** len(match["percent"].partition(".")[2]))
        ended = _ENDED.match(line.text, match.end()) is not None
        if abs(100 * Fraction(match["number"]) - Fraction(match["percent"])) <= unit:
            new = line.put(" ", *match.span("aside"))
            if ended:
                (start, end), (first, last) = (line.span(*match.span(name)) for name in ("aside", "percent"))
                signs = Located.inserted(" ≈ ", start, first - start), Located.inserted("%", last, end - last)
                new = join([signs[0], line.cut(*match.span("percent")), signs[1]])
            changes.append((match.span("aside"), new))
        elif ended:
            at = match.end("number")
            changes.append(((at, at), line.put(";", at, at)))
    return line.replaced(changes)


def _name_of(match: re.Match[str]) -> str:
    return next(name for name in _SPOKEN if match[name] is not None)
