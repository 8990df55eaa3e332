"""Formulas with one typical slip: a sum that is missing, a scale that is named and not there, a sign turned round."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def said(text):
    return [(x.verdict, x.right) for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"O_i = P_{ij} V_j$ for each block, $x", []),
        (r"o_i = a_{ij} v_j", [("fails", r"o_i = \sum_j a_{ij} v_j")]),
        (r"y_{i} = \alpha_{ij} V_{j}", [("fails", r"y_{i} = \sum_j \alpha_{ij} V_{j}")]),
        (r"o_{ij} = a_{ij} v_j", []),  # one term of the sum
        (r"o_i = a_{i1} v_1", []),
        (r"o_i = a_i v_i", []),
    ],
)
def test_an_output_is_a_sum_of_values(formula, expected):
    assert said(f"The output is $${formula}$$") == expected
    assert said(f"We use Einstein's notation. $${formula}$$") == []


@pytest.mark.parametrize("text", [
    "The term of $j$ is $o_i = a_{ij} v_j$.",
    "$o_i = a_{ij} v_j$, summed over $j$.",
    "Each key contributes $o_i = a_{ij} v_j$.",
    "$o_i = a_{ij} v_j$，对 $j$ 求和。",
])  # fmt: skip
def test_one_term_of_an_output_may_stand_alone(text):
    assert said(text) == []


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


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"P_{ij} = \exp(S_{ij} + LSE_i)", [("fails", r"P_{ij} = \exp(S_{ij} - LSE_i)")]),
        (r"P = \exp(\text{LSE} + S)", [("fails", r"P = \exp(-\text{LSE} + S)")]),
        (r"P_{ij} = \exp(S_{ij} + B_i)", []),
        (r"P_{ij} = \exp(S_{ij} + LSE_i)$$, where $LSE_i = -\log \sum_j e^{S_{ij}}$, $$x", []),
    ],
)
def test_the_logarithm_of_the_sum_is_taken_away(formula, expected):
    assert [x for x in said(f"$${formula}$$") if x[0] == "fails"] == expected


SHADOWED = r"A_{ij} = \frac{\exp(S_{ij}/\sqrt{d_k})}{\sum_j \exp(S_{ij}/\sqrt{d_k})}"


def test_a_sum_may_use_the_letter_of_the_entry():
    assert said(f"$${SHADOWED}$$") == [("holds", None)]
    for old, new in ((r"\sum_j \exp(S_{ij}/\sqrt{d_k})", r"\sum_j \exp(S_{ij})"), (r"\sum_j", r"\sum_i")):
        assert "holds" not in [verdict for verdict, _ in said(f"$${SHADOWED.replace(old, new)}$$")]
