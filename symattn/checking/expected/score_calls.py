"""Scores that a call names, Score(q_1, k_2) = 3: the dot product of the two vectors.

A score may have been scaled too, so the number has to bear it out, or those of two scores before it do.
"""

from __future__ import annotations

from itertools import islice

from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, try_define
from symattn.reading import formula as f
from symattn.values.printed import same_values

_FEWEST = 2  # scores before it that are dot products
_MOST = 64  # of the names and calls stated last


def find_dot_product(call: f.Expression, printed: Printed, environment: Environment) -> Definition | None:
    """The dot product of the two vectors that a score is called of."""
    definition = _dot(call, environment)
    if definition is None or definition.true.shape != (1, 1) or printed.shape != (1, 1):
        return None
    if agreeing(printed, definition.true):
        return definition
    last = islice(reversed(environment.stated), _MOST)
    others = [_is_dot(key, environment) for key in last if _is_score(key) and key != call]
    return definition if len(others) >= _FEWEST and all(others) else None


def _is_score(call: f.Expression) -> bool:
    match call:
        case f.Call("score", (f.Name(), f.Name()), (), ()):
            return True
    return False


def _dot(call: f.Expression, environment: Environment) -> Definition | None:
    match call:
        case f.Call("score", (f.Name() as query, f.Name() as key), (), ()):
            known = [environment.stated.get(name) for name in (query, key)]
            if any(each is None or each.stale or 1 not in each.true.shape for each in known):
                return None
            return try_define(f.Product((query, key), ("·",)), environment)
    return None


def _is_dot(call: f.Expression, environment: Environment) -> bool:
    """Whether a score that was printed is the dot product."""
    definition, stated = _dot(call, environment), environment.stated[call]
    return definition is not None and same_values(definition.true, stated.true)
