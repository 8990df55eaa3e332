"""Claims that stand in words: by what scores are scaled, how products of matrices are shaped."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    return [(each.verdict, each.right) for each in check_article(read_article("a.md", text + "\n")).formulas]


SPREAD = "Entries are independent with mean 0 and variance 1, so the dot product has mean 0 and variance $d_k$. "
VERTEILT = "分量相互独立，均值为 0，方差为 1，则点积 $q \\cdot k$ 的均值为 0，方差为 $d_k$。"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (
            SPREAD + r"So we scale the dot products by $\frac{1}{d_k}$.",
            r"scale the dot products by $\frac{1}{\sqrt{d_k}}$",
        ),
        (SPREAD + "Hence divide the scores by $d_k$.", r"divide the scores by $\sqrt{d_k}$"),
        (VERTEILT + r"因此用 $\frac1{d_k}$ 来缩放点积。", r"用 $\frac1{\sqrt{d_k}}$ 来缩放点积"),
    ],
)
def test_products_of_variance_d_k_are_not_scaled_by_the_inverse_of_d_k(text, right):
    assert said(text)[-1] == ("fails", right)


@pytest.mark.parametrize(
    "text",
    [
        SPREAD + r"So we scale the dot products by $\frac{1}{\sqrt{d_k}}$.",
        VERTEILT + r"因此点积除以 $\sqrt{d_k}$。",
    ],
)
def test_they_are_scaled_by_its_root(text):
    assert [verdict for verdict, _ in said(text)] == ["holds", "holds"]


@pytest.mark.parametrize(
    "text",
    [
        r"We scale the dot products by $\frac{1}{d_k}$.",  # nothing says why
        SPREAD + r"Dividing by a constant divides the variance by its square, here by $d_k$.",
    ],
)
def test_other_scales_are_left_alone(text):
    assert "fails" not in [verdict for verdict, _ in said(text)]


@pytest.mark.parametrize("text", [
    "Var[x] is the standard deviation squared.",
    "Here Var[x] is the mean square deviation, and Var(x) is the expectation $E[(x - m)^2]$.",
    "In float32, e^x with x > 20 is still computed without overflow.",
    "With batches > 16 the exponential may cause overflow in float16.",
    SPREAD + r"The scores are divided by $\sqrt{d_{model}}$.",
    SPREAD + r"With μP we divide the scores by $d_k$.",
])  # fmt: skip
def test_what_is_said_of_something_else_is_left_alone(text):
    found = [
        each for each in check_article(read_article("a.md", text + "\n")).formulas if "moments" not in each.theorem.key
    ]
    assert found == []


def test_a_bias_has_a_slope_of_one():
    text = r"With $z = W x + b$: "
    text += r"$\frac{\partial L}{\partial b} = \frac{\partial L}{\partial a} \frac{\partial a}{\partial z}$"
    assert "fails" not in [verdict for verdict, _ in said(text)]
