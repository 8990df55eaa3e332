"""What a lowered function asks of its arguments, before anything is computed."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Made = TypeVar("Made")
NEWER: Any = np  # for names that other libraries have, and NumPy since 2.0
MEASURED: dict[Any, Any] = {}  # shapes and types of arguments -> what `measure` found


def measure(
    shapes: dict[str, tuple[str | int, str | int]], arrays: dict[str, Array], *empty: str
) -> tuple[dict[str | int, int], tuple[int, ...] | None]:
    """The sizes that `shapes` names, from arrays that are all of one real floating type; and their leading axes, if
    these are the same. The sizes named last may be 0, as that of queries.

    Raises TypeError or ValueError that names the argument, what it is, and what was expected. What was good once is
    not looked at again.
    """
    try:
        key = (id(shapes), *[(X.shape, X.dtype) for X in arrays.values()])
        known, sizes, lead = MEASURED[key]
        if known is shapes:
            return sizes, lead
    except (KeyError, TypeError, AttributeError):  # not seen before, or no arrays of NumPy
        pass
    sizes, lead = look_at(shapes, arrays, empty)
    if all(type(X) is np.ndarray for X in arrays.values()):
        if len(MEASURED) >= 256:
            MEASURED.clear()
        MEASURED[key] = shapes, sizes, lead
    return sizes, lead


def look_at(
    shapes: dict[str, tuple[str | int, str | int]], arrays: dict[str, Array], empty: tuple[str, ...]
) -> tuple[dict[str | int, int], tuple[int, ...] | None]:
    """The same for shapes that were not seen before."""
    sizes: dict[str | int, int] = {x: x for name in arrays for x in shapes[name] if isinstance(x, int)}
    dtype = lead = None
    for name, X in arrays.items():
        rows, columns = shapes[name]
        try:
            shape, kind = X.shape, X.dtype
            a, b = shape[-2:]
        except (AttributeError, ValueError):
            raise refused(name, X, shapes[name], sizes) from None
        if dtype is None:
            dtype, lead = kind, shape[:-2]
            if kind not in (np.float32, np.float64) and not is_kind(kind, "f"):
                raise refused(name, X, shapes[name], sizes, "real floating numbers")
        elif kind != dtype:
            raise refused(name, X, shapes[name], sizes, f"{dtype} as the other arguments are")
        elif lead != shape[:-2]:
            lead = None
        if sizes.setdefault(rows, a) != a or sizes.setdefault(columns, b) != b or not (a or rows in empty) * b:
            raise refused(name, X, shapes[name], sizes)
    return sizes, lead


def refused(
    name: str, X: Any, expected: tuple[str | int, str | int], sizes: dict[str | int, int], kind: str = ""
) -> Exception:
    """What is wrong about an argument."""
    shape = getattr(X, "shape", None)
    if shape is None:
        return TypeError(f"{name} is {type(X).__name__}, expected an array of shape {spell(expected, {})}")
    if kind:
        return TypeError(f"{name} is {X.dtype} of shape {tuple(shape)}, expected {kind}")
    if 0 in shape[-2:]:
        return ValueError(f"{name} has shape {tuple(shape)}, expected {spell(expected, {})} of at least 1")
    return ValueError(f"{name} has shape {tuple(shape)}, expected {spell(expected, sizes)}")


def is_kind(dtype: Any, letters: str) -> bool:
    """Whether numbers are booleans (b), integers (i and u) or real floating (f), in any library."""
    letter = getattr(dtype, "kind", None)
    if letter is not None and (letter != "V" or not hasattr(NEWER, "isdtype")):
        return letter in letters
    kinds = {"b": "bool", "i": "integral", "f": "real floating"}
    found: bool = NEWER.isdtype(dtype, tuple(kinds[x] for x in letters if x != "u"))
    return found


def whole(name: str, x: Any, least: int | None = None) -> None:
    """Raises TypeError for what is no whole number, ValueError for one below the least."""
    if isinstance(x, Integral) and not isinstance(x, bool):
        if least is not None and x < least:
            raise ValueError(f"{name} is {x}, expected at least {least}")
    elif getattr(x, "shape", None) != () or not is_kind(x.dtype, "iu"):
        raise TypeError(f"{name} is {named(x)}, expected a whole number")


def real(name: str, x: Any) -> Any:
    """A real number that arrays can be multiplied by: a fraction as the nearest one. Raises TypeError for no number."""
    if isinstance(x, Real) and not isinstance(x, bool):
        return x if isinstance(x, int | float | np.generic) else float(x)
    if {*getattr(x, "shape", "?")} - {1} or not is_kind(x.dtype, "iuf"):
        raise TypeError(f"{name} is {named(x)}, expected a real number")
    return x


def named(x: Any) -> str:
    """What an argument is, in few words."""
    return f"{x.dtype} of shape {tuple(x.shape)}" if hasattr(x, "shape") else repr(x)[:40]


def spell(shape: tuple[str | int, str | int], sizes: dict[str | int, int]) -> str:
    """A shape in words: (..., n, d_k = 64)."""
    known = [f"{x} = {sizes[x]}" if isinstance(x, str) and x in sizes else f"{x}" for x in shape]
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


def requires(spelled: str, size: int, sign: str, needed: int) -> None:
    """A size that must be one number, or at least that: of a table's rows, of the columns that labels name."""
    if size != needed if sign == "==" else size < needed:
        raise ValueError(f"{spelled} is {size}, expected {'at least ' if sign == '>=' else ''}{needed}")


