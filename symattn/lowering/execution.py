"""Source -> the function that it defines: the one place where source is executed, and it is our own."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


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
