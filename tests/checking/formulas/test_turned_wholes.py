"""A whole vector that is turned, x cos + x̂ sin: x̂ = [−x_1, x_0, …] has the signs already."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

FEATURES = r"""$$y_{2i} = x_{2i} \cos(m\theta_i) - x_{2i+1} \sin(m\theta_i)$$

$$y_{2i+1} = x_{2i} \sin(m\theta_i) + x_{2i+1} \cos(m\theta_i)$$
"""
WHOLE = r"y = x \odot \cos(m) {} {} \odot \sin(m)"


def judged(features, defined, formula):
    text = f"Rotary embeddings.\n\n{features}\nWith ${defined}$:\n\n$${formula}$$\n"
    return [(each.verdict, each.right) for each in check_article(read_article("a.md", text)).formulas][-1:]


@pytest.mark.parametrize(
    ("quarter", "cells", "sign", "other"),
    [
        ("x^-", r"[-x_1, x_0, -x_3, x_2, \ldots]", "+", "-"),
        (r"\hat{x}", r"[-x_1, x_0, -x_3, x_2, \ldots]", "+", "-"),
        (r"\hat{x}", r"[x_1, -x_0, x_3, -x_2, \ldots]", "-", "+"),
    ],
)
def test_the_sign_is_that_of_the_features(quarter, cells, sign, other):
    defined, right, wrong = f"{quarter} = {cells}", WHOLE.format(sign, quarter), WHOLE.format(other, quarter)
    assert judged(FEATURES, defined, right) == [("holds", None)]
    assert judged(FEATURES, defined, wrong) == [("fails", right)]
    assert judged("", defined, wrong) == [("holds-if", None)]


def test_half_of_a_vector_is_turned_as_programs_do():
    formula = WHOLE.format("+", r"\text{rotate\_half}(x)")
    assert judged("", "d = 8", formula) == [("holds", None)]
    assert judged("", "d = 8", formula.replace("+", "-")) == []