def meets(name: str, X: Array, like: Array | None, rows: int, columns: int) -> None:
    """A bias or mask meets scores: of their size, or of one row or column for all."""
    shape = getattr(X, "shape", None)
    if shape is None:
        raise TypeError(f"{name} is {type(X).__name__}, expected an array that broadcasts to (..., {rows}, {columns})")
    if len(shape) < 2 or shape[-2] not in (1, rows) or shape[-1] not in (1, columns):
        raise ValueError(f"{name} has shape {tuple(shape)}, expected one that broadcasts to (..., {rows}, {columns})")
    if like is not None and X.dtype != like.dtype:
        raise TypeError(f"{name} is {X.dtype} of shape {tuple(shape)}, expected {like.dtype}")


def meets_heads(name: str, X: Array, like: Array, heads: int) -> None:
    """The leading axes of a bias or mask meet those of scores of heads; with one more than `like` has, the last is
    that of heads.
    """
    lead, own = tuple(like.shape[:-2]), tuple(X.shape[-2:])
    each = (*lead, heads)
    try:
        np.broadcast_shapes(X.shape[:-2], each if X.ndim > like.ndim else lead)
    except ValueError:
        expected = f"{(*lead, *own)}, or to {(*each, *own)} with one for each head"
        raise ValueError(f"{name} has shape {tuple(X.shape)}, expected one that broadcasts to {expected}") from None


def upstream(name: str, G: Array, lead: tuple[int, ...]) -> None:
    """The gradient by an output has its shape. Raises ValueError for other leading axes."""
    if G.shape[:-2] != lead:
        raise ValueError(f"{name} has shape {tuple(G.shape)}, expected {(*lead, *G.shape[-2:])}, the output's")


def as_keep(name: str, M: Any, rows: int, columns: int) -> Array:
    """A mask as booleans, true where a query may look. Raises TypeError for numbers other than 0 and 1."""
    M = real_array(name, M) if isinstance(M, list | tuple) else M
    meets(name, M, None, rows, columns)
    shown: Array = M if is_kind(M.dtype, "b") else M == 1
    if shown is M or (is_kind(M.dtype, "iuf") and np.all((M == 0) | shown)):
        return shown
    raise TypeError(f"{name} is {M.dtype} of shape {tuple(M.shape)}, expected booleans, or numbers 0 and 1")


def places(name: str, X: Any, rows: int, columns: int) -> Array:
    """Positions of rows, whole or not, as an array. Raises TypeError or ValueError for what cannot be used."""
    X = real_array(name, X) if isinstance(X, list | tuple) else X
    if (shape := getattr(X, "shape", None)) is None or not is_kind(X.dtype, "iuf"):
        raise TypeError(f"{name} is {named(X)}, expected an array (..., {rows}, {columns}) of positions")
    if tuple(shape[-2:]) != (rows, columns):
        raise ValueError(f"{name} has shape {tuple(shape)}, expected (..., {rows}, {columns})")
    made: Array = X
    return made


def is_half(X: Array) -> bool:
    """Whether numbers have 16 bits."""
    dtype = getattr(X, "dtype", None)
    return getattr(dtype, "itemsize", 4) < 4 and str(dtype).rpartition(".")[2] in ("float16", "bfloat16")


