"""Additive scores of two states: which weights belong to which state is told by the products, and not by their order
in front."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"a(s_{t-1}, h_j) = v^\top \tanh(W_1 h_j + W_2 s_{t-1})", "holds"),
        (r"a(s_{t-1}, h_j) = v^\top \tanh(W_1 s_{t-1} + W_2 h_j)", "holds"),
        (r"a(s_{t-1}, h_j) = v^\top \tanh(W [h_j; s_{t-1}])", "holds"),
        (r"score(s_t, h_j) = h_j^\top W s_t", "holds"),
        (r"a(s_{t-1}, h_j) = v \tanh(W_1 h_j + W_2 s_{t-1})", "fails"),
    ],
)
def test_the_order_of_the_states_in_front_does_not_matter(formula, verdict):
    found = check_article(read_article("a.md", f"The score of two states is\n\n$$\n{formula}\n$$\n")).formulas
    assert [each.verdict for each in found] == [verdict]
