"""Formulas that a reader must not cut, and claims that deny what is so."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    found = check_article(read_article("a.md", text + "\n")).formulas
    return [(each.text, each.verdict) for each in found]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [("R_m^T R_n = R_{n-m}", "holds"), ("R_m^T R_n = R_{m-n}", "fails"), ("R_i^T R_j = R_{j-i}", "holds")],
)
def test_a_formula_in_words_keeps_its_first_factor(formula, verdict):
    text = f"RoPE: two rotations ({formula}) leave nothing but the difference of the positions."
    assert said(text) == [(formula, verdict)]


@pytest.mark.parametrize(
    "text",
    [
        "RoPE turns positions.\n\n```\nR_m = [cos(mθ)  -sin(mθ)]\n      [sin(mθ)   cos(mθ)]\n```",
        r"RoPE: $(R_p \mathbf{q})^\top (R_q \mathbf{k}) = \mathbf{q}^\top R_p^\top R_q \mathbf{k}$",  # a position q
        r"With $P = \mathrm{softmax}(S)$: $ds_t^\top = dp_t^\top \frac{\partial p_t}{\partial s_t}"
        r" = dp_t^\top (\mathrm{diag}(p_t) - p_t p_t^\top)$",
    ],
)
def test_rows_of_matrices_are_no_whole_ones(text):
    assert "fails" not in [verdict for _, verdict in said(text)]


def test_the_rest_of_a_longer_formula_among_words_is_no_formula():
    assert said("RoPE: here x_1 + R_m R_n = R_{n} is not meant.") == []


def test_the_jacobian_of_another_layer_need_not_be_symmetric():
    text = "Softmax Jacobian and layer norm Jacobian differ: of the latter $J$ is not symmetric."
    assert said(text) == []


PERMUTED = """Let $P$ be a permutation matrix and $X' = {tokens}$, so that $Q' = {projected}$.

$${attention}$$
"""
OF_ROWS = r"\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{Q K^T}{\sqrt{d_k}}\right) V"
OF_COLUMNS = r"\text{Attention}(Q, K, V) = V \text{softmax}\left(\frac{K^T Q}{\sqrt{d_k}}\right)"


@pytest.mark.parametrize(
    ("tokens", "projected", "attention", "verdicts"),
    [
        ("XP", "W^Q X'", OF_COLUMNS, ["holds"]),
        ("XP", "W^Q X'", OF_ROWS, []),  # a product of features with features
        ("PX", "X' W^Q", OF_ROWS, ["holds"]),
    ],
)
def test_a_permutation_of_the_tokens_says_whether_they_are_columns(tokens, projected, attention, verdicts):
    text = PERMUTED.format(tokens=tokens, projected=projected, attention=attention)
    assert [verdict for formula, verdict in said(text) if formula.startswith("\\text{Att")] == verdicts


HEADS = """$$MultiHead(Q, K, V) = Concat(head_1, ..., head_h)W^O$$

with $W_i^Q, W_i^K, W_i^V \\in \\mathbb{R}^{d_{model} \\times d_k}$ and $W^O \\in \\mathbb{R}^{%s}$.
"""


@pytest.mark.parametrize(
    ("shape", "verdict"),
    [
        (r"h d_k \times d_{model}", "holds"),
        (r"d_{model} \times d_k", "fails"),  # as wide as one head
        (r"h d_k \times d_k", "fails"),
    ],
)
def test_the_output_matrix_makes_tokens_as_wide_as_before(shape, verdict):
    assert [found for formula, found in said(HEADS % shape) if formula.startswith("W^O")] == [verdict]


def test_an_output_that_is_divided_later_may_be_called_o():
    text = "Running softmax: O = sum_i exp(s_i - m) * v_i and l = sum_i exp(s_i - m), with the running maximum m."
    assert "fails" not in [verdict for _, verdict in said(text)]


@pytest.mark.parametrize("correction", ["and should be", "but should rather read:", "应为"])
def test_a_formula_that_is_quoted_as_a_misprint_does_not_hold(correction):
    text = f"With $A = \\text{{softmax}}(S)$ it has $Y = A V W$, {correction} $Y = A V$."
    assert said(text) == [(r"A = \text{softmax}(S)", "holds"), ("Y = A V", "holds")]
    dense = r"With $A = \text{softmax}(S)$ it has $O = A V$, which should be dense."
    assert said(dense)[-1] == ("O = A V", "holds")


def test_products_of_weights_and_columns_are_no_rows_of_queries():
    attention = r"\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V"
    columns = r"\text{softmax}\left(\frac{W_QX(W_KX)^T}{\sqrt{d_k}}\right)W_VX"
    rows = r"\text{softmax}\left(\frac{XW_Q(XW_K)^T}{\sqrt{d_k}}\right)XW_V"
    assert said(rf"$${attention} = {columns}$$") == []
    assert [verdict for _, verdict in said(rf"$${attention} = {rows}$$")] == ["holds"]


@pytest.mark.parametrize("condition", [r"\Leftrightarrow x \leq 0", r"\iff x < 0", r"\text{ if } x < 0", ", x \\leq 0"])
def test_what_is_so_in_one_case_is_not_false(condition):
    assert said(rf"$\text{{ReLU}}(x) = 0 {condition}$") == []
    assert [verdict for _, verdict in said(r"$\text{ReLU}(x) = 0$")] == ["fails"]
