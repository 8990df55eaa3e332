"""Attention of queries and keys whose weights stand on the left of what they project."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

WHOLE = "Let $Q = W_Q X$, $K = W_K X$, $V = W_V X$.\n\n"
LISTED = "One query $Q = W_Q x$ meets $K = W_K [x_1, \\dots, x_n]$ and $V = W_V [x_1, \\dots, x_n]$.\n\n"
USUAL = r"\text{Attention}(Q, K, V) = \text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V"
COLUMNS = r"O = V\,\text{softmax}\left(\frac{K^T Q}{\sqrt{d_k}}\right)"
OF_TOKENS = r"O = \text{softmax}\left(\frac{Q^T K}{\sqrt[]{d_k}}\right) X"


def verdict(before, formula):
    found = check_article(read_article("a.md", f"{before}$${formula}$$\n")).formulas
    return next((each.verdict for each in found if each.line == 3), None)


@pytest.mark.parametrize(("before", "formula"), [(LISTED, USUAL), (WHOLE, OF_TOKENS)])
def test_products_fail_that_do_not_fit_the_projections(before, formula):
    assert verdict(before, formula) == "fails"


@pytest.mark.parametrize("before", [WHOLE, LISTED])
def test_columns_of_values_weighted_from_the_right_hold(before):
    assert verdict(before, COLUMNS) == "holds"


@pytest.mark.parametrize(
    ("before", "formula"),
    [
        (WHOLE, USUAL),
        ("Rows, $Q = X W_Q$ and $K = X W_K$, or $Q = W_Q x$ and $K = W_K [x_1, \\dots, x_n]$:\n\n", USUAL),
        ("Rows $X \\in \\mathbb{R}^{n \\times d}$, $Q = W_Q x$, $K = W_K x$:\n\n", USUAL),
    ],
)
def test_what_may_be_meant_otherwise_is_not_called_false_for_its_projections(before, formula):
    assert verdict(before, formula) != "fails"


ROWS = "Tokens $X \\in \\mathbb{R}^{n \\times d}$:\n\n"
UPRIGHT = "Tokens $X \\in \\mathbb{R}^{d \\times n}$:\n\n"


@pytest.mark.parametrize(
    ("before", "formula"),
    [
        (ROWS, r"Q = X W_Q \in \mathbb{R}^{n \times d}"),
        (UPRIGHT, r"Q = W_Q X \in \mathbb{R}^{d \times n}"),
        (ROWS, r"Q = W_Q X \in \mathbb{R}^{n \times d}"),  # some mean to mix tokens
        ("Linformer compresses $n$ tokens to $m$. " + ROWS, r"K = W^K X \in \mathbb{R}^{m \times d}"),
        (UPRIGHT, r"V = X W_V \in \mathbb{R}^{d \times n}"),
        (ROWS + "with $W_Q \\in \\mathbb{R}^{n \\times n}$.\n\n", r"Q = W_Q X \in \mathbb{R}^{n \times d}"),
        (ROWS, r"M = W_1 X \in \mathbb{R}^{n \times d}"),  # a mixer of tokens
        ("Tokens $X \\in \\mathbb{R}^{p \\times q}$:\n\n", r"Q = W_Q X \in \mathbb{R}^{p \times q}"),
    ],
)
def test_other_products_of_weights_and_tokens_are_not_called_false(before, formula):
    found = check_article(read_article("a.md", f"{before}$${formula}$$\n")).formulas
    assert "fails" not in [each.verdict for each in found]


@pytest.mark.parametrize(
    ("formula", "shape", "verdicts"),
    [
        (r"c = W_{DKV} \cdot x", r"d_c \times d", ["holds"]),
        (r"c = W_{DKV} \cdot x", r"d \times d_c", []),
        (r"q = W_Q x", r"d_c \times d", ["holds"]),
        (r"q = W_Q x", r"d \times d_c", []),
        (r"q = x W_Q", r"d \times d_c", ["holds"]),
    ],
)
def test_a_projection_of_tokens_without_a_shape_has_the_stated_one(formula, shape, verdicts):
    name, weight = formula[0], formula.split("=")[1].replace("x", "").replace(r"\cdot", "").strip()
    text = rf"$${formula}, \quad {name} \in \mathbb{{R}}^{{d_c}}$$ with ${weight} \in \mathbb{{R}}^{{{shape}}}$."
    found = check_article(read_article("a.md", text + "\n")).formulas
    assert [x.verdict for x in found if x.text == formula] == verdicts


def test_projections_from_one_side_are_not_called_false_by_one_shape():
    """The shape of W_q and W_k may be what is turned, as that of W_v shows."""
    shapes = (
        r"$h_x \in \mathbb{R}^{d_h}$, $W_q, W_k \in \mathbb{R}^{d_h \times d_k}$, $W_v \in \mathbb{R}^{d_v \times d_h}$"
    )
    lines = r"$q_x = W_q h_x$, $k_y = W_k h_y$, $v_y = W_v h_y$"
    found = check_article(read_article("a.md", f"Attention with {shapes}: {lines}.\n")).formulas
    assert "fails" not in [each.verdict for each in found]
