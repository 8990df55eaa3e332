"""Weights and outputs of one head by its index, and weights and scores that are called so."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def said(text):
    return [x.verdict for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"A_h = \text{softmax}\left(\frac{Q_h K_h^\top}{\sqrt{d_h}}\right)", "holds"),
        (r"A_h = \text{softmax}(Q_h K_h^\top)", "holds-if"),
        (r"A_h = \text{softmax}(Q_h K_g^\top / \sqrt{d_h})", None),
        (r"A_h = \text{softmax}(Q_h K_h / \sqrt{d_h})", None),  # K_h may be kept transposed
    ],
)
def test_of_one_head(formula, verdict):
    assert said(f"For each head: $${formula}$$") == ([] if verdict is None else [verdict])
    assert said(f"We set $${formula}$$") == []  # Q_i may be one query, whose product with K_i is one number


@pytest.mark.parametrize(
    "formula",
    [
        r"\text{Attention Weights} = \text{softmax}(\text{Scaled Scores})",
        r"\text{weights} = \text{softmax}(\text{attention\_scores})",
    ],
)
def test_by_their_names(formula):
    assert said(f"$${formula}$$") == ["holds"]
    assert said(f"$${formula.replace('softmax', 'tanh')}$$") == []


def test_the_output_of_one_head():
    weights = r"For each head $$A_i = \text{softmax}(Q_i K_i^\top / \sqrt{d_k})$$ and "
    assert said(weights + r"$$O_i = A_i V_i$$") == said(weights + r"$$\text{head}_i = A_i V_i$$") == ["holds", "holds"]
    assert said(weights + r"$$O_i = V_i A_i$$") == said(weights + r"$$O_i = A_i V_j$$") == ["holds"]


@pytest.mark.parametrize(
    ("output", "verdicts"),
    [
        (r"O = \text{softmax}(S) V", ["holds"]),
        (r"\text{Output} = \text{Attention Weights} \cdot V", ["holds"]),
        (r"O = V \text{softmax}(S)", ["holds-if"]),  # with tokens in columns
        (r"O = W V", []),
        (r"O = \text{softmax}(S) V W", []),
    ],
)
def test_weights_times_values(output, verdicts):
    assert said(f"$${output}$$") == verdicts


@pytest.mark.parametrize(("output", "holds"), [(r"\text{softmax}(S) V", False), (r"V \text{softmax}(S)", True)])
def test_weights_of_columns_stand_behind_the_values(output, holds):
    assert said(rf"$$S = K^\top Q$$ so that $$O = {output}$$") == ["holds"] * (1 + holds)


ENTRY = r"A_{ij} = \frac{\exp(S_{ij})}{\sum_k \exp(S_{ik})}"


def test_entries_of_weights_where_tokens_are_columns():
    rows, columns = r"With $Q = X W_Q$ and $S = QK^\top$: ", r"With $Q = W_Q X$ and $S = K^\top Q$: "
    assert said(f"{rows}$${ENTRY}$$")[-1:] == ["holds"]
    assert len(said(f"{columns}$${ENTRY}$$")) == 2  # the first index is that of the key
    assert said(rf"{columns}with $S_{{ij}} = q_i^\top k_j$ $${ENTRY}$$")[-1:] == ["holds"]
