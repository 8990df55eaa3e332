"""Formulas with a token in every column: v_i is a column of V there, and so is dv_i."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(*lines: str, name: str = "a.txt") -> list[str]:
    """The verdicts on the formulas of an article of these lines."""
    text = "\n\n".join(f"    {line}" for line in lines) + "\n"
    return [found.verdict for found in check_article(read_article(name, text)).formulas]


def test_a_token_is_a_column_of_the_tokens() -> None:
    shapes = ("X: d × N", "W^Q: d_k × d", "b^Q: d_k × 1")
    assert "fails" not in verdicts(*shapes, "Q = W^Q X", "q_i = W^Q x_i + b^Q")
    assert verdicts(*shapes, "Q = W^Q X", "q_i = x_i W^Q").count("fails") == 1


def test_a_token_is_a_row_of_n_tokens_of_width_d() -> None:
    for shape, expected in ((r"d \times m", "fails"), (r"m \times d", "holds")):
        text = rf"$X \in \mathbb{{R}}^{{n \times d}}$ and $W \in \mathbb{{R}}^{{{shape}}}$." + "\n\n$y_i = W x_i$\n"
        found = check_article(read_article("a.md", text)).formulas
        assert [each.verdict for each in found if each.line == 3] == [expected]


@pytest.mark.parametrize("output", ["O", "\\tilde V"])
def test_gradients_token_by_token(output: str) -> None:
    small = output.lower()
    lines = [
        f"{output} = V A",
        rf"dA = V^\top d{output}",
        rf"da_i = V^\top d{small}_i",
        rf"dv_i = \sum_j A_{{ij}} d{small}_j",
    ]
    text = "\n\n".join(f"$${line}$$" for line in lines)
    found = {x.line: x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas}
    assert [found.get(line) for line in (3, 5, 7)] == ["holds", "holds", "holds"]
    wrong = text.replace(r"da_i = V^\top", "da_i = V")
    assert {x.line: x.verdict for x in check_article(read_article("a.md", wrong + "\n")).formulas}[5] == "fails"


def test_brackets_of_a_function_are_no_matrix() -> None:
    lines = ("Q: D_q × N", "K: D_q × M", "V: D_v × M", "S = Kᵀ Q", "A = Softmax[S]", "Sa = V A")
    assert "fails" not in verdicts(*lines)


def test_a_sum_from_0_runs_to_one_less() -> None:
    lines = ("O = A V", "dA = dO Vᵀ", "dA_ij = Σ_k=0..d_v − 1 dO_ik V_jk")
    assert verdicts(*lines)[-1] == "holds"
    assert verdicts(*lines[:2], "dA_ij = Σ_k=0..d_v − 1 dO_ik V_kj")[-1] == "fails"


def test_a_capital_beside_a_column_with_the_same_index_is_a_column_too() -> None:
    lines = ("Y = W^O C", "dC = (W^O)ᵀ dY", "dc_i = (W^O)ᵀ dY_i", "dW^O = Σ_i dY_i c_iᵀ")
    assert "fails" not in verdicts(*lines)
    assert verdicts(*lines[:2], "dc_i = W^O dY_i")[-1] == "fails"


def test_a_gradient_of_keys_says_nothing_of_which_index_counts_the_queries() -> None:
    lines = "Softmax is applied to each column.\n\no_i = Σ_j A_ji v_j\n\ndk_i = 1/√d_k Σ_j dS'_ij q_j\n"
    assert "fails" not in [each.verdict for each in check_article(read_article("a.txt", lines)).formulas]


@pytest.mark.parametrize("line", ["O = V A", "It is O = V A."])
def test_an_a_at_the_end_is_a_factor(line: str) -> None:
    assert [p.text for p in read_article("a.txt", f"    {line}\n").passages] == ["O = V A"]
