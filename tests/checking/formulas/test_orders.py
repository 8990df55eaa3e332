"""Orders of growth by what a line or a row calls the layer: table 1 of Vaswani et al. (2017)."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

TABLE = """| Layer | Complexity | Sequential operations | Maximum path length |
|---|---|---|---|
| Self-attention | $O(n^2 \\cdot d)$ | $O(1)$ | $O(1)$ |
| Recurrent | $O(n \\cdot d^2)$ | $O(n)$ | $O(n)$ |
| Convolutional | $O(k \\cdot n \\cdot d^2)$ | $O(1)$ | $O(\\log_k n)$ |
"""


def said(text):
    return [(x.text.strip("$`"), x.verdict) for x in check_article(read_article("a.md", text + "\n")).formulas]


def test_the_table_of_layers():
    assert [verdict for _, verdict in said(TABLE)] == ["holds"] * 8  # all but log_k(n)
    assert len(said(TABLE.replace("n^2 \\cdot d)", "n \\cdot d^2)"))) == 7  # of attention, which may be linear


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("The complexity of self-attention is $O(n^2 d)$; linear attention has $O(n d^2)$.", ["O(n^2 d)", "O(n d^2)"]),
        ("注意力的时间复杂度是 $O(n^2 d)$，空间复杂度是 $O(n^2)$。", ["O(n^2 d)", "O(n^2)"]),
        ("Linear attention reduces the cost from O(n²) to O(n).", ["O(n)"]),
        ("Attention takes O(n²) memory and FlashAttention O(n).", ["O(n²)"]),
        ("With the FFN at O(n d²)", ["O(n d²)"]),
        ("Attention over a cache takes O(n²d) for each token.", []),  # of one query it is O(nd)
        ("Sliding window attention is O(n²).", []),
        ("Sorting takes O(n²) here.", []),
        ("Attention and recurrent layers cost O(n²d).", []),  # two layers
        ("Attention has O(d²) parameters.", []),
    ],
)
def test_in_a_sentence(text, orders):
    assert said(text) == [(order, "holds") for order in orders]
