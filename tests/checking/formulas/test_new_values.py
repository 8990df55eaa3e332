"""The value that the delta rule writes, between the new one and the one held for the key."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def judged(formula, name="The delta rule"):
    return [x.verdict for x in judge_formulas(read_article("a.md", f"{name} has\n\n$${formula}$$\n")).formulas]


@pytest.mark.parametrize("formula", [
    r"v_t^{\text{new}} = \beta_t v_t + (1-\beta_t) v_t^{\text{old}}",
    r"v_{\text{new}} = \beta v_t + (1-\beta) v_{\text{old}}",
    r"v_t^{new} = v_t^{old} + \beta_t (v_t - v_t^{old})",
    r"v_t^{new} = (1-\beta_t) S_{t-1} k_t + \beta_t v_t",
])  # fmt: skip
def test_a_mixture_with_weights_that_add_up_to_one_holds(formula):
    assert judged(formula) == ["holds"]
    assert judged(formula, "Another update") == []


@pytest.mark.parametrize("formula", [
    r"v_t^{\text{new}} = \beta_t v_t + (1+\beta_t) v_t^{\text{old}}",
    r"v_t^{\text{new}} = \beta_t v_t - (1-\beta_t) v_t^{\text{old}}",
    r"v_t^{new} = \beta_t v_t + \beta_t v_t^{old}",
])  # fmt: skip
def test_other_weights_fail(formula):
    assert judged(formula) == ["fails"]


@pytest.mark.parametrize("formula", [
    r"v_t^{new} = (1-\beta_t) v_t + \beta_t v_t^{old}",  # the rate may be how much is kept
    r"v_t^{new} = \beta_t v_t + \alpha_t v_t^{old}",
    r"v_t^{new} = \beta_t (v_t - v_t^{old})",  # what is added
])  # fmt: skip
def test_other_rules_are_left_alone(formula):
    assert judged(formula) == []
