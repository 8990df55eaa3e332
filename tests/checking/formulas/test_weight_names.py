"""Weights that an article writes as a function of a query and a key."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

WEIGHTS = r"sim(Q_i, K_j) = \frac{\exp(Q_i K_j^T/\sqrt{D})}{\sum_{l=1}^N \exp(Q_i K_l^T/\sqrt{D})}"
OUTPUT = r"Y_i = \sum_{j=1}^{N} sim(Q_i, K_j) V_j"
KERNEL = r"sim(Q_i, K_j) = \exp(Q_i K_j^T/\sqrt{D})"


def judged(*lines):
    text = "\n\n".join(f"$${line}$$" for line in lines) + "\n"
    return [x.verdict for x in judge_formulas(read_article("a.md", text)).formulas]


@pytest.mark.parametrize("name", ["sim", r"\mathrm{sim}", r"\text{similarity}"])
def test_weights_and_the_values_they_weigh_hold(name):
    assert judged(*(line.replace("sim", name) for line in (OUTPUT, WEIGHTS))) == ["holds"] * 2


def test_weights_over_queries_fail():
    assert judged(OUTPUT, WEIGHTS.replace("Q_i K_l", "Q_l K_j")) == ["holds", "fails"]


def test_the_value_of_the_query_is_not_said_to_be_weighed():
    assert judged(OUTPUT.replace("V_j", "V_i"), WEIGHTS) == ["holds"]


def test_a_kernel_is_no_weight():
    assert "fails" not in judged(OUTPUT, KERNEL)
    assert judged(OUTPUT) == []


def test_shares_that_weigh_no_values_are_left_alone():
    shares = r"p(q_i, k_j) = \frac{\exp(q_i^T k_j)}{\sum_{l=1}^N \exp(q_l^T k_j)}"
    assert judged(shares) == []
    assert judged(shares, r"y_i = \sum_{j=1}^N p(q_i, k_j) v_j") == ["fails", "holds"]
