"""The variance of a letter by its means, in the spellings of articles."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def judged(text):
    return [(x.verdict, x.right) for x in judge_formulas(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize("formula", [
    r"$Var[X] = \mathbb{E}[X^2] - \mathbb{E}[X]^2$",
    r"$\mathrm{Var}(x) = \mathbb{E}[x^2] - (\mathbb{E}[x])^2$",
    r"$\operatorname{Var}(X) = \mathbb{E}[(X - \mathbb{E}[X])^2]$",
    r"$\mathbb{V}[x] = E[(x - E[x])^2] = E[x^2] - E[x]^2$",
    r"$\mathrm{Var}(x) = E(x^2) - [E(x)]^2$",
    r"$\sigma^2 = \mathbb{E}[x^2] - \mu^2$",
    r"$\sigma^2 = \mathbb{E}[(x - \mu)^2]$",
    r"$\mathbb{E}[X^2] = \sigma^2 + \mu^2$",
    r"$\underset{C}{Var}[X] = \underset{C}{\mathbb{E}}[X^2] - \underset{C}{\mathbb{E}}[X]^2$",
    r"$\mathrm{Var}[2X] = 4 (\mathbb{E}[X^2] - \mathbb{E}[X]^2)$",
    "`Var(x) = E[x^2] - E[x]^2`",
])  # fmt: skip
def test_the_variance_by_means_holds(formula):
    assert judged(formula) == [("holds", None)]


@pytest.mark.parametrize("side", [
    r"\mathbb{E}[X]^2 - \mathbb{E}[X^2]",
    r"\mathbb{E}[X^2] + \mathbb{E}[X]^2",
    r"\mathbb{E}[X^2] - \mathbb{E}[X]",
    r"\mathbb{E}[(X + \mathbb{E}[X])^2]",
])  # fmt: skip
def test_a_slip_in_the_means_fails(side):
    assert judged(f"$Var[X] = {side}$") == [("fails", "Var[X] = E[(X - E[X])^2]")]


@pytest.mark.parametrize("text", [
    r"$Var[X] = \mathbb{E}[X^2]$",  # of mean 0
    r"With zero mean $Var[X] = \mathbb{E}[X^2] + \mathbb{E}[X]^2$",
    r"$Var[X] = \mathbb{E}[X]$",  # of a count
    r"$Var[X] = \mathbb{E}[X](1 - \mathbb{E}[X])$",  # of 0 or 1
    r"$Var[XY] = \mathbb{E}[X^2] \mathbb{E}[Y^2]$",
    r"$Var[X] = \mathbb{E}_Y[X^2] - \mathbb{E}_Z[X]^2$",
    r"$Var[X] = \frac{n}{n-1} (\mathbb{E}[X^2] - \mathbb{E}[X]^2)$",
    r"$Var[X] = \mathbb{E}[X^3] - \mathbb{E}[X]^2$",
    r"$Var[X] = \mathbb{E}[X - \mathbb{E}[X]]^2$",  # of which the square may be meant
    r"$\sigma^2 = \mathbb{E}[X - \mu]^2$",
    r"$Var[X] = 1$",
    r"$Var[X] = \sigma^2$",
    r"$Var[X] = \mathbb{E}[X^2] - \mathbb{E}[Y]^2$",
    r"As $\mu = 0$, $\sigma^2 = \mathbb{E}[x^2] - \mu^2 = \mathbb{E}[x^2]$",
    r"As $\mu = 0$, $\sigma^2 = \mathbb{E}[x^2] + \mu^2$",
    r"$\mathrm{Var}(x) = \mathbb{E}[x^2] - \mathbb{E}[x]^2 = \mathbb{E}[x^2]$",
    r"With mean 1 $\sigma^2 = \mathbb{E}[x^2] - \mathbb{E}[x]$",
    r"$\sigma^2 = \mathbb{E}[x^2] - 1$",
    r"$Var[X] = \mathbb{E}[X]^2$",  # exponential
    r"$Var[X] = 2\,\mathbb{E}[X]$",  # chi-squared
    r"$Var[X] = \mathbb{E}[X]^2 + \mathbb{E}[X]$",  # geometric
    r"$Var[X] = 1 - \mathbb{E}[X]^2$",  # ±1
    r"$V(x) = E(x) - 1$",  # a potential
    r"The value of a state is $V(x) = E[x^2] - E[x]$.",
    r"$V(x) = E(x^2) + E(x)^2$",
    r"$\mathrm{Var}(x) = \mathbb{E}[x^2] - \mathbb{E}[x - x]$",
    rf"$Var(x) = \mathbb{{E}}[{'(' * 12}1+x{')^2' * 12}] - \mathbb{{E}}[x]^2$",
])  # fmt: skip
def test_what_is_so_for_some_numbers_is_left_alone(text):
    assert judged(text) == []


@pytest.mark.parametrize(("sign", "verdict"), [("+", "holds"), ("-", "fails")])
def test_the_axis_of_a_norm_may_stand_below_its_mean(sign, verdict):
    below = rf"\sqrt{{\underset{{C}}{{Var}}[X] {sign} \epsilon}}"
    [(said, _)] = judged(
        rf"$\text{{LN}}(X) = \gamma \frac{{X - \underset{{C}}{{\mathbb{{E}}}}[X]}}{{{below}}} + \beta$"
    )
    assert said == verdict


def test_what_is_called_a_variance_is_one_by_any_letter():
    said = judged("The variance is $V(x) = E[x^2] - E[x]$.")
    assert said == [("fails", "V(x) = E[(x - E[x])^2]")]
