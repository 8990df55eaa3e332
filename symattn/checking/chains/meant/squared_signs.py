"""Squares of negative numbers without brackets: `-0.3² = 0.09` and `(-1² + 1²)/2 = 1` mean (−0.3)² and (−1)².

By the rules of algebra −0.3² is −0.09. Where the print is what the squares of signed numbers give, and not what the
rules give, these are meant: so does nearly everybody write the deviations of a variance.
"""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.expected.arrows import EQUALITIES
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import is_all_right, table_of_prints, try_define
from symattn.patterns import regex
from symattn.reading import formula as f

_OF_THE_NUMBER = regex(r"(?:^|[-+−({\[,=≈])\s*[-−]\s*$")  # a sign right behind another or behind a bracket
_BEFORE = 12  # characters


def with_signs_squared(chain: f.Chain, text: str, environment: Environment) -> f.Chain:
    """The chain with signs that belong to squared numbers, where the next print is right with them and not without."""
    sides = list(chain.sides)
    for k, side in enumerate(sides[:-1]):
        changed = rewrite(side.expression, lambda part: _signed(part, text))
        if changed is side.expression or sides[k + 1].relation not in EQUALITIES:
            continue
        printed = next((p for s in sides[k + 1 :] if (p := table_of_prints(s.expression)) is not None), None)
        plain, meant = try_define(side.expression, environment), try_define(changed, environment)
        if printed is None or plain is None or meant is None:
            continue
        if is_all_right(printed, meant.true) and not is_all_right(printed, plain.true):
            sides[k] = replace(side, expression=changed)
    return replace(chain, sides=tuple(sides)) if sides != list(chain.sides) else chain


def _signed(part: f.Expression, text: str) -> f.Expression:
    """A sum in which the signs of squared numbers count as squared with them."""
    if not isinstance(part, f.Sum):
        return part
    pairs = zip(part.terms, part.signs, strict=True)
    signs = tuple(1 if sign < 0 and _is_square(term, text) else sign for term, sign in pairs)
    return replace(part, signs=signs) if signs != part.signs else part


def _is_square(term: f.Expression, text: str) -> bool:
    match term:
        case f.Power(f.Number(start=start), f.Number(value=2)):
            return _OF_THE_NUMBER.search(text[max(start - _BEFORE, 0) : start]) is not None
    return False
