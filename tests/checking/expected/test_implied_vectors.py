"""Queries, keys, values and results that are printed without a formula beside them."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

TOKENS = (
    "x₁ = [1, 0, 2]\n\nx₂ = [0, 1, 1]\n\nx₃ = [2, 1, 0]\n\nW_V = [[1, 2], [0, 1], [3, 0]]\n\n"  # [7, 2] [3, 1] [2, 5]
)


@pytest.mark.parametrize(
    ("vectors", "bad"),
    [
        (("[7, 2]", "[3, 1]", "[2, 5]"), [[], [], []]),
        (("[7, 2]", "[3, 1]", "[2, 4]"), [[], [], ["4"]]),  # two before it are right
        (("[7, 2]", "[3, 3]", "[2, 5]"), [[], []]),  # one alone shows nothing of the next
        (("[1, 2]", "[3, 3]", "[2, 4]"), []),
    ],
)
def test_values_of_tokens(vectors: tuple[str, ...], bad: list[list[str]]) -> None:
    text = TOKENS + ",  ".join(f"v{'₁₂₃'[k]} = {vector}" for k, vector in enumerate(vectors)) + "\n"
    assert [wrong for _, _, wrong in judged(text)] == bad


def test_columns_projected_by_weights_before_them() -> None:
    text = "x₁ = [1, 0, 2]\n\nW_K = [[1, 0, 3], [2, 1, 0]]\n\nk₁ = [7, 2]\n"
    assert judged(text) == [("k₁", ["7", "2"], [])]


HEADS = "For each head Q = K = V.\n\n$Q^{(1)} = [[1, 2], [0, 3]]$\n\n"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (HEADS + "$K^{(1)} = [[1, 2], [0, 3]]$\n", 1),
        (HEADS + "$K^{(1)} = [[1, 2], [0, 4]]$\n", 0),
        (HEADS + "$K^{(2)} = [[1, 2], [0, 3]]$\n", 0),
        (HEADS.replace("Q = K = V", "Q differs from K") + "$K^{(1)} = [[1, 2], [0, 3]]$\n", 0),
    ],
)
def test_letters_that_are_set_equal(text: str, count: int) -> None:
    assert len(judged(text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The first:\n\n$$0.2[1, 2] + 0.8[0, 1]$$\n\nTherefore:\n\n$$o_1 = [0.2, 1.2]$$\n", 1),
        ("The first:\n\n$$0.2[1, 2] + 0.8[0, 1]$$\n\nTherefore:\n\n$$o_1 = [0.2, 1.3]$$\n", 0),
    ],
)
def test_the_result_of_what_is_displayed_above_it(text: str, count: int) -> None:
    assert len(judged(text)) == count


def test_scores_shown_again_are_no_output() -> None:
    """softmax of [1, 0.5] is [0.62, 0.38], of [2, 0] it is [0.88, 0.12]."""
    text = (
        "Q = [[2, 1], [0, 2]]\n\nK = [[1, 0], [0, 1]]\n\nQ Kᵀ = [[2, 1], [0, 2]]\n\nHead 1 produced:\n\n"
        "```\n[[2, 1],\n [0, 2]]\n```\n\nWeights = [[0.73, 0.27], [0.12, 0.88]]\n"
    )
    assert judged(text)[-1] == ("Weights", ["0.73", "0.27", "0.12", "0.88"], [])


@pytest.mark.parametrize(
    ("query", "count"),
    [("[2, 3]", 1), ("[2, 4]", 0)],  # 0 · (1, 2) + 1 · (2, 3)
)
def test_a_query_of_a_row_of_the_tokens(query: str, count: int) -> None:
    text = f"```\nX = [[1, 0], [0, 1]]\n\nW_Q = [[1, 2], [2, 3]]\n```\n\n```\nQ2 = {query}\n```\n"
    assert len(judged(text)) == count
