"""Sums of plain numbers whose result has a unit of bytes: the terms count the same."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize(("printed", "bad"), [("21", []), ("20.5", ["20.5"])])
def test_terms_count_what_their_sum_does(printed: str, bad: list[str]) -> None:
    assert [each for *_, each in judged(f"```\nleft over: 24.5 - 3.5 = {printed} GB\n```")] == [bad]


def test_a_sum_in_a_larger_unit_is_converted() -> None:
    assert [each for *_, each in judged("```\nin all: 512 + 512 = 1 KB\n```")] == [[]]
    assert not any(bad for *_, bad in judged("```\nin all: 24 GB - 512 MB = 20.5 GB\n```"))
