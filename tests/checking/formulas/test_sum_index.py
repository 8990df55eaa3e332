"""Σ_i x_j means nothing unless j is something; most sums without their index are abbreviations and left alone."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def verdicts(formula):
    return [x.verdict for x in check_article(read_article("a.md", f"$${formula}$$\n")).formulas]


@pytest.mark.parametrize(
    "formula",
    [
        r"z_t = \sum_{i=1}^{t} \phi(k_j)",
        r"o_t = \frac{\sum_{i=1}^{t} v_i a_i}{\sum_{i=1}^{t} a_j}",
        r"p_i = \frac{e^{x_i}}{\sum_{j=1}^{n} e^{x_k}}",
    ],
)
def test_an_index_that_nothing_binds_fails(formula):
    assert verdicts(formula) == ["fails"]


@pytest.mark.parametrize(
    "formula",
    [
        r"p_i = \frac{e^{x_i}}{\sum_{j=1}^{n} e^{x_j}}",
        r"p_i = \frac{e^{x_i}}{\sum_j e^{x_i}}",  # known to the left side: another slip, for another judge
        r"y = \sum_{i=1}^{n} x",
        r"C = \sum_{h=1}^{H} W_k",
        r"s = \sum_i \sum_j a_{ij}",
        r"(ABC)_{ij} = \sum_k \sum_l A_{ik} B_{kl} C_{lj}",
        r"o = x_j + \sum_i x_j",
        r"\ell^(layer1)_i = \sum_j E_i",
        r"K_{nm} = \sum_{k=1}^{D} X_{nk} W_{km}^{(k)} + b_{m}^{(k)}",
        r"\sigma^2 = \frac{1}{m} \sum_{i=1}^{m} (Z_j^i - \mu_j)^2",
    ],
)
def test_other_sums_are_left_alone(formula):
    assert "fails" not in verdicts(formula)


@pytest.mark.parametrize(("formula", "verdict"), [
    (r"o_i = \sum_i \alpha_{ij} v_j", ["fails"]), (r"c_i = \sum_{i=1}^n \alpha_{ij} h_j", ["fails"]),
    (r"o_i = \sum_j \alpha_{ij} v_j", ["holds"]), (r"\mu_i = \frac{1}{n} \sum_i x_i", ["holds"]),
])  # fmt: skip
def test_a_sum_does_not_take_the_index_of_what_it_is(formula, verdict):
    assert [x.verdict for x in check_article(read_article("a.md", f"${formula}$\n")).formulas] == verdict


@pytest.mark.parametrize(("formula", "verdict"), [
    (r"\text{softmax}(z)_i = \frac{e^{z_j}}{\sum_{j=1}^{n} e^{z_j}}", ["fails"]),
    (r"a_{ij} = \frac{\exp(e_{ik})}{\sum_k \exp(e_{ik})}", ["fails"]),
    (r"\text{softmax}(z)_i = \frac{e^{z_i}}{\sum_{j=1}^{n} e^{z_j}}", ["holds"]),
    (r"c_t = \frac{\sum_j a_j h_j}{\sum_j a_j}", []), (r"y_i = x_j + \sum_k w_{ik} x_k", []),
])  # fmt: skip
def test_what_stands_outside_of_a_sum_has_the_index_of_the_left_side(formula, verdict):
    assert verdicts(formula) == verdict
