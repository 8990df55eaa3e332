"""How long does checking an article of 200 formulas take, beside markdown-it's parse of it? At most 20 times is wanted.

The article is made here: 25 calculations of three tokens with eight formulas each, a number wrong in every fifth.
Reading, parsing and judging count together; loading the modules does not. Needs markdown-it-py, which symattn itself
does not use: `pip install markdown-it-py mdit-py-plugins`. The second figure is the memory that 1,000 articles in one
process leave behind.
"""

from __future__ import annotations

import random
import resource
from collections.abc import Iterator

from markdown_it import MarkdownIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

from benchmarks.timing import Ratio, compare, show
from symattn.checking import check_article
from symattn.reading.articles import read_article

Table = list[list[float]]


def calculation(draw: random.Random, k: int) -> str:
    """One worked example in its eight formulas; numbers by plain floats."""
    Q, K, V = ([[draw.randint(0, 3) for _ in range(2)] for _ in range(3)] for _ in range(3))
    S = [[sum(a * b for a, b in zip(q, key, strict=True)) for key in K] for q in Q]
    Z = [[s / 2**0.5 for s in row] for row in S]
    A = [[2.718281828459045**z / sum(2.718281828459045**x for x in row) for z in row] for row in Z]
    O = [[sum(a * v[j] for a, v in zip(row, V, strict=True)) for j in range(2)] for row in A]
    if k % 5 == 0:
        S[1][2] += 1
    steps = [("Q", Q, 0), ("K", K, 0), ("V", V, 0), ("S = QK^T", S, 0), (r"Z = \frac{S}{\sqrt{2}}", Z, 2)]
    steps += [(r"A = \mathrm{softmax}(Z)", A, 3), ("O = AV", O, 3), (r"O = \mathrm{softmax}(Z)V", O, 2)]
    return "\n\n".join(f"Then we have\n\n$$\n{name} = {matrix(rows, places)}\n$$" for name, rows, places in steps)


def matrix(rows: Table, places: int) -> str:
    cells = r" \\ ".join(" & ".join(f"{x:.{places}f}" for x in row) for row in rows)
    return rf"\begin{{bmatrix}} {cells} \end{{bmatrix}}"


def ratios() -> Iterator[Ratio]:
    draw = random.Random(1)
    article = "\n\n".join(calculation(draw, k) for k in range(25)) + "\n"
    parser = MarkdownIt().use(dollarmath_plugin, double_inline=True).use(amsmath_plugin)
    what = "an article of 200 formulas checked, beside markdown-it's parse"
    yield compare(what, lambda: check_article(read_article(article)), lambda: parser.parse(article), 9)


def left_behind() -> float:
    """The memory, in MB, that 1,000 articles leave."""
    draw = random.Random(1)
    short = "\n\n".join(calculation(draw, k) for k in range(2)) + "\n"
    for _ in range(100):
        check_article(read_article(short))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1000):
        check_article(read_article(short))
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


if __name__ == "__main__":
    show(ratios())
    print(f"1,000 articles more: {left_behind():.1f} MB")
