"""A derivation -> NumPy source that people can read, and the function that it makes.

Names are loaded when they are first used: `symattn.runtime` imports the kernels, and needs no SymPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symattn.lowering.function import Lowered, lower

__all__ = ["Lowered", "lower"]


if not TYPE_CHECKING:  # to a type checker every name would be one

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'symattn.lowering' has no attribute {name!r}")
        return getattr(import_module("symattn.lowering.function"), name)
