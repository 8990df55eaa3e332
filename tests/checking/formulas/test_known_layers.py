"""Counts, scores and gradients of layers that articles know by their usual names."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    """The verdicts on the formulas of the last line."""
    found = check_article(read_article("a.md", text + "\n")).formulas
    return [each.verdict for each in found if each.line == text.count("\n") + 1]


@pytest.mark.parametrize(
    "formula",
    [
        "dW_2 = A_1 dY",
        "dX = W_1^T dX",
        r"dZ_1 = dA_1 \odot \text{ReLU}'(A_1)",
        "dx = dz W^T",
        "dV = dO B^T",
    ],
)
def test_a_gradient_of_no_layer_is_left_open(formula):
    assert said(f"Backward:\n\n$${formula}$$") == []


def test_a_gradient_of_a_layer_that_is_another_fails():
    assert said("$$Z = W X$$\n\n$$dX = dZ W^T$$") == ["fails"]


LAYERS = "A decoder with $N$ layers and $d_{ff} = 4 d_{model}$ has so many parameters:\n\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (LAYERS + "$$P = 12 N d_{model}^2 + V d_{model}$$", ["holds-if"]),
        (LAYERS + "$$P = L \\times 12 d_{model}^2 + V d_{model} + d_{model}$$", ["holds-if"]),
        ("$$P = 12 N d_{model}^2 + V d_{model}$$", []),  # of which nothing says that N counts layers
        ("Parameters of the SwiGLU FFN: $3 d_{model} d_{ff} = 3 d_{model} \\frac{8}{3} d_{model} = 8 d_{model}^2$",
         ["holds-if"]),
    ],
)  # fmt: skip
def test_counts_of_parameters(text, found):
    assert said(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$$\\alpha(q, k) = \\frac{q^T k}{\\sqrt{d_k}}$$", ["holds"]),
        ("$$s_{ij} = \\frac{\\hat{Q}_i \\hat{K}_j^T}{\\sqrt{d_k}}$$", ["holds"]),
        ("$$s_{ij} = \\frac{\\hat{Q}_i \\hat{K}_i^T}{\\sqrt{d_k}}$$", []),
        ("$$\\text{Sim}(Q, K) = QK^T$$\n\n"
         "$$\\text{Attention}(Q, K, V) = \\text{softmax}\\left(\\frac{\\text{Sim}(Q, K)}{\\sqrt{d_k}}\\right) V$$",
         ["holds"]),
        ("Relative positions: $s_{ij} = q_i^T k_j + q_i^T r_{i-j}$", ["holds"]),
        ("Relative positions: $s_{ij} = q_i^T k_j + k_j^T r_{i-j}$", []),
        ("We add $s_{ij} = q_i^T k_j + q_i^T r_{i-j}$", []),
        ("$q_i$ and $k_i$ are independent, of mean 0 and variance 1: "
         "$\\text{Var}(q \\cdot k) = \\sum_i \\text{Var}(q_i k_i) = \\sum_i 1 = d_k$", ["holds"]),
        ("$Q \\cdot K = \\sum_i q_i k_i$\n\n"
         "$$\\text{Var}(Q \\cdot K) = \\sum_{i=1}^{d_k} \\text{Var}(q_i k_i) = d_k \\text{Var}(q_i k_i)$$",
         ["holds-if"]),
    ],
)  # fmt: skip
def test_scores_and_their_spread(text, found):
    assert said(text) == found
