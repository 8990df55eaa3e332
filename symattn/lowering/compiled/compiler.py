"""How loops are compiled: without the GIL, by IEEE's rules, and kept on disk where that may be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(function: Callable[..., Any]) -> Any:
    """A function that Numba compiles when it is called, for the types that it is called with."""
    try:
        return njit(nogil=True, error_model="numpy", cache=True)(function)
    except RuntimeError:  # no folder for what is compiled can be written: it is compiled in every process
        return njit(nogil=True, error_model="numpy")(function)
