"""Rows of weights that an index counts; softmax of (1/√2, 0, 1/√2) is 0.401, 0.198, 0.401."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

SCORES = (
    r"$$Q = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}$$"
    "\n\n"
    r"$$K = \begin{pmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 1 \end{pmatrix}$$"
    "\n\n"
    r"$$QK^\top / \sqrt{2} = \begin{pmatrix} 0.707 & 0 & 0.707 \\ 0 & 0.707 & 0.707 \end{pmatrix}$$"
    "\n\n"
)


@pytest.mark.parametrize(
    ("row", "bad"),
    [
        (r"$\alpha_{0,:} \approx [0.401, 0.198, 0.401]$", []),
        (r"$\alpha_{0,:} \approx [0.333, 0.167, 0.500]$", ["0.333", "0.167", "0.500"]),
        (r"$\alpha_1 \approx [0.198, 0.401, 0.401]$", []),
        (r"$A_{1,:} \approx [0.198, 0.401, 0.411]$", ["0.411"]),
        (r"`weights[1] = [0.198, 0.411, 0.401]`", ["0.411"]),
    ],
)
def test_an_index_says_which_row_of_weights_is_printed(row: str, bad: list[str]) -> None:
    assert judged(f"{SCORES}The first row: {row}.")[-1][2] == bad
    assert len(judged(f"{SCORES}The first row: {row}.")[-1][1]) == 3


@pytest.mark.parametrize(
    "row",
    [
        r"$\alpha_{0,:} \approx [0.100, 0.800, 0.100]$",  # of something else
        r"$\alpha_{0,:} \approx [0.333, 0.167, 0.500]$ with a temperature",
        r"Suppose $\alpha_{0,:} \approx [0.333, 0.167, 0.500]$",
        r"$\alpha_2 \approx [0.5, 0.2, 0.3]$",  # counted from 1, the second
        r"$w_{0,:} \approx [0.333, 0.167, 0.500]$",
    ],
)
def test_other_rows_are_left_alone(row: str) -> None:
    assert [claim for claim in judged(SCORES + row) if len(claim[1]) == 3] == []


def test_a_row_printed_again_in_another_example_is_of_its_scores() -> None:
    """√d_k = √2 stands above with another d_k in between: √2 is what it was."""
    before = (
        r"$d_k = 2$, so $\sqrt{d_k} = \sqrt{2} \approx 1.414$, and "
        r"$\alpha_{0,:} = \text{softmax}([1, 0, 0]) \approx [0.576, 0.212, 0.212]$."
        "\n\n$d_k = 32$\n\n$d_k = 2$\n\n"
    )
    after = r"$\alpha_{0,:} \approx [0.333, 0.167, 0.500]$"
    assert judged(before + SCORES + after)[-1][2] == ["0.333", "0.167", "0.500"]
