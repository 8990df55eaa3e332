"""Attention that is called scaled and is not, and sums that use the letter of the entry."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def said(text):
    return [(x.verdict, x.right) for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


def test_the_scale_may_be_left_out_on_purpose():
    formula = r"$$\text{ScaledDotProductAttention}(Q, K, V) = \text{softmax}(Q K^T) V$$"
    assert "fails" not in [verdict for verdict, _ in said(f"Omitting the scale for now,\n\n{formula}")]


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"Z = \text{Scaled Dot-Product Attention}(Q, K, V) = \text{softmax}(Q K^T) V", ["fails"]),
        (r"\text{ScaledDotProductAttention}(Q, K, V) = \text{softmax}(Q K^T) V", ["fails"]),
        (r"\text{ScaledDotProductAttention}(Q, K, V) = \text{softmax}(\frac{Q K^T}{\sqrt{d_k}}) V", ["holds"]),
        (r"\text{DotProductAttention}(Q, K, V) = \text{softmax}(Q K^T) V", ["holds-if"]),
    ],
)
def test_what_is_called_scaled_is_divided_by_the_root(formula, verdicts):
    assert [verdict for verdict, _ in said(f"$${formula}$$")] == verdicts


def test_queries_may_be_scaled_before():
    text = r"With $Q' = Q / \sqrt{d_k}$ and $Q = Q'$: "
    formula = r"\text{ScaledDotProductAttention}(Q, K, V) = \text{softmax}(Q K^T) V"
    assert "fails" not in [verdict for verdict, _ in said(f"{text}\n\n$${formula}$$")]


SHADOWED = r"A_{ij} = \frac{\exp(S_{ij}/\sqrt{d_k})}{\sum_j \exp(S_{ij}/\sqrt{d_k})}"


def test_a_sum_may_use_the_letter_of_the_entry():
    assert said(f"$${SHADOWED}$$") == [("holds", None)]
    for old, new in ((r"\sum_j \exp(S_{ij}/\sqrt{d_k})", r"\sum_j \exp(S_{ij})"), (r"\sum_j", r"\sum_i")):
        assert "holds" not in [verdict for verdict, _ in said(f"$${SHADOWED.replace(old, new)}$$")]
