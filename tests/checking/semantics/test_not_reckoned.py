"""Formulas that have no value: what does not fit, and what is not reckoned, is listed with its reason."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, report

GIVEN = "$A = \\begin{bmatrix}1 & 2\\\\3 & 4\\end{bmatrix}$\n\n$b = \\begin{bmatrix}1 & 2 & 3\\end{bmatrix}$\n\n"


@pytest.mark.parametrize(
    "formula",
    [
        "A \\odot b = \\begin{bmatrix}1 & 4 & 9\\end{bmatrix}",  # 2×2 and 1×3
        "\\begin{bmatrix}A & b\\\\b & A\\end{bmatrix} = \\begin{bmatrix}1 & 2\\\\3 & 4\\end{bmatrix}",
        "\\mathrm{Concat}(A, b) = \\begin{bmatrix}1 & 2\\\\3 & 4\\end{bmatrix}",  # one row beside two
        "\\mathrm{softmax}(5) = 0.7",  # of a number without its row
        "I_{0} A = \\begin{bmatrix}1 & 2\\\\3 & 4\\end{bmatrix}",  # no identity
        "(-\\infty) A = \\begin{bmatrix}1 & 2\\\\3 & 4\\end{bmatrix}",
        "np.sum(A, axis=2) = 10",  # an axis that it does not have
        "A.sum(where=0) = 10",
        "\\sum_{j=0}^{1} j A_{1j} = 2",  # from 0 or from 1?
        "\\sum_{j=1}^{3} A_{1j} = 3",  # of two columns
        "A A = \\begin{bmatrix}7 & \\cdots & 9 & 10\\\\15 & \\cdots & 4 & 22\\end{bmatrix}",  # 4 columns of 2
    ],
)
def test_what_has_no_value_is_listed(formula: str) -> None:
    found = report(GIVEN + f"${formula}$")
    assert not [e for claim in found.findings for e in claim.bad]
    assert found.not_checked


@pytest.mark.parametrize(
    ("formula", "numbers", "bad"),
    [
        ("\\mathrm{Concat}([A, A]) = \\begin{bmatrix}1 & 2 & 1 & 2\\\\3 & 4 & 3 & 5\\end{bmatrix}", 8, ["5"]),
        ("e^2 = 7.389", 1, []),
        ("\\sqrt{16} + \\max(-\\infty, 2) = 7", 1, ["7"]),
        ("\\min(3, 4) + \\max(3, 4) = 8", 1, ["8"]),
        ("I_2 A = \\begin{bmatrix}1 & 2\\\\3 & 4\\end{bmatrix}", 4, []),
        ("\\lVert b \\rVert = 3.742", 1, []),  # √14
        ("np.sum(A, axis=0) = [4, 7]", 2, ["7"]),
        ("\\sum_{j=1}^{2} j A_{1j} = 6", 1, ["6"]),  # 1·1 + 2·2
        ("\\sum_{j=1}^{2} j A_{1j} = 5", 1, []),
        ("A \\sqrt{2} = \\begin{bmatrix}\\sqrt 2 & 2\\sqrt 2\\\\3\\sqrt 2 & 4\\sqrt 3\\end{bmatrix}", 4, ["4√3"]),
    ],
)
def test_what_has_one_is_judged(formula: str, numbers: int, bad: list[str]) -> None:
    _, printed, wrong = judged(GIVEN + f"${formula}$")[-1]
    assert (len(printed), wrong) == (numbers, bad)


def test_two_digits_are_one_place_where_a_row_is_so_long() -> None:
    twelve = f"$c = [{', '.join(str(k) for k in range(1, 13))}]$"
    assert judged(f"{twelve}\n\n$c_{{12}} = 12$")[-1] == ("c_{12}", ["12"], [])
