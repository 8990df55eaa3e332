"""Two capitals beside one another may be one name, where letters of these names have values too."""

import pytest

from tests.checking.checked import judged


def bad(text: str) -> list[str]:
    return [number for _, _, wrong in judged(text) for number in wrong]


@pytest.mark.parametrize(
    "text",
    [
        "N=0, NE=1, E=2, SE=3, S=4",
        "N=0\nNE=1\nE=2\nSE=3\nS=4\nSW=5\nW=6\nNW=7",
        "Here T = 8, P = 4, D = 2 and TP = 8, DP = 16.",
        "T = 2, P = 3, N = 1, F = 2; TP = 40, FN = 5",
        "K = 5, L = 3, KL = 0.12",
        "```python\nB = 2\nS = 4\nBS = 16\n```",
        "T = 8, P = 4, TP = 2. Then TP · 4 = 8.",
    ],
)
def test_a_name_of_two_letters_is_no_product(text: str) -> None:
    assert bad(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A = 3, B = 4, so AB = 13.", ["13"]),
        ("$A = 3$, $B = 4$, $A B = 15$", ["15"]),
        ("N = 6, D = 512: ND = 3073", ["3073"]),
        ("A = [[1, 2], [3, 4]], B = [[1, 0], [0, 1]], AB = [[1, 2], [3, 5]]", ["5"]),
    ],
)
def test_a_product_is_held_to_its_factors(text: str, wrong: list[str]) -> None:
    assert bad(text) == wrong


def test_a_product_of_matrices_is_no_name():
    text = "$$A = \\begin{bmatrix} 2 \\end{bmatrix}, V = \\begin{bmatrix} 3 \\end{bmatrix}$$\n\n"
    assert bad(text + "$$AV = \\begin{bmatrix} 0.12 \\end{bmatrix}$$") == ["0.12"]
