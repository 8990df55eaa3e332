"""Quotients of functions, powers of e with i, added positions, chains of derivatives, sines without brackets."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    return [(each.verdict, each.right) for each in check_article(read_article("a.md", text + "\n")).formulas]


UP = r"\frac{\partial f(x)}{\partial x} g(x)"
DOWN = r"f(x) \frac{\partial g(x)}{\partial x}"


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (r"\frac{\partial}{\partial x}\frac{f(x)}{g(x)}", rf"\frac{{{UP} - {DOWN}}}{{g(x)^2}}", "holds"),
        (r"\frac{\partial}{\partial x}\frac{f(x)}{g(x)}", rf"\frac{{{UP} + {DOWN}}}{{g(x)^2}}", "fails"),
        (r"\frac{\partial f(x)}{\partial g(x)}", rf"\frac{{{UP} - {DOWN}}}{{g(x)^2}}", "fails"),
        (r"\frac{\partial f(x)}{\partial g(x)}", r"\frac{f'(x)}{g'(x)}", "holds"),
        (r"\frac{d (f(x) g(x))}{dx}", f"{UP} + {DOWN}", "holds"),
        (r"\frac{\partial f(x)}{\partial g(x)}", "f(x) g(x)", None),
    ],
)
def test_derivatives_of_two_functions(left, right, verdict):
    assert [found for found, _ in said(f"$${left} = {right}$$")] == ([verdict] if verdict else [])


def test_the_quotient_rule_of_a_derivative_by_a_function_is_that_of_their_quotient():
    printed = rf"\frac{{{UP} - {DOWN}}}{{g(x)^2}}"
    [(_, right)] = said(rf"$$\frac{{\partial f(x)}}{{\partial g(x)}} = {printed}$$")
    assert right == rf"\frac{{\partial}}{{\partial x}} \frac{{f(x)}}{{g(x)}} = {printed}"


POLAR = r"r\cos\theta + i r\sin\theta"


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        (rf"e^{{i\theta}} = {POLAR}", [("fails", rf"r e^{{i\theta}} = {POLAR}")]),
        (rf"r e^{{i\theta}} = {POLAR}", [("holds", None)]),
        (r"e^{i(a + b)} = e^{i a} e^{i b}", [("holds", None)]),
        (rf"z = {POLAR}", []),
    ],
)
def test_powers_of_e_with_an_imaginary_exponent(formula, found):
    assert said(f"${formula}$") == found


def test_a_length_that_is_said_to_be_1_is_no_missing_factor():
    assert said(rf"On the unit circle $e^{{i\theta}} = {POLAR}$") == []


@pytest.mark.parametrize("formula", ["PE(pos + k) = PE(pos) + PE(k)", "PE_{pos+k} = PE_{pos} + PE_{k}"])
def test_sinusoidal_positions_do_not_add_up(formula):
    assert [verdict for verdict, _ in said(f"Sines and cosines of positions:\n\n$${formula}$$")] == ["fails"]
    assert said(f"A learned table of positions:\n\n$${formula}$$") == []


PRODUCT = r"\frac{\partial L}{\partial h_n} \prod_{i=2}^{n} \frac{\partial h_i}{\partial h_{i-1}}"
LAST = r"\frac{\partial h_1}{\partial W_1}"


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        (rf"\nabla_{{W_1}} L = {PRODUCT}", [("fails", rf"\nabla_{{W_1}} L = {PRODUCT} \cdot {LAST}")]),
        (rf"\nabla_{{W_1}} L = {PRODUCT} \cdot {LAST}", []),
        (rf"\nabla_{{W_1}} L = {PRODUCT} x^T", []),
        (rf"\nabla_{{h_1}} L = {PRODUCT}", []),
    ],
)
def test_chains_of_derivatives_end_at_the_weights(formula, found):
    assert said(f"$${formula}$$") == found


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("PE=sin1≈0.84\n\nPE=cos1=1", [("fails", "cos1≈0.5403")]),
        ("PE=sin1≈0.84\n\nPE=cos1≈0.54\n\nPE=cos0=1", []),
        ("sin30=0.5\n\ncos60=0.5\n\ncos1=1", []),  # degrees
        ("cos1=1", []),  # rounded, it may be
    ],
)
def test_sines_and_cosines_without_brackets(lines, found):
    assert said(lines) == found
