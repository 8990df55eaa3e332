"""Queries, keys and values that are printed without a formula: k₂ of the token x₂, or K of a head where Q = K = V.

The numbers have to bear it out: every one right, or the vectors of other tokens before it were.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, define_like, try_define
from symattn.reading import formula as f
from symattn.values.printed import same_values

_TOKENS = ("x", "e", "X", "E")
_LETTERS = "qkvQKV"
_FEWEST_BEFORE = 2  # vectors of other tokens, all right, that show what the next one should be


def imply_vector(name: f.Name, printed: Printed, environment: Environment) -> Definition | None:
    """The projection of a token that has the index of a query, a key or a value: x_2 W_K or W_K x_2 for k_2."""
    if name.base not in tuple(_LETTERS) or len(name.sub) != 1 or not name.sub[0].isdecimal() or name.sup or name.item:
        return None
    for formula in _projections(name, environment):
        if (definition := define_like(printed, formula, environment)) is None:
            continue
        if agreeing(printed, definition.true) == len(printed.places()) > 1:
            return definition
        others = _others(name, environment)
        if sum(_is_projected(other, formula, name, environment) for other in others) >= _FEWEST_BEFORE:
            return definition
    return None


def _projections(name: f.Name, environment: Environment) -> Iterator[f.Expression]:
    """x W and W x, of the only token of that index and the only weights of that letter."""
    letter = name.base.lower()
    tokens: list[f.Expression] = [x for base in _TOKENS if (x := f.Name(base, name.sub)) in environment.stated]
    tokens = tokens or list(_rows(int(name.sub[0]), environment))
    spelt = [f.Name("W", sub=(each,)) for each in (letter, letter.upper())]
    spelt += [f.Name("W", sup=(each,)) for each in (letter, letter.upper())]
    weights = [key for key in spelt if key in environment.stated]
    if len(tokens) == len(weights) == 1:
        yield f.Product((tokens[0], weights[0]), ("",))
        yield f.Transpose(f.Product((weights[0], f.Transpose(tokens[0])), ("",)))


def _rows(index: int, environment: Environment) -> Iterator[f.Expression]:
    """Row 2 of X for the token of q_2, counted from 1."""
    for name in map(f.Name, ("X", "E")):
        known = environment.stated.get(name)
        if known is not None and not known.stale and 1 <= index <= known.true.shape[0] > 1:
            yield f.Entry(name, (str(index), ":"))


def _others(name: f.Name, environment: Environment) -> Iterator[f.Name]:
    for key in environment.stated:
        if isinstance(key, f.Name) and key.base == name.base and key.sub != name.sub and not (key.sup or key.item):
            yield key


def _is_projected(other: f.Name, formula: f.Expression, name: f.Name, environment: Environment) -> bool:
    """Whether the vector of another token is printed, and right by the same formula."""
    stated = environment.stated[other]
    if not stated.prints or stated.given:
        return False
    same = next((x for x in _projections(other, environment) if type(x) is type(formula)), None)
    definition = None if same is None else try_define(same, environment)
    return definition is not None and same_values(definition.true, stated.prints[-1].printed)


class Alike:
    """Letters that an article sets equal to one another, Q = K = V."""

    def __init__(self) -> None:
        self._letters: list[frozenset[str]] = []

    def note(self, chain: f.Chain) -> None:
        """Remember a chain of such letters."""
        names = [side.expression for side in chain.sides if isinstance(side.expression, f.Name)]
        letters = frozenset(name.base for name in names if name.base in ("Q", "K", "V") and not name.indices)
        if len(letters) == len(chain.sides) > 1:
            self._letters.append(letters)

    def copied(self, name: f.Name, printed: Printed, environment: Environment) -> Definition | None:
        """K of one head for the Q of that, if every number of a matrix is the same."""
        letters = (base for alike in self._letters if name.base in alike for base in sorted(alike - {name.base}))
        for base in letters if min(printed.shape) > 1 else ():
            other = replace(name, base=base, text="")
            definition = try_define(other, environment) if other in environment.stated else None
            if definition is not None and same_values(definition.true, printed.as_given):
                return definition
        return None
