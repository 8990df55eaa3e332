"""Sums over rows and columns of a softmax, whatever the scores are."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

ROWS = r"The weights are $A = \mathrm{softmax}(S)$ row by row."


def verdicts(text, formula):
    found = check_article(read_article("a.md", f"{text}\n\n${formula}$\n"))
    return [each.verdict for each in found.formulas if each.line == 3]


@pytest.mark.parametrize(
    ("text", "formula", "expected"),
    [
        (ROWS, r"A\mathbf{1} = \mathbf{1}", ["holds"]),
        (ROWS, r"A^\top\mathbf{1} = \mathbf{1}", ["fails"]),  # columns: 1/2 + 1/2 of two rows, but e/(1 + e) + 1/2
        (ROWS, r"\mathbf{1}^\top A = \mathbf{1}^\top", ["fails"]),
        (ROWS, r"\mathbf{1}^\top A^\top = \mathbf{1}^\top", ["holds"]),
        (ROWS, r"\sum_j A_{ij} = 1", ["holds"]),
        (ROWS, r"\sum_i A_{ij} = 1", ["fails"]),
        (r"The weights are $A = \mathrm{softmax}(S)$ over the queries.", r"\sum_i A_{ij} = 1", []),
        (ROWS + " Sinkhorn iterations make it doubly stochastic.", r"A^\top\mathbf{1} = \mathbf{1}", []),
        ("A matrix $A$ of numbers.", r"A\mathbf{1} = \mathbf{1}", []),
    ],
)
def test_sums_of_weights_and_slopes(text, formula, expected):
    assert verdicts(text, formula) == expected


@pytest.mark.parametrize("formula", [r"\sum_i A_{ij} = 1", r"A^\top\mathbf{1} = \mathbf{1}"])
@pytest.mark.parametrize(
    "text",
    [
        r"$A = \mathrm{softmax}(K^\top Q)$, output $O = V A$.",
        r"$X \in \mathbb{R}^{d \times n}$ holds tokens. $S = K^\top Q$, $A = \mathrm{softmax}(S)$, $O = VA$.",
        r"Let $A = \mathrm{softmax}(S)$ where each column is normalised.",
        r"$A = \mathrm{softmax}(S)$, $o_j = \sum_i A_{ij} v_i$.",
        r"$A = \mathrm{softmax}(S)$ along the first axis.",
        r"The map is computed with dim=0: $A = \mathrm{softmax}(S)$.",
        r"Slot attention: $A = \mathrm{softmax}(QK^\top)$, so that slots compete for inputs.",
        r"$A = \mathrm{softmax}(S)$ is read as the weight of query $j$ on key $i$.",
        ROWS + " We could add a loss so that",
        ROWS + " Balanced attention asks for",
    ],
)
def test_columns_sum_to_one_where_nothing_says_rows_or_it_is_wished(text, formula):
    assert verdicts(text, formula) != ["fails"]


@pytest.mark.parametrize("text", [r"$A = \mathrm{softmax}(QK^\top)$.", r"$A = \mathrm{softmax}(S)$ and $O = AV$."])
def test_rows_are_shown_by_products(text):
    assert verdicts(text, r"\sum_i A_{ij} = 1") == ["fails"]


def test_where_each_column_is_normalised_rows_are_not():
    assert verdicts(r"$A = \mathrm{softmax}(S)$ where each column is normalised.", r"A\mathbf{1} = \mathbf{1}") == []


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"A = \mathrm{softmax}_{\text{col}}(S)", []),  # down the columns, or over them
        (r"O = \mathrm{softmax}_{\text{col}}(QK^\top) V", []),
        (r"A = \mathrm{softmax}_{\text{col}}(K^\top Q)", ["holds-if"]),
        (r"A = \mathrm{softmax}_{\text{row}}(QK^\top)", ["holds-if"]),
    ],
)
def test_a_softmax_by_columns_is_no_softmax_of_rows(formula, expected):
    assert verdicts("Weights:", formula) == expected
