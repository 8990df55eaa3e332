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
