"""Numbers that each sequence of a batch has of its own: lengths, and the places of first tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from symattn.lowering.kernels.checks import is_kind, named, upstream

Array = np.ndarray[Any, np.dtype[Any]]


def several(*numbers: Any) -> bool:
    """Whether some numbers are arrays or lists of them."""
    return any(isinstance(x, list | tuple) or getattr(x, "shape", ()) != () for x in numbers)


def by_sequence(
    function: Callable[..., Any],
    like: Array,
    arrays: Mapping[str, Array],
    numbers: Mapping[str, Any],
    *,
    heads: tuple[str, ...] = (),
    gradient: str = "",
    by: Mapping[str, str] | None = None,
    **others: Any,
) -> Any:
    """A function of arrays for each sequence by itself; `numbers` have the leading axes, and broadcast with the arrays.

    Results stand side by side again; those that are gradients `by` an array that sequences share are summed. Arrays of
    `heads` may have an axis of heads more than `like`; `gradient` names the gradient by the output.
    """
    given = {name: whole_numbers(name, x) for name, x in numbers.items()}
    arrays = {name: x if hasattr(x, "ndim") else np.asarray(x) for name, x in arrays.items()}
    more = {name: int(name in heads and x.ndim > like.ndim) for name, x in arrays.items()}
    own = {name: tuple(x.shape[: x.ndim - 2 - more[name]]) for name, x in arrays.items() if name != gradient}
    own |= {name: tuple(x.shape) for name, x in given.items()}
    try:
        lead = np.broadcast_shapes(*own.values())
    except ValueError:
        found = ", ".join(f"{name} {axes}" for name, axes in own.items())
        raise ValueError(f"leading axes do not broadcast: {found}; expected equal ones, or 1") from None
    if gradient:
        upstream(gradient, arrays[gradient], lead)
    full = {name: spread(x, len(lead) + 2 + more[name]) for name, x in arrays.items()}
    known = {name: spread(x, len(lead)) for name, x in given.items()}
    made = _apart(function, 0, len(lead), full, known, by or {}, others)
    for name, x in (by or {}).items():
        made[name] = np.reshape(made[name], arrays[x].shape)
    return made.get("", made)


def _apart(
    function: Callable[..., Any],
    axis: int,
    last: int,
    arrays: Mapping[str, Array],
    numbers: Mapping[str, Array],
    by: Mapping[str, str],
    others: Mapping[str, Any],
) -> dict[str, Array]:
    """The results, from those of the parts along an axis and all after it."""
    if axis == last:
        made = function(**arrays, **{name: int(np.reshape(x, (-1,))[0]) for name, x in numbers.items()}, **others)
        return made if isinstance(made, dict) else {"": made}
    sizes = {x.shape[axis] for x in numbers.values()}
    if sizes == {1}:
        return _apart(function, axis + 1, last, arrays, numbers, by, others)
    parts = []
    for k in range(max(sizes)):
        chosen, few = ({name: _part(x, axis, k) for name, x in found.items()} for found in (arrays, numbers))
        parts.append(_apart(function, axis + 1, last, chosen, few, by, others))
    if not parts:  # no sequence: what one of zeros has, without it
        chosen = {name: x if x.shape[axis] else _one(np.zeros, x, axis) for name, x in arrays.items()}
        few = {name: _one(np.ones, x, axis) for name, x in numbers.items()}
        made = _apart(function, axis + 1, last, chosen, few, by, others)
        none: tuple[Any, ...] = (*(slice(None),) * axis, slice(0), ...)
        parts = [{name: x[none] for name, x in made.items()}]
    joined = {name: np.concatenate([part[name] for part in parts], axis=axis) for name in parts[0]}
    shared = {name for name, x in by.items() if arrays[x].shape[axis] == 1}
    return {name: np.sum(x, axis=axis, keepdims=True) if name in shared else x for name, x in joined.items()}


def _one(filled: Callable[..., Array], x: Array, axis: int) -> Array:
    """An array like another, with one part along an axis."""
    return filled((*x.shape[:axis], 1, *x.shape[axis + 1 :]), dtype=x.dtype)


def _part(x: Array, axis: int, k: int) -> Array:
    """Part k along an axis, which stays; all of what has one for all."""
    place: tuple[Any, ...] = (*(slice(None),) * axis, slice(k, k + 1), ...)
    return x if x.shape[axis] == 1 else x[place]


def spread(x: Array, axes: int) -> Array:
    """An array with leading axes of length 1 in front, to have so many axes."""
    return np.reshape(x, (*(1,) * (axes - x.ndim), *x.shape))


def whole_numbers(name: str, x: Any) -> Array:
    """Numbers of sequences as an array. Raises TypeError for what are no whole numbers."""
    try:
        made: Array = np.asarray(x)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths, expected a number for each sequence") from None
    if not is_kind(made.dtype, "iu"):
        raise TypeError(f"{name} is {named(made)}, expected a whole number, or an array of them")
    return made
