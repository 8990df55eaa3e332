"""Sums over rows and columns of a softmax, and of its derivatives, whatever the scores are."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

ROWS = r"The weights are $A = \mathrm{softmax}(S)$ row by row."
VECTOR = r"The softmax of $z \in \mathbb{R}^n$ is $p_i = \frac{e^{z_i}}{\sum_{j=1}^n e^{z_j}}$."


def verdicts(text, formula):
    found = check_article(read_article("a.md", f"{text}\n\n${formula}$\n"))
    return [each.verdict for each in found.formulas if each.line == 3]


@pytest.mark.parametrize(
    ("text", "formula", "expected"),
    [
        (ROWS, r"A\mathbf{1} = \mathbf{1}", ["holds"]),
        (ROWS, r"A^\top\mathbf{1} = \mathbf{1}", ["fails"]),  # columns: 1/2 + 1/2 of two rows, but e/(1 + e) + 1/2
        (ROWS, r"\sum_j A_{ij} = 1", ["holds"]),
        (ROWS, r"\sum_i A_{ij} = 1", ["fails"]),
        (r"The weights are $A = \mathrm{softmax}(S)$ over the queries.", r"\sum_i A_{ij} = 1", []),
        (ROWS + " Sinkhorn iterations make it doubly stochastic.", r"A^\top\mathbf{1} = \mathbf{1}", []),
        ("A matrix $A$ of numbers.", r"A\mathbf{1} = \mathbf{1}", []),
        # the Jacobian of softmax is symmetric, and its rows sum to 0
        (VECTOR, r"\sum_j \frac{\partial p_i}{\partial z_j} = 0", ["holds"]),
        (VECTOR, r"\sum_i \frac{\partial p_i}{\partial z_j} = 0", ["holds"]),
        (r"For $y_i = z_i^2$ we set", r"\sum_i \frac{\partial y_i}{\partial z_j} = 0", []),  # to be solved for z
    ],
)
def test_sums_of_weights_and_slopes(text, formula, expected):
    assert verdicts(text, formula) == expected
