"""Weights whose rows belong to the outputs, q = x W = [2, 0] where only x Wᵀ fits: as programs keep them."""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import agreeing, table_of_prints, try_define
from symattn.reading import formula as f

_LETTERS = ("W", "w")


def with_weights_turned(chain: f.Chain, environment: Environment) -> f.Chain:
    """The chain with x Wᵀ for x W where the sizes leave nothing else and half of the numbers behind it bear it out."""
    sides = list(chain.sides)
    for k, (side, result) in enumerate(zip(chain.sides, chain.sides[1:], strict=False)):
        turned = _turned(side.expression, environment)
        printed = None if turned is None or result.relation not in ("=", "≈") else table_of_prints(result.expression)
        definition = None if printed is None or turned is None else try_define(turned, environment)
        right = agreeing(printed, definition.true) if printed is not None and definition is not None else 0
        if turned is not None and printed is not None and 0 < len(printed.places()) <= 2 * right:
            sides[k] = replace(side, expression=turned)
    return replace(chain, sides=tuple(sides))


def _turned(expression: f.Expression, environment: Environment) -> f.Expression | None:
    """x Wᵀ for a product x W of two names that have no such sizes."""
    match expression:
        case f.Product(factors=(f.Name() as x, f.Name(base=base) as weights)) if base in _LETTERS:
            left, right = environment.stated.get(x), environment.stated.get(weights)
            if left is None or right is None or left.stale or right.stale:
                return None
            (_, inner), (outputs, inputs) = left.true.shape, right.true.shape
            if inner == inputs and inner != outputs:
                turned = f.Transpose(weights, start=weights.start, end=weights.end)
                return replace(expression, factors=(x, turned))
    return None
