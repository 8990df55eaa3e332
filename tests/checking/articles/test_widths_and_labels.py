"""Widths that matrices and vectors tell, labels of heads in plain text, indices from 0, the largest of a row."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed

SCORES = "$$S = \\begin{bmatrix}3 & 1 & 2\\\\2 & 7 & 16\\end{bmatrix}$$\n\n"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("q_1 = [1, 2, 2, 0], k_1 = [2, 1, 0, 1], q_1·k_1 = 4 and q_1·k_1/√d_k = {}", "2"),
        ("Q = [[1, 2], [0, 1]], K = [[1, 0], [2, 3]]\n\nS = Q Kᵀ = [[1, 8], [0, 3]]\n\nb = S_12/√d = {}", "5.66"),
        ("    Q^(1) = [[11], [18]]\n    K^(1) = [[26], [17]]\n\n    S = q^(1)₁ k^(1)₁ = 286\n    x = 2 √d_k = {}", "2"),
        ("    W_1^(k) = [[2], [1]]\n\n    (q_1)₁ = [7]\n\n    (k_1)₁ = [5]\n\n    x = 2 √d_k = {}", "2"),
        ("    Ω_k_1 = [ 2  1 ]\n\n    Q_1 = [ 7  3 ]\n\n    K_1 = [ 5  4 ]\n\n    x = 2 √D_k = {}", "2"),
    ],
)  # fmt: skip
def test_a_width_follows_from_vectors_and_matrices(text: str, result: str) -> None:
    assert judged(text.format(result))[-1][1:] == ([result], [])


def test_an_entry_of_the_keys_tells_no_width() -> None:
    """749/√2 is 529.62."""
    text = (
        "    Kʳ₂₂ = 10·cos(2) + 34·sin(2) ≈ 26.7546\n\n    S₁₁ = 700 + 49 = 749\n\n    T₁₁ = S₁₁/√D_k ≈ 749/√2 ≈ 529.62"
    )
    assert not any(bad for *_, bad in judged(text))


def test_d_may_be_the_width_of_keys_beside_wider_inputs() -> None:
    """8/√2 is 5.66; with the width of the inputs it would be 4."""
    text = "X = [[1, 2, 3, 4]], Q = [[4, 2]], K = [[1, 2], [2, 0]]\n\nS = QKᵀ = [[8, 8]]\n\nA = S/√d = [[{0}, {0}]]"
    assert judged(text.format("5.66"))[-1][1:] == (["5.66", "5.66"], [])
    assert not any(bad for number in ("4", "6") for *_, bad in judged(text.format(number)))


@pytest.mark.parametrize("given", ["q_1 = [1, 2, 2, 0], k_1 = [2, 1, 0, 1]", "Q = [[1, 2]], K = [[1, 0], [2, 3]]"])
def test_a_width_that_only_a_length_tells_accuses_nobody(given: str) -> None:
    text = f"{given}\n\nS_{{12}} = 8\n\nb = S_12/√d_{'k' if 'k_1' in given else 'model'} = 9, and √d = 9"
    assert not any(bad for _, _, bad in judged(text))


def test_a_width_that_is_stated_is_held_against_no_vector() -> None:
    assert not any(bad for _, _, bad in judged("q_1 = [1, 2], k_1 = [2, 1]. Then d_k = 64, and d = 512."))


def test_a_number_in_brackets_above_a_name_is_a_label() -> None:
    text = "    X = [[3, 2], [1, 3]]\n    W = [[1], [2]]\n\n    q^(1)₂ = x₂ W = [ 7 ]\n\n    a = q^(1)₂ + 1 = {}"
    assert judged(text.format(8))[-1][1:] == (["8"], [])
    assert judged(text.format(15))[-1][1:] == (["15"], ["15"])


@pytest.mark.parametrize("said", ["Rows, columns and tokens are numbered from 0.", "行和列从 0 开始编号。"])
def test_an_article_that_says_so_counts_rows_and_columns_from_0(said: str) -> None:
    text = SCORES + said + "\n\n$$T_{ij} = \\frac{S_{ij}}{2}$$\n\nFor example, $T_{12} = \\frac{S_{12}}{2} = 8$.\n"
    assert judged(text)[-1][1:] == (["8"], [])


@pytest.mark.parametrize("text", ["$\\max_{j} S_{2j} = NUMBER$", "    m = max_j S_2j = NUMBER"])
def test_the_largest_over_a_letter(text: str) -> None:
    assert judged(SCORES + text.replace("NUMBER", "16"))[-1][1:] == (["16"], [])
    assert "7" in listed(SCORES + text.replace("NUMBER", "7"))  # a mask may hide the last one


def test_the_largest_of_each_row() -> None:
    found = judged(SCORES + "$$\\mu_i = \\max_j S_{ij}$$\n\n$$\\mu = \\begin{bmatrix}3\\\\15\\end{bmatrix}$$")
    assert found[-1][1:] == (["3", "15"], ["15"])


def test_a_row_of_a_named_matrix_in_closed_form() -> None:
    text = "$$A = \\mathrm{softmax}(S)$$\n\n$$A_1 = \\frac{[1, e^{-2}, e^{-1}]}{1 + e^{-2} + e^{-1}}$$"
    assert judged(SCORES + text)[-1][1:] == (["1", "…", "…"], [])


def test_a_gradient_of_several_letters_is_a_factor() -> None:
    text = "    dΩ = dMhSa Cᵀ\n\n        [ 5  −3 ] [ 17 ]\n      = [ 3  −2 ] [  2 ]\n\n        [ {} ]\n      = [ 47 ]\n"
    assert judged(text.format(79))[-1][1:] == (["79", "47"], [])
    assert judged(text.format(78))[-1][1:] == (["78", "47"], ["78"])


def test_the_last_factor_of_a_product_with_a_word_is_no_name_of_the_result() -> None:
    assert judged("    V = [ 17  2 ]\n    U = Weights V\n      = [ 15  2 ]\n") == []


def test_a_formula_said_once_more_keeps_its_value_whatever_is_printed_between() -> None:
    text = (
        "$S = \\frac{5}{3}$\n\n$c = -\\frac{S}{2} \\approx -0.83$\n\n$g = -\\frac{S}{2} = \\frac{1}{6} \\approx -0.83$"
    )
    assert not any(bad for _, _, bad in judged(text))


def test_a_matrix_by_entries_with_its_gradient_is_no_product() -> None:
    text = (
        "$\\alpha = [0.2, 0.8]$, $d\\alpha = [1, 3]$\n\n$\\delta = \\mathrm{rowsum}(\\alpha \\circ d\\alpha) = NUMBER$"
    )
    assert judged(text.replace("NUMBER", "2.6"))[-1][1:] == (["2.6"], [])
    assert judged(text.replace("NUMBER", "2.4"))[-1][1:] == (["2.4"], ["2.4"])


def test_an_exponential_with_1_added_is_no_power_of_ten() -> None:
    text = "$E = \\begin{bmatrix}e^{-27} & e^{-27} & 1\\end{bmatrix}$\n\n$\\ell = \\sum_j E_j = 2e^{-27} + 1$"
    assert not any("more than one way" in line for line in listed(text))


@pytest.mark.parametrize(
    ("function", "column"),
    [("rowmax", ("4", "8")), ("rownorm", ("5", "10")), ("rowsum", ("7", "14"))],
)
def test_functions_of_each_row(function: str, column: tuple[str, str]) -> None:
    given = "$$S = \\begin{bmatrix}3 & 4\\\\6 & 8\\end{bmatrix}$$\n\n"
    text = f"$$m = \\mathrm{{{function}}}(S) = \\begin{{bmatrix}}{column[0]}\\\\%s\\end{{bmatrix}}$$"
    assert judged(given + text % column[1])[-1][1:] == ([*column], [])
    assert judged(given + text % "9")[-1][1:] == ([column[0], "9"], ["9"])


def test_the_root_of_a_vector_is_taken_by_entries() -> None:
    given = "$$S = \\begin{bmatrix}1 & 7\\\\3 & 1\\end{bmatrix}$$\n\n"
    root = "\\sqrt{\\frac{\\mathrm{rowsum}(S \\circ S)}{2} + 4}"  # of 25 + 4 and 5 + 4
    text = f"$$\\sigma = {root} = \\begin{{bmatrix}}\\sqrt{{29}}\\\\NUMBER\\end{{bmatrix}}$$"
    assert judged(given + text.replace("NUMBER", "3"))[-1][2] == []
    assert judged(given + text.replace("NUMBER", "2"))[-1][2] == ["2"]


def test_gradients_by_heads_say_nothing_of_entries() -> None:
    text = "$dC = [2, 5]$ and $dH_h = dC_h$, so $dH_1 = \\begin{bmatrix}2\\end{bmatrix}$"
    assert not any(bad for _, _, bad in judged("Rows and columns are counted from 0.\n\n" + text))


def test_the_inverse_of_a_diagonal_matrix() -> None:
    given = "$$N = \\begin{bmatrix}2\\\\4\\end{bmatrix}, Q = \\begin{bmatrix}1 & 3\\\\2 & 8\\end{bmatrix}$$\n\n"
    text = "$$R = \\mathrm{diag}(N)^{-1} Q = \\begin{bmatrix}0.5 & 1.5\\\\0.5 & NUMBER\\end{bmatrix}$$"
    assert judged(given + text.replace("NUMBER", "2"))[-1][2] == []
    assert judged(given + text.replace("NUMBER", "3"))[-1][2] == ["3"]
