"""Weights of one head by its index, and weights and scores that are called so."""

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
        (r"A_h = \text{softmax}(Q_h K_h / \sqrt{d_h})", "fails"),
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
