"""Numbers rounded to whole ones and kept within bounds, as quantisation does it."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

CHAIN = "```\nq(0.3) = clamp(round(0.3 / 0.18 + 8), 0, 15)\n       = clamp(round(9.667), 0, 15)\n       = {}\n```"


def test_rounded_and_kept_within_bounds() -> None:
    assert judged(CHAIN.format(10))[-1][2] == [] and judged(CHAIN.format(9))[-1][2] == ["9"]


@pytest.mark.parametrize("text", ["clip(17, 0, 15) = {}", "clamp(0, 17, 15) = {}", "round(14.9) = {}"])
def test_in_any_order(text: str) -> None:
    assert judged(text.format(15))[-1][2] == [] and judged(text.format(17))[-1][2] == ["17"]


@pytest.mark.parametrize("text", ["round(2.5) = 3", "round(2.5) = 2", "round(0.456) = 0.46", "round(0.456, 2) = 0.46"])
def test_what_rounds_in_several_ways_is_listed(text: str) -> None:
    assert not judged(text) and listed(text)
