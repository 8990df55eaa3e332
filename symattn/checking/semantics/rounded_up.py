"""A lone whole number behind = that is larger than a fraction of whole numbers, 1/2 = 1: a slip, and no rounding.

Unless words speak of rounding, or of what is counted, of which there is no part: 7/4 = 2 pages. What is filled is
counted up to the next whole number: 5/16 = 1 block.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

from symattn.checking.semantics.environment import Environment
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.enclosures import whole_of
from symattn.values.printed import distance, is_larger

_ARITHMETIC = (f.Number, f.Name, f.Sum, f.Product, f.Quotient, f.BigSum)
_ROUNDS = regex(
    r"about\b|approx|rough|nearest|\bwhole\b|number of|how many|\bcount|\bat (?:least|most)|\bindex|\bposition|\bmedian"
    r"|majority|quorum|\bmod\b|pmod|//|⌈|⌊|约|約|向上|个数|個数|数量|索引|下标|位置",
    re.IGNORECASE,
)
_ROUNDS_ALL = regex(  # of a page, whatever follows
    r"ceil|floor|(?<![a-z])round|integer|quantiz|quantis|\bint\d|rund(?:en|et)|arrond|redonde|arroton|arredond|округ"
    r"|取整|整数|整數|量化|切り[上捨]|四捨五入|四舍五入",
    re.IGNORECASE,
)
_COUNTS = regex(r"[nNkKmMTLBhHdD#]|[Nn](?:um|o)?_.*|num.*|[a-z]{2,}s")  # names of numbers of things, and of sizes
_THINGS = regex(
    r"(?:[$*_`}]|\\[)\]])*\s*(?:(?:\\[ ,;:!]|~|\\q?quad)\s*)*(?:\\(?:text|mathrm|textrm|mbox)\{[ ~]*)?"
    r"(?!(?:and|or|so|but|which|where|with|while|is|if|for|und|oder|et|y|o)\b)[^\W\d_]"
)
_FILLED = regex(  # what is counted: many of anything but a unit of measure, or one that holds something
    r"(?:[$*_`}(（]|\\[()\]])*\s*(?:(?:\\[ ,;:!]|~|\\q?quad)\s*)*(?:\\(?:text|mathrm|textrm|mbox)\{[ ~]*)?[(（]?"
    r"(?:(?:[A-Za-z]+[- ]){0,2}?(?:(?!(?:bit|byte|second|minute|hour|unit|point|degree|time|plu|minu|flop|param)s)"
    r"[A-Za-z]*[a-z]{2}(?<!thi)(?<!alwa)(?<!thu)(?<!doe)(?<!give)(?<!mean)s|[A-Z]{2,4}s"
    r"|(?:block|tile|page|chunk|batch|group|bucket|shard|segment|slot|worker|machine|server|node|device|window|round|step"
    r"|pass|wave|warp|GPU|TPU|SM|core|card|frame|expert|rank|bin|cache line))\b"
    r"|[个個]|[块塊页頁片组組批段桶张張卡台份轮輪次步])"
)
_COUNTED_UP = regex(
    r"\bnumber of|how many|\bceil|round(?:s|ed|ing)? up|\bat least|⌈|向上|个数|個数|数量|多少|至少|切り上",
    re.IGNORECASE,
)
_AVERAGE = regex(r"\baverage|\bmean\b|平均", re.IGNORECASE)


def is_rounded_up(number: Fraction | None, true: Balls, expression: f.Expression, environment: Environment) -> bool:
    """Whether a whole number is larger by more than a tenth than a fraction of numbers that are whole themselves."""
    if number is None or number.denominator != 1 or not number or true.shape != (1, 1) or true.hidden:
        return False
    value = true.rows[0][0]
    if not (is_larger(number, value) and distance(value, number) * 11 > abs(number)):
        return False
    return all(_is_exact(part, environment) for part in f.walk(expression))


def _is_exact(part: f.Expression, environment: Environment) -> bool:
    if isinstance(part, f.Number):
        return part.places == 1
    if isinstance(part, f.Name):
        known = environment.lookup()(part)
        return known is None or all(whole_of(x) is not None for row in known.rows for x in row)
    return isinstance(part, _ARITHMETIC)


def may_be_rounded(above: str, before: str, after: str, names: Collection[f.Expression]) -> bool:
    """Whether words beside or above a number speak of rounding, or it is one of things that are counted."""
    paragraph, line = before.rpartition("\n\n")[2], after.partition("\n")[0]
    beside = _ROUNDS.search(f"{paragraph} {line}") or _THINGS.match(line)
    return _counts(names) or bool(beside or _ROUNDS_ALL.search(f"{above} {before} {line}"))


def is_filled(
    text: str,
    number: Fraction | None,
    true: Balls,
    passage: str,
    before: str = "",
    names: Collection[f.Expression] = (),
) -> bool:
    """Whether a number is the next whole one above a value, and words beside it or its name say what is counted."""
    if number is None or number.denominator != 1 or true.shape != (1, 1) or true.hidden:
        return False
    value = true.rows[0][0]
    if not (is_larger(number, value) and distance(value, number) < 1):
        return False
    line = before.rpartition("\n")[2] + passage
    if _AVERAGE.search(line):
        return False
    printed = re.finditer(rf"[=≈][\s$]*{re.escape(text)}(?![\d.])", passage)
    filled = any(_FILLED.match(passage, at.end()) for at in printed)
    return filled or _counts(names) or _COUNTED_UP.search(line) is not None


def _counts(names: Collection[f.Expression]) -> bool:
    """Whether one of the names of a number is that of how many there are."""
    return any(isinstance(name, f.Name) and _COUNTS.fullmatch(name.text) for name in names)
