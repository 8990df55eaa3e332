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


@pytest.mark.parametrize(
    "text",
    [
        "We need 5/16 = 1 block.",
        r"$5/16 = 1\text{ block}$",
        "$17/16 = 2$ thread blocks",
        "1000/300 = 4 tokens per expert",
        "100 GB / 24 GB = 5 GPUs",
        "The number of blocks is 5/16 = 1.",
        "需要 100/24 = 5 张卡",
        "5/16 = 1 block · 16 = 16 slots",
        "1000/128 = 8 blocks × 128 tokens = 1024 tokens",
    ],
)
def test_what_is_filled_is_counted_up(text: str) -> None:
    found = [e.verdict for claim in report(text).findings for e in claim.entries]
    assert not {"wrong", "carried", "last-digit"} & set(found)
    assert found or report(text).not_checked


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("1000/128 = 9 blocks", "wrong"),
        ("17/16 = 3 thread blocks", "wrong"),
        ("1000/128 = 8 blocks × 128 tokens = 1025 tokens", "wrong"),
        ("The score is 5/16 = 1 here.", "last-digit"),
    ],
)
def test_other_numbers_of_things_are_found(text: str, verdict: str) -> None:
    assert [e.verdict for claim in report(text).findings for e in claim.entries][-1] == verdict
