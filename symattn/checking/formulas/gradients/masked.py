"""Masks of a forward pass, as gradients see them: S̃ = mask(S) is S + M° with any numbers M°, of which -∞ is the limit.

What holds for all numbers holds in the limit, as long as softmax, σ, e^x or a maximum takes what is masked: 0 and no
slope is left of it there. Nothing is false for what depends on the numbers, but for what is so where they hide keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from symattn.checking.formulas.mask_cases import is_hidden
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import ADDED_MASK, Definition, swap_case
from symattn.checking.naming import rewrite
from symattn.reading import formula as f

MASKS = ("M", "m", "mask", "Mask")


@lru_cache(maxsize=4096)  # the same definitions are asked about for every statement of an article
def hides(e: f.Expression) -> bool:
    """Whether some scores are -∞ in it, or a mask is taken."""
    return any(is_hidden(part) or (isinstance(part, f.Call) and part.function == "mask") for part in f.walk(e))


def with_masks_added(known: Mapping[str, Definition], sides: Sequence[f.Expression]) -> dict[str, Definition]:
    """The definitions with S + M° for mask(S), and for S where it is shown and -∞ elsewhere; as they are, where
    anything else takes what is masked than softmax, e^x and maxima."""
    masked = frozenset(key for key, made in known.items() if hides(made.expression))
    if not masked:
        return dict(known)
    added = {key: _with_mask_added(made) if key in masked else made for key, made in known.items()}
    letters = frozenset(key for key in masked if made_of_masks(added[key].expression))
    others = ((key, made) for key, made in known.items() if key in masked or not letters.isdisjoint(made.spellings))
    used = (*sides, *(made.expression for key, made in others if key not in letters))
    return dict(known) if any(_is_taken_elsewhere(e, letters) for e in used) else added


def made_of_masks(e: f.Expression) -> bool:
    """Whether it is S + M° itself."""
    return isinstance(e, f.Sum) and any(map(is_added_mask, e.terms))


def is_added_mask(part: f.Expression) -> bool:
    return isinstance(part, f.Name) and part.base.startswith(ADDED_MASK)


def added_masks(definitions: Mapping[str, Definition]) -> Iterator[str]:
    """The letters M° of the definitions."""
    return (letter_of(part).key for made in definitions.values() for part in made.parts if is_added_mask(part))


def depends_on_mask(letters: Mapping[str, object]) -> bool:
    """Whether the numbers of a mask are among those that were drawn."""
    return any(key.startswith(ADDED_MASK) for key in letters)


def values_in(e: f.Expression) -> frozenset[str]:
    """The letters in it that stand for what they are, in both cases, and not for what is differentiated by."""
    names = (part for part in f.walk(rewrite(e, _without_slopes)) if isinstance(part, f.Name))
    keys = frozenset(letter_of(name).key for name in names)
    return keys | frozenset(map(swap_case, keys))


def _without_slopes(part: f.Expression) -> f.Expression:
    if slope_of(part) is not None:
        return _NOTHING
    return part.of if isinstance(part, f.Derivative) else part


_NOTHING = f.Name("°")


def _with_mask_added(made: Definition) -> Definition:
    def added(part: f.Expression) -> f.Expression:
        shown = _shown(part)
        return part if shown is None else f.Sum((shown, f.Name(ADDED_MASK + made.key, made.indices)), (1, 1))

    return replace(made, expression=rewrite(made.expression, added))


def _shown(part: f.Expression) -> f.Expression | None:
    """The scores that a mask leaves; None if this is no mask of scores."""
    match part:
        case f.Call("mask", (scores, *_)):
            return scores
        case f.Cases(values):
            shown = [value for value in values if not is_hidden(value)]
            return shown[0] if len(shown) == 1 < len(values) and not isinstance(shown[0], f.Number) else None
    return None


def _is_taken_elsewhere(e: f.Expression, letters: frozenset[str]) -> bool:
    """Whether a mask, or a letter that is masked, stands in it outside softmax, e^x and maxima."""

    def without_softmax(part: f.Expression) -> f.Expression:
        match part:
            case f.Call(
                "softmax" | "exp" | "max" | "rowmax" | "lse" | "logsumexp" | "sigma" | "sigmoid", (scores,)
            ) if any(map(is_masked, _added_up(scores))):
                return _NOTHING
        return part

    def is_masked(part: f.Expression) -> bool:
        own = isinstance(part, f.Name) and {letter_of(part).key, swap_case(letter_of(part).key)} & letters
        return bool(own) or _shown(part) is not None

    left = rewrite(e, without_softmax)
    return hides(left) or not letters.isdisjoint(values_in(left))


def _added_up(scores: f.Expression) -> Sequence[f.Expression]:
    """The terms that are added, and not subtracted, before they are divided by a root."""
    match scores:
        case f.Quotient(above, f.Root()):
            return _added_up(above)
        case f.Sum(terms, signs):
            return [term for term, sign in zip(terms, signs, strict=True) if sign > 0]
    return [scores]
