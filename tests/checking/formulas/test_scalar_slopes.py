"""Derivatives of functions of one number, by the product and the chain rule."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def judged(*formulas, words="Sigmoid and its relatives."):
    text = words + "\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    return check_article(read_article("a.md", text)).formulas


@pytest.mark.parametrize(
    "formula",
    [
        r"\sigma'(x) = \sigma(x)(1 - \sigma(x))",
        r"\frac{d}{dx} \tanh(x) = 1 - \tanh^2(x)",
        r"\frac{d}{dx}\text{GELU}(x) = \text{GELU}'(x) = \Phi(x) + x\phi(x)",
        r"\left(x\Phi(x)\right)' = \Phi(x) + x\phi(x)",
        r"\text{SiLU}'(z) = \sigma(z)(1 + z(1 - \sigma(z)))",
        r"\frac{d}{dx}\log(1+e^x) = \sigma(x)",
    ],
)
def test_derivatives_hold(formula):
    [found] = judged(formula)
    assert found.verdict == "holds"


@pytest.mark.parametrize(
    "formula",
    [
        r"\sigma'(x) = \sigma(x)(1 + \sigma(x))",
        r"\frac{d}{dx} \tanh(x) = 1 - \tanh(x)",
        r"\text{GELU}'(x) = \Phi(x) + \phi(x)",
        r"\text{SiLU}'(x) = \sigma(x) + x\sigma(x)",
        r"\frac{d}{dx}\log(1+e^x) = e^x \sigma(x)",
    ],
)
def test_what_is_no_derivative_fails_at_a_number(formula):
    [found] = judged(formula)
    assert found.verdict == "fails"
    assert found.counterexample.left != found.counterexample.right


def test_letters_are_what_the_article_defines():
    own = r"u = 3x + x^3, \quad y = \frac{1}{2}x(1+\tanh(u))"
    right = r"\frac{dy}{dx} = \frac{1}{2}(1+\tanh(u)) + \frac{1}{2}x(1-\tanh^2(u))(3+3x^2)"
    wrong = right.replace(r"\frac{1}{2}(1", r"\frac{1}{2}x(1", 1)
    assert [x.verdict for x in judged(own, right)] == ["holds"]
    assert [x.verdict for x in judged(own, wrong)] == ["fails"]


def test_a_power_of_a_function_in_words_is_that_of_its_value():
    right = r"\frac{\partial \text{tanh}(y)}{\partial y} = 1 - \text{tanh}^2(y)"
    assert [x.verdict for x in judged(right)] == ["holds"]
    assert [x.verdict for x in judged(right.replace("1 - ", "2 - "))] == ["fails"]


def test_a_power_of_sigma_beside_the_function_is_that_of_its_value():
    right = r"\text{SiLU}'(x) = \sigma(x) + x\sigma(x)(1-\sigma(x)) = \sigma(x) + x\sigma(x) - x\sigma^2(x)"
    assert [x.verdict for x in judged(right)] == ["holds"]
    assert [x.verdict for x in judged(right.replace(r"- x\sigma^2", r"+ x\sigma^2"))] == ["fails"]


@pytest.mark.parametrize("formula", [r"\frac{dy}{dx} = f(x)", r"\sigma'(x) = 1 - \sigma(x)^2"])
def test_functions_that_are_not_known_are_left_alone(formula):
    assert judged(formula, words="Any activation.") == ()


@pytest.mark.parametrize("name", [r"\tanh", r"\text{tanh}", r"\mathrm{tanh}", r"\operatorname{tanh}"])
def test_square_of_a_function_set_upright(name):
    slope = rf"\frac{{\partial {name}(y)}}{{\partial x}} = (1 - {name}^2(y)) \frac{{\partial y}}{{\partial x}}"
    assert [x.verdict for x in judged("y = 3x + x^3", slope)] == ["holds"]
    assert [x.verdict for x in judged("y = 3x + x^3", slope.replace("1 -", "1 +"))] == ["fails"]


@pytest.mark.parametrize(
    ("words", "formulas"),
    [
        ("Let φ be the logistic function.", [r"\phi'(x) = \phi(x)(1-\phi(x))"]),
        ("Gaussian noise aside, with φ = tanh:", [r"\phi = \tanh", r"\phi'(x) = 1 - \phi(x)^2"]),
        ("GELU is usual; σ here denotes tanh.", [r"\sigma'(x) = 1 - \sigma(x)^2"]),
        ("Logarithms.", [r"\frac{d}{dx} \log_{2}(x) = \frac{1}{x \ln 2}"]),
        ("Logarithms.", [r"\frac{d}{dx} \log_2 x = \frac{1}{x}"]),
        ("Waves.", [r"\frac{d}{dx} \sin 2x = 2\cos 2x"]),
    ],
)
def test_what_a_letter_or_a_base_may_mean_otherwise_is_left_alone(words, formulas):
    assert judged(*formulas, words=words) == ()


def test_a_logistic_activation_is_not_the_softmax_of_another_line():
    lines = (
        r"\frac{\partial a_1}{\partial z_1} = \sigma(z_1)(1 - \sigma(z_1)) = a_1(1 - a_1)",
        r"p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}",
    )
    for last in (lines[1], lines[1].replace("p_i", "p(class_i)")):
        assert "fails" not in [x.verdict for x in judged(lines[0], last)]


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{d}{dx}[x^2 - 4x] = 2x - 4 = 0",
        r"\frac{d}{dw}(w-3)^2 = 2(w-3) = 0",
        r"\frac{d}{dx} x^2 = 2x = 6",
        r"\frac{d}{dp}\log p = \frac{1}{p} = 0",
        r"\frac{d}{dx} x^2 = 0",
    ],
)
def test_a_derivative_that_is_set_to_a_number_is_an_equation_to_be_solved(formula):
    assert [x for x in judged(formula) if x.verdict == "fails"] == []


def test_what_is_no_derivative_fails_before_it_is_set_to_a_number():
    assert [x.verdict for x in judged(r"\frac{d}{dx}[x^2 - 4x] = 2x - 5 = 0")] == ["fails"]
    assert [x.verdict for x in judged(r"f(x) = x^2 - 4x", r"f'(x) = 2x - 5 = 0")] == ["fails"]
    assert [x.verdict for x in judged(r"\frac{d}{dx}(3x + 1) = 3")] == ["holds"]
