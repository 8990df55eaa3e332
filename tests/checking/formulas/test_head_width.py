"""How wide a head is beside the model."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


@pytest.mark.parametrize(("formula", "expected"), [
    (r"d_k = d_v = d_{model} / h", ["holds"]), (r"h \cdot d_k = d_{model}", ["holds"]),
    (r"d_{head} = \frac{d_{model}}{n_{heads}} = 64", ["holds"]),
    (r"d_k = d_{model} \cdot h", ["fails"]), (r"d_k = h / d_{model}", ["fails"]),
    (r"d_k = d \cdot h", []),  # d may be the width of a head
    (r"d_k = d_{model}", []),
])  # fmt: skip
def test_heads_together_are_as_wide_as_the_model(formula, expected):
    text = f"Multi-head attention:\n\n${formula}$\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas] == expected


def test_a_wide_head_is_left_alone_where_nothing_speaks_of_heads():
    assert check_article(read_article("a.md", r"$d_k = d_{model} \cdot h$" + "\n")).formulas == ()
