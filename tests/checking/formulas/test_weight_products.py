"""A name for something times weights says what it is; a slip only where weights stand elsewhere or are another's."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdicts(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    "text",
    [
        r"With $g = x W_1$ we get $y = g W_2$.",
        r"Here $z = W^{(1)} x$, and $y = W^{(2)} z$.",
        r"$o_t = W^{UV} o_t'$ where $o_t' = \sum_{m=1}^t a_{tm} v_m$",
    ],
)
def test_a_product_with_weights_on_one_side_throughout_holds(text):
    assert set(verdicts(text)) == {"holds"}


def test_a_block_of_code_is_read_line_by_line():
    code = "Q = X @ WaQ @ WbQ\nK = X @ WaKV @ WbK\nmixed = softmax(Q @ K.T) @ X\nresult = mixed @ WO\nlowK = X @ WaKV"
    assert verdicts(f"```\n{code}\n```")[:2] == ["holds"] * 2
    assert verdicts(f"```\n{code}\n```")[-2:] == ["holds"] * 2


@pytest.mark.parametrize(
    "text",
    [
        r"With $g = x W_1$ we get $y = W_2 g$.",  # on the other side
        r"Let $X \in \mathbb{R}^{n \times d}$, $W_g \in \mathbb{R}^{m \times d}$. Then $u = X W_g$.",
    ],
)
def test_where_the_sides_or_the_shapes_differ_nothing_is_proven(text):
    assert "holds" not in verdicts(text)[-1:]


def test_weights_that_are_another_name_s_prove_nothing():
    code = "K = X @ WaKV @ WbK\nlowQ = X @ WaQ @ WbQ @ WbK\nresult = K @ WO @ WbK"
    assert len(verdicts(f"```\n{code}\n```")) == 1
