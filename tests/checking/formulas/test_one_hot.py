"""Cross-entropy with a one-hot target: of the sum over the classes one logarithm is left."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

GIVEN = "The target is one-hot, 1 for the true class.\n\n"


def judged(text):
    return [x.verdict for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


RIGHT = [
    r"L = -\sum_{i=1}^{V} y_i \log p_i = -\log p_k",
    r"L_n = -\sum_i y_{n,i} \log p_{n,i} = -\log p_{n,k}",
    r"L = -\sum_c y_c \log(\hat{y}_c) = -\log \hat{y}_{c^*}",
    r"H(y, p) = -\sum_c y_c \log p_c = -1 \cdot \log p_{\text{true}}",
    r"L = -\sum_i y_i \log \mathrm{softmax}(z)_i = -\log \mathrm{softmax}(z)_k",
    r"L = -\frac{1}{N} \sum_n \sum_c y_{n,c} \log p_{n,c} = -\frac{1}{N} \sum_n \log p_{n,y_n}",
    r"-\sum_j y_j \log \frac{e^{z_j}}{\sum_l e^{z_l}} = -\log \frac{e^{z_k}}{\sum_l e^{z_l}}"
    r" = -z_k + \log \sum_l e^{z_l}",
]


@pytest.mark.parametrize("formula", RIGHT)
def test_one_logarithm_is_left(formula):
    assert judged(f"{GIVEN}$${formula}$$") == ["holds"]
    assert judged(f"$${formula}$$") == []  # of any target


@pytest.mark.parametrize("formula", [
    r"L = -\sum_{i=1}^{V} y_i \log p_i = \log p_k",
    r"L = -\sum_i y_{n,i} \log p_{n,i} = \log p_{n,k}",
    r"L = -\sum_j y_j \log \frac{e^{z_j}}{\sum_l e^{z_l}} = z_k - \log \sum_l e^{z_l}",
])  # fmt: skip
def test_a_lost_sign_fails(formula):
    assert judged(f"{GIVEN}$${formula}$$") == ["fails"]


@pytest.mark.parametrize("text", [
    GIVEN + r"$$L = -\sum_i y_i \log p_i = -\log q_k$$",
    GIVEN + r"$$L = -\sum_i y_i \log p_i = -\frac{1}{N} \log p_k$$",
    GIVEN + r"$$L = -\sum_i y_i \log p_i = -\log p_i$$",
    GIVEN + r"$$H = -\sum_i p_i \log p_i = -\log p_k$$",
    GIVEN + r"With label smoothing $$L = -\sum_i y_i \log p_i = -\log p_k$$",
    r"For uniform weights $$L = -\sum_i y_i \log p_i = \log p_k$$",
])  # fmt: skip
def test_other_weights_and_other_letters_are_left_alone(text):
    assert judged(text) == []
