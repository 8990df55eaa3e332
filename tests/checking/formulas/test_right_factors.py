"""Weights of a head beside the tokens that they multiply: Q W is (n × d_model)(d_model × d_k)."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

RIGHT = r"Every head is $\text{head}_i = \text{Attention}(Q W_i^Q, K W_i^K, V W_i^V)$."
LEFT = r"Every head is $\text{head}_i = \text{Attention}(W_i^Q Q, W_i^K K, W_i^V V)$."
TOKENS = r" Here $Q \in \mathbb{R}^{n \times d_{model}}$."
IN_WORDS = r"The matrix $W_i^V$ is each $d_k \times d_{model}$."
IN_SPACE = r"The matrices are $W_i^V \in \mathbb{R}^{d_k \times d_{model}}$."


def verdicts(text):
    found = check_article(read_article("a.md", text)).formulas
    return [each.verdict for each in found if each.line == 3]


@pytest.mark.parametrize("declared", [IN_SPACE, IN_WORDS])
def test_weights_on_the_right_have_a_row_for_each_number_of_a_token(declared):
    turned = declared.replace(r"d_k \times d_{model}", r"d_{model} \times d_k")
    assert verdicts(f"{RIGHT}{TOKENS}\n\n{declared}\n") == ["fails"]
    assert verdicts(f"{RIGHT}{TOKENS}\n\n{turned}\n") == ["holds"]
    assert "fails" not in verdicts(f"{LEFT}\n\n{declared}\n")


def test_nothing_is_said_where_the_tokens_have_no_shape():
    assert verdicts(f"{RIGHT}\n\n{IN_SPACE}\n") == []


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        (r"$Q_i = X W_i^V$", []),
        (r"$Q_i = X W_i^V$ with $X \in \mathbb{R}^{n \times d_{model}}$", ["fails"]),
        (r"$Q_i = W_i^V X$", ["holds"]),
        (r"$Q_i = X W_i^V$, or $q = W_i^V x$ in columns", ["holds"]),
    ],
)
def test_weights_alone_behind_tokens(used, expected):
    assert verdicts(f"We set {used}.\n\n{IN_SPACE}\n") == expected
