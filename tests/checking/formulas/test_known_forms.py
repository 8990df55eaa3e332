"""Formulas known by their form, each beside the slip that is made in it."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(formula, words=""):
    text = f"{words}\n\n$${formula}$$\n"
    return [(x.verdict, x.right) for x in check_article(read_article("a.md", text)).formulas if x.line == 3]


def test_stacked_rows_are_another_convention():
    assert judged(r"\text{vec}(AXB) = (A \otimes B^T)\text{vec}(X)") == []


ATTENTION = r"With $A = \text{softmax}(QK^T / \sqrt{d_k}) V$ note that"


@pytest.mark.parametrize("words", ["Some matrices have", ATTENTION + " if both are symmetric and commute, then"])
def test_other_matrices_may_be_turned(words):
    assert judged("QK^T = KQ^T", words) == []


RMS = r"y = \frac{x}{\text{RMS}[x] + \epsilon} * \gamma"
ROOT = r"y = \frac{x}{\sqrt{\text{RMS}[x]} + \epsilon} * \gamma"


def test_the_root_mean_square_is_a_root_already():
    assert [verdict for verdict, _ in judged(RMS, "RMSNorm is")] == ["holds-if"]  # where ε is added
    assert [verdict for verdict, _ in judged(RMS.replace(r" + \epsilon", ""), "RMSNorm is")] == ["holds"]
    assert judged(ROOT, "RMSNorm is") == [("fails", RMS)]
    assert judged(RMS.replace(r"\text{RMS}[x] + \epsilon", r"\sqrt{\text{RMS}[x] + \epsilon}"), "RMSNorm is") == [
        ("fails", RMS)
    ]
    mean = r"With $\text{RMS}(x) = \frac{1}{d}\sum_i x_i^2$ the norm is"
    assert judged(ROOT, mean) == []


@pytest.mark.parametrize(
    ("line", "verdicts"),
    [
        ("p(logits, j) = exp(logits[j]) / sum(exp(logits(l)))", ["holds"]),
        ("p(logits, j) = exp(logits[j]) / sum(logits(l))", ["fails"]),
        ("p(logits, j) = exp(logits[j]) / sum(counts(l))", []),
    ],
)
def test_softmax_as_plain_text(line, verdicts):
    found = check_article(read_article("a.md", f"The softmax on this slide is\n{line}\n")).formulas
    assert [x.verdict for x in found] == verdicts


def test_attention_without_a_name_in_front():
    bare = r"- Attention: $\text{softmax}(\frac{QK^T}{\sqrt{d_k}}"
    for end, verdict in ((")V$", "holds"), ("V)$", "fails")):
        assert [x.verdict for x in check_article(read_article("a.md", bare + end + "\n")).formulas] == [verdict]


@pytest.mark.parametrize("token", ["x_i", "x_j"])
def test_a_relative_key_is_that_of_the_other_token(token):
    formula = rf"e_{{ij}} = \frac{{x_i W^Q ({token} W^K + a_{{ij}}^K)^\top}}{{\sqrt{{d_z}}}}"
    right = formula.replace("(x_i", "(x_j")
    found = [("holds", None)] if token == "x_j" else [("fails", right)]
    assert judged(formula, "Relative positions (Shaw et al.) give") == found
    assert judged(formula, "The scores are") == []
    braces = [each.replace("x_i", "x_{i}").replace("x_j", "x_{j}") for each in (formula, right)]
    assert judged(braces[0], "Relative positions (Shaw et al.) give") == [(found[0][0], found[0][1] and braces[1])]
    values = formula.replace("W^K", "W^V")
    assert judged(values, "Relative positions (Shaw et al.) give") == []
