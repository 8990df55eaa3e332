"""How long does it take to derive the backward pass, and to compute it lowered?

On two shared cores, November 2026: symbolically, with biases, mask and W_O, 1 ms for one head, 2 for eight and 2 to 4
for 64 (they are one family). Lowered, (1, 8, 2048, 64), one thread: output and gradients take 2.8 to 3.0 times the
output alone in float32, 3.1 to 3.4 in float64, of which the output is 1; the products alone are 3 times as many.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

from collections.abc import Iterator

import numpy as np
from sympy import MatrixSymbol, symbols

from benchmarks.timing import Ratio, compare, show
from symattn import Attention, CausalMask, MultiHead, derive, differentiate, lower

n, D, d = symbols("n d_model d_k", integer=True, positive=True)


def layer(heads: int) -> MultiHead:
    """Self-attention with every parameter that it can have."""
    wide = heads * d
    weights = {f"W_{x}": MatrixSymbol(f"W_{x}", D, wide) for x in "QKV"}
    biases = {f"b_{x}": MatrixSymbol(f"b_{x}", 1, wide) for x in "QKV"}
    output = {"W_O": MatrixSymbol("W_O", wide, D), "b_O": MatrixSymbol("b_O", 1, D)}
    return MultiHead(MatrixSymbol("X", n, D), heads=heads, **weights, **biases, **output, mask=CausalMask())


def ratios() -> Iterator[Ratio]:
    for heads in (1, 8, 64):
        forward, derivation = layer(heads), derive(layer(heads))
        what = f"the gradient of {heads} heads in symbols, beside its derivation"
        yield compare(what, lambda d=derivation: differentiate(d), lambda f=forward: derive(f), 5)
    for dtype in (np.float32, np.float64):
        for mask in (None, CausalMask()):
            yield lowered(dtype, mask)


def lowered(dtype: type, mask: object) -> Ratio:
    """Output and gradients beside the output alone."""
    generator = np.random.default_rng(0)
    arrays = [generator.standard_normal((1, 8, 2048, 64)).astype(dtype) for _ in "QKVG"]
    expression = Attention(*(MatrixSymbol(x, n, d) for x in "QKV"), mask=mask)
    forward, both = lower(expression), lower(expression, gradient=True)
    what = f"output and gradients, {dtype.__name__}{' causal' if mask else ''}, beside the output alone"
    return compare(what, lambda: both(*arrays, threads=1), lambda: forward(*arrays[:3], threads=1), 9)


if __name__ == "__main__":
    show(ratios())
