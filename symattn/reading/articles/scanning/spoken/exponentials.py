"""The total behind a row of exponentials, `exp(1) = 2.72, exp(0) = 1.00, total 3.72`, as their sum."""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.worked.worth import last_place, worth_of
from symattn.reading.vocabulary import SUM, THE_REST

_NUMBER = r"\d+(?:\.\d+)?"
_RAISED = "⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}"
_POWER = (
    rf"(?:exp\([-−+]?{_NUMBER}\)|e\^\{{?[-−+]?{_NUMBER}\}}?|e\^\([-−+]?{_NUMBER}\)|e{_RAISED})"
    rf"\s?[=≈]\s?(?:{_NUMBER})(?![\d.]?\d)"
)
_BETWEEN = r"(?:[,;，；、]?\s{1,12}(?:and |und |et |y |e )?|[,，、])"
_WORDS = rf"(?:{SUM}|和为|和是|합)"
_TOTAL = regex(
    rf"(?P<powers>{_POWER}(?:{_BETWEEN}{_POWER}){{1,15}})"
    rf"(?P<said>[,;.，；。、]?\s{{0,12}}(?:(?:and |with )?(?:their|the) |in )?"
    rf"(?P<name>{_WORDS})(?: is)?\s?(?P<sign>[:：=≈]?)\s{{0,3}})"
    rf"(?P<total>\d+\.\d+|\d+(?!\s{{0,3}}[^\W\d]))(?![\d.]?\d|\s?[-+×*·/%=≈])",
    re.IGNORECASE,
)
_RESULT = regex(rf"[=≈]\s?({_NUMBER})")


def with_sums_of_exponentials(line: Located) -> Located:
    """A line with the sum that the total is said to be, behind its name or in the place of the word for it.

    A whole number behind decimals, or with a word behind it, counts how many there are.

    >>> with_sums_of_exponentials(Located.whole("exp(1) = 2.72, exp(0) = 1.00, total 3.72")).text
    'exp(1) = 2.72, exp(0) = 1.00; 2.72 + 1.00 = 3.72'
    """
    if "exp(" not in line.text and "e^" not in line.text:
        return line

    def summed(match: re.Match[str]) -> tuple[tuple[int, int], Located]:
        named = f"{match['name']} = " if match["sign"] in ("=", "≈") else ""
        formula = f"; {named}{' + '.join(_RESULT.findall(match['powers']))} = "
        return match.span("said"), Located.inserted(formula, line.span(*match.span("total"))[0])

    totals = (match for match in _TOTAL.finditer(line.text) if _is_theirs(match))
    return line.replaced(map(summed, totals))


def _is_theirs(match: re.Match[str]) -> bool:
    """Whether a total is that of just these, but for a slip: others nearby may have been added, or it counts them."""
    results = _RESULT.findall(match["powers"])
    if "." not in match["total"] and any("." in result for result in results):
        return False
    total, added = Fraction(match["total"]), sum(map(Fraction, results), Fraction(0))
    others = match.string[: match.start()] + match.string[match.end() :]
    off, unit = abs(total - added), last_place(match["total"])
    near = off <= max(added / _NEARLY, unit)
    named = any(abs(Fraction(number) - off) <= unit for number in _DECIMAL.findall(others))
    if off <= unit:
        return True
    one = abs(total - added - 1) <= unit and _ONE.search(_LIST.sub("", others)) is not None  # e^0, written as 1 alone
    left_out = one or _is_left_out(total - added, unit, match)
    further = _FURTHER.search(others) or _REST.search(others)
    return near and not named and not further and not left_out


def _is_left_out(more: Fraction, unit: Fraction, match: re.Match[str]) -> bool:
    """Whether a total is larger by the exponential of a number of the list before, e^0 = 1, that is not written out."""
    written = {number for argument in _EXPONENT.findall(match["powers"]) for number in _numbers(argument)}
    before = match.string[max(match.start() - _FAR, 0) : match.start()]
    lists = [_numbers(found[0]) for found in _LIST.finditer(before)]
    listed = next((numbers for numbers in reversed(lists) if written.issubset(numbers)), lists[-1] if lists else [])
    powers = (worth_of(f"e^{{{argument}}}") for argument in listed[:_MOST] if argument not in written)
    return any(power is not None and abs(power - more) <= 2 * unit for power in powers)


def has_one_left_out(text: str, at: int) -> bool:
    """Whether the total at an offset behind exponentials has one more, of the list before, maybe on another line.

    >>> text = "scores [2, 1, 0]\\nexp(2) = 7.39, exp(1) = 2.72, sum = 11.11"
    >>> has_one_left_out(text, text.index("11.11")), has_one_left_out(text.replace(", 0", ""), len(text) - 8)
    (True, False)
    """
    totals = _TOTAL.finditer(text, max(at - _FAR, 0), at + _MOST)
    match = next((match for match in totals if match.start("total") == at), None)
    if match is None:
        return False
    added = sum(map(Fraction, _RESULT.findall(match["powers"])), Fraction(0))
    unit = last_place(match["total"])
    return _is_left_out(Fraction(match["total"]) - added, unit, match)


def _numbers(text: str) -> list[Fraction]:
    return [Fraction(number.replace("−", "-")) for number in _ARGUMENT.findall(text)]


_FURTHER = regex(rf"exp\(|e\^|e{_RAISED}")  # another exponential nearby
_ONE = regex(r"(?<![\w.])1(?!\w|\.\d)")
_REST = regex(THE_REST, re.IGNORECASE)
_NEARLY = 10
_MOST = 32
_FAR = 600
_DECIMAL = regex(r"(?<![\w.])\d+\.\d+")
_LIST = regex(
    r"\[[-−+\d.,\s]{3,400}\]|\((?=[^(),]{1,20},)[-−+\d.,\s]{3,400}\)"
    r"|(?<![\w.])[-−]?\d[\d.]{0,9}(?:,\s?[-−]?\d[\d.]{0,9}){2,32}(?!\w)"
)
_EXPONENT = regex(r"(?:exp|e\^)[({]{0,2}\+?([-−]?[\d.]+)")
_ARGUMENT = regex(r"(?<![\w.])[-−]?\d{1,2}(?:\.\d{1,6})?(?!\w|\.\d)")
