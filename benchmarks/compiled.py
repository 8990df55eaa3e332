"""How do compiled loops compare with torch: attention, and its gradients, on one thread and on two?

    python -m benchmarks compiled

The ratios of calls that take turns in one run, in processor time; on two threads by the clock on the wall. There the
threads of both have to wait passively: those of torch else spin for milliseconds after its call, on a processor that
the next call needs. It needs torch, which symattn does not.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OMP_WAIT_POLICY"] = "passive"

import time
from functools import partial

import numpy as np
import torch
from sympy import MatrixSymbol, symbols

from benchmarks.timing import compare, show
from symattn import Attention, CausalMask, lower

SHAPES = ((1, 1, 16, 64), (1, 8, 512, 64), (8, 8, 256, 64), (1, 8, 2048, 64), (1, 1, 4096, 128))
n, m, d = symbols("n m d_k", integer=True, positive=True)
SYMBOLS = [MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d)]


def backwards(tensors, G, causal):
    inputs = [x.detach().requires_grad_() for x in tensors]
    torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=causal).backward(G)


def repeat(work, times):
    def work_often():
        for _ in range(times):
            work()

    return work_often


def ratios():
    for threads in (1, 2):
        torch.set_num_threads(threads)
        for shape in SHAPES if threads == 1 else SHAPES[1:]:
            for dtype in (np.float32, np.float64):
                yield from of_arrays(shape, dtype, threads)


def of_arrays(shape, dtype, threads):
    tiny = shape[2] == 16  # one thread is what it takes, and a hundred calls are what a clock can time
    rounds, times = (100, 100) if tiny else (7, 1)
    clock, on = (time.process_time, "") if threads == 1 else (time.perf_counter, f", {threads} threads")
    generator = np.random.default_rng(0)
    arrays = [generator.standard_normal(shape).astype(dtype) for _ in range(4)]
    *tensors, G = map(torch.from_numpy, arrays)
    for gradient in (False, True):
        for causal in (False, True):
            f = lower(Attention(*SYMBOLS, mask=CausalMask() if causal else None), style="compiled", gradient=gradient)
            given = arrays if gradient else arrays[:3]

            def theirs(gradient=gradient, causal=causal):
                if gradient:
                    return backwards(tensors, G, causal)
                return torch.nn.functional.scaled_dot_product_attention(*tensors, is_causal=causal)

            what = f"compiled {shape} {dtype.__name__}{' with gradients' * gradient}{' causal' * causal}{on}"
            ours = partial(f, *given, **({} if tiny else {"threads": threads}))
            yield compare(f"{what}, beside torch", repeat(ours, times), repeat(theirs, times), rounds, clock)


if __name__ == "__main__":
    show(ratios())
