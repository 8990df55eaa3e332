"""How far from Arb's own matrices are 50 certified digits of attention, and how far ahead of mpmath's?

softmax(QKᵀ/√d) V for the same random integers from −9 to 9, n = d = 64, to 50 digits:

* Arb: `arb_mat` product, scaled, maximum subtracted, `exp` of each entry, rows divided, `arb_mat` product, at 230 bits;
* mpmath: the same with `mp.matrix` in a context of 60 digits;
* symattn: `derive(...).values.balls(name, bits)` of all steps, enclosures as they are used to decide digits.

The ratio is of medians in one run, interleaved (mpmath once).

Answer (November 2026, two shared cores): see docs/design.md, "Measured".
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

import flint
import mpmath
from flint import arb, arb_mat
from sympy import MatrixSymbol

from benchmarks.timing import Ratio, seconds, show
from symattn import Attention, derive

N, BITS = 64, 230
Rows = list[list[int]]


def problem() -> dict[str, Rows]:
    draw = random.Random(5)
    return {name: [[draw.randint(-9, 9) for _ in range(N)] for _ in range(N)] for name in "QKV"}


def by_arb(values: dict[str, Rows]) -> Any:
    with flint.ctx.workprec(BITS):
        Q, K, V = (arb_mat(values[x]) for x in "QKV")
        scaled = (Q * K.transpose() * (1 / arb(N).sqrt())).tolist()
        rows = []
        for row in scaled:
            top = max(row, key=lambda x: float(x.mid()))
            powers = [(x - top).exp() for x in row]
            total = 1 / sum(powers, arb(0))
            rows.append([p * total for p in powers])
        return arb_mat(rows) * V


def by_mpmath(values: dict[str, Rows]) -> Any:
    context = mpmath.MPContext()
    context.dps = 60
    Q, K, V = (context.matrix(values[x]) for x in "QKV")
    scaled = Q * K.T / context.sqrt(N)
    for i in range(N):
        top = max(scaled[i, j] for j in range(N))
        powers = [context.exp(scaled[i, j] - top) for j in range(N)]
        total = context.fsum(powers)
        for j in range(N):
            scaled[i, j] = powers[j] / total
    return scaled * V


def by_symattn(values: dict[str, Rows]) -> Any:
    Q, K, V = (MatrixSymbol(x, N, N) for x in "QKV")
    derivation = derive(Attention(Q, K, V), {Q: values["Q"], K: values["K"], V: values["V"]})
    known = derivation.values
    start = time.process_time()
    known.balls("output", BITS)
    return time.process_time() - start


def ratios() -> Iterator[Ratio]:
    values = problem()
    by_arb(values), by_symattn(values)  # both warm
    found = [(by_symattn(values), seconds(lambda: by_arb(values))) for _ in range(9)]
    yield Ratio("50 digits of all steps, n = d = 64, beside Arb's matrices", [mine / floor for mine, floor in found])
    slow, mine = seconds(lambda: by_mpmath(values)), statistics.median(mine for mine, _ in found)
    yield Ratio("mpmath's matrices beside these 50 digits", [slow / mine])


if __name__ == "__main__":
    show(ratios())
