"""Gradients by both factors of a product that no line of the article says, by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def judged(*formulas):
    text = "The backward pass:\n\n" + "\n\n".join(f"$${each}$$" for each in formulas) + "\n"
    found = check_article(read_article("a.md", text)).formulas
    return {(each.line - 3) // 2: (each.verdict, each.condition and each.condition.text()) for each in found}


def slope(letter):
    return rf"\frac{{\partial L}}{{\partial {letter}}}"


VALUES = f"{slope('V')} = A^T {slope('Z')}"
WEIGHTS = f"{slope('A')} = {slope('Z')} V^T"
OUTWARD = f"{slope('W_o')} = Z^T {slope('Y')}"
INWARD = f"{slope('Z')} = {slope('Y')} W_o^T"


def test_both_gradients_of_a_product_are_those_of_it():
    product, output = ("holds-if", "Z = A V"), ("holds-if", "Y = Z W_o")
    assert judged(VALUES, WEIGHTS, OUTWARD, INWARD) == {0: product, 1: product, 2: output, 3: output}


@pytest.mark.parametrize(
    "formulas",
    [
        [OUTWARD],  # Y may be made otherwise
        [OUTWARD, f"{slope('Z')} = {slope('Y')} W_o"],  # of one of them the transpose is wrong
        [OUTWARD, f"{slope('Z')} = W_o^T {slope('Y')}"],
    ],
)
def test_one_alone_or_two_at_odds_settle_nothing(formulas):
    assert judged(*formulas) == {}


def test_a_factor_of_two_products_has_a_gradient_from_each():
    lines = [f"{slope('U')} = Z^T {slope('R')}", f"{slope('Z')} = {slope('R')} U^T"]
    assert 3 not in judged(OUTWARD, INWARD, *lines)
    assert 1 not in judged(OUTWARD, INWARD, *lines)


def test_what_a_line_says_the_product_to_be_counts():
    found = judged("Y = W_o Z", OUTWARD, INWARD)
    assert found.get(1, ("open", None))[0] in ("open", "fails")
