"""Sheets of cells with arrows: Falk's scheme for products, softmax beside its scores."""

from __future__ import annotations

import pytest

from symattn import check_article


def sheet(text: str) -> str:
    return text.replace("|", "\t")


PRODUCT = """
|||1|2
|||3|4
|||↓|↓
|W|
1|1|→|4|6
2|0|→|2|{z}
"""

SOFTMAX = """
|||0|2
|||1|0
|||↓|↓|||||
|||S||||softmax
1|0|→|0|2|||0.27|{a}
0|1|→|1|0|||0.73|0.12
"""

SCALED = """
||||||1|2|3
|||||0|1|3|2
|||||1|1|3|2
|||||2|1|1|1
|||||3|1|1|1
||||||K^T * Q / sqrt(dk)
||||||↓|↓|↓
0|1|1|1|1|→|2|4|{z}
1|2|0|0|0|→|1|3|2
"""


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [(PRODUCT.format(z="4"), 4, 0), (PRODUCT.format(z="5"), 3, 1), (SOFTMAX.format(a="0.88"), 8, 0)],
)
def test_a_product_stands_where_its_row_and_column_meet(text: str, right: int, wrong: int) -> None:
    summary = check_article(sheet(text)).summary
    assert summary.get("wrong", 0) == wrong
    assert sum(summary.values()) == right + wrong


def test_softmax_is_taken_along_the_side_whose_sums_are_1() -> None:
    report = check_article(sheet(SOFTMAX.format(a="0.77")))
    assert "wrong" not in report.summary  # neither side sums to 1, so the block is not read


def test_an_index_is_left_out_and_the_scale_is_that_of_the_label() -> None:
    # the columns (1, 1, …) and (3, 3, 1, 1) times (1, 1, 1, 1) and (2, 0, 0, 0), over √4
    assert check_article(sheet(SCALED.format(z="3"))).summary == {"exact": 6}
    assert check_article(sheet(SCALED.format(z="3.5"))).summary == {"exact": 5, "wrong": 1}


def test_each_row_of_a_sheet_is_reported_on_its_own_line() -> None:
    data = check_article(sheet(PRODUCT.format(z="5"))).to_json()
    assert [(c["line"], [e["printed"] for e in c["entries"]]) for c in data["claims"]] == [
        (6, ["4", "6"]),
        (7, ["2", "5"]),
    ]


def test_numbers_that_are_no_product_are_left_alone() -> None:
    assert not check_article(sheet(PRODUCT.format(z="9").replace("4|6", "40|60"))).summary
