"""How much faster is a derivation with its LaTeX than the same through plain SymPy?

Both state every step of softmax(QKᵀ/√d) V exactly, for the same random integers from −9 to 9, and end with the LaTeX of
all of them: S = QKᵀ, S/√d, the weights and the output.

* plain SymPy: `Matrix` products, `S / sqrt(d)`, exp of each entry over the row's sum, `A * V`, `sympy.latex` of each;
* symattn: `derive(...).to_latex(fragment=True, rounded=False, elide=False)`, which also writes the sentences.

The ratio is of medians in one run (plain SymPy once where it takes longer than a second); ours is timed first, since
plain SymPy leaves a cache behind that slows down whatever runs after it in the same process. The last line compares the
scores at n = d = 64, printed in full, with joining the same integers by hand.

Answer (November 2026, two shared cores): see docs/design.md, "Measured".
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import sympy
from sympy import MatrixSymbol, symbols

from symattn import Attention, derive

Rows = list[list[int]]


def problem(n: int, d: int) -> dict[str, Rows]:
    draw = random.Random(n * 1000 + d)
    return {name: [[draw.randint(-9, 9) for _ in range(d)] for _ in range(n)] for name in "QKV"}


def plain(values: dict[str, Rows]) -> str:
    Q, K, V = (sympy.Matrix(values[x]) for x in "QKV")
    S = Q * K.T
    scaled = S / sympy.sqrt(Q.cols)
    E = scaled.applyfunc(sympy.exp)
    totals = [sum(E.row(i)) for i in range(E.rows)]
    A = sympy.Matrix(E.rows, E.cols, lambda i, j: E[i, j] / totals[i])
    return "".join(sympy.latex(step) for step in (S, scaled, A, A * V))


def ours(values: dict[str, Rows]) -> str:
    n, d = symbols("n d_k", integer=True, positive=True)
    Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")
    derivation = derive(Attention(Q, K, V), {Q: values["Q"], K: values["K"], V: values["V"]})
    return derivation.to_latex(fragment=True, rounded=False, elide=False)


def seconds(work: Callable[[], Any], repeats: int) -> float:
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
        if taken[0] > 1:
            break
    return statistics.median(taken)


def joined(scores: Rows) -> str:
    rows = r" \\ ".join(" & ".join(map(str, row)) for row in scores)
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"


def main() -> None:
    small = problem(3, 4)
    ours(small), plain(small)  # both warm
    sizes = [(3, 4), (8, 8), (16, 16), (32, 8)]
    fast = {size: seconds(lambda size=size: ours(problem(*size)), 15) for size in sizes}
    for n, d in sizes:
        slow = seconds(lambda n=n, d=d: plain(problem(n, d)), 3)
        times = f"symattn {fast[n, d] * 1e3:8.1f} ms, plain SymPy {slow * 1e3:9.1f} ms"
        print(f"n = {n:2}, d = {d:2}: {times}: {slow / fast[n, d]:6.0f} times faster")
        sys.stdout.flush()
    values = problem(64, 64)
    n, d = symbols("n d_k", integer=True, positive=True)
    Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")
    derivation = derive(Attention(Q, K, V), {Q: values["Q"], K: values["K"], V: values["V"]})
    scores = [[sum(a * b for a, b in zip(q, k, strict=True)) for k in values["K"]] for q in values["Q"]]
    assert derivation["scores"].exact_latex() == joined(scores)
    floor = seconds(lambda: joined(scores), 21)
    printed = seconds(lambda: derivation["scores"].exact_latex(), 21)
    print(f"64 by 64 scores to LaTeX: {printed / floor:.1f} times the join alone")


if __name__ == "__main__":
    main()
