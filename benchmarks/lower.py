"""How near is a lowered function to the floor: its two products in row blocks and one exponential in place?

    python benchmarks/lower.py

One thread, ratios within one run, two shared cores, November 2026, to the floor whose blocks of scores are kept by rows
and to the one, up to a tenth faster in float32, that keeps them by columns as we do:

    (1, 8, 512, 64) float32    1.01 and 1.07    causal 0.97 and 1.00
    (1, 8, 1024, 64) float32   0.92 and 1.04    causal 1.02 and 1.07
    (1, 8, 2048, 64) float32   0.90 and 1.03    causal 1.00 and 1.06
    (1, 8, 1024, 64) float64   1.02 and 1.03    causal 1.06 and 1.04

A call of (1, 1, 16, 64) takes 0.75 of the usual NumPy of blogs; lowering takes 0.8 ms. Beside torch 2.13 on one thread:
causal 0.66, 0.87 and 0.96, float64 0.85 and causal 0.66, output and gradients 0.84 and causal 0.74; but float32 without
a mask 1.08, where torch's exponential and products are faster than NumPy's alone.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import statistics
import time
import timeit

import numpy as np
from sympy import MatrixSymbol, symbols

from symattn import Attention, CausalMask, lower

ROUNDS = 30
BLOCK = 128
CASES = [
    ((1, 8, 512, 64), np.float32),
    ((1, 8, 1024, 64), np.float32),
    ((1, 8, 2048, 64), np.float32),
    ((1, 8, 1024, 64), np.float64),
]


def floor(q, k, v, causal, order):
    """What cannot be left out: both products in blocks of rows, and the exponentials; numbers may be wrong."""
    out = np.empty_like(v)
    scratch = np.empty(BLOCK * k.shape[-2], q.dtype)
    for at in np.ndindex(q.shape[:-2]):
        keys = k[at].T
        for start in range(0, q.shape[-2], BLOCK):
            rows = q[at][start : start + BLOCK]
            stop = min(start + len(rows), k.shape[-2]) if causal else k.shape[-2]
            scores = scratch[: len(rows) * stop].reshape((len(rows), stop), order=order)
            np.matmul(rows, keys[:, :stop], out=scores)
            np.exp(scores, out=scores)
            np.matmul(scores, v[at][:stop], out=out[at][start : start + BLOCK])
    return out


def blog(q, k, v):
    """As it is usually written."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / np.sum(weights, axis=-1, keepdims=True)
    return weights @ v


def attention(**options):
    n, m, d = symbols("n m d_k", integer=True, positive=True)
    return Attention(MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, d), **options)


def numbers(shape, dtype):
    generator = np.random.default_rng(0)
    return [generator.standard_normal(shape).astype(dtype) for _ in range(3)]


def seconds(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def compare(arrays, causal):
    """The medians of the ratios of calls one after the other, to the floor by rows and to the one by columns."""
    q, k, v = arrays
    f = lower(attention(mask=CausalMask() if causal else None))
    scaled = q * q.dtype.type(1 / 8)
    ratios = {"C": [], "F": []}
    for _ in range(ROUNDS):
        mine = seconds(lambda: f(q, k, v, threads=1))
        for order, found in ratios.items():
            found.append(mine / seconds(lambda order=order: floor(scaled, k, v, causal, order)))
    return [statistics.median(found) for found in ratios.values()]


def main():
    for shape, dtype in CASES:
        for causal in (False, True):
            rows, columns = compare(numbers(shape, dtype), causal)
            mask = "causal" if causal else "full"
            print(f"{shape} {dtype.__name__} {mask}: {rows:.3f} of the floor by rows, {columns:.3f} by columns")
    q, k, v = numbers((1, 1, 16, 64), np.float32)
    f = lower(attention())
    least = [min(timeit.repeat(lambda g=g: g(q, k, v), number=50, repeat=600)) for g in (f, blog)]
    print(f"(1, 1, 16, 64): {least[0] / least[1]:.2f} of the usual NumPy")
    expression = attention(mask=CausalMask())
    lower(expression)
    print(f"lowering: {1e3 * min(seconds(lambda: lower(expression)) for _ in range(20)):.1f} ms")


if __name__ == "__main__":
    main()
