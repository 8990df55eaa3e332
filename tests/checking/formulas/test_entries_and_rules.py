"""Entries beside matrices, slips in the delta rule, titles in front of rows."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    found = check_article(read_article("a.md", text + "\n")).formulas
    return {each.text: (each.verdict, each.right) for each in found}


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"J_{ij} = p_i (\delta_{ij} - p_j) = \text{diag}(p) - p p^T", "holds"),
        (r"J_{ij} = p_i (\delta_{ij} - p_j) = \text{diag}(p) + p p^T", "fails"),
        (r"J_{ij} = \beta (p_i \delta_{ij} - p_i p_j) = \beta (\text{diag}(p) - p p^T)", "holds-if"),
    ],
)
def test_an_entry_beside_the_matrix_that_it_is_of(formula, verdict):
    assert said(f"The Jacobian of softmax:\n\n$${formula}$$")[formula][0] == verdict


@pytest.mark.parametrize(
    ("words", "formula", "verdict"),
    [
        ("With the query $q_t$ and the key $k_t$:", r"S_t = S_{t-1} + \beta_t (v_t - S_{t-1} q_t) k_t^T", "fails"),
        ("With the query $q_t$ and the key $k_t$:", r"S_t = S_{t-1} + \beta_t (v_t - S_{t-1} k_t) k_t^T", "holds"),
        ("This is the delta rule:", r"S_t = S_{t-1} + \eta_t (v_t k_t^T - S_{t-1})", "fails"),
        ("Unlike the delta rule, this is an average:", r"S_t = S_{t-1} + \eta_t (v_t k_t^T - S_{t-1})", None),
        ("This is an average:", r"S_t = S_{t-1} + \eta_t (v_t k_t^T - S_{t-1})", None),
    ],
)
def test_the_delta_rule_erases_by_the_key(words, formula, verdict):
    assert said(f"{words}\n\n$${formula}$$").get(formula, (None,))[0] == verdict


def test_a_title_in_front_of_a_row_is_no_side():
    text = r"$$\begin{aligned}\text{Weights}&: A = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right) \\"
    text += r"\text{Output}&: O = AV\end{aligned}$$"
    assert [verdict for verdict, _ in said(text).values()] == ["holds", "holds"]
