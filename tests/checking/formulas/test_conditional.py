"""Equations that hold under a condition, are asked for or are about other letters are not called false."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def fails(page: str) -> list[str]:
    return [each.text for each in check_article(read_article("a.md", page)).formulas if each.verdict == "fails"]


def wrong(page: str) -> list[str]:
    claims = check_article(read_article("a.md", page)).findings
    return [entry.printed for claim in claims for entry in claim.entries if entry.verdict == "wrong"]


CASES = "chi(u) = (u**2)/2       {} |u| < c\nchi(u) = (c**2)/2       {} |u| >= c\n"


@pytest.mark.parametrize("word", ["for", "if", "when"])
def test_one_function_in_two_cases(word: str) -> None:
    assert fails(CASES.format(word, word)) == []


def test_two_meanings_without_cases_still_differ() -> None:
    assert fails("chi(u) = (u**2)/2\nchi(u) = (c**2)/2\n") == ["chi(u) = (c**2)/2"]


def test_two_counts_in_two_cases() -> None:
    assert fails("- binary: `df = (g - 2)` for the first sample,\n  others use `df = g` for the second one\n") == []


SOUGHT = "$$h(z) = \\frac{{z^4}}{{16}}$$\n\n{} $$h(k(w)) = w$$ holds. Here $$k(w) = 3 w$$\n"


def test_what_a_function_is_asked_for() -> None:
    assert fails(SOUGHT.format("We search for a function $k(w)$ such that")) == []
    assert fails(SOUGHT.format("As before,")) == ["h(k(w)) = w"]


def test_the_divergence_of_positive_numbers() -> None:
    page = "$$D_{KL}(P \\| Q) = \\sum_i (P_i \\log(\\frac{P_i}{Q_i}) %s)$$"
    assert fails(page % "- P_i + Q_i") == []
    assert len(fails("$$D_{KL}(P \\| Q) = -\\sum_i P_i \\log\\frac{P_i}{Q_i}$$")) == 1


def test_the_loss_of_given_logarithms() -> None:
    assert fails("The loss becomes $\\ell(x, y) = \\sum_i y_i (\\log(y_i) - x_i)$.") == []
    assert len(fails("The loss becomes $\\mathcal{L} = \\sum_i y_i \\log(p_i)$.")) == 1


def test_the_mean_of_a_difference() -> None:
    assert fails("Under the null hypothesis $\\mathbb{E}[d_t] = 0$ for the variance $\\mathrm{Var}(d_t)$.") == []


def test_a_number_added_to_a_function_of_a_node() -> None:
    assert fails(r"The cost of a node is $R_\alpha(t) = R(t) + \alpha$.") == []
    assert len(fails(r"Rotary positions: $R_m^T R_n = R_{m+n}$ for the rotation $R_m$ by $m\theta$.")) == 1


def test_shapes_of_batches_are_not_those_of_a_formula() -> None:
    formula = r"$$f(x) = \sum_{i=1}^n w_i \phi(\|x - c_i\|) + v^T x + b$$"
    assert fails(f"x: `[batch_size, n, d]`\n\nv: `[b, d, k]`, the weights\n\n{formula}\n") == []


@pytest.mark.parametrize(
    "page",
    [
        "* two solutions: `x^2 = 1`\n* no solution: `x^2 + 1 = 0`\n",
        "* one solution: `x = 1`\n* many: `\\sin(x) = 0`\n* a range: `\\lfloor x \\rfloor = 0`\n",
        "$$x = 5$$\n\n$$\\log(x - 3) + \\log(x + 3) = 0$$\n",
        "Take z = 2 and a = 1.\n\n    h(z) = z/a    for |z| <= 3\n\n    h(z) = 0      for |z| > 3\n",
    ],
)
def test_numbers_of_equations_and_of_cases(page: str) -> None:
    assert wrong(page) == []


def test_a_sum_that_is_no_zero() -> None:
    assert wrong("Take $x = 3$ and $y = 1$. So $x^2 + y^2 = 20$.") == ["20"]
