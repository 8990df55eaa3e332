"""Weights of which nobody can say that they should be a softmax, or one of cooled scores: they are left alone."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def verdicts(text):
    return [each.verdict for each in judge_formulas(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    "text",
    [
        r"The share of a shop in all sales: $w_i = \frac{s_i}{\sum_j s_j}$.",
        "Normiertes Gewicht: $w_i = \\frac{s_i}{\\sum_j s_j}$, wobei $s_i$ die Punktzahl ist.",
        "The softmax by hand:\n\n```\ns_i = exp(a_i / 0.5)\nw_i = s_i / Σs_j\n```",
        r"With the temperature $T$: $p_i = \frac{\exp(z_i \cdot T)}{\sum_j \exp(z_j \cdot T)}$.",
        r"温度采样：$p_i = \frac{e^{T z_i}}{\sum_j e^{T z_j}}$",
        r"$\text{softmax}(z)_i = \frac{e^{z_i/T}}{\sum_{j=1}^{T} e^{z_j/T}}$",  # the number of logits, too
    ],
)
def test_they_are_left_alone(text):
    assert verdicts(text) == []


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"The attention weights are $w_i = \frac{s_i}{\sum_j s_j}$.", "fails"),
        (r"With the temperature $T$: $p_i = \frac{\exp(z_i / T)}{\sum_j \exp(z_j / T)}$.", "holds"),
        (r"With the inverse temperature $T$: $p_i = \frac{e^{T z_i}}{\sum_j e^{T z_j}}$.", "holds"),
    ],
)
def test_others_are_judged(text, verdict):
    assert verdicts(text) == [verdict]


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        (r"q_i^T k_%s/\sqrt{d}", ["holds"]),
        (r"\frac{q_i^T k_%s}{\sqrt{d_k}}", ["holds"]),
        (r"q_i^T k_%s\sqrt{d}", []),
        (r"q_i^T k_%s/d_k", []),
    ],
)
def test_scores_are_divided_by_a_root(scores, found):
    text = rf"$\alpha_{{ij}} = \frac{{\exp({scores % 'j'})}}{{\sum_l \exp({scores % 'l'})}}$"
    assert verdicts(text) == found
