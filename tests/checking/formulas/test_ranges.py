"""Sums over an index, and how many there are of what it counts."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

STATED = r"$Q \in \mathbb{R}^{n \times d}$, $K, V \in \mathbb{R}^{m \times d}$, $e_{ij} = q_i^T k_j$" + "\n\n"


def said(formula, before=STATED):
    found = check_article(read_article("a.md", f"{before}$${formula}$$\n")).formulas
    return [(each.verdict, each.condition and each.condition.text()) for each in found if each.line == 3]


def test_a_sum_over_the_keys_up_to_the_number_of_queries_holds_for_self_attention():
    [(verdict, condition)] = said(r"a_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^n \exp(e_{ik})}")
    assert verdict == "holds-if"
    assert "self-attention" in condition


def test_an_equation_that_is_not_known_to_hold_is_not_called_right_under_a_condition():
    assert said(r"o_i = \sum_{j=1}^n a_{ij} q_j") == []


@pytest.mark.parametrize(
    "formula",
    [r"a_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^m \exp(e_{ik})}", r"o_i = \sum_j a_{ij} v_j"],
)
def test_a_sum_over_all_keys_needs_nothing(formula):
    assert "holds-if" not in [verdict for verdict, _ in said(formula)]
