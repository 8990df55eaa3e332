"""Pages of any size keep within their margins: a grid of random worksheets, in one article by pdflatex."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sympy import MatrixSymbol

from symattn import Attention, CausalMask, MultiHead, derive
from symattn.api.derivation import Derivation
from tests.engines.typesetting import typeset

WIDEST_OVERRUN = 5.0  # points past the margin that no reader sees
ENTRIES: dict[str, Callable[[random.Random], str]] = {
    "integers": lambda r: str(r.randint(-9, 9)),
    "decimals": lambda r: f"{r.randint(-99, 99) / 100:.2f}",
    "fractions": lambda r: f"{r.randint(-99, 99)}/{r.randint(1, 30)}",
    "nine digits": lambda r: str(r.randint(-(10**9), 10**9)),
    "thousandths": lambda r: f"{r.randint(-(10**6), 0)}/1000",
}


def draw(seed: int) -> Derivation:
    """A derivation of random sizes, entries, mask, heads and level of detail."""
    r = random.Random(seed)
    entry = ENTRIES[r.choice(list(ENTRIES))]
    n, width, columns = r.choice([1, 2, 3, 5, 8, 13, 16]), r.choice([1, 2, 3, 8, 16]), r.choice([1, 2, 6, 20])
    m = r.choice([n, n, 2, 9])
    mask = CausalMask() if n == m and r.random() < 0.4 else None
    level = r.choice(["matrix", "token", "index"]) if n * m < 100 else "matrix"
    if r.random() < 0.25 and n < 9:
        heads = r.choice([2, 4])
        X = MatrixSymbol("X", n, 2 * heads)
        W = {f"W_{x}": MatrixSymbol(f"W_{x}", 2 * heads, 2 * heads) for x in "QKV"}
        expression, symbols = MultiHead(X, heads=heads, mask=CausalMask() if mask else None, **W), (X, *W.values())
    else:
        Q, K, V = MatrixSymbol("Q", n, width), MatrixSymbol("K", m, width), MatrixSymbol("V", m, columns)
        expression, symbols = Attention(Q, K, V, mask=mask), (Q, K, V)
    values = {s: [[entry(r) for _ in range(s.shape[1])] for _ in range(s.shape[0])] for s in symbols}
    return derive(expression, values, level=level)


@pytest.mark.parametrize("seeds", [range(14), range(14, 27), range(27, 40)], ids=["1", "2", "3"])
def test_no_line_runs_off_the_page(seeds: range, engine: Callable[[str], str], tmp_path: Path) -> None:
    drawn = {seed: draw(seed) for seed in seeds}
    bodies = [d.to_latex(fragment=True, label_prefix=f"s{seed}") for seed, d in drawn.items()]
    head = drawn[seeds[0]].to_latex().partition("\\maketitle")[0]
    article = head + "\\setcounter{MaxMatrixCols}{64}\n" + "\n\\clearpage\n".join(bodies) + "\n\\end{document}\n"
    log = typeset(article, engine("pdflatex"), tmp_path, seconds=300)
    over = [m[0] for m in re.finditer(r"Overfull \\[hv]box \(([\d.]+)pt.*", log) if float(m[1]) > WIDEST_OVERRUN]
    assert over == []
