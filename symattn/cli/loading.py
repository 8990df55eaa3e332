"""Modules loaded without looking for garbage in between: what loading makes stays, and to walk over it takes time."""

from __future__ import annotations

import gc
from importlib import import_module

TYPE_CHECKING = False  # type checkers take it as true; importing typing would be a third of the start
if TYPE_CHECKING:
    from types import ModuleType


def load(name: str) -> ModuleType:
    """The module of this name.

    >>> load("symattn.errors").__name__
    'symattn.errors'
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        return import_module(name)
    finally:
        if was_on:
            gc.enable()
