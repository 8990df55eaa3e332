"""Cross-entropy with a one-hot target: of the sum over the classes one logarithm is left."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

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


def test_the_letter_that_is_said_to_be_of_the_true_class_holds():
    assert judged(r"One-hot, $y_{k} = 1$: $$L = -\sum_{i=1}^V y_i \log p_i = -\log p_k$$") == ["holds"]


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
    r"The target is not one-hot. $$L = -\sum_i y_i \log p_i = -\log p_k$$",
    r"The true class is 3 of one-hot $y$. $$L = -\sum_i y_i \log p_i = -\log p_1$$",
    r"One-hot with $y_k = 1$ $$L = -\sum_i y_i \log p_i = -\log p_j$$",
    r"One-hot with the true class $k$ $$L = -\sum_i y_i \log p_i = -\log p_j$$",
    r"For uniform weights $$L = -\sum_i y_i \log p_i = \log p_k$$",
])  # fmt: skip
def test_other_weights_and_other_letters_are_left_alone(text):
    assert judged(text) == []
