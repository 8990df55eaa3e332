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


# causal, over √2: row 2 is softmax(−0.33, 0.33) = 0.39, 0.61, row 3 softmax(0.42, −0.15, −0.52) = 0.46, 0.31, 0.24
WEIGHTS = """```
Wort    | Query          | Key            | Value
"I"     | [ 0.8,  0.1]   | [ 0.6, -0.3]   | [1, 0]
"love"  | [-0.2,  0.7]   | [ 0.1,  0.5]   | [0, 1]
"dogs"  | [ 0.5, -0.4]   | [-0.4,  0.8]   | [1, 1]
```

{} Each row is a word.

```
           I       love    dogs
I         1.00    0.00    0.00     ← I sees itself
love      {}    0.00     ← two
dogs      {}     ← all three
```"""


@pytest.mark.parametrize(
    ("words", "second", "third", "bad"),
    [
        ("All weights.", "0.39    0.61", "0.46    0.31    0.23", []),
        ("All weights.", "0.45    0.55", "0.46    0.31    0.23", ["0.45", "0.55"]),
    ],
)
def test_a_row_shows_what_matrix_of_weights_it_belongs_to(words: str, second: str, third: str, bad: list[str]) -> None:
    assert judged(WEIGHTS.format(words, second, third))[-1][2] == bad


@pytest.mark.parametrize(
    ("words", "second", "third"),
    [
        ("All weights.", "0.45    0.55", "0.40    0.35    0.25"),  # of other scores
        ("Suppose these weights.", "0.45    0.55", "0.46    0.31    0.23"),
        ("With a temperature.", "0.45    0.55", "0.46    0.31    0.23"),
        ("All weights.", "0.95    0.05", "0.46    0.31    0.23"),  # far from them
    ],
)
def test_no_row_shows_other_weights(words: str, second: str, third: str) -> None:
    assert judged(WEIGHTS.format(words, second, third)) == []
