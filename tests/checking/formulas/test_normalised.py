"""Norms by mean and deviation: where ε, the square and the root stand."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def judged(text):
    found = judge_formulas(read_article("a.md", text + "\n")).formulas
    return [(x.verdict, x.condition and x.condition.key, x.right) for x in found]


RIGHT = [
    r"$\hat{x}_i = \frac{x_i - \mu_B}{\sqrt{\sigma_B^2 + \epsilon}}$",
    r"$y = \frac{x - \mathbb{E}[x]}{\sqrt{\mathrm{Var}[x] + \epsilon}} \odot \gamma + \beta$",
    "`y = (x - mean(x)) / sqrt(var(x) + eps) * gamma + beta`",
    r"$\text{out} = \frac{\gamma}{\sigma} (h - \mu) + \beta$",
    r"$y_i = \gamma \hat{x}_i + \beta$",
    r"With variance $\sigma$: $y = \frac{x - \mu}{\sqrt{\sigma + \epsilon}}$",
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_norm_in_a_usual_form_holds(text):
    assert judged(text) == [("holds", None, None)]


WRONG = [
    (
        r"$N(x) = \frac{x - \mu}{\sqrt{\sigma^2 - \epsilon}} \gamma + \beta$",
        r"N(x) = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \gamma + \beta",
    ),
    (r"$y = \frac{x - \mu}{\sigma^2 + \epsilon}$", r"y = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}"),
    (
        r"With $\sigma^2$ as variance: $y = \frac{x - \mu}{\sqrt{\sigma + \epsilon}}$",
        r"y = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}",
    ),
]


@pytest.mark.parametrize(("text", "right"), WRONG)
def test_a_slip_is_mended(text, right):
    assert [(v, r) for v, _, r in judged(text)] == [("fails", right)]


def test_a_deviation_below_a_root_may_be_the_variance():
    assert judged(r"$y = \frac{x - \mu}{\sqrt{\sigma + \epsilon}}$") == [("holds-if", "formula.if_variance", None)]


def test_epsilon_beside_the_deviation_is_a_convention():
    assert judged(r"$y = \frac{x - \mu}{\sqrt{\mathrm{Var}[x]} + \epsilon}$") == [("holds-if", "formula.if_plus", None)]


SPREAD = r"LayerNorm. $${}$$ (standard deviation)"


@pytest.mark.parametrize(
    ("formula", "condition"),
    [
        (r"\sigma = \sqrt{\frac{1}{d} \sum_{i=1}^d (x_i - \mu)^2 + \epsilon}", None),
        (r"\sigma^2 = \frac{1}{d} \sum_{i=1}^d (x_i - \mu)^2 + \epsilon", None),
        (r"\sigma = \sqrt{\frac{1}{d-1} \sum_{i=1}^d (x_i - \mu)^2 + \epsilon}", "formula.if_unbiased"),
        (r"\sigma = \sqrt{\frac{1}{d} \sum_{i=1}^d (x_i - \mu)^2} + \epsilon", "formula.if_plus"),
    ],
)
def test_epsilon_may_belong_to_the_deviation_that_a_norm_divides_by(formula, condition):
    assert [(v, c) for v, c, _ in judged(SPREAD.replace("{}", formula))] == [
        ("holds-if" if condition else "holds", condition)
    ]


@pytest.mark.parametrize("padding", ["10^{-5}", "1e-5", "c"])
def test_a_padding_that_is_not_called_epsilon_is_not_false(padding):
    assert (
        judged(SPREAD.replace("{}", rf"\sigma = \sqrt{{\frac{{1}}{{d}} \sum_{{i=1}}^d (x_i - \mu)^2 + {padding}}}"))
        == []
    )


def test_epsilon_may_stand_beside_the_root_mean_square():
    (found,) = judged(r"$\mathrm{RMS}(x) = \sqrt{\frac{1}{d} \sum_{i=1}^d x_i^2} + \epsilon$")
    assert found == ("holds-if", "formula.if_plus", None)


def test_a_deviation_with_epsilon_still_squares():
    (found,) = judged(SPREAD.replace("{}", r"\sigma = \sqrt{\frac{1}{d} \sum_{i=1}^d (x_i - \mu) + \epsilon}"))
    assert found == ("fails", None, r"\sigma = \sqrt{\frac{1}{d} \sum_{i=1}^d (x_i - \mu)^2 + \epsilon}")


def test_the_score_of_a_gaussian_is_no_norm():
    assert judged(r"$s = \frac{x - \mu}{\sigma^2}$") == []


ROOT = r"LayerNorm divides by the standard deviation $\sqrt{}$."


@pytest.mark.parametrize(
    ("root", "right"),
    [
        (r"{\sigma + \epsilon}", r"\sqrt{\sigma^2 + \epsilon}"),
        (r"{\epsilon + \sigma}", r"\sqrt{\epsilon + \sigma^2}"),
    ],
)
def test_a_root_by_itself_is_that_of_the_variance(root, right):
    assert judged(ROOT.replace("{}", root)) == [("fails", None, right)]
    assert judged(r"The variance is $\sigma$." + "\n\n" + ROOT.replace("{}", root)) == []


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"y = \frac{x}{\sqrt{\text{mean}(x^2) + \epsilon}} \odot W", "holds"),
        (r"y = \frac{Wx}{\sqrt{mean(x^2) + \epsilon}}", "holds"),
        (r"y = \frac{x}{mean(x^2) + \epsilon} * \gamma", "fails"),  # without the root
    ],
)
def test_rms_norm_behind_its_name(formula, verdict):
    for words, expected in (("RMSNorm leaves the mean alone", verdict), ("The layer computes", None)):
        assert [said for said, *_ in judged(f"{words}:\n\n${formula}$")] == ([expected] if expected else [])


@pytest.mark.parametrize("formula", [r"\gamma \frac{x}{BELOW}", r"\frac{x}{BELOW} \odot \gamma"])
def test_a_root_mean_square_holds_if_epsilon_is_meant_to_be_added_to_it(formula):
    (plain,) = judged("$y = " + formula.replace("BELOW", r"\mathrm{RMS}(x)") + "$")
    (padded,) = judged("$y = " + formula.replace("BELOW", r"\mathrm{RMS}(x) + \epsilon") + "$")
    assert plain[:2] == ("holds", None)
    assert padded[:2] == ("holds-if", "formula.if_plus")
