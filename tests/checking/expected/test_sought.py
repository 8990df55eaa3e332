"""Matrices that only their own numbers tell what they were computed from."""

from __future__ import annotations

import pytest

from symattn import check_article
from symattn.checking.expected import sought
from symattn.checking.verdicts import try_define

KNOWN = "$X = [[1.5, 0.25], [0.75, 2.5], [1.25, 1.75]]$\n\n$W = [[0.3, 0.7, 0.2], [0.6, 0.1, 0.9]]$\n\n"


def summary(text: str) -> dict[str, int]:
    return dict(check_article(text).summary)


@pytest.mark.parametrize(
    ("printed", "right"),
    [
        ("[[0.60, 1.075, 0.525], [1.725, 0.775, 2.40], [1.425, 1.05, 1.825]]", 9),  # X W
        ("[1.725, 0.775, 2.40]", 3),  # its second row
        ("[[0.777, 0.223], [0.148, 0.852], [0.378, 0.622]]", 6),  # softmax(X)
        ("[[2.3125, 1.75, 2.3125], [1.75, 6.8125, 5.3125], [2.3125, 5.3125, 4.625]]", 9),  # X Xᵀ
        ("[[1.50, 1.75], [0.75, 3.25], [1.25, 3.00]]", 6),  # running sums
    ],
)
def test_usual_steps_are_recognised(printed: str, right: int) -> None:
    assert sum(summary(KNOWN + f"and so\n\n```\n{printed}\n```\n").values()) == right


def test_one_wrong_number_among_many_right_ones() -> None:
    product = "[[0.60, 1.075, 0.525], [1.725, 0.775, 2.44], [1.425, 1.05, 1.825]]"
    assert summary(KNOWN + f"```\n{product}\n```\n") == {"exact": 8, "wrong": 1}


@pytest.mark.parametrize(
    "printed",
    [
        "[[0, 1.075, 0.525], [1.725, 0.775, 2.40], [1.425, 1.05, 1.825]]",  # an entry that was masked
        "[[9.10, 3.075, 4.525], [1.725, 0.775, 2.40], [1.425, 1.05, 1.825]]",  # a row of something else
        "[[1, 2, 1], [2, 1, 2], [1, 1, 2]]",  # whole numbers that agree by chance
        "[[0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]",
    ],
)
def test_what_chance_may_do_accuses_nobody(printed: str) -> None:
    assert "wrong" not in summary(KNOWN + f"```\n{printed}\n```\n")


def test_inputs_with_more_digits_than_printed() -> None:
    """X may be 1.504 and 0.2549: what follows from that is not wrong."""
    text = "$X = [[1.50, 0.25], [0.75, 2.50]]$\n\n$W = [[10.1, 20.2, 30.3], [11.1, 22.2, 33.3]]$\n\n"
    shown = "[[17.93, 35.85, 53.78], [35.33, 70.65, 105.99]]"
    assert "wrong" not in summary(text + f"```\n{shown}\n```\n")


def test_whole_numbers_are_not_cut_off_from_a_difference() -> None:
    # S - A would be -36.999, 72.000, -35.999 and so on; what is printed is S itself
    text = "$S = [[-36, 72, -36], [-33, 66, -33]]$\n\n$A = [[0.999, 0.0005, -0.0005], [0.998, 0.001, -0.001]]$\n\n"
    assert check_article(text + "$C = [[-36, 72, -36], [-33, 66, -33]]$\n").clean


@pytest.mark.slow
def test_what_is_held_against_a_print_does_not_grow_with_equal_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(sought, "try_define", lambda *given: looks.append(1) or try_define(*given))

    def count(matrices: int) -> int:
        looks.clear()
        check_article("[ 1  2 ]\n" * 200 * matrices)
        return len(looks)

    third, fourth, fifth = map(count, (3, 4, 5))
    assert third < fourth and fifth - fourth == fourth - third


def test_what_is_printed_as_it_is_makes_chance_no_likelier() -> None:
    # Q = X W_Q and so on are evident; QKᵀ/√2 has few numbers that differ, which tell little
    text = r"""$X = \begin{bmatrix} 1 & 0 & 1 & 0 \\ 0 & 1 & 0 & 1 \\ 1 & 1 & 0 & 0 \end{bmatrix}$,
$W_Q = \begin{bmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 0 \\ 0 & 1 \end{bmatrix}$,
$W_K = \begin{bmatrix} 0 & 1 \\ 1 & 0 \\ 0 & 1 \\ 1 & 0 \end{bmatrix}$,
$W_V = \begin{bmatrix} 1 & 1 \\ 0 & 0 \\ 0 & 1 \\ 1 & 0 \end{bmatrix}$:

$$Q = \begin{bmatrix} 2 & 0 \\ 0 & 2 \\ 1 & 1 \end{bmatrix}, \quad
K = \begin{bmatrix} 0 & 2 \\ 2 & 0 \\ 1 & 1 \end{bmatrix}, \quad
V = \begin{bmatrix} 1 & 2 \\ 1 & 0 \\ 1 & 1 \end{bmatrix}$$

$$QK^T = \begin{bmatrix} 0 & 4 & 2 \\ 4 & 0 & 2 \\ 2 & 2 & 2 \end{bmatrix} \quad\Rightarrow\quad
S \approx \begin{bmatrix} 0 & 2.83 & 1.41 \\ 2.83 & 0 & 1.41 \\ 1.41 & 1.41 & 1.41 \end{bmatrix}$$
"""
    assert summary(text) == {"exact": 6 + 6 + 6 + 9 + 2, "rounded": 7}


def test_numbers_of_another_matrix_are_no_step_with_a_slip() -> None:
    """p − (0, 0, 0, 1, 0) has four numbers of p, and so has max(0, p)."""
    slope = "```\np = [0.035, 0.064, 0.078, 0.633, 0.191]\ng = [0.035, 0.064, 0.078, -0.367, 0.191]\n```\n"
    assert "wrong" not in summary(slope)


def test_numbers_that_a_function_leaves_as_they_are_do_not_speak_for_it() -> None:
    """tanh(3 · 10⁻⁸) is 3.00 · 10⁻⁸ too, but tanh(1) is 0.76."""
    scores = (
        r"$S = [[-580, -180, -\infty], [45, 28, -\infty]]$ $$a_{ij} = \frac{e^{S_{ij}}}{e^{-3} + \sum_k e^{S_{ik}}}$$"
    )
    weights = r"[[2.58 \times 10^{-251}, 1.35 \times 10^{-77}, 0], [1 - 4.14 \times 10^{-8}, 4.14 \times 10^{-8}, 0]]"
    assert "wrong" not in summary(f"{scores}\n\n$$A \\approx {weights}$$")


def test_a_share_that_is_made_nothing_is_no_small_one_rounded() -> None:
    """All but the last are what max(0, x) leaves of them, and 0.04 is 0 as a whole number."""
    shares = "[0.30, 0.20, 0.15, 0.10, 0.08, 0.07, 0.06, {}]"
    text = f"The shares of eight experts are {shares.format('0.04')}. The one of the second grows from 0.20 to 0.286."
    assert "wrong" not in summary(f"{text}\n\nWithout the last expert: shares {shares.format('0')}\n")
