"""How near is a lowered function to the floor: its two products in row blocks and one exponential in place?

    python benchmarks/lower.py

One thread, ratios within one run, two shared cores, November 2026. float32: (1, 8, 512, 64) 1.04 to 1.05, causal 1.03
to 1.05; (1, 8, 1024, 64) 1.00 to 1.04, causal 1.06 to 1.08; (1, 8, 2048, 64) 1.03, causal 1.02 to 1.05. float64
(1, 8, 1024, 64) 1.04, causal 1.04 to 1.05. A call of (1, 1, 16, 64) takes 0.75 of the usual NumPy of blogs; lowering
takes 0.6 ms.
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


def floor(q, k, v, causal):
    """What cannot be left out: both products in blocks of rows, and the exponentials; numbers may be wrong."""
    out = np.empty_like(v)
    scratch = np.empty(BLOCK * k.shape[-2], q.dtype)
    for at in np.ndindex(q.shape[:-2]):
        keys = k[at].T
        for start in range(0, q.shape[-2], BLOCK):
            rows = q[at][start : start + BLOCK]
            stop = min(start + len(rows), k.shape[-2]) if causal else k.shape[-2]
            scores = scratch[: len(rows) * stop].reshape(len(rows), stop)
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
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare(arrays, causal):
    """The median of the ratios of calls one after the other, and the ratio of the best ones."""
    q, k, v = arrays
    f = lower(attention(mask=CausalMask() if causal else None))
    scaled = q * q.dtype.type(1 / 8)
    pairs = [
        (seconds(lambda: floor(scaled, k, v, causal)), seconds(lambda: f(q, k, v, threads=1))) for _ in range(ROUNDS)
    ]
    best = min(mine for _, mine in pairs) / min(least for least, _ in pairs)
    return statistics.median(mine / least for least, mine in pairs), best


def main():
    for shape, dtype in CASES:
        for causal in (False, True):
            ratio, best = compare(numbers(shape, dtype), causal)
            print(
                f"{shape} {dtype.__name__} {'causal' if causal else 'full'}: {ratio:.3f} of the floor, best {best:.3f}"
            )
    q, k, v = numbers((1, 1, 16, 64), np.float32)
    f = lower(attention())
    least = [min(timeit.repeat(lambda g=g: g(q, k, v), number=50, repeat=600)) for g in (f, blog)]
    print(f"(1, 1, 16, 64): {least[0] / least[1]:.2f} of the usual NumPy")
    expression = attention(mask=CausalMask())
    lower(expression)
    print(f"lowering: {1e3 * min(seconds(lambda: lower(expression)) for _ in range(20)):.1f} ms")


if __name__ == "__main__":
    main()
