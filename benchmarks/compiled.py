"""How do compiled loops compare with torch: attention, and its gradients, on one thread?

    python -m benchmarks compiled

The ratios of calls that take turns in one run, in processor time. It needs torch, which symattn does not.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

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
    torch.set_num_threads(1)
    for shape in SHAPES:
        tiny = shape[2] == 16  # one thread is what it takes, and a hundred calls are what a clock can time
        rounds, times = (100, 100) if tiny else (7, 1)
        for dtype in (np.float32, np.float64):
            generator = np.random.default_rng(0)
            arrays = [generator.standard_normal(shape).astype(dtype) for _ in range(4)]
            *tensors, G = map(torch.from_numpy, arrays)
            for gradient in (False, True):
                for causal in (False, True):
                    expression = Attention(*SYMBOLS, mask=CausalMask() if causal else None)
                    f = lower(expression, style="compiled", gradient=gradient)
                    given = arrays if gradient else arrays[:3]

                    def theirs(gradient=gradient, causal=causal, tensors=tensors, G=G):
                        if gradient:
                            return backwards(tensors, G, causal)
                        return torch.nn.functional.scaled_dot_product_attention(*tensors, is_causal=causal)

                    what = f"compiled {shape} {dtype.__name__}{' with gradients' * gradient}{' causal' * causal}"
                    ours = partial(f, *given, **({} if tiny else {"threads": 1}))
                    yield compare(f"{what}, beside torch", repeat(ours, times), repeat(theirs, times), rounds)


if __name__ == "__main__":
    show(ratios())
