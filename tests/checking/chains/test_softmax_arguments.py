"""Numbers that softmax is written to be taken of, where what stands above shows what they were worked out of."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

TEMPERATURE = "scores = [3.0, 1.0, 0.5]\n\nτ = 0.5:\n\n```\nsoftmax({}) = [0.98, 0.02, 0.01]\n```"


def test_scores_over_a_temperature() -> None:
    found = judged(TEMPERATURE.format("[6.0, 2.0, 1.0]"))
    assert found[0] == ("[6.0, 2.0, 1.0]", ["6.0", "2.0", "1.0"], [])


@pytest.mark.parametrize("numbers", ["[3.0, 1.0, 0.5]", "[6.0, 2.0, 1.5]"])
def test_a_copy_and_other_numbers_are_given(numbers: str) -> None:
    assert all(subject != numbers for subject, *_ in judged(TEMPERATURE.format(numbers)))


# the rows over √2, which softmax takes to 0.67, 0.33 and to one half each
ROWS = (
    r"$$Q = [[1, 0], [1, 1]], \quad K = [[1, 0], [0, 1]]$$" + "\n\n"
    r"$$\frac{QK^T}{\sqrt{2}} = [[\frac{1}{\sqrt 2}, 0], [\frac{1}{\sqrt 2}, \frac{1}{\sqrt 2}]]$$" + "\n\n"
)


def test_a_row_of_scores_as_decimals() -> None:
    found = judged(ROWS + r"$$\text{softmax}([0.707, 0]) \approx [0.67, 0.33]$$")
    assert ("[0.707, 0]", ["0.707", "0"], []) in found
    found = judged(ROWS + r"$$\text{softmax}([0.717, 0]) \approx [0.67, 0.33]$$")
    assert all(numbers != ["0.717", "0"] for _, numbers, _ in found)


@pytest.mark.parametrize(("last", "count"), [("0.25", 1), ("0.35", 0)])
def test_a_row_without_a_name_that_words_call_scaled(last: str, count: int) -> None:
    text = "d_k = 64\n\nBefore scaling: [32, 1, 2] → softmax → [1.00, 0.00, 0.00]\n\n" + (
        f"After scaling: [4, 0.125, {last}] → softmax → [0.96, 0.02, 0.02]"
    )
    assert sum(numbers[:2] == ["4", "0.125"] for _, numbers, _ in judged(text)) == count


def test_the_width_of_keys_that_do_not_fit_is_none():
    """(1, 2) · (2, 0) is the number 2; softmax((2, 1, 0)) = (0.665, 0.245, 0.090), over √2 it would be 0.576."""
    text = "$Q = [1, 2]$, $K = [2, 0]$.\n\n$$QK^T = [2, 1, 0]$$\n\n"
    text += r"$$\mathrm{softmax}(\frac{QK^T}{\sqrt{d_k}}) = \mathrm{softmax}([2, 1, 0]) = [0.67, {}, 0.09]$$"
    assert [bad for *_, bad in judged(text.replace("{}", "0.24"))] == [[]]
    assert [bad for *_, bad in judged(text.replace("{}", "0.33"))] == [["0.33"]]


def test_whole_numbers_are_no_scaled_scores_rounded() -> None:
    keys = r"K = \begin{bmatrix} 1 & 0 & 0 \\ 0 & 1 & 0 \\ 0 & 0 & 1 \\ 1 & 1 & 0 \end{bmatrix}"
    text = (
        rf"$$Q = \begin{{bmatrix}} 1 & 0 & 1 \end{{bmatrix}},\quad {keys}$$" + "\n\n$$\\text{softmax}([1, 0, 1, 1]) = "
    )
    claims = [claim for *claim, _ in judged(text + "[0.297, 0.109, 0.297, 0.297]$$")]
    assert [numbers for _, numbers in claims] == [["0.297", "0.109", "0.297", "0.297"]]
