"""Weights, arguments and vectors that stand where they do not belong; what only looks so stays silent."""

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


STACKED = "The tokens are $X = [x_1, \\ldots, x_n]$. Each token $x_i$ has a query $Q_i$ and a key $K_i$:\n\n"


def test_the_query_of_one_token_is_not_made_of_all_of_them():
    assert judged(STACKED + "$$Q_i = X W_Q$$\n") == [("fails", "formula.one_element", "Q_i = x_i W_Q")]


@pytest.mark.parametrize(
    "text",
    [
        STACKED + "$$Q_i = X W_i^Q$$\n",  # of a head
        STACKED + "$$Q_i = x_i W_Q$$\n",
        "Head $i$ has\n\n$$Q_i = X W_Q$$\n",
    ],
)
def test_other_queries_with_an_index_are_not_called_wrong(text):
    assert "fails" not in [verdict for verdict, *_ in judged(text)]


def test_a_query_with_an_index_of_all_tokens_is_not_proven():
    assert judged("We project:\n\n$$Q_i = X W_Q$$\n") == []


VALUES = "$$V = X W_V$$\n\n$$c_i = \\sum_j \\alpha_{ij} V_j$$\n\n"


def test_the_weights_of_the_values_are_applied_once():
    assert judged(VALUES + "$$y_i = c_i W_V$$\n")[-1][:2] == ("fails", "formula.applied_twice")
    assert last(VALUES + "$$y_i = c_i W_O$$\n") != ["fails"]
    assert last(VALUES + "$$V' = c W_V$$\n") != ["fails"]  # of the next layer


@pytest.mark.parametrize(
    ("formula", "key"),
    [
        (r"\text{Out} = \text{Attention}(Q, K, V) \odot W_O", "formula.weights_entrywise"),
        (r"\text{MultiHead}(Q, K, V) = \text{Attention}(Q, K, V) \odot \text{DotProductAttention}(Q, K, V)",
         "formula.heads_entrywise"),
        (r"X' = X + \text{FFN}(X')", "formula.own_argument"),
        (r"\text{Dropout}(x) = (1 - p) x + p \cdot \text{noise}", "formula.dropout"),
        (r"\text{FFN}(x) = \text{ReLU}(W_2 W_1 x + b_1) + b_2", "formula.no_activation_between"),
    ],
)  # fmt: skip
def test_what_stands_in_the_wrong_place_fails(formula, key):
    assert [found[:2] for found in judged(f"A layer:\n\n$${formula}$$\n")] == [("fails", key)]


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{Out} = \text{Attention}(Q, K, V) \odot G",  # gated
        r"\text{Out} = \text{Attention}(Q, K, V) \odot \sigma(X W_g)",
        r"\text{Out} = \text{Attention}(Q, K, V) W_O",
        r"X' = X + \text{FFN}(X)",
        r"X'' = X' + \text{FFN}(X')",
        r"\text{Dropout}(x) = \frac{m \odot x}{1 - p}",
        r"\text{FFN}(x) = W_2 \text{ReLU}(W_1 x + b_1) + b_2",
        r"\text{FFN}(x) = \text{ReLU}(W_2 \text{ReLU}(W_1 x + b_1) + b_2)",
    ],
)
def test_what_stands_in_its_place_does_not_fail(formula):
    assert "fails" not in [verdict for verdict, *_ in judged(f"A layer:\n\n$${formula}$$\n")]


def test_a_fixed_point_is_its_own_argument():
    assert not judged("The equilibrium is\n\n$$X' = X + \\text{FFN}(X')$$\n")


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
