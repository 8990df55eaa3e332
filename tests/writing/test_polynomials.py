"""Polynomials in sizes, as people write them."""

from __future__ import annotations

import ast
import operator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Expr, Integer, Rational, ceiling, symbols

from symattn.writing.polynomials import Amount
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.text_style import TextStyle

b, n, m, h, D, d = symbols("b n m h d_model d_k", integer=True, positive=True)
TEXT, LATEX = TextStyle(), LatexStyle()

WRITTEN = [
    (Integer(0), "0"),
    (Integer(7), "7"),
    (-n, "−n"),
    (2 * n**2 * D + 4 * n * D**2, "4 n d_model² + 2 n² d_model"),
    (d * h, "h d_k"),
    (D / h, "d_model/h"),
    (n * (n + 1) / 2, "n (n + 1)/2"),
    (h * n - n, "n (h − 1)"),
    (b * (n * D + m * D + n * d + m * d), "b (n d_model + m d_model + n d_k + m d_k)"),
    (ceiling(n / h), "ceiling(n/h)"),
]


@pytest.mark.parametrize(("expression", "text"), WRITTEN, ids=str)
def test_as_people_write_them(expression: Expr, text: str) -> None:
    assert Amount(expression).write(TEXT) == text


def test_in_latex() -> None:
    assert Amount(n * (n + 1) / 2).write(LATEX) == r"\frac{n (n + 1)}{2}"
    assert Amount(4 * n * D**2).write(LATEX) == r"4 n d_{\mathrm{model}}^{2}"
    assert Amount(n**2 * Rational(1, 3) / h).write(LATEX) == r"\frac{n^{2}}{3 h}"


TERMS = st.lists(st.tuples(st.integers(-3, 3), *[st.integers(0, 2)] * 3), min_size=1, max_size=5)


@given(terms=TERMS)
def test_what_is_written_is_the_amount(terms: list[tuple[int, int, int, int]]) -> None:
    """Read back as Python: side by side is times, raised digits are powers."""
    expression = sum((Integer(c) * n**i * m**j * h**k for c, i, j, k in terms), Integer(0))
    written = Amount(expression).write(TEXT).replace("−", "-").replace("²", "**2").replace("³", "**3")
    for k in range(4, 8):
        written = written.replace("⁰¹²³⁴⁵⁶⁷"[k], f"**{k}")
    source = "".join(
        "*" if c == " " and written[k - 1] not in "+-" and written[k + 1] not in "+-" else c
        for k, c in enumerate(written)
    )
    for point in ((2, 3, 5), (7, 1, 4)):
        names = dict(zip("nmh", point, strict=True))
        assert _value(source, names) == expression.subs({n: point[0], m: point[1], h: point[2]})


def _value(source: str, names: dict[str, int]) -> int:
    operations = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow}

    def value(node: Any) -> Any:
        match node:
            case ast.Constant(number):
                return number
            case ast.Name(name):
                return names[name]
            case ast.UnaryOp(ast.USub(), inside):
                return -value(inside)
            case ast.BinOp(left, sign, right):
                return operations[type(sign)](value(left), value(right))
        raise AssertionError(ast.dump(node))

    return int(value(ast.parse(source, mode="eval").body))
