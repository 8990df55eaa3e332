"""Declared shapes of queries, keys, values and their weights where no formula uses them."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdicts(*declared):
    text = "Attention.\n\n" + "\n\n".join(rf"${name} \in \mathbb{{R}}^{{{shape}}}$" for name, shape in declared) + "\n"
    found = check_article(read_article("a.md", text)).formulas
    return {declared[(each.line - 3) // 2][0]: each.verdict for each in found}


@pytest.mark.parametrize(
    "declared",
    [
        [("Q", r"n \times d_k"), ("K", r"m \times d_k"), ("V", r"m \times d_v")],
        [("Q", r"d_k \times n"), ("K", r"d_k \times m"), ("V", r"d_v \times m")],  # tokens in columns
        [("Q", r"n \times d_k"), ("K", r"m \times d_k")],
        [(f"W^{role}", rf"d \times d_{size}") for role, size in zip("QKV", "kkv", strict=True)],
        [(f"W_{role}", rf"d_{size} \times d") for role, size in zip("QKV", "kkv", strict=True)],  # W x of a column
    ],
)
def test_what_goes_together_in_the_products_of_attention(declared):
    assert verdicts(*declared) == {name: "holds" for name, _ in declared}


@pytest.mark.parametrize(
    "declared",
    [
        [("Q", r"n \times d_k"), ("K", r"m \times d_v"), ("V", r"m \times d_v")],  # needs d_k = d_v
        [("Q", r"n \times d_k"), ("K", r"m \times d_k"), ("V", r"n \times d_v")],  # as many values as queries
        [("W_Q", r"d \times d_k"), ("W_K", r"d \times d_k"), ("W_V", r"d_v \times d")],  # one is turned
        [("W_Q", r"d \times d_k"), ("W_V", r"d \times d_v")],
        [("x", "d")],
    ],
)
def test_what_does_not_or_is_alone_is_left_open(declared):
    assert verdicts(*declared) == {}
