"""What is said of an expression in general, under a condition or of a kind of vectors, is no claim of its value."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

GIVEN = "q = [1, 3], k = [2, 1], q · k = 5.\n\n"


def bad(text: str) -> list[str]:
    return [number for _, _, wrong in judged(text) for number in wrong]


@pytest.mark.parametrize(
    "remark",
    [
        "Suppose q · k = 7; then its weight would grow.",
        "What if $q \\cdot k = 12$? Softmax saturates.",
        "If the product $q \\cdot k = 0$, nothing is read.",
        "When cos θ = 0 ($q \\cdot k = 0$) nothing is read.",
        "Wenn q · k = 0 ist, zählt k nicht.",
        "Deux vecteurs sont orthogonaux lorsque q · k = 0.",
        "Cuando q · k = 0 nada se lee.",
        "Se q · k = 0, são ortogonais.",
        "Qualora q · k = 0 non si legge nulla.",
        "Когда q · k = 0, ничего не читается.",
        "Nếu q · k = 0 thì không đọc gì.",
        "q · k = 0 ise hiçbir şey okunmaz.",
        "q · k = 0 이면 읽지 않는다.",
        "q · k = 0 のとき何も読まない。",
        "For $q \\cdot k = 12$ softmax saturates.",
        "With a longer key q · k = 12.",
        "若 q · k = 0，则什么也读不到。",
        "当 $q \\cdot k = 0$ 时什么也读不到。",
    ],
)
def test_a_condition_is_no_claim(remark: str) -> None:
    assert bad(GIVEN + remark) == []


@pytest.mark.parametrize(
    "remark",
    [
        "q · k = 0 means that they share nothing.",
        "Two vectors with q · k = 0 are orthogonal.",
        "If they are orthogonal, then q · k = 0.",
        "- q · k = 0: unrelated",
        "| q · k = 0 | unrelated |",
        "- q · k > 0: alike, q · k = 0, neither",
        "q · k = 0 означает, что общего нет.",
        "q · k = 0 bedeutet: nichts gemeinsam.",
        "$q \\cdot k = 0$ 表示无关。",
        "After normalization ‖q‖ = 1.",
        "归一化之后 ‖q‖ = 1。",
        "Nach der Normierung gilt ‖q‖ = 1.",
    ],
)
def test_what_nought_and_one_mean_is_no_claim(remark: str) -> None:
    assert bad(GIVEN + "‖q‖ = √10.\n\n" + remark) == []


@pytest.mark.parametrize(
    "text",
    [
        "q = [1, 2], k = [3, 4]: q · k = 10",
        "If q = [1, 2] and k = [3, 4], then q · k = 10.",
        "Let q = [1, 2] and k = [3, 4]. Then q · k = 0, so they are orthogonal.",
        "For q = [1, 2], k = [3, 4] we multiply; when multiplying, q · k = 10.",
        "q = [1, 2], k = [3, 4]. q · k = 10 means that they are alike.",
        "设 q = [1, 2]，k = [3, 4]，则 q · k = 10。",
        "当 q = [1, 2]，k = [3, 4] 时，q · k = 10。",
        "Если q = [1, 2], k = [3, 4], то q · k = 10.",
        "w = [0.2, 0.3, 0.6], sum(w) = 1.0 ✓",
    ],
)
def test_what_follows_from_the_numbers_is_a_claim(text: str) -> None:
    assert len(bad(text)) == 1


def test_an_expression_that_was_right_may_be_another_number_in_a_remark() -> None:
    matrix = "A = [[3, 1], [2, 4]]: det(A) = 3·4 - 1·2 = 10.\n\n"
    assert bad(matrix + "No inverse: det(A) = 0.") == []
    assert bad(matrix + "So det(A) = 11.") == ["11"]


@pytest.mark.parametrize(
    "text",
    [
        "At the minimum $f'(x) = 2x + 4 = 0$, so $x = -2$.",
        "Setting y = 2x + 4 = 0 gives x = -2.",
        "Set 2x + 4 = 0 to get x = -2.",
        "令 2x + 4 = 0，得 x = -2。",
        "Приравняем 2x + 4 = 0, откуда x = -2.",
        "We want 2x + 4 = 10, so x = 3.",
    ],
)
def test_an_equation_that_is_solved_is_no_claim(text: str) -> None:
    assert bad("With x = 1 it is 2x + 4 = 6. " + text) == []


def test_an_equation_of_what_is_given_is_a_claim() -> None:
    assert bad("With x = 1, we have 2x + 4 = 7.") == ["7"]
