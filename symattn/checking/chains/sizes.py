"""Sizes under a root, the d_k of QKᵀ/√d_k, of which more than one value is stated: a model's, and that of an example.

Meant is the value with which the print fits: one stated anywhere before, or right behind it ("≈ 8 with d_k = 64"), or
the width of Q and K themselves; where they are not shown, one said right before the print ("scaling by 1/√4").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from symattn.checking.mistakes.rules import integer
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, try_define
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f

DEPTH = 3  # formulas put in for names that were not printed
MOST = 12  # values that are tried
MOST_BEHIND = 40  # characters behind a print
_SET = regex(
    r"(?<![\w\\^}])(?P<name>[^\W\d_](?:_(?:\w|\{\w{1,10}\})\w*)?)\s*=\s*(?P<value>\d{1,5})(?![\d.,]\d|\s*[·×*+/^-])"
)
_ENDS = regex(r"\.(?:\s|$)|[;\n]")
_SAID = regex(r"(?:√|sqrt|racine|Wurzel)[\s({\\]{0,3}(\d{1,5})(?![\d.])")


def with_sizes_that_fit(
    definitions: list[Definition], printed: Printed, said: tuple[str, str], environment: Environment
) -> list[Definition]:
    """The formulas with another value of a size under a root, where more of a print is right then: at least half.

    `said` is what stands before the print and behind it.
    """
    return [_fitted(definition, printed, said, environment) for definition in definitions]


def set_behind(behind: str) -> Iterator[tuple[f.Name, int]]:
    """The sizes that words right behind a print state.

    >>> list(set_behind("$ (with $d_k = 64$). Next")) == [(f.Name("d", ("k",)), 64)]
    True
    >>> list(set_behind("$. With $n = 4$"))
    []
    """
    for found in _SET.finditer(_ENDS.split(behind[:MOST_BEHIND])[0]):
        with suppress(FormulaError):
            match f.parse(found["name"])[0].sides[0].expression:
                case f.Name() as name:
                    yield name, int(found["value"])


def _fitted(definition: Definition, printed: Printed, said: tuple[str, str], environment: Environment) -> Definition:
    best, most = definition, agreeing(printed, definition.true)
    if most == len(printed.places()) or definition.true.shape != printed.shape:
        return definition
    written = _written_out(definition.expression, environment, DEPTH)
    for name in dict.fromkeys(_sizes_in(written)):
        for value in _values(name, definition, said, environment):
            expression = rewrite(written, lambda part, name=name, value=value: integer(value) if part == name else part)  # type: ignore[misc]
            other = try_define(expression, environment)
            if other is None:
                continue
            right = agreeing(printed, other.true)
            if right > most and 2 * right >= len(printed.places()):
                best, most = other, right
    return best


def _written_out(expression: f.Expression, environment: Environment, depth: int) -> f.Expression:
    """The formula with those put in that its names were said to be, where these have not been printed as matrices."""

    def put_in(part: f.Expression) -> f.Expression:
        stated = environment.stated.get(part) if isinstance(part, f.Name) else None
        if stated is None or not stated.formulas or (stated.prints and stated.true.shape != (1, 1)):
            return part
        formula = _written_out(stated.formulas[0], environment, depth - 1)
        return formula if any(_sizes_in(formula)) else part

    return rewrite(expression, put_in) if depth else expression


def _sizes_in(expression: f.Expression) -> Sequence[f.Name]:
    """The names under roots: √C, and C to the power of 1/2 or −0.5; what is a name itself, Var(q·k) = d_k."""
    if isinstance(expression, f.Name):
        return [expression]
    roots = (part for part in f.walk(expression) if isinstance(part, f.Root | f.Power))
    radicands = (part.radicand if isinstance(part, f.Root) else part.base for part in roots)
    return [name for name in radicands if isinstance(name, f.Name)]


def _values(name: f.Name, definition: Definition, said: tuple[str, str], environment: Environment) -> list[int]:
    """The values that a size may have, the one stated last first."""
    used = (environment.stated[key] for key in definition.used if key in environment.stated)
    formulas = [definition.expression, *(formula for stated in used for formula in stated.formulas[:1])]
    widths = _widths(formulas, environment, DEPTH) or list(map(int, _SAID.findall(said[0])))
    behind = [value for other, value in set_behind(said[1]) if other == name]
    values = [*behind, *reversed(environment.sizes.get(name, [])), *widths]
    return [value for value in dict.fromkeys(values) if value > 1][:MOST]


def _widths(formulas: Sequence[f.Expression], environment: Environment, depth: int) -> list[int]:
    """The widths of the matrices that are multiplied, Q Kᵀ, in formulas or in those of the names that they use."""
    lookup = environment.lookup()
    parts = [part for formula in formulas for part in f.walk(formula)]
    products = (part.factors for part in parts if isinstance(part, f.Product))
    pairs = (pair for factors in products for pair in pairwise(factors))
    values = (lookup(left) for left, right in pairs if isinstance(left, f.Name) and isinstance(right, f.Transpose))
    widths = [value.shape[1] for value in values if value is not None]
    if widths or not depth:
        return widths
    known = (environment.stated.get(part) for part in parts if isinstance(part, f.Name))
    return _widths([stated.formulas[0] for stated in known if stated and stated.formulas], environment, depth - 1)
