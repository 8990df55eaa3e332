"""Masks of a forward pass, as gradients see them: what is hidden has the weight 0, and its gradient is 0 already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from symattn.checking.formulas.mask_cases import is_hidden
from symattn.checking.models.letters import letter_of
from symattn.checking.models.passes import Definition
from symattn.checking.naming import rewrite
from symattn.reading import formula as f

MASKS = ("M", "m", "mask", "Mask")


def without_masks(
    known: Mapping[str, Definition], sides: Sequence[f.Expression], keys: Sequence[str]
) -> dict[str, Definition]:
    """The definitions with S for mask(S) and for S where it is shown, -∞ elsewhere; as they are, where the statement
    is of some places alone, by which a mask may have to be told."""
    if any(_is_of_places(part) for side in sides for part in f.walk(side)) or not set(MASKS).isdisjoint(keys):
        return dict(known)
    return {key: _without_mask(made) for key, made in known.items()}


def _without_mask(made: Definition) -> Definition:
    e = rewrite(made.expression, _shown)
    if made.indices and isinstance(e, f.Name) and letter_of(e).indices == made.indices:
        return Definition(made.key, (), replace(e, sub=()))
    return replace(made, expression=e)


def _is_of_places(part: f.Expression) -> bool:
    """Whether it is said of some queries and keys, and of others not: by cases, a condition, a number of a row."""
    match part:
        case f.Cases():
            return True
        case f.Call(function):
            return function in ("mask", "tril", "triu", "strictlower")
        case f.BigSum(condition=condition):
            return condition is not None
        case f.Name():
            return any(index.isdigit() for index in letter_of(part).indices)
    return False


def _shown(part: f.Expression) -> f.Expression:
    match part:
        case f.Call("mask", (scores, *_)):
            return scores
        case f.Cases(values):
            shown = [value for value in values if not is_hidden(value)]
            return shown[0] if len(shown) == 1 < len(values) and not isinstance(shown[0], f.Number) else part
    return part
