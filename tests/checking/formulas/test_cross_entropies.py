"""Gradients of a cross-entropy through a layer and of a batch.

By hand: ∂L/∂z = p − y where the y add up to 1; z = W x + b gives ∂L/∂W = (p − y) xᵀ, ∂L/∂x = Wᵀ (p − y), ∂L/∂b = p − y;
the mean over N rows has a factor 1/N.
"""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

LAYER = (
    r"The softmax of $z \in \mathbb{R}^n$ is $p_i = \frac{e^{z_i}}{\sum_{j=1}^n e^{z_j}}$. With one-hot targets $y$"
    r" the loss is $L = -\sum_i y_i \log p_i$. The logits are $z = W x + b$."
)
BATCH = (
    r"For $N$ rows of logits $Z \in \mathbb{R}^{N \times C}$, $P = \mathrm{softmax}(Z)$ row by row and"
    r" $L = -\frac{1}{N}\sum_{n=1}^N \sum_{c=1}^C Y_{nc} \log P_{nc}$ with one-hot rows $Y$."
)


@pytest.mark.parametrize(
    ("text", "formula", "expected"),
    [
        (LAYER, r"\frac{\partial L}{\partial W} = (p - y) x^\top", ["holds"]),
        (LAYER, r"\frac{\partial L}{\partial W} = x (p - y)^\top", ["fails"]),
        (LAYER, r"\frac{\partial L}{\partial x} = W^\top (p - y)", ["holds"]),
        (LAYER, r"\frac{\partial L}{\partial x} = W^\top (y - p)", ["fails"]),
        (LAYER, r"\frac{\partial L}{\partial b} = p - y", ["holds"]),
        (BATCH, r"\frac{\partial L}{\partial Z} = \frac{1}{N}(P - Y)", ["holds"]),
        (BATCH, r"\frac{\partial L}{\partial Z} = P - Y", ["fails"]),
        (BATCH, r"\frac{\partial L}{\partial Z} = \frac{1}{N}(Y - P)", ["fails"]),
    ],
)
def test_gradients_of_cross_entropies(text, formula, expected):
    found = check_article(read_article("a.md", f"{text}\n\n${formula}$\n"))
    assert [each.verdict for each in found.formulas if each.line == 3] == expected


@pytest.mark.parametrize(
    "layout", ["We use the numerator layout.", r"Here $\frac{\partial L}{\partial z} = (p - y)^\top$."]
)
def test_gradients_may_be_laid_out_as_transposes(layout):
    formula = r"\frac{\partial L}{\partial W} = x (p - y)^\top"
    found = check_article(read_article("a.md", f"{LAYER} {layout}\n\n${formula}$\n")).formulas
    assert [each.verdict for each in found if each.line == 3] == []
