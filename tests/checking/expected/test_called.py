"""Formulas that are the label of their numbers: GELU(1.1) = 0.95, GELU(-1) = -0.16."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

GIVEN = "```\nh = [1.1, -1.0, 1.1, -1.0]\n\nGELU(h):  {}\n```"


@pytest.mark.parametrize(
    ("printed", "bad"),
    [
        ("≈ [0.95, -0.16, 0.95, -0.16]", []),
        ("≈ [0.92, -0.16, 0.92, -0.16]", ["0.92", "0.92"]),
        ("[0.95, -0.16, 0.95, -0.16]", []),
    ],
)
def test_a_function_before_a_colon(printed: str, bad: list[str]) -> None:
    numbers = printed.strip("≈ []").split(", ")
    assert judged(GIVEN.format(printed))[-1][1:] == (numbers, bad)


@pytest.mark.parametrize("printed", ["[4, 1]", "[0.2, 0.3, 0.4, 0.1]", "≈ [0.2, 0.3]"])
def test_a_colon_alone_says_less_than_an_equals_sign(printed: str) -> None:
    assert not judged(GIVEN.format(printed))
    assert any(printed.strip("≈ ") in text for text in listed(GIVEN.format(printed)))
