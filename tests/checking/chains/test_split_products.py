"""Products of matrices whose factors stand on lines, in rows and in displays of their own."""

import pytest
from checking.checked import check, judged, listed

A = r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}"
B = r"\begin{bmatrix} 5 & 6 \\ 7 & 8 \end{bmatrix}"
C = r"\begin{bmatrix} 19 & 22 \\ 43 & 50 \end{bmatrix}"  # A B
D = r"\begin{bmatrix} 23 & 34 \\ 31 & 46 \end{bmatrix}"  # B A
ENTRIES = ["19", "22", "43", "50"]


def words(found):
    return [[e.printed for e in claim.entries] for claim in found.findings if not claim.bad]


@pytest.mark.parametrize(
    "formula",
    [
        f"= {A}\n{B} = {C}",
        f"= {A}\n{B}\n= {C}",
        f"Y = PV\n= {A}\n{B} = {C}",
        f"Y = {A}\n{B} = {C}",
        f"\\begin{{aligned}} &= {A} \\\\ & {B} = {C} \\end{{aligned}}",
        f"\\begin{{aligned}} Y &= {A} \\\\ & {B} \\\\ &= {C} \\end{{aligned}}",
        f"= \\left[{A}\\right]\n\\left[{B}\\right] = {C}",
    ],
)
def test_a_matrix_that_begins_a_line_below_a_matrix_is_a_factor(formula):
    assert words(check("Y = PV", formula)) == [ENTRIES]


def test_a_wrong_product_over_two_lines_is_found():
    found = check("Y = PV", f"= {A}\n{B} = {C.replace('22', '23')}")
    assert [[e.printed for e in claim.bad] for claim in found.findings] == [["23"]]


def test_lines_that_are_products_of_their_own_stay_apart():
    assert words(check(f"{A} {B} = {C}\n{B} {A} = {D}")) == [ENTRIES, ["23", "34", "31", "46"]]
    assert words(check(f"Y = {A} {B} = {C}\n{B} {A} = {D}")) == [ENTRIES, ["23", "34", "31", "46"]]


@pytest.mark.parametrize(
    "formulas",
    [
        (f"= {A}", f"{B} = {C}"),
        (f"= {A}", B, f"= {C}"),
        (f"Y = {A}", f"{B} = {C}"),
        (r"= \begin{bmatrix} 1 & 2 \end{bmatrix}", rf"{B} = \begin{{bmatrix}} 19 & 22 \end{{bmatrix}}"),
    ],
)
def test_factors_in_displays_of_their_own_are_listed(formulas):
    found = check("Y = PV", *formulas)
    assert not any(claim.bad for claim in found.findings)
    assert found.not_checked


def test_factors_on_lines_of_text_are_listed():
    text = "```\nY = P V\n  = [[1, 2], [3, 4]]\n    [[5, 6], [7, 8]]\n  = [[19, 22], [43, 50]]\n```"
    assert not judged(text)
    assert listed(text) == ["[[1, 2], [3, 4]]", "[[5, 6], [7, 8]]", "[[19, 22], [43, 50]]"]


def test_a_dot_product_below_a_list_is_judged():
    assert judged("$q = [1, 2]$\n\n$[1, 2] \\cdot [3, 4] = 11$") == [(r"[1, 2] \cdot [3, 4]", ["11"], [])]


@pytest.mark.parametrize("sign", ["·", "×", "@"])
def test_products_of_lists_over_several_lines(sign: str) -> None:
    text = f"- Q Kᵀ = [[0, 3],\n         [3, 3]]{sign}[[3, 2],\n         [2, 3]] ≈ [[6, 9],\n         [15, {{}}]]\n"
    assert judged(text.format(15)) == [("Q Kᵀ", ["6", "9", "15", "15"], [])]
    assert judged(text.format(16)) == [("Q Kᵀ", ["6", "9", "15", "16"], ["16"])]
