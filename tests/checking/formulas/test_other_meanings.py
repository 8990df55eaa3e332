"""Formulas that are right in what their own words speak of, though not in what is usual: they are left alone."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def verdicts(text):
    return [each.verdict for each in judge_formulas(read_article("a.md", text + "\n")).formulas]


COSINE = r"Cosine similarity: $\cos(u, v) = \frac{u \cdot v}{\|u\| \|v\|}$." + "\n\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"The vectors are normalised, so that $\cos(a, b) = a \cdot b$.", []),
        (r"If both are of length one ($\|u\| = \|v\| = 1$), $\cos(u, v) = u^T v$.", []),
        (r"The cosine of two vectors is $\cos(a, b) = a \cdot b$.", ["fails"]),
        (COSINE + r"Others take the inner product: $\text{sim}(q, d) = q^T d$.", ["holds"]),
        (COSINE + r"A score of two words: $\text{sim}(u, v) = u \cdot v$.", ["holds"]),
        (COSINE + r"Cosine similarity is $\text{sim}(u, v) = u \cdot v$.", ["holds", "fails"]),
    ],
)
def test_inner_products_are_no_cosines(text, found):
    assert verdicts(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"Post-Norm as in Swin v2: $y = x + \text{LN}(\text{Attn}(x))$", []),
        (r"Post-LN: $y = x + \text{LN}(\text{Attn}(x))$", ["fails"]),
    ],
)
def test_norms_on_branches(text, found):
    assert verdicts(text) == found


@pytest.mark.parametrize(
    ("power", "found"), [("-i/(d/2-1)", []), ("-2i/d", ["holds"]), ("-i/(d/2)", ["holds"]), ("-2i/(d/2)", ["fails"])]
)
def test_frequencies_with_one_step_less(power, found):
    assert verdicts(rf"The frequencies are $\omega_i = 10000^{{{power}}}$.") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Let $\\mu = \\frac{1}{d}\\sum_i x_i$. Then $\\sum_i (x_i - \\mu) = \\sum_i x_i - d\\mu = 0$.", ["holds"]),
        ("The inner width is $d_{ff} = 4d$, so there are $2 d d_{ff} = 8d^2$ parameters.", ["holds"]),
        ("The inner width is $d_{ff} = 4d$, so there are $2 d d_{ff} = 6d^2$ parameters.", []),
        (
            "SwiGLU has $d_{ff} = \\frac{8}{3}d$.\n\nA plain FFN has $2 d \\cdot d_{ff} = 8d^2$ parameters.",
            [],
        ),
    ],
)
def test_a_width_d_before_a_letter_is_no_gradient(text, found):
    assert verdicts(text) == found


def test_the_slope_of_an_own_function_is_that_of_no_softmax():
    text = "The softmax of a vector.\n\n```\nσ(x) = 1/(1+e^{-x})\ndσ/dx = -(1+e^{-x})^{-2} × (-e^{-x})\n```\n"
    assert verdicts(text) == ["holds"]


def test_a_logistic_function_of_two_entries_is_left_alone():
    assert verdicts(r"The weight of two classes is $\sigma(z) = \sigma(z_1 - z_0)$.") == []


def test_scores_whose_indices_the_other_lines_do_not_have():
    scores = r"$e_{ij} = \frac{q_j^T k_i}{\sqrt{d_k}}$"
    assert verdicts(scores + r" and $o_i = \sum_j \alpha_{ij} v_j$") == ["holds"]  # the second
    assert verdicts(scores + r" and $o_j = \sum_i \alpha_{ij} v_i$")[0] == "holds"


def test_shapes_that_fit_only_if_all_sizes_are_the_same():
    shapes = (
        r"with $B \in \mathbb{R}^{d \times r}$ and $A \in \mathbb{R}^{r \times k}$ and $W \in \mathbb{R}^{d \times k}$"
    )
    assert verdicts(r"$W' = W + AB$ " + shapes) == []
    assert set(verdicts(r"$W' = W + BA$ " + shapes)) == {"holds"}
