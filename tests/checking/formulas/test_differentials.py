"""Differentials, dY = dA V + A dV, and the chains of traces from which gradients are read off."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

SLOPE = r"\frac{\partial L}{\partial Y}"


def said(formula, first="Let $Y = AV$."):
    text = first + "\n\n$$" + formula.replace("G", SLOPE) + "$$\n"
    found = check_article(read_article("a.md", text)).formulas
    return [(x.verdict, None if x.condition is None else str(x.condition)) for x in found if x.line == 3]


@pytest.mark.parametrize(
    ("formula", "fixed"),
    [
        (r"\langle dY, G \rangle = \langle A dV, G \rangle = \langle dV, A^T G \rangle", "A"),
        (r"\langle dY, G \rangle = \langle dA V, G \rangle = \langle dA, G V^T \rangle", "V"),
        (r"dL = \langle G, dY\rangle = \langle G, A\,dV\rangle = \langle A^T G, dV\rangle", "A"),
        (r"dL = \mathrm{tr}(G^T dY) = \mathrm{tr}(G^T dA\, V) = \mathrm{tr}(V G^T dA)", "V"),
        (r"dL = \mathrm{tr}(G\,dY) = \mathrm{tr}(G A\,dV)", "A"),  # ∂L/∂Y in the shape of Yᵀ
    ],
)
def test_one_factor_is_held_fixed(formula, fixed):
    assert said(formula) == [("holds-if", f"{fixed} is held fixed")]


@pytest.mark.parametrize(
    "formula",
    [
        r"dY = dA\, V + A\,dV",
        r"dL = \langle G, dY\rangle",
        r"\mathrm{tr}(G^T dY) = \mathrm{tr}(G^T dA\,V) + \mathrm{tr}(G^T A\,dV)",
    ],
)
def test_all_factors_change(formula):
    assert said(formula) == [("holds", None)]


@pytest.mark.parametrize(
    "formula",
    [
        r"\langle dY, G \rangle = \langle A dV, G \rangle = \langle dV, A G \rangle",
        r"\mathrm{tr}(G^T dY) = \mathrm{tr}(G^T dA\,V) - \mathrm{tr}(G^T A\,dV)",
    ],
)
def test_the_product_rule_gives_another(formula):
    assert said(formula) == [("fails", None)]


@pytest.mark.parametrize(
    "formula",
    [
        r"dY = A\,dV",  # a part of it, or a wrong gradient
        r"dL = G\,dY = G A\,dV",
        r"dL = \sum_{ij} G_{ij} dY_{ij} = \sum_{ij} G_{ij} (A\,dV)_{ij}",
        r"dL = \mathrm{tr}(G^T dY) + \mathrm{tr}(\frac{\partial L}{\partial W}^T dW)",
        r"dL = \mathrm{tr}(G^T dY) + \mathrm{tr}(dR)",
    ],
)
def test_what_is_not_settled(formula):
    assert said(formula) == []


def test_gradients_between_traces_stay_gradients():
    assert said(r"\mathrm{tr}(dY^\top Y) = \mathrm{tr}(dA^\top A)") == [("holds", None)]
    first = r"$Y = AV$ and $dA = \frac{\partial L}{\partial Y}V^\top$."
    assert said(r"\langle dA, A\rangle = \langle G, Y\rangle", first) == [("holds", None)]
