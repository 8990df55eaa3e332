"""Linear attention of one token with its state turned: its shapes fit only where the state is transposed."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

BELOW = r"\phi(q_i)^T \sum_j \phi(k_j)"
TURNED = [
    (r"\phi(q_i)^T (\sum_j \phi(k_j) v_j^T)^T", r"\phi(q_i)^T (\sum_j \phi(k_j) v_j^T)"),
    (r"\phi(q_i)^T \sum_j v_j \phi(k_j)^T", r"\phi(q_i)^T (\sum_j v_j \phi(k_j)^T)^T"),
    (r"(\sum_j v_j \phi(k_j)^T)^T \phi(q_i)", r"(\sum_j v_j \phi(k_j)^T) \phi(q_i)"),
]


def judged(above, below=BELOW):
    text = rf"Linear attention: $$o_i = \frac{{{above}}}{{{below}}}$$"
    return [(each.verdict, each.right) for each in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(("wrong", "right"), TURNED)
def test_a_turned_state_does_not_fit(wrong, right):
    assert judged(wrong) == [("fails", rf"o_i = \frac{{{right}}}{{{BELOW}}}")]
    assert judged(right) == [("holds", None)]


def test_rows_are_told_by_the_denominator():
    rows = r"\phi(q_i) \sum_j \phi(k_j)^T"
    assert judged(r"\phi(q_i) \sum_j \phi(k_j)^T v_j", rows) == [("holds", None)]
    assert [x for x, _ in judged(r"\phi(q_i) \sum_j v_j^T \phi(k_j)", rows)] == ["fails"]
