"""A side that only writes out the product before it needs no word; one that does not come to the same is listed."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def listed(text):
    report = check_article(read_article("a.md", text))
    return [each.text for each in report.not_checked]


@pytest.mark.parametrize(
    "chain",
    [
        "W = [[1, 0], [2, 1]]\n\n[3, 4] · W = [3×1 + 4×2, 3×0 + 4×1] = [11, 4]",
        "s = [1, 0, 2] · [3, 1, 5] = 1×3 + 0×1 + 2×5 = 13",
        "2 · 3 + 4 · 5 = (2 · 3) + (4 · 5) = 26",
    ],
)
def test_a_product_written_out_is_not_listed(chain):
    assert listed(chain) == []


@pytest.mark.parametrize(
    "chain",
    [
        "(2 · 3 + 4 · 5)/2 = (10 + 16)/2 = 13",  # it comes to 13 too, of other numbers
        "s = [1, 0, 2] · [3, 1, 5] = 1×3 + 0×1 + 2×4 = 13",  # 4 for 5
    ],
)
def test_other_numbers_are_listed(chain):
    assert listed(chain) != []
