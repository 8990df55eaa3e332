"""Numbers rounded to whole ones and kept within bounds, as quantisation does it."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

CHAIN = "```\nq(0.3) = clamp(round(0.3 / 0.18 + 8), 0, 15)\n       = clamp(round(9.667), 0, 15)\n       = {}\n```"


def test_rounded_and_kept_within_bounds() -> None:
    assert judged(CHAIN.format(10))[-1][2] == [] and not any(wrong for *_, wrong in judged(CHAIN.format(9)))


@pytest.mark.parametrize("text", ["clip(17, 0, 15) = {}", "round(14.9) = {}"])
def test_another_number_may_be_rounded_or_kept_otherwise(text: str) -> None:
    """To hundreds, at random, or within 1 − 15 and 1 + 15."""
    assert judged(text.format(15))[-1][2] == []
    assert not judged(text.format(17)) and listed(text.format(17))


def test_bounds_in_the_wrong_order_keep_nothing() -> None:
    assert not judged("clamp(4, 5, 3) = 4") and listed("clamp(4, 5, 3) = 4")


@pytest.mark.parametrize("text", ["round(2.5) = 3", "round(2.5) = 2", "round(0.456) = 0.46", "round(0.456, 2) = 0.46"])
def test_what_rounds_in_several_ways_is_listed(text: str) -> None:
    assert not judged(text) and listed(text)
