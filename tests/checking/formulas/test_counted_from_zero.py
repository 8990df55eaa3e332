"""Sums over entries that are counted from 0, Σ_{r=0}^{T−1}."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(formula):
    return [each.verdict for each in check_article(read_article("a.md", f"$${formula}$$\n")).formulas]


@pytest.mark.parametrize(
    "formula",
    [
        r"\alpha_{t,j} = \frac{\exp(\hat{s}_{t,j})}{\sum_{r=0}^{T-1} \exp(\hat{s}_{t,r})}",
        r"\text{softmax}(z)_i = \frac{e^{z_i}}{\sum_{k=0}^{n-1} e^{z_k}}",
        r"o_i = \sum_{j=0}^{n-1} \alpha_{ij} v_j",
        r"\mu = \frac{1}{d} \sum_{i=0}^{d-1} x_i",
        r"q \cdot k = \sum_{i=0}^{d_k - 1} q_i k_i",
    ],
)
def test_a_sum_from_0_is_over_all_entries(formula):
    assert judged(formula) == ["holds"]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"o_i = \sum_{j=0}^{n-1} a_{ji} v_j, \quad a_{ij} = \text{softmax}_j(q_i \cdot k_j)", ["fails", "holds"]),
        (r"\text{softmax}(z)_i = \frac{e^{z_i}}{\sum_{k=0}^{n-1} e^{z_i}}", ["fails"]),
        (r"\alpha_{ij} = \frac{\exp(s_{ij})}{\sum_{k=0}^{i-1} \exp(s_{ik})}", []),  # the keys before the query
        (r"\alpha_{ij} = \frac{\exp(s_{ij})}{\sum_{k=0}^{n-2} \exp(s_{ik})}", []),
        (r"\alpha_{ij} = \frac{\exp(s_{ij})}{\sum_{k=0}^{n-1} \exp(s_{i,k+1})}", []),
        (r"\mu = \frac{1}{d-1} \sum_{i=0}^{d-1} x_i", []),
    ],
)  # fmt: skip
def test_other_bounds_and_indices_are_what_they_are(formula, expected):
    assert judged(formula) == expected
