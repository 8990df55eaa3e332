"""Matrices that a sentence gives by their rows."""

from __future__ import annotations

import pytest

from symattn.reading.articles import read_article


def passages(text: str) -> list[str]:
    return [p.text for p in read_article("a.md", text + "\n").passages]


@pytest.mark.parametrize(
    ("sentence", "equation"),
    [
        ("`Q` and `K` are `[1, 0]` and `[0, 1]`.", "Q = K = [[1, 0], [0, 1]]"),
        (
            "All is small. `W_q` holds the rows `[1, 0, 2]`, `[0, 1, 3]`, and `[1, 1, 4]`.",
            "W_q = [[1, 0, 2], [0, 1, 3], [1, 1, 4]]",
        ),
    ],
)
def test_rows_are_given_to_the_names_of_the_sentence(sentence: str, equation: str) -> None:
    assert passages(sentence) == [equation]


@pytest.mark.parametrize(
    "sentence",
    [
        "`Q` is not `[1, 0]` and `[0, 1]`.",
        "`Q` goes from `[1, 0]`, `[0, 1]` on.",
        "Rows of `Q` are `[1, 0]` and `[0, 1]`.",  # which ones?
        "`Q` is `[1, 0]` and `[0, 1, 2]`.",
        "`Q` is `[1, 0]`.",
    ],
)
def test_other_lists_stand_for_themselves(sentence: str) -> None:
    assert not any("=" in text for text in passages(sentence))
