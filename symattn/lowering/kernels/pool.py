"""Work shared among threads: as many as processors are ours, while BLAS keeps to one thread in each."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from symattn.lowering.kernels.checks import Made, whole

ENOUGH = 1 << 24  # multiply-adds below which a second thread costs more than it brings
_LIMIT = threading.Lock()
_OWN = threading.local()
_LIMITED: list[int] = []  # what BLAS had before, and the limit of each call that limits it now


def limits_threads() -> bool:
    """Whether this thread's call has a limit already."""
    return getattr(_OWN, "limited", False)


def limit_threads(threads: int, function: Callable[..., Made], /, **given: Any) -> Made:
    """A function's result; while it is computed, BLAS takes no more threads than the function does."""
    whole("threads", threads, 1)
    _OWN.limited = True
    try:
        with _blas_limited(int(threads)):
            return function(**given)
    finally:
        _OWN.limited = False


def count_threads(threads: int | None, work: int) -> int:
    """`threads`, or the processors that are ours if the work is worth it and BLAS does not take them itself."""
    if threads is not None:
        return threads
    if work < 2 * ENOUGH:
        return 1
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    given = [os.environ.get(f"{name}_NUM_THREADS", "") for name in ("OPENBLAS", "MKL", "VECLIB", "OMP")]
    of_blas = 1 if _openblas() else next((int(x) for x in given if x.isdigit() and int(x)), ours)
    return int(max(1, min(ours // of_blas, work // ENOUGH)))


def run_threads(work: Callable[[], None], threads: int) -> None:
    """`work` in so many threads at once; it takes its share from an iterator of its own."""
    if threads == 1:
        work()
        return
    failures: list[BaseException] = []

    def attempt() -> None:
        try:
            work()
        except BaseException as failure:
            failures.append(failure)

    with _blas_limited(1):
        helpers = [threading.Thread(target=attempt, daemon=True) for _ in range(threads - 1)]
        for helper in helpers:
            helper.start()
        attempt()
        for helper in helpers:
            helper.join()
    if failures:
        raise failures[0]


@contextmanager
def _blas_limited(threads: int) -> Iterator[None]:
    """So many threads for each product, if we know how to say so to the OpenBLAS that NumPy brings along."""
    blas = _openblas()
    if blas is None:
        yield
        return
    get, limit = blas
    with _LIMIT:
        _LIMITED.extend([threads] if _LIMITED else [get(), threads])
        limit(min(_LIMITED))
    try:
        yield
    finally:
        with _LIMIT:
            del _LIMITED[_LIMITED.index(threads, 1)]
            limit(min(_LIMITED))
            if len(_LIMITED) == 1:
                _LIMITED.clear()


@cache
def _openblas() -> tuple[Callable[[], int], Callable[[int], Any]] | None:
    """How to ask and to tell NumPy's OpenBLAS its number of threads; None for another BLAS."""
    home = Path(np.__file__).parent
    for path in (*home.parent.glob("numpy.libs/*openblas*"), *home.glob(".dylibs/*openblas*")):
        library = ctypes.CDLL(str(path))
        for prefix, suffix in (("scipy_", "64_"), ("", "64_"), ("scipy_", ""), ("", "")):
            names = [f"{prefix}openblas_{verb}_num_threads{suffix}" for verb in ("get", "set")]
            if all(hasattr(library, name) for name in names):
                return getattr(library, names[0]), getattr(library, names[1])
    return None
