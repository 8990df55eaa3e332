"""Columns that are printed as rows turned upright, and the letters before the parts of a question."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("b = [2, 1]ᵀ + [3, 4]ᵀ = [5, 5]ᵀ", []),
        ("b = [2, 1]ᵀ + [3, 4]ᵀ = [5, 6]ᵀ", ["6"]),
        ("$b = [2, 1]^T + [3, 4]^T = [5, 6]^T$", ["6"]),
        (r"$b = \text{ReLU}([2, -1]^\top) = [2, 0]^\top$", []),
        ("b = [−3, 3]ᵀ ⊙ [0, 1]ᵀ = [0, 4]ᵀ", ["4"]),
    ],
)
def test_a_column_that_lies_on_its_side(line: str, bad: list[str]) -> None:
    [(_, printed, wrong)] = judged(line)
    assert (len(printed), wrong) == (2, bad)


def test_a_vector_that_is_given_lies_and_stands() -> None:
    assert not judged("x = [1, 2]ᵀ")
    assert judged("x = [1, 2]ᵀ\n\ny = 2x = [2, 4]ᵀ")[-1][1:] == (["2", "4"], [])


@pytest.mark.parametrize("part", ["(a) ", "**(b)** ", "(ii) ", "- (c) "])
def test_the_letter_of_a_part_is_no_factor(part: str) -> None:
    subject, printed, bad = judged(f"{part}u = [2, 1]ᵀ + [3, 4]ᵀ = [5, 6]ᵀ")[-1]
    assert (subject, printed, bad) == ("u", ["5", "6"], ["6"])


@pytest.mark.parametrize(
    ("said", "bad"), [("和约为", []), ("合计约", []), ("The sum is roughly", []), ("Die Summe ist", [])]
)
def test_a_sum_in_words(said: str, bad: list[str]) -> None:
    found = judged(f"- $\\exp(-1.414) \\approx 0.243$\n- $\\exp(1.414) \\approx 4.113$\n- {said} $4.356$\n")[2:]
    assert [wrong for _, _, wrong in found] == [bad]


@pytest.mark.parametrize(
    ("result", "bad"),
    [
        ("[[−3], [3]] (2×1)", []),
        ("[−3, 3]ᵀ (2×1)", []),
        ("[−3, 4]ᵀ (2 × 1).", ["4"]),
        ("[[−3], [3]] (3×1)", None),  # of something else, or a factor
    ],
)
def test_the_size_that_is_said_behind_a_matrix(result: str, bad: list[str] | None) -> None:
    text = f"u = [[1],[−1]] · (−3) = {result}"
    assert [wrong for _, _, wrong in judged(text)] == ([] if bad is None else [bad])
    assert bad is not None or listed(text)
