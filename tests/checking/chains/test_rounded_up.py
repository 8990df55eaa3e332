"""A fraction of whole numbers that ends in a larger one of these is no rounding where = stands before that."""

import pytest
from checking.checked import judged, report


def bad(text: str) -> list[str]:
    return [number for *_, numbers in judged(text) for number in numbers]


@pytest.mark.parametrize(
    ("text", "number", "right"),
    [
        (r"$a = \frac{1}{2} = 1$", "1", "0.5"),
        ("$a = 1/2 = 1$ and so on", "1", "0.5"),
        ("c = 3/2 = 2", "2", "1.5"),
        ("$c = -5/3 = -2$", "-2", "-1.666667"),
        ("$x = 1$, $y = 1$. $a = \\frac{x}{x+y} = 1$", "1", "0.5"),
        (
            "$$\ne_{11} = 0 \\\\\ne_{12} = 1 \\\\\ne_{21} = 0 \\\\\ne_{22} = 1\n$$\n\n"
            "$$\na_{12} = \\frac{e_{12}}{\\sum_{i=1}^{2} e_{i2}} = \\frac{1}{0+1} = 1\n$$",
            "1",
            "0.5",
        ),
    ],
)
def test_a_larger_whole_number(text: str, number: str, right: str) -> None:
    assert bad(text) == [number]
    assert [e.decimal for claim in report(text).findings for e in claim.bad] == [right]


@pytest.mark.parametrize(
    "text",
    [
        "$7/2 = 3$",
        "$a = 1/2 = 0$",
        r"$a = 3/2 \approx 2$",
        "$a = 3/2 = 2$ blocks",
        r"$a = 3/2 = 2\text{ blocks}$",
        "$pages = 7/4 = 2$",
        "$n = 7/4 = 2$",
        "$N_{pages} = 7/4 = 2$",
        "Rounded to whole numbers, $c = 3/2 = 2$",
        "$c = 3/2 = 2$ (rounded up)",
        "The number of tiles is $7/4 = 2$",
        "这里取整：$c = 3/2 = 2$",
        r"$c = \lceil 3/2 \rceil = 2$",
        "Every weight is quantized with the scale 2.\n\nFor 5: $c = 5/2 = 3$",
        "Round half up.\n\nThe next is $c = 5/2 = 3$",
        "The middle index is $c = 5/2 = 3$",
        "$c = 19/2 = 10$",
        "$c = 1.5 = 2$",
        "$x = 1.5$, $c = x/1 = 2$",
        r"$c = \sqrt{3} = 2$",
        "$c = 1/2 = 1/2$",
        "$c = 6/3 = 2$",
    ],
)
def test_whole_numbers_that_may_be_meant(text: str) -> None:
    assert report(text).findings or report(text).not_checked
    assert bad(text) == []
