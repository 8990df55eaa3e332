"""Weights over the keys up to a query's own, and what they are divided by."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

SCORE = r"\exp(q_t^\top k_i / \sqrt{d})"


@pytest.mark.parametrize(("formula", "expected"), [
    (rf"\alpha_{{t,i}} = \frac{{{SCORE}}}{{\sum_{{j=1}}^t {SCORE.replace('_i', '_j')}}}", ["holds"]),
    (rf"\alpha_{{t,i}} = \frac{{{SCORE}}}{{\sum_{{j=1}}^t {SCORE.replace('_t', '_j')}}}", ["fails"]),
    (rf"\alpha_{{t,i}} = \frac{{{SCORE}}}{{\sum_{{j=1}}^t {SCORE.replace('_i', '_j').replace('k', 'w')}}}", []),
    (r"a_{ij} = \frac{\exp(s_{ij})}{\sum_{k \le i} \exp(s_{ik})}", ["holds"]),
    (r"a_{ij} = \frac{\exp(s_{ij})}{\sum_{k \le i} \exp(s_{kj})}", ["fails"]),
    (r"\alpha_i = \frac{\exp(f(q, k_i))}{\sum_{j=1}^n \exp(f(q, k_j))}", ["holds"]),
    (r"\alpha_i = \frac{\exp(f(q, k_i))}{\sum_{j=1}^n \exp(f(k, q_j))}", []),
    (r"p(x_i) = \frac{e^{x_i/T}}{\sum_j e^{x_j/T}}", ["holds"]),
    (r"p(x_i) = \frac{e^{x_i/T}}{\sum_j e^{x_j}}", ["fails"]),
])  # fmt: skip
def test_weights_are_divided_by_the_sum_over_the_keys_of_their_query(formula, expected):
    assert [x.verdict for x in check_article(read_article("a.md", f"$${formula}$$\n")).formulas] == expected
