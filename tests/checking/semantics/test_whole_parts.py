"""Numbers rounded up or down to whole ones: exactly where they hang on it, and of a range only as far as it goes."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (r"$\lceil 7 / 2 \rceil = 4$", []),
        (r"$\lfloor 29 / 0.3125 \rfloor = 93$", ["93"]),
        (r"$n = \left\lceil \max(14, 35) / 0.70 \right\rceil = 50$", []),  # exactly 50
        (r"$\left\lceil \max(14, 35) / 0.70 \right\rceil = 51$", ["51"]),
        ("⌈120000 / 1500⌉ = 80 and ⌊7/2⌋ = 4", ["4"]),
        ("`ceil(11 / 0.70) = 16`", []),
        ("math.floor(10 / 4) = 3", ["3"]),
        (r"$n = 4.5$, $\lceil n \rceil = 5$, $\lfloor n \rfloor = 5$", ["5"]),
    ],
)
def test_whole_parts(text: str, bad: list[str]) -> None:
    found = judged(text)
    assert found and [number for *_, wrong in found for number in wrong] == bad


@pytest.mark.parametrize(
    "text",
    [
        r"$x = \sqrt{2} \cdot \sqrt{2}$, $\lfloor x \rfloor = 2$",  # nobody knows by digits whether it is below 2
        r"$y = 10/3 \approx 3.3$, $z = 3 y = 10$, $\lfloor z \rfloor = 10$",
    ],
)
def test_what_lies_at_a_whole_number_is_not_accused(text: str) -> None:
    assert not [number for *_, wrong in judged(text) for number in wrong]
