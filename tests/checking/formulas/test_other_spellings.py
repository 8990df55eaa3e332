"""Right formulas in spellings of which another reading would be false."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdicts(text: str, name: str = "a.md") -> list[tuple[int, str]]:
    return [(x.line, x.verdict) for x in check_article(read_article(name, text + "\n")).formulas]


def failing(text: str) -> list[int]:
    return [line for line, verdict in verdicts(text) if verdict == "fails"]


# --- diagonal matrices


@pytest.mark.parametrize("decay", [r"\text{diag}(\alpha_t I)", r"\alpha_t \text{diag}(I)", r"\text{diag}(\alpha_t)"])
def test_the_diagonal_matrix_of_one_is_itself(decay: str) -> None:
    text = "A recurrent state:\n\n$$S_t = S_{t-1} " + decay + " + v_t k_t^T$$"
    assert verdicts(text) == [(3, "holds")]
    assert "holds" not in [verdict for _, verdict in verdicts(text.replace("v_t k_t^T", "k_t^T v_t"))]


# --- inner products


@pytest.mark.parametrize("times", ["×", "·", "@"])
def test_a_dot_between_vectors_binds_less_than_products_of_matrices(times: str) -> None:
    text = "RoPE:\n\n```\nq_m · k_n = q · R_m^T {0} R_n {0} k = q · R_(n-m) {0} k\n```".replace("{0}", times)
    assert verdicts(text.replace("(n-m)", "{n-m}")) == [(4, "holds")]
    assert failing(text.replace("(n-m)", "{m-n}")) == [4]


# --- values of indices


@pytest.mark.parametrize("times", [r"\cdot ", r"\times ", r"\, ", ""])
def test_a_formula_before_gives_no_letter_a_value(times: str) -> None:
    first = rf"$q_m \cdot k = q {times}R_m^T k$" if times else r"$q_m^T + k = q R_m^T$"
    text = "RoPE turns by rotations.\n\n" + first + "\n\n$(R_m q)^T (R_n k) = q^T R_{m-n} k$"
    assert failing(text) == [5]
