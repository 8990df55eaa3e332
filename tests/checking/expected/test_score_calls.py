"""Scores that a call names are dot products."""

from __future__ import annotations

import pytest

from symattn import check_article

GIVEN = "```\nq_1 = [1, 2]\nk_1 = [3, 0]\nk_2 = [1, 4]\nk_3 = [2, 2]\n```\n\n"


@pytest.mark.parametrize(
    ("scores", "verdicts"),
    [  # 3, 9 and 6
        ("Score(q_1, k_1) = 3,  Score(q_1, k_2) = 9,  Score(q_1, k_3) = 6", {"exact": 3}),
        ("Score(q_1, k_1) = 3,  Score(q_1, k_2) = 9,  Score(q_1, k_3) = 7", {"exact": 2, "wrong": 1}),
        ("Score(q_1, k_1) = 3,  Score(q_1, k_2) = 7", {"exact": 1}),
        ("Score(q_1, k_1) = 2.12,  Score(q_1, k_2) = 6.36,  Score(q_1, k_3) = 4.24", {"rounded": 3}),  # scaled
        ("Loss(q_1, k_1) = 3", {}),
    ],
)
def test_scores_of_two_vectors(scores: str, verdicts: dict[str, int]) -> None:
    assert check_article(f"{GIVEN}```\n{scores}\n```\n").summary == verdicts


@pytest.mark.parametrize(("last", "verdicts"), [("4.24", [3, 0]), ("4.42", [2, 1])])
def test_scores_scaled_by_the_width_of_their_vectors(last: str, verdicts: list[int]) -> None:
    scores = "q_1 · k_1 = 3\nq_1 · k_2 = 9\nq_1 · k_3 = 6\n"
    text = f"{GIVEN}```\n{scores}```\n\n```\nscaled scores = [2.12, 6.36, {last}]\n```\n"
    summary = check_article(text).summary
    assert [summary.get("rounded", 0), summary.get("wrong", 0)] == verdicts
