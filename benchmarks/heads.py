"""What do eight heads cost, exact, all steps to LaTeX, beside their integer products and the printing of these alone?

n = 16, d_model = 64, h = 8, d_k = d_v = 8, integers from -3 to 3. The floor does what cannot be left out: for each head
Q, K, V and Q Kᵀ as products of SymPy's DomainMatrix over ZZ, and for each matrix of the article the joining of its
cells, which are written already. symattn derives everything (roots, exponentials over their sums, outputs, Concat,
projection) and writes the whole article, every exact value in full (some 9 MB, most of it the projection).

The ratio is of medians in one run. Answer (November 2026, two shared cores): see docs/design.md, "Measured".
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from sympy import ZZ, MatrixSymbol, symbols
from sympy.polys.matrices import DomainMatrix

from benchmarks.timing import Ratio, compare, show
from symattn import MultiHead, derive
from symattn.api.derivation import Derivation
from symattn.writing.document import write
from symattn.writing.writers import LATEX

Rows = list[list[int]]
N, WIDE, HEADS = 16, 64, 8


def problem() -> dict[str, Rows]:
    draw = random.Random(8)
    shapes = {"X": (N, WIDE), "W_Q": (WIDE, WIDE), "W_K": (WIDE, WIDE), "W_V": (WIDE, WIDE), "W_O": (WIDE, WIDE)}
    return {k: [[draw.randint(-3, 3) for _ in range(c)] for _ in range(r)] for k, (r, c) in shapes.items()}


def derived(values: dict[str, Rows]) -> Derivation:
    n, D, d_k, d_v = symbols("n d_model d_k d_v", integer=True, positive=True)
    wide = {"W_Q": (D, HEADS * d_k), "W_K": (D, HEADS * d_k), "W_V": (D, HEADS * d_v), "W_O": (HEADS * d_v, D)}
    whole = MultiHead(MatrixSymbol("X", n, D), heads=HEADS, **{w: MatrixSymbol(w, *s) for w, s in wide.items()})
    return derive(whole, values)


def ours(values: dict[str, Rows]) -> str:
    return derived(values).to_latex(fragment=True, rounded=False, elide=False)


def written(values: dict[str, Rows]) -> list[list[list[str]]]:
    """The cells of every exact matrix of the article."""
    d = derived(values)
    names = [*(s.name for s in d.program.inputs), *(s.name for s in d.program)]
    shapes = {name: d.values.exact[name].shape for name in names}
    cells = d.equations.cells
    return [
        [[write(cells.exact(name, i, j), LATEX) for j in range(columns)] for i in range(rows)]
        for name, (rows, columns) in shapes.items()
    ]


def joined(rows: list[list[str]]) -> str:
    inside = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"


def floor(values: dict[str, Rows], cells: list[list[list[str]]]) -> str:
    def matrix(rows: Rows) -> DomainMatrix:
        return DomainMatrix([[ZZ(x) for x in row] for row in rows], (len(rows), len(rows[0])), ZZ)

    X = matrix(values["X"])
    for head in range(HEADS):
        columns = slice(head * WIDE // HEADS, (head + 1) * WIDE // HEADS)
        W = [matrix([row[columns] for row in values[w]]) for w in ("W_Q", "W_K", "W_V")]
        Q, K, V = (X * w for w in W)
        Q * K.transpose(), V
    return "".join(map(joined, cells))


def ratios() -> Iterator[Ratio]:
    values = problem()
    cells = written(values)
    what = "eight heads, exact, all to LaTeX, beside their integer products and the join of the cells"
    yield compare(what, lambda: ours(values), lambda: floor(values, cells), 7)


if __name__ == "__main__":
    show(ratios())
