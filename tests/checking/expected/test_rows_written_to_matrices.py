"""hW is the row h times W where both are known."""

import pytest
from checking.checked import judged

GIVEN = r"$h = [2, 1]$, $W = \begin{bmatrix}1 & 1 & 0\\3 & 2 & 1\end{bmatrix}$, "
GIVEN += r"$W_1 = \begin{bmatrix}1 & 0\\2 & 1\end{bmatrix}$."


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("z = hW = [5, 4, 1]", []),
        ("z = hW = [5, 3, 1]", ["3"]),
        ("u = hW_1 = [4, 1]", []),
        ("u = hW_1 = [4, 2]", ["2"]),
    ],
)
def test_they_are_multiplied(claim, wrong):
    assert [bad for *_, bad in judged(f"{GIVEN}\n\n${claim}$")] == [wrong]


def test_a_transpose_of_both_may_be_of_one():
    assert [bad for *_, bad in judged(f"{GIVEN}\n\n$s = hW_1^T = [2, 5]$")] in ([], [[]])


def test_a_differential_is_a_name():
    text = GIVEN.replace("h =", "d =") + "\n\nThe gradient is\n\n$$dW_1 = [0.5, 0.25]$$\n"
    assert judged(text) == []
    outer = r"$$dM = h^T d = \begin{bmatrix}2 & 4\\1 & 2\end{bmatrix}$$"
    text = f"{GIVEN}\n\n" + r"$d = [1, 2]$, $M = \begin{bmatrix}1 & 0\\2 & 1\end{bmatrix}$" + f"\n\n{outer}\n"
    assert [bad for *_, bad in judged(text)] == [[]]
    assert [bad for *_, bad in judged(text.replace("1 & 2\\end", "1 & 3\\end"))] == [["3"]]
