"""Claims that stand in words: how far scores spread, slopes, and bytes."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    return [(each.verdict, each.right) for each in check_article(read_article("a.md", text + "\n")).formulas]


SPREAD = "Entries are independent with mean 0 and variance 1, so the dot product has mean 0 and variance $d_k$. "


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


def test_bytes_may_be_called_about_so_many():
    for amount, verdict in (("~2GB", "holds"), ("about 2 GB", "holds"), ("~5.5GB", "fails")):
        assert [v for v, _ in said(f"```\n2 × 32 × 4096 × 4096 × 2 bytes = {amount}\n```")] == [verdict]
