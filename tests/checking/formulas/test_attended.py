"""Attention beside attention of other matrices: queries may be permuted alone, keys only with their values."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

LINE = r"$\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{Q K^T}{\sqrt{d_k}}\right) V$" + "\n"
SAID = LINE + r"Let $\Pi$ be a permutation matrix and $Q, K \in \mathbb{R}^{n \times d_k}$." + "\n\n"


def last(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas if x.line == 4]


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


@pytest.mark.parametrize(
    "said",
    [
        r"Calling the layer on tokens, $\text{Attention}(X, X, X) = \text{Attention}(Q, K, V)$",
        r"In cross-attention $K = V$, hence $\text{Attention}(Q, K, V) = \text{Attention}(Q, K, K)$.",
        r"When keys and values are shared, $\text{Attention}(Q, K, V) = \text{Attention}(Q, V, V)$.",
        r"For a single token, $\text{Attention}(2Q, K, V) = \text{Attention}(Q, K, V)$.",
        r"With one key only, $\text{Attention}(Q, 2K, V) = \text{Attention}(Q, K, V)$.",
        r"When $Q = 0$, $\text{Attention}(2Q, K, V) = \text{Attention}(Q, K, V)$.",
        r"Cosine attention first normalises queries. $\text{Attention}(2Q, K, V) = \text{Attention}(Q, K, V)$.",
        r"In causal attention $\text{Attention}(\Pi Q, \Pi K, \Pi V) = \Pi \text{Attention}(Q, K, V)$.",
        r"GPT decoders hide the future. $\text{Attention}(\Pi Q, \Pi K, \Pi V) = \Pi \text{Attention}(Q, K, V)$.",
        r"With RoPE $\text{Attention}(\Pi Q, \Pi K, \Pi V) = \Pi \text{Attention}(Q, K, V)$.",
    ],
)
def test_what_is_said_of_special_matrices_or_of_other_attention_is_not_known(said):
    assert last(SAID + said) == []


def test_self_attention_is_of_the_input():
    said = r"In self-attention $Q = K = V = X$: $\text{Attention}(Q, K, V) = \text{Attention}(X, X, X)$"
    assert last(SAID + said) == ["holds"]


def test_without_a_line_that_says_what_attention_is_nothing_is_known():
    assert last(SAID.replace(LINE, "\n") + r"$\text{Attention}(2Q, K, V) = \text{Attention}(Q, K, V)$") == []


def test_projections_of_queries_make_these_no_special_matrices():
    made = r"With $Q = XW_Q$, $K = XW_K$ and $V = XW_V$ "
    assert last(SAID + made + r"$\text{Attention}(2Q, K, V) = \text{Attention}(Q, K, V)$.")[-1:] == ["fails"]
