"""Weights whose rows belong to the outputs: x Wᵀ where x W has no such sizes."""

from __future__ import annotations

import pytest

from symattn import check_article

TEXT = "```\nx1 = [1, 2, 0]\n\nWq = [[3, 1, 0],\n      [0, 2, 5]]\n\nq1 = x1 . Wq = {}\n```\n"


@pytest.mark.parametrize(
    ("result", "verdicts"),
    [
        ("[5, 4]", {"exact": 2}),  # 3 + 2, 0 + 4
        ("[5, 6]", {"exact": 1, "wrong": 1}),
        ("[3, 1]", {}),
        ("[5, 4, 0]", {}),
    ],
)
def test_weights_as_programs_keep_them(result: str, verdicts: dict[str, int]) -> None:
    assert check_article(TEXT.format(result)).summary == verdicts


def test_other_matrices_are_not_turned() -> None:
    assert check_article(TEXT.replace("Wq", "B").format("[5, 4]")).summary == {}
