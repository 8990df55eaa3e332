"""How much judging may work out, counted in steps: a verdict must not depend on how fast a machine is, or how busy.

Allowances are nested (an article's, a statement's, that of mending it); each step is taken from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class OutOfWorkError(Exception):
    """An allowance is used up: what was asked is not settled."""


class Work:
    """An allowance of steps; one step is a node of a formula worked out once, some 20 µs."""

    def __init__(self, steps: int) -> None:
        self.left = steps


_open: ContextVar[tuple[Work, ...]] = ContextVar("_open", default=())


class within:  # noqa: N801 (a block of code is put in one for each statement and judge: it has to be quick)
    """Take the steps of what is done inside from these too.

    >>> with within(Work(2)):
    ...     spend(2)
    >>> with within(Work(9)), within(Work(2)):
    ...     spend(3)
    Traceback (most recent call last):
        ...
    symattn.checking.work.OutOfWorkError
    """

    __slots__ = ("_allowances", "_token")

    def __init__(self, *allowances: Work) -> None:
        self._allowances = allowances

    def __enter__(self) -> None:
        self._token = _open.set((*_open.get(), *self._allowances))

    def __exit__(self, *_: object) -> None:
        _open.reset(self._token)


@contextmanager
def instead(*allowances: Work) -> Iterator[None]:
    """Take the steps of what is done inside from these alone."""
    token = _open.set(allowances)
    try:
        yield
    finally:
        _open.reset(token)


def spend(steps: int = 1) -> None:
    """Raises OutOfWorkError where an allowance has no such steps left."""
    for work in _open.get():
        work.left -= steps
        if work.left < 0:
            raise OutOfWorkError
