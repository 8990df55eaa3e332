"""Brackets of functions that close too early."""

from symattn.checking import check_article
from symattn.reading.articles import read_article


def judged(text):
    return check_article(read_article("a.md", text + "\n")).formulas


def test_a_bracket_that_closes_before_its_factor():
    [found] = judged(r"$$GELU(x) \approx 0.5x(1+tanh(\sqrt{\frac{2}{\pi}}))(x+0.044715x^3)$$")
    assert found.right == r"GELU(x) \approx 0.5x(1+tanh(\sqrt{\frac{2}{\pi}}(x+0.044715x^3)))"
    assert [x.verdict for x in judged(r"$$GELU(x) \approx x\sigma(1.702x)$$")] == ["holds"]
