"""Attention beside attention of other matrices: queries may be permuted alone, keys only with their values."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

SAID = r"Let $\Pi$ be a permutation matrix and $Q, K \in \mathbb{R}^{n \times d_k}$." + "\n\n"


def last(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas if x.line == 3]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (r"\text{Attention}(Q, \Pi K, \Pi V) = \text{Attention}(Q, K, V)", "holds"),
        (r"\text{Attention}(\Pi Q, K, V) = \Pi \text{Attention}(Q, K, V)", "holds"),
        (r"\text{Attention}(\Pi Q, \Pi K, \Pi V) = \Pi \text{Attention}(Q, K, V)", "holds"),
        (r"\text{SelfAttention}(\Pi X) = \Pi \text{SelfAttention}(X)", "holds"),
        (r"\text{Attention}(Q, \Pi K, V) = \text{Attention}(Q, K, V)", "fails"),  # the values stay where they were
        (r"\text{Attention}(\Pi Q, K, V) = \text{Attention}(Q, K, V)", "fails"),  # the rows are permuted
        (r"\text{Attention}(\Pi Q, K, V) = \Pi^T \text{Attention}(Q, K, V)", "fails"),
        (r"\text{SelfAttention}(\Pi X) = \text{SelfAttention}(X)", "fails"),
        (r"\text{Attention}(Q, K, 2V) = 2\,\text{Attention}(Q, K, V)", "holds"),
        (r"\text{Attention}(2Q, K, V) = \text{Attention}(Q, 2K, V)", "holds"),
        (r"\text{Attention}(2Q, K, V) = \text{Attention}(Q, K, V)", "fails"),
        (r"\text{Attention}(K, Q, V) = \text{Attention}(Q, K, V)", "fails"),
    ],
)
def test_attention_of_other_matrices_is_worked_out(said, verdict):
    assert last(SAID + f"${said}$") == [verdict]


@pytest.mark.parametrize(
    "said",
    [
        r"\text{Attention}(Q, B K, V) = \text{Attention}(Q, K, V)",  # nothing says what B is
        r"\text{Attention}(Q, K R, V) = \text{softmax}\left(\frac{Q K^T}{\sqrt{d_k}}\right) V",
    ],
)
def test_attention_of_other_matrices_is_not_that_of_the_usual_ones(said):
    assert last(SAID + f"${said}$") == []
