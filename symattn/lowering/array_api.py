"""Arrays of other libraries than NumPy: the plain lines, with the library's functions under the name `np`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from symattn.errors import InputError
from symattn.writing.prose import Sentence

_CREATE = ("arange", "asarray", "eye", "full", "ones", "zeros")
_ALWAYS_NUMPY = ("ndarray", "dtype", "broadcast_shapes")  # whatever other libraries call so: of annotations and shapes
_STANDARD = {  # names of NumPy before 2.0 -> those of the standard
    "arccos": "acos",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "concatenate": "concat",
    "cumsum": "cumulative_sum",
}
_HOMES = {"jaxlib": "jax"}  # where an array's class may be found, if not in its library


def library_of(arrays: Mapping[str, Any]) -> str:
    """The library that all arguments are of: "numpy", "dask", "mpmath", "flint" or another's name.

    Raises InputError that names two arguments of different libraries, or one that is no array.
    """
    found = {name: _home(array) for name, array in arrays.items()}
    for name, home in found.items():
        array = arrays[name]
        without_shape = not hasattr(array, "shape") and home not in ("mpmath", "flint", "numpy")
        if home == "builtins" or without_shape or isinstance(array, np.ma.MaskedArray):  # what is masked would be used
            raise InputError(Sentence("no_array", name=name, given=type(array).__name__))
    if not found:
        return "numpy"
    first, *others = found
    for name in others:
        if found[name] != found[first]:
            given = {"name": name, "given": found[name], "first": first, "expected": found[first]}
            raise InputError(Sentence("mixed_libraries", shape=_shape(arrays[name]), **given))
    return found[first]


def _home(array: Any) -> str:
    if isinstance(array, np.ndarray | np.generic | list | tuple | int | float):
        return "numpy"
    home = type(array).__module__.partition(".")[0]
    return _HOMES.get(home, home)


def _shape(array: Any) -> str:
    return str(tuple(getattr(array, "shape", ())))


def namespace_of(arrays: Any) -> Namespace:
    """What stands for `np` when the lines run on these arrays. Raises InputError for a library that is not known."""
    try:
        compat = import_module("array_api_compat")
    except ImportError:
        raise InputError(Sentence("needs_array_api")) from None
    try:
        return Namespace(compat.array_namespace(*arrays), compat.device(arrays[0]))
    except TypeError:
        raise InputError(Sentence("unknown_library", given=type(arrays[0]).__name__)) from None


@dataclass(frozen=True)
class Namespace:
    """The functions of an array library; new arrays are on the device of the arguments."""

    _library: Any
    _device: Any

    def __getattr__(self, name: str) -> Any:
        if name == "swapaxes":  # which the standard has for the last two axes alone
            return self._swap
        name = _STANDARD.get(name, name)
        found = None if name in _ALWAYS_NUMPY else getattr(self._library, name, None)
        if found is None:
            return getattr(np, name)
        if name not in _CREATE:
            return found
        return lambda *arguments, **options: found(*arguments, device=self._device, **options)

    def _swap(self, X: Any, first: int, second: int) -> Any:
        axes = list(range(X.ndim))
        axes[first], axes[second] = axes[second], axes[first]
        return self._library.permute_dims(X, tuple(axes))
