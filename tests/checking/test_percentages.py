"""Percentages in words that say once more what a row of numbers was."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

ROW = "$\\text{{softmax}}([1, 2, 4]) = [{}]$\n\n"  # 0.0420, 0.1142, 0.8438
RIGHT, WRONG = "0.042, 0.114, 0.844", "0.042, 0.144, 0.814"


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("It attends 84% to *c*, 11% to *b* and 4% to *a*.", ["84%", "11%", "4%"]),
        ("84.4 % for *c*; 11.4 % for *b*.", ["84.4 %", "11.4 %"]),
        ("a: 4.2%\n\nb: 11.4%\nc: 84.4%", ["11.4%", "84.4%"]),
        ("a: 4.2%\nb: 11.4%", ["4.2%", "11.4%"]),
    ],
)
def test_they_are_right_where_the_row_is(words: str, numbers: list[str]) -> None:
    assert judged(ROW.format(RIGHT) + words)[-1][1:] == (numbers, [])
    assert listed(ROW.format(RIGHT) + words) == (["a: 4.2%"] if "\n\n" in words else [])


def test_a_wrong_number_is_told_once() -> None:
    text = ROW.format(WRONG) + "It attends 81.4% to *c*, 14.4% to *b* and 4.2% to *a*."
    assert [bad for *_, bad in judged(text)] == [["0.144", "0.814"]]


@pytest.mark.parametrize("words", ["84% and 12%.", "84%.", "84% and 84%.", "about 84% of 11%, or 84%, of 4%"])
def test_others_are_left_alone(words: str) -> None:
    assert len(judged(ROW.format(RIGHT) + words)) == 1


def test_a_row_of_another_part_is_not_meant() -> None:
    assert len(judged(ROW.format(RIGHT) + "A word.\n" * 40 + "84% and 11%.")) == 1
