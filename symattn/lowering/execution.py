"""Source -> the function that it defines: the one place where source is executed, and it is our own."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from symattn.errors import NotSupportedError
from symattn.writing.prose import Sentence


def define(source: str, name: str, **scope: Any) -> Any:
    """The function `name` of a module's source, over what `scope` has in it already."""
    exec(compile(source, "<lowered by symattn>", "exec"), scope)
    return scope[name]


def call(source: str, name: str, *arguments: Any, **options: Any) -> Any:
    """The function `name` of a whole module, called: what travels to the workers of a cluster is text."""
    return _define(source, name)(*arguments, **options)


@lru_cache(maxsize=32)
def _define(source: str, name: str) -> Any:
    return define(source, name, __name__="lowered")


def load_loops() -> Any:
    """The compiled loops. Raises NotSupportedError where Numba is not installed."""
    try:
        return import_module("symattn.lowering.compiled.attention")
    except ImportError:
        raise NotSupportedError(Sentence("needs_numba")) from None
