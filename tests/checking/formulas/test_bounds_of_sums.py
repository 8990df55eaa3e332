"""Sums over a part of a range: what holds of Σ_{l=1}^m does not hold of Σ_{l=2}^m, and nothing is said of that."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

PASS = (
    r"$S = QK^T/\sqrt{d_k}$ with $Q \in R^{n \times d_k}$, $K \in R^{m \times d_k}$, $V \in R^{m \times d_v}$,"
    r" $A = \text{softmax}(S)$, $O = AV$." + "\n\n"
)


def said(text):
    return [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas if x.line == 3]


@pytest.mark.parametrize(
    "formula",
    [
        r"O_{ij} = \sum_{l=BOUNDS} A_{il} V_{lj}",
        r"A_{ij} = \frac{\exp(S_{ij})}{\sum_{l=BOUNDS} \exp(S_{il})}",
        r"\sum_{l=BOUNDS} A_{il} = 1",
        r"dQ_i = \frac{1}{\sqrt{d_k}} \sum_{l=BOUNDS} dS_{il} K_l",
        r"dS_{ij} = A_{ij} (dA_{ij} - \sum_{l=BOUNDS} A_{il} dA_{il})",
    ],
)
def test_a_sum_over_a_part_of_the_keys_is_another_one(formula):
    assert said(PASS + "$" + formula.replace("BOUNDS", "1}^{m") + "$") == ["holds"]
    for bounds in ("2}^{m", "1}^{m-1", "2}^{m-1"):
        assert said(PASS + "$" + formula.replace("BOUNDS", bounds) + "$") == []


def test_a_sum_over_the_keys_does_not_run_up_to_a_width():
    assert said(PASS + r"$O_{ij} = \sum_{l=1}^{d_v} A_{il} V_{lj}$") == []
    assert said(PASS + r"$S_{ij} = \frac{1}{\sqrt{d_k}} \sum_{l=1}^{d_v} Q_{il} K_{jl}$") == ["holds-if"]  # d_v = d_k


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"dV_j = \sum_{i=1}^{n} A_{ij} dO_i", "holds"),
        (r"dV_j = \sum_{i=1}^{m} A_{ij} dO_i", "holds-if"),  # n = m
        (r"dS_{ij} = A_{ij} (dA_{ij} - \sum_{l=1}^{m} A_{il} dA_{il})", "holds"),
        (r"dS_{ij} = A_{ij} (dA_{ij} - \sum_{l=1}^{n} A_{il} dA_{il})", "holds-if"),
        (r"\sum_{l=1}^{m} A_{il} = 1", "holds"),
        (r"\sum_{l=1}^{n} A_{il} = 1", "holds-if"),
    ],
)
def test_weights_and_gradients_have_as_many_rows_as_what_they_are_made_of(formula, verdict):
    assert said(PASS + f"${formula}$") == [verdict]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\mu = \frac{1}{d} \sum_{i=1}^d x_i", ["holds"]),
        (r"\mu = \frac{1}{d} \sum_{i=2}^d x_i", []),
        (r"r = \sqrt{\frac{1}{d} \sum_{i=1}^{d-1} x_i^2 + \epsilon}", []),
        (r"\hat x_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}}", ["holds"]),
        (r"\hat x_i = \frac{x_j - \mu}{\sqrt{\sigma^2 + \epsilon}}", []),
        (r"y_i = \gamma_i \hat x_i + \beta_i", ["holds"]),
        (r"y_j = \gamma_i \hat x_j + \beta_j", []),
        (r"Y_{ji} = \gamma \hat X_{ij} + \beta", []),
    ],
)
def test_a_norm_is_of_the_entries_that_it_names(formula, verdict):
    assert said(f"# LayerNorm and RMSNorm\n\n${formula}$") == verdict
