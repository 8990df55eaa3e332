"""A side that only writes out the product before it needs no word; one that does not come to the same is listed."""

import pytest
from checking.checked import judged

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
        "W = [[1, 0], [0, 1], [1, 0]]\n\n[1, 1, 0] · W = [1 + 0, 0 + 0] = [1, 1]",
    ],
)
def test_other_numbers_are_listed(chain):
    assert listed(chain) != []


def test_a_slip_in_numbers_put_in_makes_no_result_wrong():
    """(0.4 · 0.3 + 0.1) · 0.5 · (1 − 0.5) = 0.22 · 0.25 = 0.055."""
    text = r"$$d = [(0.4)(0.3) + (0.5)(0.2)] \cdot 0.5(1 - 0.5)$$" + "\n\n" + r"$$d \approx {} \cdot 0.25 \approx {}$$"
    assert [bad for *_, bad in judged(text.replace("{}", "0.24", 1).replace("{}", "0.055"))] == [["0.24"], []]
    assert [bad for *_, bad in judged(text.replace("{}", "0.22", 1).replace("{}", "0.055"))][-1] == []
    assert [bad for *_, bad in judged(text.replace("{}", "0.22", 1).replace("{}", "0.065"))][-1] == ["0.065"]
    assert [bad for *_, bad in judged(text.replace("{}", "0.24", 1).replace("{}", "0.065"))][-1] == ["0.065"]


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("Step 1: loss = (0.5 - 1)^2 = 0.25\n\nStep 2: loss = (0.6 - 1)^2 = 0.25", "0.25"),  # 0.16
        ("$h = 2 \\cdot 3 = 6$. Next: $h = 2 \\cdot 4 = 6$", "6"),
    ],
)
def test_a_result_that_is_copied_from_the_step_before_is_wrong(text, bad):
    assert [wrong for *_, wrong in judged(text)] == [[], [bad]]
