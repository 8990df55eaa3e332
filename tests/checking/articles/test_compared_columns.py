"""Columns of a table that compare two others, and what so many parameters take in a format."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

_SHARED = """
| model | query heads | KV heads | cache saved |
|---|---|---|---|
| one | 40 | 40 | 0% |
| two | 40 | 8 | {two} |
| three | 24 | 1 | **95.8%** |
| four | 16 | 2 | 87.5% |
"""

_FASTER = """
| Länge | ohne Cache | mit Cache | Beschleunigung |
|---|---|---|---|
| a | 1,200 Schritte | 40 Schritte | 30× |
| b | 6,000 Schritte | 80 Schritte | 75× |
| c | 9,000 Schritte | 90 Schritte | {last}× |
"""

_STORED = """
| model | size | BF16 | 8-bit | NF4 |
|---|---|---|---|---|
| small | 2B | 4 GB | 2 GB | 1 GB |
| large | 27B | {large} GB | 27 GB | ~13.5 GB |
"""


def _numbers(text: str) -> tuple[int, list[str]]:
    """How many numbers are judged, and those that are wrong."""
    claims = judged(text)
    return sum(len(said) for _, said, _ in claims), [bad for *_, each in claims for bad in each]


@pytest.mark.parametrize(("two", "wrong"), [("80%", []), ("75%", ["75%"])])
def test_saving_is_one_less_the_share_that_is_kept(two: str, wrong: list[str]) -> None:
    assert _numbers(_SHARED.format(two=two)) == (4, wrong)


@pytest.mark.parametrize(("last", "count"), [("100", 3), ("120", 0)])
def test_speedup_is_the_quotient_of_two_columns_that_agree_in_three_rows(last: str, count: int) -> None:
    assert _numbers(_FASTER.format(last=last)) == (count, [])


@pytest.mark.parametrize(("large", "count"), [("54", 6), ("56", 5)])
def test_sizes_are_read_only_where_they_are_so_many_bytes(large: str, count: int) -> None:
    assert _numbers(_STORED.format(large=large)) == (count, [])


def test_the_same_numbers_below_other_words_are_not_compared() -> None:
    assert _numbers(_SHARED.format(two="80%").replace("cache saved", "accuracy")) == (0, [])


_BUDGETS = """
| format | weights | cache | both |
|---|---|---|---|
| wide | 16.4 GB | 1.2 | **17.6** ✅ |
| half | 8.7 GB | 4.5 | 13.2 ✅ |
| quarter | 5.0 GB | 2.25 | {last} ❌ |
"""


@pytest.mark.parametrize(("last", "count"), [("7.25", 3), ("7.3", 3), ("7.2", 3), ("7.4", 0)])
def test_a_column_is_the_sum_of_two_only_where_every_row_says_so(last: str, count: int) -> None:
    assert _numbers(_BUDGETS.format(last=last)) == (count, [])


@pytest.mark.parametrize(("last", "count"), [("135,266,304", 2), ("135,266,314", 0)])
def test_large_products_of_two_columns(last: str, count: int) -> None:
    table = "| a matrix | of them | in all |\n|---|---|---|\n| 67,108,864 | 2 | 134,217,728 |\n"
    table += f"| 45,088,768 | 3 | {last} |\n"
    assert _numbers(table) == (count, [])
