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


# W x = [1 + 4, 3 + 8], x W = [1 + 6, 2 + 8]
SQUARE = "$W = \\begin{{bmatrix}} 1 & 2 \\\\ 3 & 4 \\end{{bmatrix}}$, $x = [1, 2]$\n\n$q = {} = {}$\n"


@pytest.mark.parametrize(
    ("product", "result", "verdicts"),
    [
        ("W x", "[5, 11]", {"exact": 2}),
        ("W x", "[7, 10]", {"exact": 2}),
        ("W x", "[7, 11]", {"exact": 1, "wrong": 1}),
        (r"W^T \cdot x", "[7, 10]", {"exact": 2}),
    ],
)
def test_a_list_stands_as_a_column_behind_its_weights(product: str, result: str, verdicts: dict[str, int]) -> None:
    assert check_article(SQUARE.format(product, result)).summary == verdicts


def test_a_list_of_another_length_is_no_column() -> None:
    text = "W = [[1, 0], [0, 1], [1, 1]]\n\nx = {}\n\nW x = [1, 2, 3]\n"
    assert check_article(text.format("[1, 2]")).summary == {"exact": 3}
    assert check_article(text.format("[1, 2, 3]")).summary == {}
