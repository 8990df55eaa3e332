"""How do compiled loops compare with torch: attention, and its gradients, on one thread?

    python benchmarks/compiled.py

The least of several calls that take turns in one run, in processor time. It needs torch, which symattn does not.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import time

import numpy as np
import torch
from sympy import MatrixSymbol, symbols

from symattn import Attention, CausalMask, lower

SHAPES = ((1, 1, 16, 64), (1, 8, 512, 64), (8, 8, 256, 64), (1, 8, 2048, 64), (1, 1, 4096, 128))
n, m, d = symbols("n m d_k", integer=True, positive=True)
SYMBOLS = [MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d)]


def seconds(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def compare(ours, theirs, rounds):
    """The ratio of the least times of two calls that take turns."""
    ours()
    theirs()
    found = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    return min(x for x, _ in found) / min(y for _, y in found)


def backwards(tensors, G, causal):
    inputs = [x.detach().requires_grad_() for x in tensors]
    torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=causal).backward(G)


def main():
    torch.set_num_threads(1)
    for shape in SHAPES:
        rounds = 400 if shape[2] == 16 else 7
        for dtype in (np.float32, np.float64):
            generator, cells = np.random.default_rng(0), []
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

                    cells.append(compare(lambda f=f, given=given: f(*given, threads=1), theirs, rounds))
            print(f"| {dtype.__name__} {shape} | {' | '.join(f'{x:.2f}' for x in cells)} |", flush=True)


if __name__ == "__main__":
    main()
