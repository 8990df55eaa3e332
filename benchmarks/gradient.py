"""How long does it take to derive the backward pass, and what are its exact values worth?

On two shared cores, November 2026: symbolically, with biases, mask and W_O, 1 ms for one head, 2 for eight and 2 to 4
for 64 (they are one family), 19 to 30 ms the first time, the import of the rules included; with values, n = d = 8 and
every parameter, one gradient in closed form to 30 digits in 0.3 s and every step as LaTeX in 0.4 to 1.5 s.
Lowered, (1, 8, 2048, 64), one thread: output and gradients take 2.8 to 3.0 times the output alone in float32, 3.1 to
3.4 in float64, of which the output is 1; the products alone are 3 times as many.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import random
import statistics
import time

import numpy as np
from sympy import MatrixSymbol, symbols

from symattn import Attention, CausalMask, MultiHead, derive, differentiate, lower

n, D, d = symbols("n d_model d_k", integer=True, positive=True)


def layer(heads: int) -> MultiHead:
    """Self-attention with every parameter that it can have."""
    wide = heads * d
    weights = {f"W_{x}": MatrixSymbol(f"W_{x}", D, wide) for x in "QKV"}
    biases = {f"b_{x}": MatrixSymbol(f"b_{x}", 1, wide) for x in "QKV"}
    output = {"W_O": MatrixSymbol("W_O", wide, D), "b_O": MatrixSymbol("b_O", 1, D)}
    return MultiHead(MatrixSymbol("X", n, D), heads=heads, **weights, **biases, **output, mask=CausalMask())


def main() -> None:
    for heads in (1, 8, 64):
        derivation = derive(layer(heads))
        best = min(timed(lambda d=derivation: differentiate(d)) for _ in range(5))
        print(f"{heads} heads, symbolically: {1000 * best:.0f} ms")
    size, source = 8, random.Random(1)
    shapes = dict.fromkeys(layer(1).atoms(MatrixSymbol), (size, size))
    values = {
        s.name: [[source.randint(-3, 3) for _ in range(size)] for _ in range(1 if s.name.startswith("b_") else size)]
        for s in shapes
    }
    backward = differentiate(derive(layer(1), values), G=[[source.randint(-3, 3) for _ in range(size)]] * size)
    print(f"n = d = {size}, exact: {timed(lambda: backward['dX'].evaluate(30)):.2f} s")
    print(f"n = d = {size}, LaTeX: {timed(backward.to_latex):.2f} s")
    for dtype in (np.float32, np.float64):
        for mask in (None, CausalMask()):
            print(f"lowered, {dtype.__name__}, {mask}: {lowered(dtype, mask):.2f} of the output alone")


def lowered(dtype: type, mask: object) -> float:
    """The median ratio of output and gradients to the output alone."""
    generator = np.random.default_rng(0)
    arrays = [generator.standard_normal((1, 8, 2048, 64)).astype(dtype) for _ in "QKVG"]
    expression = Attention(*(MatrixSymbol(x, n, d) for x in "QKV"), mask=mask)
    forward, both = lower(expression), lower(expression, gradient=True)
    pairs = [
        (timed(lambda: forward(*arrays[:3], threads=1)), timed(lambda: both(*arrays, threads=1))) for _ in range(9)
    ]
    return statistics.median(mine / alone for alone, mine in pairs)


def timed(work: object) -> float:
    start = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - start


if __name__ == "__main__":
    main()
