"""Formulas of which the text says what they should be: a loss by targets, a cache of fewer heads, an added mask."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def said(text, line):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas if x.line == line]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"s_{ij} = q_i k_j^T - m_h (i - j)", ["holds"]),
        (r"s_{ij} = -q_i k_j^T - m_h (i - j)", []),  # the scores themselves have another sign
        (r"s_{ij} = 2 q_i k_j^T - m_h (i - j)", []),
        (r"s_{ij} = q_i k_j^T + m_h (i - j)", ["fails"]),
    ],
)
def test_a_penalty_stands_behind_a_score(formula, verdict):
    assert said(f"# ALiBi\n\n${formula}$", 3) == verdict


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"The cross-entropy is $L = -\sum_i y_i \log p_i$.", ["holds"]),
        (r"The cross-entropy is $L = -\sum_i p_i \log p_i$.", []),
        (r"The entropy is $H = -\sum_i p_i \log p_i$.", ["holds"]),
    ],
)
def test_a_loss_has_its_targets_in_front_of_the_logarithm(formula, verdict):
    assert said(f"Let $y$ be the targets.\n\n{formula}", 3) == verdict


def test_a_cache_of_fewer_heads_is_not_that_of_all():
    sizes = "With $n_h$ query heads, {} of width $d_h$, $L$ layers and $s$ tokens the cache holds\n\n"
    sizes += "$$N_{{KV}} = 2 L {} d_h s$$"
    assert said(sizes.format("$n_{kv}$ key-value heads", "n_{kv}"), 3) == ["holds"]
    assert said(sizes.format("$n_{kv}$ key-value heads", "n_h"), 3) == []
    assert said(sizes.format("all", "n_h"), 3) == ["holds"]


def test_a_mask_of_ones_in_words_is_not_added():
    mask = (
        "The mask is $M_{{ij}} = {}$ for $j \\le i$ and ${}$ otherwise.\n\n"
        + r"$$A = \text{{softmax}}(QK^T/\sqrt{{d_k}} + M)$$"
    )
    assert said(mask.format(1, 0), 3) == ["fails"]
    assert said(mask.format(0, r"-\infty"), 3) == ["holds"]
