"""Powers of e with an imaginary exponent, written out."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    return [(each.verdict, each.right) for each in check_article(read_article("a.md", text + "\n")).formulas]


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
