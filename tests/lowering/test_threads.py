"""Threads, blocks and memory: the same numbers, in bounded memory."""

import os
import threading
import tracemalloc

import numpy as np
import pytest
from lowering.symbols import K, Q, V
from lowering.test_lowered import numbers

from symattn import Attention, CausalMask, lower
from symattn.lowering.kernels import pool


@pytest.mark.parametrize("lead", [(), (3,), (2, 5)])
def test_any_number_of_threads_gives_the_same(lead):
    f = lower(Attention(Q, K, V, mask=CausalMask()))
    q, k, v = (numbers(*lead, 300, 8, seed=s) for s in range(3))
    one = f(q, k, v, threads=1)
    for threads in (2, 3, 7):
        np.testing.assert_allclose(f(q, k, v, threads=threads), one, rtol=1e-13, atol=1e-14)


def test_a_failure_in_a_thread_is_raised():
    def fail():
        if threading.current_thread() is not threading.main_thread():
            raise MemoryError("here")

    with pytest.raises(MemoryError, match="here"):
        pool.run_threads(fail, 2)


def test_threads_are_those_that_are_ours(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    assert pool.count_threads(None, 1) == 1
    assert pool.count_threads(3, 1) == 3
    assert pool.count_threads(None, 1 << 40) == 4
    monkeypatch.setattr(pool, "_openblas", lambda: None)
    for name in ("OPENBLAS", "MKL", "VECLIB", "OMP"):
        monkeypatch.delenv(f"{name}_NUM_THREADS", raising=False)
    assert pool.count_threads(None, 1 << 40) == 1  # BLAS takes all of them
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert pool.count_threads(None, 1 << 40) == 2


def test_blas_has_its_threads_back():
    blas = pool._openblas()
    if blas is None:
        return
    before = blas[0]()
    seen = []
    pool.run_threads(lambda: seen.append(blas[0]()), 2)
    assert seen == [1, 1] and blas[0]() == before


@pytest.mark.parametrize("options", [{}, {"mask": CausalMask()}])
def test_memory_is_that_of_a_block(options):
    n, dtype = 2048, np.float32
    q, k, v = (numbers(1, 2, n, 64, dtype=dtype, seed=s) for s in range(3))
    f = lower(Attention(Q, K, V, **options))
    f(q[..., :200, :], k[..., :200, :], v[..., :200, :], threads=1)
    for threads in (1, 2):
        tracemalloc.start()
        f(q, k, v, threads=threads)
        peak = tracemalloc.get_traced_memory()[1] - q.nbytes
        tracemalloc.stop()
        assert peak <= threads * (160 * n * 4 + (256 << 10))


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"mask": CausalMask()}, {"softcap": 30}])
def test_gradients_take_memory_for_blocks_of_rows(options):
    n, d, dtype = 2048, 64, np.float32
    q, k, v, g = (numbers(1, 2, n, d, dtype=dtype, seed=s) for s in range(4))
    f = lower(Attention(Q, K, V, **options), gradient=True)
    f(*(x[..., :200, :] for x in (q, k, v, g)), threads=1)
    rows = 3 * 128 if "softcap" in options else 2 * 176
    for threads in (1, 2):
        tracemalloc.start()
        f(q, k, v, g, threads=threads)
        peak = tracemalloc.get_traced_memory()[1] - 4 * q.nbytes  # the output and three gradients
        tracemalloc.stop()
        assert peak <= threads * ((rows + 7 * d) * n * 4 + (256 << 10))
