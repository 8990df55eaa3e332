"""What exact_text reads, and that it refuses all else within a second."""

import decimal
import fractions

import numpy as np
import pytest
import sympy
from sympy import Rational, exp, sqrt

from symattn.errors import InputError
from symattn.nodes.exact_numbers import is_decimal, read_exact
from tests.processor_time import takes_at_most

READ = [
    ("3", 3),
    ("-3", -3),
    ("+3", 3),
    ("--3", 3),
    ("−3", -3),
    ("1/3", Rational(1, 3)),
    ("1/-2", Rational(-1, 2)),
    ("0.10", Rational(1, 10)),
    (".5", Rational(1, 2)),
    ("5.", 5),
    ("1e3", 1000),
    ("2.5E-1", Rational(1, 4)),
    ("1/3/3", Rational(1, 9)),
    ("2+3*4", 14),
    ("(2+3)*4", 20),
    ("2·3", 6),
    ("2×3", 6),
    ("2^-1", Rational(1, 2)),
    ("-2^2", -4),
    ("2**3**2", 512),
    ("4^0.5", 2),
    ("9^(1/2)", 3),
    ("sqrt(2)", sqrt(2)),
    ("sqrt(8)", 2 * sqrt(2)),
    ("1/sqrt(2)", sqrt(2) / 2),
    ("sqrt(1/4)", Rational(1, 2)),
    ("exp(1/2)", exp(Rational(1, 2))),
    ("0^5", 0),
    ("exp(1)-exp(1)", 0),
    (" 7 ", 7),
    ("sqrt(sqrt(2))", 2 ** Rational(1, 4)),
]

REFUSED = [
    "",
    " ",
    "1/0",
    "0/0",
    "1/(1-1)",
    "1/((sqrt(2)+1)*(sqrt(2)-1)-1)",
    "0^0",
    "0^-1",
    "nan",
    "inf",
    "-inf",
    "oo",
    "zoo",
    "1" * 200_000,
    "9^9^9^9",
    "9^9^9",
    "2^2^2^2^2^2",
    "(" * 3000 + "1" + ")" * 3000,
    "1e999999",
    "1e1001",
    "1e-999999",
    "*".join(["1e1000"] * 280),
    "((exp(100000)^8)^8)^8",
    "*".join(["exp(100000)"] * 100),
    "exp(100001)",
    "((((((sqrt(2)+10)^8)^8)^8)^8)^8)^8",
    "sqrt(-1)",
    "(-1)^0.5",
    "sqrt(1-sqrt(2))",
    "8^(1/3)",
    "sqrt(2)^9999",
    "__import__('os').getcwd()",
    "lambda: 1",
    "1 if 1 else 2",
    "x",
    "I",
    "pi",
    "E",
    "1j",
    "True",
    "1_000",
    "1,5",
    "0x10",
    "1 2",
    "2sqrt(2)",
    "1.5.2",
    "1e",
    "*",
    "(",
    ")",
    "()",
    "sqrt",
    "sqrt()",
    "sqrt 2",
    "1//2",
    "5!",
    "1%2",
    "1\x00",
    "٣",
    "３",
    "²",
    "½",
    "٣.٥",
]


@pytest.mark.parametrize(("text", "number"), READ)
def test_reads(text, number):
    assert read_exact(text) == number


@pytest.mark.parametrize("text", REFUSED, ids=lambda t: ascii(t[:30]))
def test_refuses_at_once(text):
    with takes_at_most(1), pytest.raises(InputError) as refusal:
        read_exact(text)
    assert len(str(refusal.value)) < 250 and "\n" not in str(refusal.value)


def test_floats_are_the_shortest_decimals_that_print_them():
    assert read_exact(0.1) == Rational(1, 10)
    assert read_exact(np.float64(0.1)) == Rational(1, 10)
    assert read_exact(np.float32(0.1)) == Rational(1, 10)
    assert read_exact(np.float16(0.1)) == Rational(1, 10)
    assert read_exact(1e-300) == Rational(1, 10**300)
    assert read_exact(-0.0) == 0
    assert read_exact(1 / 3) == Rational(3333333333333333, 10**16)


def test_exact_numbers_of_other_kinds():
    assert read_exact(np.int8(-3)) == -3
    assert read_exact(fractions.Fraction(2, 6)) == Rational(1, 3)
    assert read_exact(decimal.Decimal("0.30")) == Rational(3, 10)
    assert read_exact(sqrt(5) / 3) == sqrt(5) / 3
    assert read_exact(sympy.pi) == sympy.pi


@pytest.mark.parametrize(
    "entry",
    [
        True,
        np.True_,
        None,
        1j,
        b"1",
        [1],
        float("nan"),
        float("inf"),
        decimal.Decimal("NaN"),
        decimal.Decimal("1E+9999"),
        np.float64("nan"),
        10**1300,
        fractions.Fraction(1, 10**1300),
        sympy.Integer(10) ** 5000,
        sympy.I,
        sympy.I * sqrt(2),
        sympy.Symbol("x"),
        sympy.oo,
        -sympy.oo,
        sympy.nan,
        sympy.zoo,
        sympy.Function("f")(1),
    ],
    ids=lambda x: type(x).__name__,
)
def test_refuses_what_is_no_exact_number(entry):
    with pytest.raises(InputError):
        read_exact(entry)


def test_minus_infinity_only_where_it_is_allowed():
    for entry in ("-inf", "-oo", "-∞", "−∞", float("-inf"), np.float32("-inf"), -sympy.oo):
        assert read_exact(entry, infinite=True) is sympy.S.NegativeInfinity
        with pytest.raises(InputError):
            read_exact(entry)
    with pytest.raises(InputError):
        read_exact("inf", infinite=True)


def test_names_are_those_that_are_given():
    d_k = sympy.Symbol("d_k", positive=True)
    assert read_exact("1/sqrt(d_k)", {"d_k": d_k}) == 1 / sqrt(d_k)
    assert read_exact("2/d_k^2", {"d_k": d_k}) == 2 / d_k**2
    with pytest.raises(InputError, match="d_k"):
        read_exact("1/sqrt(d_v)", {"d_k": d_k})


@pytest.mark.parametrize(("entry", "decimal_"), [("0.5", True), ("1/2", False), (2, False), (0.5, True), ("1.0", True)])
def test_knows_what_is_written_as_a_decimal(entry, decimal_):
    assert is_decimal(entry) is decimal_


@pytest.mark.parametrize(
    "entry",
    [
        "(1 + 2",
        "sqrt(2",
        "(1 + sqrt(2))^9",
        "((" * 60 + "1" + "))" * 60,
        "2^" * 60 + "1",
        "0^0",
        "1/0",
        "exp(",
        "12345678^500",
    ],
)
def test_refuses_what_is_not_closed_too_deep_or_too_large(entry):
    with pytest.raises(InputError):
        read_exact(entry)


def test_functions_of_given_names():
    x = sympy.Symbol("x", positive=True)
    assert read_exact("log(x) + tanh(x) - abs(x)", {"x": x}) == sympy.log(x) + sympy.tanh(x) - x
    with pytest.raises(InputError):
        read_exact("log(x - 3)", {"x": x})  # perhaps of a negative number
