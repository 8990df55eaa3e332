"""Bounds on processor time that hold on a slow or a busy machine too: they grow as a loop of known length does."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOP = 0.02  # seconds that `_loop` takes on the machine where the bounds were chosen, with nothing beside it


@contextmanager
def takes_at_most(seconds: float) -> Iterator[None]:
    """The block takes no more processor time than that, or than that many times what the machine is slower by now."""
    start = time.process_time()
    yield
    taken = time.process_time() - start
    assert taken < seconds or taken < seconds * slowness(), f"{taken:.2f} s of processor time"


def slowness() -> float:
    """How many times slower than there the machine is at this moment, at least 1."""
    start = time.process_time()
    found: dict[str, int] = {}
    for k in range(150_000):
        key = str(k % 1000)
        found[key] = found.get(key, 0) + len(key)
    return max(1.0, (time.process_time() - start) / LOOP)


def in_proportion(
    work: Callable[[str], object], whole: str, quarter: str, times: float = 8, floor: float = 0.0
) -> bool:
    """Whether the whole takes less than that many times what its quarter takes, in one of three attempts.

    It is four where time grows in proportion and sixteen where it grows with the square. The two are measured one after
    the other, so that a machine that is busy for a moment fails no test.
    """
    return any(_seconds(work, whole) < times * _seconds(work, quarter) + floor for _ in range(3))


def _seconds(work: Callable[[str], object], text: str) -> float:
    """What the work takes, without the time of collecting what earlier tests left."""
    gc.disable()
    try:
        start = time.process_time()
        work(text)
        return time.process_time() - start
    finally:
        gc.enable()
