"""Functions that an article defines for itself, f(x) = x² + 1: what it prints of f(3) is held against that.

Half of a row have to be right, and a number has to be close: the formula may hold for some of the letters only, "if
x > 0", and what is all other numbers may be of another definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from symattn.checking.expected.evidence import is_close
from symattn.checking.naming import substitute
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, define_like
from symattn.patterns import regex
from symattn.reading import formula as f

_NUMBER = regex(r"\((?P<number>[-−]?\d{1,9}(?:\.\d{1,9})?)\)")


def find_value(
    name: f.Expression, printed: Printed, said: Mapping[f.Expression, Iterable[f.Expression]], environment: Environment
) -> Definition | None:
    """What a function comes to at a number, by the formula that the article has for it at a letter."""
    if not isinstance(name, f.Name) or len(name.sup) != 1 or (number := _NUMBER.fullmatch(name.sup[0])) is None:
        return None
    value = Fraction(number["number"].replace("−", "-"))
    at: f.Expression = f.Number(str(abs(value)), abs(value), Fraction(1))
    at = at if value >= 0 else f.Sum((at,), (-1,))
    for function, formula in ((x, formula) for x in reversed(list(said)) for formula in said[x]):
        letter = _letter(function, name, formula)
        if letter is not None and not _is_recursive(formula, name):
            definition = define_like(printed, substitute(formula, letter, at), environment)
            if definition is not None:
                half = 2 * agreeing(printed, definition.true) >= len(printed.places())
                close = printed.shape == (1, 1) and is_close(definition.true, printed)
                return definition if half or close else None
    return None


def _letter(key: f.Expression, name: f.Name, formula: f.Expression) -> f.Name | None:
    """The letter in a formula that a function of this name is defined at by it."""
    if not isinstance(key, f.Name) or len(key.sup) != 1 or replace(key, sup=name.sup) != name:
        return None
    letters = (part for part in f.walk(formula) if isinstance(part, f.Name) and not (part.sub or part.sup or part.item))
    return next((x for x in letters if key.sup[0] in (f"({x.base})", f"({x.text})")), None)


def _is_recursive(formula: f.Expression, name: f.Name) -> bool:
    """Whether a formula has the function itself in it, at another place."""
    return any(isinstance(part, f.Name) and part.base == name.base for part in f.walk(formula))
