"""Scores and weights of tokens that stand in rows or columns, and those of one token."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    found = check_article(read_article("a.md", text)).formulas
    return [(each.verdict, each.theorem.key, each.right) for each in found]


def last(text):
    """The verdict on the formula of the last line."""
    found = check_article(read_article("a.md", text)).formulas
    return [each.verdict for each in found if each.line == text.rstrip().count("\n") + 1]


def test_a_query_with_an_index_of_all_tokens_is_not_proven():
    assert judged("We project:\n\n$$Q_i = X W_Q$$\n") == []


@pytest.mark.parametrize(("weights", "one"), [("A", ""), ("A_1", "_1")])
def test_weights_of_columns_fail_where_tokens_are_projected_as_rows(weights, one):
    text = f"$$Q{one} = X W^Q$$\n\n$$K{one} = X W^K$$\n\n$${weights} = \\text{{softmax}}(Q{one}^T K{one})$$\n"
    assert last(text) == ["fails"]
    assert last(text.replace(f"Q{one}^T K{one}", f"Q{one} K{one}^T")) == ["holds-if"]


def test_the_weight_of_one_query_and_one_key_is_not_proven():
    assert judged("The weights are\n\n$$\\alpha_i = \\text{softmax}(q_i^T k_i)$$\n") == []


def test_weights_of_channels_are_no_slip():
    text = "Channel attention:\n\n$$Q = X W^Q$$\n\n$$K = X W^K$$\n\n$$A = \\text{softmax}(Q^T K)$$\n"
    assert last(text) != ["fails"]
