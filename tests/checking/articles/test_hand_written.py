"""Calculations as people type them in plain text: rows, blanks, remarks, marks of things done anew."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed, report

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


@pytest.mark.parametrize(
    "rows",
    [
        "will  [ {}  {} ]  ← of itself\nbank  [ {}  {} ]",
        "Token 1: [{}, {}]\nToken 2: [{}, {}]",
        "row 1: {}  {}\nrow 2: {}  {}",
        "        will    bank\nwill    {}    {}   (sum: 1.0)\nbank    {}    {}   (sum: 1.0)",
    ],
)
def test_rows_with_labels_are_one_matrix(rows: str) -> None:
    scores = (
        "```\nscores = [[1.25, 0.5], [2, -0.75]]\n```\n\nAttention weights:\n\n"  # the weights are 0.679179…, 0.939913…
    )
    right = ["0.6792", "0.3208", "0.9399", "0.0601"]
    [(_, numbers, wrong)] = judged(f"{scores}```\n{rows.format(*right)}\n```")
    assert (numbers, wrong) == (right, [])


def test_vectors_with_names_are_no_rows_of_one_matrix() -> None:
    for rows in ("Step 1: [1, 2]\nStep 3: [3, 4]\nq: [1, 2]\nk: [3, 4]", "Step 1: 0.5  0.2\nStep 3: 0.3  0.4"):
        passages = report(rows).article
        assert passages is not None and not any("[[" in p.text for p in passages.passages)


def test_rows_that_are_counted_are_listed_at_least() -> None:
    assert listed("c) softmax\n\n```\nrow 1: 0.25  0.75\nrow 2: 0.5  0.5\n```") == ["[[0.25, 0.75],\n[0.5, 0.5]]"]


def test_entries_that_are_worked_out_inside_of_a_list() -> None:
    text = "z = [\n  (3 - 1) / 2 = 2 / 2 = 1,\n  (1 - 3) / 4 = -2 / 4 = -0.5,\n  (1 - 4) / 4 = -3 / 4 = -0.6\n]"
    numbers = [(n, w) for _, ns, w in judged(f"```python\n{text}\n```") for n in ns]
    assert numbers == [("2", []), ("1", []), ("-2", []), ("-0.5", []), ("-3", []), ("-0.6", ["-0.6"])]


def test_terms_with_their_signs_worked_out() -> None:
    text = "(-0.5×0.3 + 1.2×(-0.8)) / 2 = (-0.15 - {}) / 2 = -0.555"
    assert [wrong for _, _, wrong in judged(text.format("0.96"))] == [[], []]
    assert judged(text.format("0.97"))[0][2] == ["0.97"]


def test_what_stands_behind_a_side_that_is_not_read_is_held_against_itself() -> None:
    text = "```\n|a⟩ = Σⱼ A₂ⱼ ∘ |Vⱼ⟩\n   = 0.25×[-4, 1] + 0.75×[8, -5]\n   = [5, {}]\n```"
    assert judged(text.format("-3.5"))[-1][2] == []
    assert judged(text.format("-3.25"))[-1][2] == ["-3.25"]


def test_a_result_behind_a_lone_arrow_takes_no_place_of_another() -> None:
    text = "```\n→ [[0.71, 0], [0, 0.71]]\n\nrow 0: softmax([0.71, 0]) = [0.67, {}]\n```"
    assert [wrong for _, _, wrong in judged(text.format("0.33"))] == [[]]
    assert [wrong for _, _, wrong in judged(text.format("0.31"))] == [["0.31"]]


def test_a_norm_whose_variance_a_program_pads() -> None:
    # (x − μ) / √(σ² + 1e-5) of [1, 2] is ∓0.99998000, of [3, 3] it is 0; without the padding ∓1, and nothing
    text = (
        "X = [[1, 2], [3, 3], [2, 4]]\n\nAfter LayerNorm:\n```\n[[-0.99998 {}]\n [0. 0.]\n [-0.999995 0.999995]]\n```"
    )
    assert [wrong for _, _, wrong in judged(text.format("0.99998"))] == [[]]
    assert [wrong for _, _, wrong in judged(text.format("0.99998"))] == [[]]


def test_an_example_in_which_earlier_matrices_come_true_goes_on_with_them() -> None:
    given = "Q = [[1, 0], [0, 1], [1, 1]]\n\nK = [[1, 0], [0, 1], [1, 1]]\n\nExample:\n\n"
    scores = (
        "```\nScores:\n[[1, 0, 1],\n [0, 1, 1],\n [1, 1, 2]]\nDivided:\n[[0.7071, 0, 0.7071],\n [0, 0.7071, 0.7071],\n"
    )
    assert len(judged(f"{given}{scores} [0.7071, 0.7071, 1.4142]]\n```")) == 2


def test_lines_of_a_program_that_are_no_code_are_listed() -> None:
    text = '```python\nx = 0.5\n"one": mean=0.25, std=0.36\nrate = {"a": 0.5}\n```'
    assert listed(text) == ["0.25", "0.36"]


@pytest.mark.parametrize("cut", ['E("a") + P(1)', '"a" + P(1)', '嵌入("a")   + P(1)'])
def test_sides_behind_one_that_was_not_understood(cut: str) -> None:
    assert judged(f"```\nx = {cut} = [1, 3] + [2, 1] = [3, 5]\n```")[0][1:] == (["3", "5"], ["5"])
    assert judged(f"```\nx = {cut} = [3, 5]\n```") == []


def test_the_letter_of_a_layer() -> None:
    text = "```\nx_2^(ℓ,mid) = ReLU([1, 2] + [3, -4])\n            = [4, 0]\n```"
    assert judged(text) == [("x_2^(ℓ,mid)", ["4", "0"], [])]
