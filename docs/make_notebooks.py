"""Write and execute the notebooks beside this file: `python docs/make_notebooks.py`.

Cells are run here, in one process, so that neither Jupyter nor a kernel is needed. Of what a cell shows, the Markdown
or LaTeX is stored and not the HTML, since GitHub strips HTML of its styles; Jupyter shows it when it runs a cell.
"""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
SHOWN = {"text/markdown": "_repr_markdown_", "text/latex": "_repr_latex_"}

HAND_SIZED = """
# Attention, worked out by hand

Three tokens, small integers, a causal mask: every step of scaled dot-product attention with its formula, its numbers
and its exact result. An expression and values for its symbols are all that it takes.

>>>
from sympy import MatrixSymbol, symbols

from symattn import Attention, CausalMask, derive, differentiate

n, d_k, d_v = symbols("n d_k d_v", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d_k), MatrixSymbol("K", n, d_k), MatrixSymbol("V", n, d_v)
attention = Attention(Q, K, V, mask=CausalMask())
attention

>>>
values = {
    Q: [[1, 2], [3, -1], [0, 1]],
    K: [[2, 0], [1, 1], [-1, 2]],
    V: [[1, 0], [0, 1], [2, 3]],
}
derivation = derive(attention, values, title="A causal mask, by hand", tokens=["The", "cat", "sat"])
derivation

<<<
## One step

A step is found by its name, and shows itself with its formula, its exact values and its decimals.

>>>
derivation["weights"]

<<<
Its value is exact; decimals of any number of digits are proven to be the nearest ones.

>>>
derivation["weights"].exact[2, 1]

>>>
print(derivation["weights"].evaluate(30)[2, 1])

>>>
print(derivation["scores"].entry(2, 1))

<<<
## Shapes and costs

The shapes of all arrays, here for a batch of four sequences, and the costs of the calculation as polynomials in its
sizes. Without values the sizes stay letters.

>>>
derivation.shapes(batch=4)

>>>
derive(attention).costs()

<<<
## The backward pass

The gradients with respect to Q, K and V for a given gradient of the output, step by step.

>>>
backward = differentiate(derivation, wrt=[Q, K, V], G=[[1, 0], [0, 1], [1, 1]])
backward["dQ"]

<<<
## Other notations

The same steps in the notation of Bishop's book.

>>>
derive(attention, values, notation="bishop")["scores"]
"""

CHECKED = '''
# Checking an article, proving a theorem, lowering to NumPy

An article is read as it is: prose, formulas, printed numbers. Every number that follows from others is worked out
again.

>>>
from symattn import check_article, lower, prove

article = r"""
Let $Q = \\begin{bmatrix} 1 & 5 \\\\ 9 & 13 \\end{bmatrix}$ and $K = \\begin{bmatrix} 5 & 1 \\\\ 13 & 9 \\end{bmatrix}$,
with two columns each, so that $d_k = 2$. The scores are

$$QK^T = \\begin{bmatrix} 10 & 58 \\\\ 58 & 244 \\end{bmatrix}$$

and divided by the root of the width

$$\\frac{QK^T}{\\sqrt{d_k}} = \\begin{bmatrix} 7.07 & 41.01 \\\\ 41.01 & 172.53 \\end{bmatrix}$$
"""
report = check_article(article)
report

<<<
9 · 13 + 13 · 9 is 234 and not 244. The number 172.53 in the next line follows from it, and is therefore called carried:
only the first counts as a mistake. The report holds these findings as data, too, and gives the diff that corrects them.

>>>
report.summary

>>>
difference, left_out = report.patch()
print(difference)

<<<
## A theorem

The built-in theorems are chains of equalities. Each link is proven for every size or refuted by small numbers.

>>>
prove("shift-invariance")

<<<
A formula that articles print for the gradient, and that does not hold:

>>>
prove("query-without-jacobian")

<<<
Two expressions of your own can be held against each other.

>>>
from sympy import MatrixSymbol, Transpose, symbols

from symattn import Attention, Softmax

n, d, e = symbols("n d e", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", n, d), MatrixSymbol("V", n, e)
prove(Attention(Q, K, V, scale=1), Softmax(Q * Transpose(K)) * V).status

>>>
prove(Softmax(Q * Transpose(K)), Softmax(K * Transpose(Q))).status

<<<
## A function for scripts

The same expression becomes a NumPy function. In the plain style it has one line for each step; the style "fast", which
is the default, computes by blocks of rows.

>>>
function = lower(Attention(Q, K, V), style="plain")
function

>>>
import numpy as np

random = np.random.default_rng(15)
q, k, v = (random.standard_normal((2, 4, 3)) for _ in range(3))  # a batch of two sequences
fast = lower(Attention(Q, K, V))
bool(np.allclose(function(q, k, v), fast(q, k, v))), fast(q, k, v).shape
'''

NOTEBOOKS = {"hand-sized.ipynb": HAND_SIZED, "checked-and-lowered.ipynb": CHECKED}


def cells_of(text: str) -> list[tuple[str, str]]:
    """The cells of a notebook: code after a line >>>, words after a line <<< and at the beginning."""
    found = [("markdown", "")]
    for line in text.strip().split("\n"):
        if line in (">>>", "<<<"):
            found.append(("code" if line == ">>>" else "markdown", ""))
        else:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return [(kind, source.strip()) for kind, source in found]


def execute(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """The outputs of a cell: what it prints, and its last expression as Jupyter would show it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)}
        )
    if value is not None:
        shown = {"data": _bundle(value), "metadata": {}, "execution_count": count, "output_type": "execute_result"}
        outputs.append(shown)
    return outputs


def _bundle(value: Any) -> dict[str, list[str]]:
    bundle = {"text/plain": repr(value)}
    for kind, method in SHOWN.items():
        if hasattr(value, method) and (written := getattr(value, method)()):
            bundle[kind] = written
            break
    return {kind: text.splitlines(keepends=True) for kind, text in bundle.items()}


def make(text: str) -> str:
    """An executed notebook as JSON."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for k, (kind, source) in enumerate(cells_of(text)):
        cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{k}", "metadata": {}}
        cell["source"] = source.splitlines(keepends=True)
        if kind == "code":
            count += 1
            cell |= {"execution_count": count, "outputs": execute(source, names, count)}
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for name, text in NOTEBOOKS.items():
        (FOLDER / name).write_text(make(text), encoding="utf-8")
