"""Gradients with a letter for the scale: with P = softmax(S c) and S = QKᵀ, c stands in dQ or in dS, not in both."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

FORWARD = "The scores enter as $P = \\mathrm{softmax}(S c)$, and $O = P V$.\n\n"


def judged(formula, words=FORWARD):
    found = check_article(read_article("a.md", f"{words}$${formula}$$\n")).formulas
    return [(x.verdict, x.condition and x.condition.key) for x in found if x.text == formula]


@pytest.mark.parametrize("formula", ["dQ = c dS K", "dK = c dS^T Q"])
def test_the_letter_beside_the_scores_is_the_scale(formula):
    assert judged(formula) == [("holds", None)]


def test_the_scale_may_be_in_the_gradient_by_the_scores_already():
    assert judged("dQ = dS K") == [("holds-if", "condition.plain_scores")]


@pytest.mark.parametrize("formula", ["dQ = c dS^T K", "dK = c dS Q"])
def test_a_turned_gradient_fails_beside_such_a_scale_too(formula):
    assert [verdict for verdict, _ in judged(formula)] == ["fails"]


def test_a_letter_that_is_said_to_be_the_scale_is_it():
    words = "With $c = \\text{softmax\\_scale}$ and $P = \\mathrm{softmax}(S)$, $O = P V$:\n\n"
    assert judged("dQ = c dS K", words) == [("holds", None)]
    assert judged("dV = P dO", words) == [("fails", None)]


def test_a_program_may_put_the_scale_into_the_gradient_by_the_scores():
    line = "dS = P * (dP - D) * scale"
    text = f"FlashAttention's backward pass by tiles:\n\n```python\ndV = P.T @ dO\n{line}\ndQ = dS @ K\n```\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [x.verdict for x in found if x.text == line] == ["holds-if"]


SCALED = "The scores are $S = \\frac{QK^T}{\\sqrt{d}}$, so\n\n"


@pytest.mark.parametrize(
    ("formula", "condition"),
    [
        ("dQ = dS × K × softmax_scale", "formula.if_inverse"),
        (r"dK = \text{scale} \cdot dS^\top Q", "formula.if_inverse"),
        (r"dQ = \alpha dS K", "formula.if_inverse"),
        (r"\frac{\partial L}{\partial Q} = s \frac{\partial L}{\partial S} K", "formula.if_inverse"),
        (r"dQ = \frac{1}{\tau} dS K", "formula.if_root"),
    ],
)
def test_a_scale_that_no_line_names_is_that_of_the_scores(formula, condition):
    assert judged(formula, SCALED) == [("holds-if", condition)]


@pytest.mark.parametrize(
    "formula", ["dQ = dS K", r"dK = \text{scale} \cdot dS Q", r"dQ = \text{scale} \cdot dS K^\top", "dQ = 2 dS K"]
)
def test_no_scale_makes_another_product_right(formula):
    assert [verdict for verdict, _ in judged(formula, SCALED)] == ["fails"]


def test_a_scale_that_a_line_names_is_what_it_says():
    words = "With $\\alpha = 2$, the scores are $S = \\alpha QK^T$, so\n\n"
    assert judged(r"dQ = \alpha dS K", words) == [("holds", None)]


def test_a_gain_is_no_free_number():
    hat = r"\frac{\partial L}{\partial \hat{x}_i}"
    slope = rf"{hat} - \frac{{1}}{{N}} \sum_j \frac{{\partial L}}{{\partial \hat{{x}}_j}}"
    last = r"\hat{x}_i \frac{1}{N} \sum_j \frac{\partial L}{\partial \hat{x}_j} \hat{x}_j"
    formula = rf"\frac{{\partial L}}{{\partial x_i}} = \frac{{#}}{{\sigma}} ({slope} - {last})"
    words = "The gradient of layer normalisation, with $\\hat{x}_i = \\frac{x_i - \\mu}{\\sigma}$:\n\n"
    assert [verdict for verdict, _ in judged(formula.replace("#", r"\gamma"), words)] == ["fails"]
    assert "fails" not in [verdict for verdict, _ in judged(formula.replace("#", "1"), words)]
