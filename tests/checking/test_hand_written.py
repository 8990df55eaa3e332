"""Calculations as people type them in plain text: rows, blanks, remarks, marks of things done anew."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

PROJECTED = "X = | 1  0 |\n    | 0  1 |\n\nW = | 1  2 |\n    | 3  4 |\n\n"


@pytest.mark.parametrize(
    "drawing",
    [
        "Q = X . W = | 1  2 |\n            | 3  4 |",
        "Q = X . W = | 1  2 |\n             | 3  4 |",  # out of line by hand
        "Q = X . W = ____________\n\nQ = | 1  2 |\n    | 3  4 |",  # a blank to be filled in
        "Q = X W =\n[1, 2]   (first)\n[3, 4]   (second)",
    ],
)
def test_rows_below_one_another(drawing: str) -> None:
    assert judged(f"```\n{PROJECTED}{drawing}\n```") == [("Q", ["1", "2", "3", "4"], [])]
    assert judged(f"```\n{PROJECTED}{drawing.replace('4', '5')}\n```") == [("Q", ["1", "2", "3", "5"], ["5"])]


def test_names_beside_the_first_rows_begin_another_drawing() -> None:
    given = "P = | 1  0 |\n    | 0  1 |\nB = | 2  3 |\n    | 4  5 |\n\n"
    text = f"```\n{given}P . Transpose[B] = | 2  4 |\n                   | 3  5 |\n```"
    assert judged(text) == [("P . Transpose[B]", ["2", "4", "3", "5"], [])]


@pytest.mark.parametrize("remark", ["  (d=2)", " (two of them, each exact)", "   (the first row"])
def test_remarks_are_no_mathematics(remark: str) -> None:
    assert judged(f"```\nx = [2.0, 4.0]{remark}\n\n2 * x = [4.0, 8.0]\n```") == [("2 * x", ["4.0", "8.0"], [])]


def test_a_factor_in_brackets_is_no_remark() -> None:
    assert judged("```\nx = 2 (3 + 4) = 14\n```") == [("x", ["14"], [])]


def test_an_aside_of_a_name_and_its_list_on_the_next_line() -> None:
    text = "```\na = (1, 2)\n\nDoubled (in the order of the list) = 2 * a =\n  (2, 5)\n```"
    assert judged(text) == [("Doubled", ["2", "5"], ["5"])]


def test_what_was_made_anew_is_listed() -> None:
    text = "```\nW = [[1, 2], [3, 4]]\n\nW_new = [[1.5, 2], [3, 4.25]]\n\nY = 2 * W_new = [[3, 4], [6, 8.5]]\n```"
    assert listed(text) == ["[[1.5, 2], [3, 4.25]]"]
