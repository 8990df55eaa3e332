"""What a lowered function asks of its arguments, before anything is computed."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def measure(shapes: dict[str, tuple[str | int, str | int]], arrays: dict[str, Array]) -> dict[str, int]:
    """The sizes that `shapes` names, from arrays that are all of one real floating type; what is no name is left out.

    Raises TypeError or ValueError that names the argument, what it is, and what was expected.
    """
    sizes: dict[str, int] = {}
    dtype = None
    for name, X in arrays.items():
        shape = getattr(X, "shape", None)
        if shape is None:
            raise TypeError(f"{name} is {type(X).__name__}, expected an array of shape {spell(shapes[name])}")
        if dtype is None:
            dtype, first = X.dtype, name
            if dtype not in (np.float32, np.float64) and not np.isdtype(dtype, "real floating"):
                raise TypeError(f"{name} is {dtype} of shape {tuple(shape)}, expected real floating numbers")
        elif X.dtype != dtype:
            raise TypeError(f"{name} is {X.dtype} of shape {tuple(shape)}, expected {dtype} as {first} is")
        if len(shape) < 2:
            raise ValueError(f"{name} has shape {tuple(shape)}, expected {spell(shapes[name])}")
        for size, expected in zip(shape[-2:], shapes[name], strict=True):
            if isinstance(expected, int):
                fixed = expected
            else:
                fixed = sizes.setdefault(expected, size) if expected.isidentifier() else size
            if size != fixed:
                raise ValueError(f"{name} has shape {tuple(shape)}, expected {spell(shapes[name], sizes)}")
            if size == 0:
                raise ValueError(f"{name} has shape {tuple(shape)}, expected {spell(shapes[name])} of at least 1")
    return sizes


def spell(shape: tuple[str | int, str | int], sizes: dict[str, int] | None = None) -> str:
    """A shape in words: (..., n, d_k = 64)."""
    known = [f"{x} = {sizes[x]}" if sizes and x in sizes else f"{x}" for x in map(str, shape)]
    return f"(..., {known[0]}, {known[1]})"


def leading(**arrays: Array) -> tuple[int, ...]:
    """The leading axes of the result. Raises ValueError that names every argument where they do not broadcast."""
    found = {X.shape[:-2] for X in arrays.values()}
    if len(found) == 1:
        return tuple(found.pop())
    try:
        return np.broadcast_shapes(*found)
    except ValueError:
        given = ", ".join(f"{name} {tuple(X.shape)}" for name, X in arrays.items())
        raise ValueError(f"leading axes do not broadcast: {given}; expected equal ones, or 1") from None


def agree(name: str, X: Array, axis: int, expected: int, spelled: str) -> None:
    """One side of an argument that must have an expected length, such as heads * d_k."""
    if X.shape[axis] != expected:
        side = "rows" if axis == -2 else "columns"
        raise ValueError(f"{name} has shape {tuple(X.shape)}, expected {expected} {side} ({spelled})")


def meets(name: str, X: Array, like: Array, rows: int, columns: int) -> None:
    """A bias or mask meets scores: of their size, or of one row or column for all."""
    shape = getattr(X, "shape", None)
    if shape is None:
        raise TypeError(f"{name} is {type(X).__name__}, expected an array that broadcasts to (..., {rows}, {columns})")
    if len(shape) < 2 or shape[-2] not in (1, rows) or shape[-1] not in (1, columns):
        raise ValueError(f"{name} has shape {tuple(shape)}, expected one that broadcasts to (..., {rows}, {columns})")
    if like is not None and X.dtype != like.dtype:
        raise TypeError(f"{name} is {X.dtype} of shape {tuple(shape)}, expected {like.dtype}")


def as_keep(name: str, M: Array, rows: int, columns: int) -> Array:
    """A mask as booleans, true where a query may look. Raises TypeError for numbers other than 0 and 1."""
    meets(name, M, None, rows, columns)
    if np.isdtype(M.dtype, "bool"):
        return M
    if np.isdtype(M.dtype, ("integral", "real floating")) and np.all((M == 0) | (M == 1)):
        return M == 1
    raise TypeError(f"{name} is {M.dtype} of shape {tuple(M.shape)}, expected booleans, or numbers 0 and 1")


def is_half(X: Array) -> bool:
    """Whether numbers have 16 bits."""
    dtype = getattr(X, "dtype", None)
    return getattr(dtype, "itemsize", 4) < 4 and str(dtype).rpartition(".")[2] in ("float16", "bfloat16")


def in_single(function: Any, *arrays: Array, **options: Any) -> Any:
    """A function of arrays of 16 bits: computed in float32, and rounded once at the end."""
    kind = arrays[0].dtype
    for X in arrays[1:]:
        if is_half(X) and X.dtype != kind:
            raise TypeError(f"an argument is {X.dtype} of shape {tuple(X.shape)}, expected {kind}")
    made = function(*(np.asarray(X, dtype=np.float32) if is_half(X) else X for X in arrays), **options)
    if isinstance(made, dict):
        return {name: np.asarray(X, dtype=kind) for name, X in made.items()}
    return np.asarray(made, dtype=kind)
