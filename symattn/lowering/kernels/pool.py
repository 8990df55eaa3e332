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

ENOUGH = 1 << 24  # multiply-adds below which a second thread costs more than it brings
_LIMIT = threading.Lock()
_LIMITED: list[int] = []  # what BLAS had before, once for each call that limits it now


def require_threads(threads: int | None) -> None:
    """Raises ValueError for a number of threads that is none."""
    if threads is not None and threads < 1:
        raise ValueError(f"threads is {threads}, expected at least 1")


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

    with _blas_limited():
        helpers = [threading.Thread(target=attempt, daemon=True) for _ in range(threads - 1)]
        for helper in helpers:
            helper.start()
        attempt()
        for helper in helpers:
            helper.join()
    if failures:
        raise failures[0]


@contextmanager
def _blas_limited() -> Iterator[None]:
    """One thread for each product, if we know how to say so to the OpenBLAS that NumPy brings along."""
    blas = _openblas()
    if blas is None:
        yield
        return
    get, limit = blas
    with _LIMIT:
        _LIMITED.append(_LIMITED[0] if _LIMITED else get())
        limit(1)
    try:
        yield
    finally:
        with _LIMIT:
            before = _LIMITED.pop()
            if not _LIMITED:
                limit(before)


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
