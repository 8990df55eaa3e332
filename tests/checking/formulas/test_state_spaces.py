"""State space models: Ā = e^{ΔA}, B̄ = A⁻¹(e^{ΔA} − I) B, worked out by hand from ∫_0^Δ e^{sA} ds B."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def verdicts(*formulas, words="A state space model, discretised:"):
    text = words + "\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    found = check_article(read_article("a.md", text)).formulas
    return [x.verdict for x in found if x.line == 1 + 2 * len(formulas)]


@pytest.mark.parametrize(
    "formula",
    [
        r"\bar{A} = \exp(\Delta A)",
        r"\overline{\mathbf{A}} = e^{\Delta \mathbf{A}}",
        r"\bar{B} = (\Delta A)^{-1} (\exp(\Delta A) - I) \cdot \Delta B",
        r"\bar{B} = A^{-1} (\exp(\Delta A) - I) B",
        r"\bar{B} = A^{-1} (\bar{A} - I) B",
        r"\bar{B}_{n} = \frac{e^{\Delta a_{n}} - 1}{a_{n}} B_{n}",
        r"h_t = \bar{A} h_{t-1} + \bar{B} x_t",
        r"h_t = \bar{A}_t h_{t-1} + \bar{B}_t x_t",
        r"\bar{K} = (C \bar{B}, C \bar{A} \bar{B}, \ldots, C \bar{A}^{L-1} \bar{B})",
    ],
)
def test_a_discrete_state_space_holds(formula):
    assert verdicts(formula) == ["holds"]


def test_the_output_reads_the_state():
    assert verdicts(r"h_t = \bar{A} h_{t-1} + \bar{B} x_t", r"y_t = C h_t + D x_t") == ["holds"]
    assert verdicts(r"y_t = C h_t + D x_t") == []  # of which no line says how the state goes on


@pytest.mark.parametrize(
    "formula",
    [
        r"\bar{B} = (\Delta A)^{-1} (\exp(\Delta A) - I) B",  # Δ is lost
        r"\bar{B} = A^{-1} (\exp(\Delta A) - I) \Delta B",  # Δ once too often
    ],
)
def test_a_step_too_many_or_too_few_fails(formula):
    assert verdicts(formula) == ["fails"]


@pytest.mark.parametrize(
    "formula",
    [
        r"\bar{A} = (I - \Delta A / 2)^{-1} (I + \Delta A / 2)",  # the bilinear rule
        r"\bar{B} = \Delta B",  # Euler's
        r"\bar{B} = B (\exp(\Delta A) - I) A^{-1}",
        r"\bar{A} = \exp(-\Delta A)",
        r"h_t = \bar{A} h_{t-1} + B x_t",
        r"h_t = h_{t-1} \bar{A} + \bar{B} x_t",
        r"K = [C B, C A B, \ldots, C A^{L-1} B]",
    ],
)
def test_other_rules_are_left_open(formula):
    assert verdicts(formula) == []


def test_a_kernel_has_the_matrices_that_the_article_makes():
    made = (r"\bar{A} = \exp(\Delta A)", r"\bar{B} = A^{-1} (\exp(\Delta A) - I) B")
    assert verdicts(*made, r"K = [C B, C A B, \ldots, C A^{L-1} B]") == ["fails"]


def test_letters_of_other_articles_are_no_state_space():
    assert verdicts(r"h_t = \bar{A} h_{t-1} + \bar{B} x_t", words="We write") == []


def test_the_state_may_fade_by_a_number():
    state = r"h_t = a_t h_{t-1} + B_t x_t"
    assert verdicts(state) == ["holds"]
    assert verdicts(state, r"y_t = C_t^\top h_t") == ["holds"]
    assert verdicts(r"h_t = a_t h_t + B_t x_t") == []
    assert verdicts(r"h_t = a_t h_{t-1} + B_t^\top x_t") == []
    assert verdicts(state, r"y_t = B_t^\top h_t") == []
