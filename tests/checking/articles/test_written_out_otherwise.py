"""Numbers of a program in single precision, and matrices written out that are not those their names stood for."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, listed


@pytest.mark.parametrize(
    ("printed", "bad"),
    [
        ("0.64045745", []),  # e^(1/√3)/(e^(1/√3) + 1) is 0.640457477 in more digits
        ("0.6404575", []),
        ("0.64045145", ["0.64045145"]),
        ("0.6404515", ["0.6404515"]),
    ],
)
def test_digits_that_single_precision_has_not(printed: str, bad: list[str]) -> None:
    e, root = "e^{1/\\sqrt{3}}", "$$p = \\frac{%s}{%s + 1} = %s$$"
    assert judged(root % (e, e, printed))[0][1:] == ([printed], bad)


def test_whole_numbers_have_all_their_digits() -> None:
    assert judged("12345 × 10007 = 123536515")[0][2] == ["123536515"]  # 123536415


def _matrix(cells: str) -> str:
    return rf"\begin{{bmatrix}} {cells} \end{{bmatrix}}"


A = _matrix(r"0.5 & 0.5 \\ 0.25 & 0.75")
GIVEN = rf"$$A = {A}, \quad V = " + _matrix(r"2 & 1 \\ 0 & 1") + "$$"


@pytest.mark.parametrize(
    ("put_in", "result", "bad"),
    [
        (r"1 & 0 \\ 2 & 0", r"1.5 & 0 \\ 1.75 & 0", []),  # another V: what is written out counts
        (r"1 & 0 \\ 2 & 0", r"1.5 & 0 \\ 1.85 & 0", ["1.85"]),
        (r"2 & 1 \\ 0 & 1", r"1 & 1 \\ 0.6 & 1", ["0.6"]),
    ],
)
def test_another_matrix_is_put_in(put_in: str, result: str, bad: list[str]) -> None:
    found = judged(f"{GIVEN}\n\n$$z = A V = {A} {_matrix(put_in)} = {_matrix(result)}$$")
    assert found[-1][2] == bad and listed(GIVEN)


def test_a_product_with_a_matrix_over_two_lines_is_worked_out_below() -> None:
    text = "```\nK₀ = x₀ × W_K = [1, 0] × [[0, 1],\n                          [1, 0]]\n= 1 × [0, 1] + 0 × [1, 0]\n"
    text += "= [0, 1] + [0, 0]\n= [0, 2]\n```"
    assert [bad for _, _, bad in judged(text)] == [[], [], ["2"]]