def other_type(*arrays: Array) -> Any:
    """The type to compute in where it is not the one that all arguments have: float32 for 16 bits, what NumPy promotes
    types that differ to, float64 for integers, booleans and lists. What is no number is left for `computed_in` to say.
    """
    first = getattr(arrays[0], "dtype", None)
    if first == np.float32 or first == np.float64:
        for X in arrays:
            if type(X) is not np.ndarray or X.dtype != first:
                break
        else:
            return None
    if not any(isinstance(X, _OF_NUMPY) for X in arrays):
        return np.float32 if is_half(arrays[0]) else None  # another library's arrays
    kind = promoted(*arrays)
    if is_half(np.empty(0, kind)):
        return np.float32
    return None if all(type(X) is np.ndarray and X.dtype == kind for X in arrays) else kind


_OF_NUMPY = (np.ndarray, np.generic, list, tuple, int, float)


def promoted(*arrays: Any) -> Any:
    """The type that a result has: what NumPy promotes those of the arguments to, or float64."""
    try:
        kind = np.result_type(*(np.asarray(X).dtype for X in arrays))
    except (TypeError, ValueError):
        return np.dtype(np.float64)
    return kind if kind.kind == "f" or is_half(np.empty(0, kind)) else np.dtype(np.float64)


def working_type(*arrays: Array, beside: tuple[Array, ...] = ()) -> Any:
    """The type to compute in where it is another: `other_type`'s, or a wider one for products that overflow; what is
    `beside` is no factor of a product.
    """
    if (kind := other_type(*arrays, *beside)) is not None:
        return kind
    if not all(isinstance(X, np.ndarray) and X.dtype.kind == "f" and X.size for X in arrays):
        return None
    ordinary = float(np.finfo(arrays[0].dtype).max ** 0.25)  # products of four, as in X W_Q W_Kᵀ Xᵀ
    return None if all(float(np.abs(X).max()) < ordinary for X in arrays) else wider(*arrays)


def features_type(features: tuple[Array, ...], *arrays: Array) -> Any:
    """The type to compute in where it is another: a wider one where products of features may overflow or vanish."""
    if not all(isinstance(X, np.ndarray) for X in (*features, *arrays)):
        return None
    kind = np.finfo(arrays[0].dtype)
    least, most = kind.tiny**0.25, kind.max**0.25
    ordinary = all(bool(((least < np.abs(F)) & (np.abs(F) < most)).all()) for F in features)
    return None if ordinary else wider(*arrays)


def wider(*arrays: Array) -> Any:
    """A type in which products of these arrays do not overflow; None if there is none, or an entry is not finite."""
    wide: Any = np.dtype(np.float64 if arrays[0].dtype == np.float32 else np.longdouble)
    larger = np.finfo(wide).maxexp > 2 * np.finfo(arrays[0].dtype).maxexp
    return wide if larger and all(np.isfinite(X).all() for X in arrays) else None


def computed_in(kind: Any, function: Callable[..., Made], /, arrays: dict[str, Any], **others: Any) -> Made:
    """A function of arrays in another type, rounded once at the end; `others` are given as they are.

    Raises TypeError for what is no array of real numbers.
    """
    if any(isinstance(X, _OF_NUMPY) for X in arrays.values()):
        arrays = {name: real_array(name, X) for name, X in arrays.items()}
        own = promoted(*arrays.values())
    else:
        own = next(X.dtype for X in arrays.values())
        for name, X in arrays.items():
            if X.dtype != own:
                raise TypeError(f"{name} is {named(X)}, expected {own} as the other arguments are")
    made: Any = function(**{name: np.asarray(X, dtype=kind) for name, X in arrays.items()}, **others)
    several = isinstance(made, dict)
    rounded: Any = {n: np.asarray(X, dtype=own) for n, X in made.items()} if several else np.asarray(made, dtype=own)
    result: Made = rounded
    return result


def real_array(name: str, X: Any) -> Array:
    """An argument as an array of NumPy. Raises TypeError or ValueError for what is none, or of no real numbers."""
    if isinstance(X, np.ma.MaskedArray) or not (isinstance(X, _OF_NUMPY) or hasattr(X, "__array__")):
        raise TypeError(f"{name} is {type(X).__name__}, expected an array (..., rows, columns) of real numbers")
    try:
        made = np.asarray(X)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths, expected an array (..., rows, columns)") from None
    if made.dtype.kind not in "fiub" and not is_half(made):
        raise TypeError(f"{name} is {named(made)}, expected real numbers")
    return made
