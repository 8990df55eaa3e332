"""Numbers and formulas as text of programs: what the text computes, and what has no text."""

import pytest
import sympy

from symattn.errors import NotSupportedError
from symattn.lowering.javascript import _formula
from symattn.lowering.kernels import pool
from symattn.lowering.text.code import Code
from symattn.lowering.text.scalars import formula, number_text, scalar

n, d, z = sympy.symbols("n d z", positive=True)
x = sympy.Symbol("x")


@pytest.mark.parametrize(
    ("expression", "value"),
    [(sympy.Max(n, d), 7), (sympy.Min(n, d), 3), (sympy.Mod(n, d), 1), (n - 2 * d, 1), (1 / sympy.sqrt(n + 2), 1 / 3)],
)
def test_what_a_size_comes_to(expression, value):
    text = str(scalar(expression, str))
    assert eval(text, {"n": 7, "d": 3, "max": max, "min": min}) == pytest.approx(value)


@pytest.mark.parametrize("write", [lambda e: scalar(e, str), lambda e: formula(e, {x: scalar(n, str)}, number_text)])
def test_functions_without_a_text_are_refused(write):
    with pytest.raises(NotSupportedError, match="gamma"):
        write(sympy.gamma(x))


@pytest.mark.parametrize("exponent", [3, 4, 5, 7, 12])
def test_whole_powers_are_products(exponent):
    text = str(formula(x**exponent, {x: Code("Q")}, number_text))
    assert "** 2" in text and f"** {exponent}" not in text  # NumPy takes a square for a product, and no higher power
    assert eval(text, {"Q": 3.0}) == 3.0**exponent


def test_numbers_of_a_product_are_one():
    text = str(formula(x * sympy.sqrt(2) / 2, {x: Code("Q")}, lambda e: Code(number_text(e))))
    assert text == "0.7071067811865476 * Q"  # 1/√2 = 0.70710678118654752440


@pytest.mark.parametrize("number", [sympy.Integer(10) ** 400, -sympy.exp(1000), sympy.nan])
def test_numbers_without_a_double_are_refused(number):
    with pytest.raises(NotSupportedError):
        number_text(number)


def test_cases_in_javascript():
    both = sympy.Piecewise((2, x > 1), (3, x < 0))
    assert _formula(both, {x: "x"}) == "((x > 1) ? 2 : ((x < 0) ? 3 : NaN))"  # and nothing between
    assert _formula(sympy.true, {}) == "true"
    with pytest.raises(NotSupportedError, match="gamma"):
        _formula(sympy.gamma(x), {x: "x"})


def test_another_blas_is_left_alone(monkeypatch, tmp_path):
    # without OpenBLAS beside NumPy nobody knows how to limit threads; the work is done all the same
    monkeypatch.setattr(pool.np, "__file__", str(tmp_path / "numpy" / "__init__.py"))
    assert pool._openblas.__wrapped__() is None
    monkeypatch.setattr(pool, "_openblas", lambda: None)
    with pool._blas_limited(1):
        pass
