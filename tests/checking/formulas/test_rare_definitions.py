"""Definitions as few write them: right ones hold, if need be under a condition; what is unclear is left alone."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def judged(formula: str) -> list[tuple[str, str]]:
    text = f"Let $Q, K, V$ be queries, keys and values.\n\n$${formula}$$\n"
    found = check_article(read_article("a.md", text)).formulas
    return [(each.verdict, each.condition.text() if each.condition else "") for each in found]


@pytest.mark.parametrize(
    "formula",
    [
        r"A(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right) V",
        r"\text{Attention}(q, k, v) = \text{softmax}\left(\frac{q k^T}{\sqrt{d_k}}\right) v",
        r"\text{Attention}(Q, V) = \text{softmax}\left(\frac{QV^T}{\sqrt{d_k}}\right) V",  # the values are the keys
        r"\text{LayerNorm}(x) = \gamma \frac{x - \bar{x}}{\sqrt{\sigma^2 + \epsilon}} + \beta",
        r"\text{softmax}_1(z)_i = \frac{e^{z_i}}{1 + \sum_j e^{z_j}}",
        r"\text{softmax}_i(z) = \frac{e^{z_i}}{\sum_j e^{z_j}}",
        r"Y = \text{Concat}(head_1, \ldots, head_h) W^O",
    ],
)
def test_right_ones_hold(formula: str) -> None:
    assert judged(formula) == [("holds", "")]


@pytest.mark.parametrize(
    ("formula", "condition"),
    [
        # √d_model is √d_k only where there is one head
        (r"\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_{model}}}\right) V", "one head"),
        (r"\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T + B}{\sqrt{d_k}}\right) V", "before the scaling"),
        (r"\text{RMSNorm}(x) = \frac{x}{\sqrt{\frac{1}{n}\sum_i x_i^2} + \epsilon}", "after the root"),
    ],
)
def test_some_hold_under_a_condition(formula: str, condition: str) -> None:
    [(verdict, said)] = judged(formula)
    assert verdict == "holds-if" and condition in said


def test_a_wrong_scale_fails_under_a_short_name_too() -> None:
    assert judged(r"A(Q, K, V) = \text{softmax}\left(\frac{QK^T}{d_k}\right) V") == [("fails", "")]


@pytest.mark.parametrize(
    "formula",
    [
        # too many letters of which nothing is said
        r"\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\tau \sqrt{d_k}} + M + B + C\right) V",
        r"\text{FFN}(x) = \max(0, xW_1 + b_1) W_2 + b_2 + b_3",
        r"\text{FFN}(x) = \max(0, xW_1 + b_1 + c) W_2 + b_2",
        # values that are keys, and a sum where a product is expected: another layer may be meant
        r"head_i = \text{Attention}(QW_i^Q, KW_i^K, KW_i^K)",
        r"head_i = \text{Attention}(Q + W_i^Q, KW_i^K, VW_i^V)",
        # which feature of which pair
        r"x'_{2i} = x_{2i} \cos(m\theta_i) - x_{2i+1} \sin(n\theta_i)",
        r"x_{2i} = x_{2i} \cos(m\theta_i) - (-x_{2i+1} \sin(m\theta_i))",
        r"\text{Re}(z) = x_1 \cos\theta - x_2 \sin\theta",
    ],
)
def test_what_may_mean_something_else_is_left_alone(formula: str) -> None:
    assert judged(formula) == []


@pytest.mark.parametrize(("formula", "expected"), [
    (r"\cos(q, k) = \frac{q \cdot k}{\|q\| \|k\|}", ["holds"]),
    (r"\cos(q_i, k_j) = \frac{q_i^T k_j}{\|q_i\|_2 \|k_j\|_2}", ["holds"]),
    (r"\cos(q, k) = \frac{q \cdot k}{\|q\| + \|k\|}", ["fails"]),
    (r"\cos(q, k) = \frac{q \cdot k}{\|q\|^2 \|k\|^2}", ["fails"]),
    (r"\cos\theta = \frac{a \cdot b}{\|a\| \|b\|}", ["holds"]),
    (r"\text{sim}(q, k) = q \cdot k", []),  # not said to be a cosine
])  # fmt: skip
def test_cosine_similarity_divides_by_both_lengths(formula, expected):
    assert [x.verdict for x in check_article(read_article("a.md", f"$${formula}$$\n")).formulas] == expected
