"""Letters that a line makes multiples of others: with K̃ = K/√d_k the scores are QK̃ᵀ, and scaled once."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

MADE = r"""The scaled keys are $\tilde K = K/\sqrt{d_k}$, row by row $k_j = \sigma K_j$, and $V' = 2V$.

"""
PASS = r"""$S = \sigma Q K^T$, $P = \text{softmax}(S)$, $O = PV$, with the scaled keys $k_j = \sigma K_j$.

"""


def said(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas if x.line == 3]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"S = Q \tilde K^T", ["holds"]),
        (r"S = \frac{1}{\sqrt{d_k}} Q \tilde K^T", []),  # scaled twice
        (r"\text{Attention}(Q, K, V) = \text{softmax}(Q \tilde K^T) V", ["holds"]),
        (r"\text{Attention}(Q, K, V) = \text{softmax}(Q \tilde K^T / \sqrt{d_k}) V", []),
        (r"O = A V'", []),
    ],
)
def test_a_multiple_is_what_its_line_says(formula, verdict):
    assert said(MADE + f"$${formula}$$") == verdict


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"dQ_i = \sum_j dS_{ij} k_j", ["holds"]),  # dQ = σ dS K
        (r"dq_i = \sum_j dS_{ij} k_j", ["holds"]),
        (r"dQ_i = \sigma \sum_j dS_{ij} k_j", []),
        (r"dQ_i = \sum_j dS_{ij} K_j", ["fails"]),
        (r"dQ_i = \sigma \sum_j dS_{ij} K_j", ["holds"]),
    ],
)
def test_a_scaled_key_is_no_key(formula, verdict):
    assert said(PASS + f"$${formula}$$") == verdict


def test_a_name_for_a_multiple_is_no_slip():
    text = "$V' = 2V$\n\n" + r"$\text{Attention}(Q, K, V) = \text{softmax}(QK^T/\sqrt{d_k}) V'$"
    assert [(x.line, x.verdict) for x in check_article(read_article("a.md", text + "\n")).formulas] == [(3, "fails")]


def test_a_matrix_that_a_line_defines_is_no_number_of_channels():
    centred = r"With $C = I - \frac{1}{d} \mathbf{1} \mathbf{1}^T$ LayerNorm is" + "\n\n"
    assert said(centred + r"$$\text{LN}(x) = \sqrt{d} \frac{C x}{\|C x\|}$$") == []
    assert said("LayerNorm is\n\n" + r"$$\text{LN}(x) = \frac{x + \mu}{\sqrt{\sigma^2 + \epsilon}}$$") == ["fails"]
