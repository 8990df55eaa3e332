"""Formulas whose function is named in the words or the heading above them."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def judged(text):
    return check_article(read_article("a.md", text + "\n")).formulas


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (r"The softmax is $\frac{e^{x_i}}{\sum_{j=1}^n e^{x_i}}$.", r"\frac{e^{x_i}}{\sum_{i=1}^n e^{x_i}}"),
        ("## Softmax\n\n" + r"$$f(x_i) = \frac{x_i}{\sum_j x_j}$$", r"f(x_i) = \frac{\exp(x_i)}{\sum_j \exp(x_j)}"),
        (r"GELU: $$0.5 x (1 + \tanh(\frac{2}{\pi} (x + 0.044715 x^3)))$$",
         r"0.5 x (1 + \tanh(\sqrt{\frac{2}{\pi}} (x + 0.044715 x^3)))"),
    ],
)  # fmt: skip
def test_a_slip_is_found(text, right):
    [found] = judged(text)
    assert (found.verdict, found.right) == ("fails", right)


def test_the_function_itself_holds():
    [found] = judged(r"The softmax is $\frac{e^{x_i}}{\sum_j e^{x_j}}$.")
    assert found.verdict == "holds"


@pytest.mark.parametrize(
    "text",
    [
        r"Before softmax came simple shares: $f(x_i) = \frac{x_i}{\sum_j x_j}$.",
        r"The softmax with a temperature is $\frac{e^{x_i/T}}{\sum_j e^{x_j/T}}$.",
        r"The softmax or the sigmoid: $\frac{e^{x_i}}{\sum_j e^{x_i}}$.",
    ],
)
def test_other_functions_are_left_alone(text):
    assert judged(text) == ()


def test_a_bracket_that_closes_before_its_factor():
    [found] = judged(r"$$GELU(x) \approx 0.5x(1+tanh(\sqrt{\frac{2}{\pi}}))(x+0.044715x^3)$$")
    assert found.right == r"GELU(x) \approx 0.5x(1+tanh(\sqrt{\frac{2}{\pi}}(x+0.044715x^3)))"
    assert [x.verdict for x in judged(r"$$GELU(x) \approx x\sigma(1.702x)$$")] == ["holds"]
