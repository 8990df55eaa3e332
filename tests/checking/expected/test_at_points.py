"""A function of x_1, x_2 at inputs in brackets: `(0, 1) → z = -2`."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

GIVEN = "w1 = 2, w2 = 1, b = −3, z = w1·x1 + w2·x2 + b.\n\n"  # 2 · 0 + 1 − 3 = −2


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("Check: (0,0) → z = −3; (0,1) → z = −2; (1,1) → z = 0.", [[], [], []]),
        ("Check: (0,0) → z = −3; (0,1) → z = −1; (1,1) → z = 1.", [[], ["−1"], ["1"]]),
        ("$(1, 0) \\to z = -1$, $(1, 1) \\to z = 1$", [[], ["1"]]),
        ("(0,0,0) → z = −4", []),  # of three inputs
        ("(0,1) → y = −4", []),
    ],
)
def test_the_numbers_of_a_point_are_put_in(text: str, bad: list[list[str]]) -> None:
    assert [wrong for _, numbers, wrong in judged(GIVEN + text)] == bad


def test_other_names_without_a_value_are_no_inputs() -> None:
    assert judged(GIVEN.replace("b = −3, ", "") + "(0,1) → z = −1") == []
    assert judged(GIVEN.replace("x2", "y2") + "(0,1) → z = −1") == []


def test_new_weights_count() -> None:
    text = GIVEN + "(0,1) → z = −2\n\nNow w2 = 2.\n\n(0,1) → z = -1"
    assert [wrong for _, _, wrong in judged(text)] == [[], []]
