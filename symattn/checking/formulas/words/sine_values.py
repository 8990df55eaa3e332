"""Values of sines and cosines written without brackets, `PE = cos1 = 0.54`, which are no formulas for the reader.

An article that prints decimals of such values in radians does not round others to whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.caches import spell_decimal
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.values.angles import value_at
from symattn.writing.prose import Sentence

_VALUE = regex(
    r"(?<![A-Za-z\\])(?P<function>sin|cos)(?P<angle>\d{1,4}(?:\.\d{1,6})?)\s*(?:=|≈)\s*(?P<value>-?\d(?:\.\d{1,8})?)(?![\d.]*\d)"
)
_SLACK = Fraction(1, 50)  # a whole number that is exact


def judge_sine_values(context: Context) -> Iterator[Formula]:
    """Values that are false in radians, beside others with decimals that are right in radians and not in degrees."""
    source = context.article.words
    found = [each for each in _VALUE.finditer(source) if "\n" not in each[0]]
    printed = [each for each in found if "." in each["value"]]
    if not any(_is_right(each, degrees=False) and not _is_right(each, degrees=True) for each in printed):
        return
    if any(_is_right(each, degrees=True) and not _is_right(each, degrees=False) for each in printed):
        return
    for each in found:
        if not _is_right(each, degrees=False):
            right = spell_decimal(value_at(each["function"], Fraction(each["angle"])), 4)
            theorem = Sentence("words_sine", function=each["function"], angle=each["angle"], value=right)
            shown = Counterexample((), right, each["value"])
            made = f"{each['function']}{each['angle']}≈{right}"
            yield conclude_in_words(context, each.span(), "fails", theorem, made, shown)


def _is_right(match: re.Match[str], degrees: bool) -> bool:
    places = len(match["value"].partition(".")[2])
    slack = Fraction(1, 10**places) if places else _SLACK
    worth = value_at(match["function"], Fraction(match["angle"]), degrees=degrees)
    return abs(worth - Fraction(match["value"])) <= slack
