"""Which triangle a causal mask hides: with queries in rows the keys behind a query stand above the diagonal."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Causal mask: the upper triangle is set to $-\\infty$.", [("holds", None)]),
        ("Causal mask: the lower triangle is set to $-\\infty$.",
         [("fails", "upper triangle is set to $-\\infty")]),
        ("To hide the future, fill the upper triangular part with -inf.", [("holds", None)]),
        ("因果掩码把下三角区域设为 -inf。", [("fails", "上三角区域设为 -inf")]),
        ("因果掩码：下三角为 0，上三角为负无穷。", [("holds", None)]),
        ("The causal mask keeps the lower triangle and sets the rest to -inf.", []),
        ("Causal: we do not set the lower triangle to -inf.", []),
        ("因果掩码：将非下三角部分设为 -inf。", []),
        ("The lower triangle of K Q^T is set to -inf in the causal mask.", []),  # keys in rows
        ("An anti-causal mask: the lower triangle is set to -inf.", []),
        ("A block mask: the lower triangle is set to -inf.", []),
        ("Causal scores with keys in rows: the lower triangle is set to -inf.", []),
    ],
)  # fmt: skip
def test_the_upper_triangle_is_hidden(text, expected):
    found = check_article(read_article("a.md", text + "\n")).formulas
    assert [(x.verdict, x.right) for x in found] == expected
