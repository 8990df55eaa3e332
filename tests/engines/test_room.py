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
from tests.sampling import EVERY, sampled

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


# tokens, keys, width of queries, width of values, heads, level: up to 64 by 64 and 16 heads
LARGE = {
    "64 by 64, 64 wide": (64, 64, 64, 64, 1, "matrix"),
    "1 by 64": (1, 64, 3, 64, 1, "matrix"),
    "64 by 1": (64, 1, 64, 1, 1, "index"),
    "33 by 17": (33, 17, 20, 5, 1, "matrix"),
    "13 by 10": (13, 10, 20, 5, 1, "matrix"),
    "24 by 40, by index": (24, 40, 2, 33, 1, "index"),
    "17, by token": (17, 2, 5, 20, 1, "token"),
    "16 heads": (3, 3, 1, 1, 16, "matrix"),
    "8 wide heads of 20": (20, 20, 4, 4, 8, "matrix"),
    "11 heads, by token": (2, 2, 2, 2, 11, "token"),
}


QUICK = ("64 by 1", "13 by 10", "17, by token", "11 heads, by token")  # with exponentials of 18 digits too


def draw_large(name: str, entry: Callable[[random.Random], str]) -> Derivation:
    """A derivation of this size."""
    n, m, width, columns, heads, level = LARGE[name]
    r = random.Random(name)
    if heads > 1:
        X = MatrixSymbol("X", n, width)
        W = {f"W_{x}": MatrixSymbol(f"W_{x}", width, heads * width) for x in "QKV"}
        expression, symbols = MultiHead(X, heads=heads, **W), (X, *W.values())
    else:
        Q, K, V = MatrixSymbol("Q", n, width), MatrixSymbol("K", m, width), MatrixSymbol("V", m, columns)
        expression, symbols = Attention(Q, K, V, mask=CausalMask() if n == m else None), (Q, K, V)
    values = {s: [[entry(r) for _ in range(s.shape[1])] for _ in range(s.shape[0])] for s in symbols}
    return derive(expression, values, level=level, figures=True)


def overfull(drawn: dict[str, Derivation], pdflatex: str, folder: Path) -> list[str]:
    """The lines and pages of one article of some derivations that run past their margins."""
    bodies = [d.to_latex(fragment=True, label_prefix=name) for name, d in drawn.items()]
    head = next(iter(drawn.values())).to_latex(plain=True).partition("\\maketitle")[0]
    head = head.replace("\\begin{document}", "\\usepackage{tikz}\\begin{document}")
    article = head + "\\setcounter{MaxMatrixCols}{64}\n" + "\n\\clearpage\n".join(bodies) + "\n\\end{document}\n"
    log = typeset(article, pdflatex, folder, seconds=300)
    return [m[0] for m in re.finditer(r"Overfull \\[hv]box \(([\d.]+)pt.*", log) if float(m[1]) > WIDEST_OVERRUN]


@pytest.mark.parametrize("entries", ["decimals", "nine digits"])
def test_no_line_of_a_large_page_runs_off_it(entries: str, engine: Callable[[str], str], tmp_path: Path) -> None:
    names = [name for name in LARGE if EVERY or (name in QUICK) is (entries == "nine digits")]
    drawn = {f"s{k}": draw_large(name, ENTRIES[entries]) for k, name in enumerate(names)}
    assert overfull(drawn, engine("pdflatex"), tmp_path) == []


def test_no_line_runs_off_the_page(engine: Callable[[str], str], tmp_path: Path) -> None:
    drawn = {f"s{seed}": draw(seed) for seed in sampled(range(1, 41), 4)}
    assert overfull(drawn, engine("pdflatex"), tmp_path) == []
