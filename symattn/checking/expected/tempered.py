"""Rows of a softmax at several temperatures: scores = [2, 1, 0.1], and below "temp=0.5 (cold): [0.86, 0.12, 0.02]".

The words above say softmax and temperature, and the row has the order of the scores and adds up to 1.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.checking.expected.evidence import same_order
from symattn.checking.expected.sources import Where
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, try_define
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.printed import sums_to_one

_FEWEST = 3
_ROW = regex(
    r"[-*• ]*(?:temp(?:erature)?|T|τ|温度)\s?[=:]?\s?(?P<number>\d+(?:\.\d+)?)\s*(?:\([^()]{1,30}\))?\W*", re.IGNORECASE
)
_SCORES = regex(r"\b(?:raw )?(?:scores?|logits?)\s?[=:]\s?(?P<list>\[[-−\d., ]+\])", re.IGNORECASE)
_SAYS = regex(r"softmax\b.{0,40}\btemperature|temperature\b.{0,40}\bsoftmax|softmax[^\n]{0,40}/ ?[Tτ]\b", re.IGNORECASE)
_OTHER = regex(r"mask|top-?[kp]|bias|dropout|√|sqrt|\bscale[ds]?\b", re.IGNORECASE)


def softmax_at_temperature(where: Where, printed: Printed, environment: Environment) -> Definition | None:
    """The softmax of the scores above over the temperature that a row is labelled by."""
    row = _ROW.fullmatch(where.above.rpartition("\n")[2])
    given = list(_SCORES.finditer(where.above))
    shares = printed.as_prints()
    if row is None or not given or shares is None or printed.shape[0] != 1 or printed.shape[1] < _FEWEST:
        return None
    said = where.above[given[-1].start() :]
    if not _SAYS.search(said) or _OTHER.search(said) or "\n#" in said or not sums_to_one(shares, 0):
        return None
    try:
        [scores] = f.parse(given[-1]["list"])
    except (FormulaError, ValueError):
        return None
    number, digits = row["number"], len(row["number"].partition(".")[2])
    temperature = f.Number(number, Fraction(number), Fraction(1, 10**digits))
    if not temperature.value:
        return None
    found = try_define(f.Call("softmax", (f.Quotient(scores.sides[0].expression, temperature),)), environment)
    return (
        found if found is not None and found.true.shape == printed.shape and same_order(found.true, printed) else None
    )
