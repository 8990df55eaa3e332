"""A fault of symattn itself costs the formula at which it shows, and no other: there it is listed as not checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from symattn.errors import SymattnError
from symattn.writing.prose import Sentence

# tests take none of them, so that every fault is seen
CONTAINED: tuple[type[Exception], ...] = (Exception,)


class Contained:
    """What happened within `contain_faults`: `reason` says which fault, if there was one."""

    reason: Sentence | None = None


@contextmanager
def contain_faults() -> Iterator[Contained]:
    """Keep exceptions that no code expects from ending the check of a whole article.

    What is meant for the user, limits included, passes through.
    """
    contained = Contained()
    try:
        yield contained
    except CONTAINED as error:
        if isinstance(error, SymattnError | MemoryError):
            raise
        contained.reason = Sentence("fault_here", kind=type(error).__name__)
