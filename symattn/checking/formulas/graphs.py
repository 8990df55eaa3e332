"""What is reached from one definition by way of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def reached(starts: Iterable[T], following: Callable[[T], Iterable[T]]) -> list[T]:
    """Where one comes from some starts, these included, each once.

    >>> reached("a", {"a": "bc", "b": "a", "c": ""}.__getitem__)
    ['a', 'c', 'b']
    """
    found, waiting = dict[T, None](), list(starts)
    while waiting:
        each = waiting.pop()
        if each not in found:
            found[each] = None
            waiting += following(each)
    return list(found)
