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
from collections.abc import Iterator

import sympy
from sympy import MatrixSymbol, symbols

from benchmarks.timing import Ratio, compare, seconds, show
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


def joined(scores: Rows) -> str:
    rows = r" \\ ".join(" & ".join(map(str, row)) for row in scores)
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"


def ratios() -> Iterator[Ratio]:
    sizes = [(3, 4), (8, 8), (16, 16), (32, 8)]
    problems = [problem(n, d) for n, d in sizes]
    ours(problems[0]), plain(problems[0])  # both warm
    fast = [statistics.median(seconds(lambda values=values: ours(values)) for _ in range(15)) for values in problems]
    for (n, d), values, mine in zip(sizes, problems, fast, strict=True):
        slow = [seconds(lambda values=values: plain(values)) for _ in range(3 if n < 16 else 1)]
        yield Ratio(f"plain SymPy beside a derivation with its LaTeX, n = {n}, d = {d}", [x / mine for x in slow])
    values = problem(64, 64)
    n, d = symbols("n d_k", integer=True, positive=True)
    Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")
    derivation = derive(Attention(Q, K, V), {Q: values["Q"], K: values["K"], V: values["V"]})
    scores = [[sum(a * b for a, b in zip(q, k, strict=True)) for k in values["K"]] for q in values["Q"]]
    assert derivation["scores"].exact_latex() == joined(scores)
    what = "64 by 64 scores to LaTeX, beside the join of their texts"
    yield compare(what, derivation["scores"].exact_latex, lambda: joined(scores), 21)


if __name__ == "__main__":
    show(ratios())
