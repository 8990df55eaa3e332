"""Steps rounded after every operation are those of ml_dtypes and NumPy; functions those of mpmath, rounded once."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, S, exp, sqrt

from symattn.errors import InputError
from symattn.values.floats.arithmetic import ALGORITHMS, FloatNumbers
from symattn.values.floats.formats import FORMATS, FloatFormat
from tests.sampling import EVERY

TYPES: dict[str, Any] = {
    "float64": np.float64,
    "float32": np.float32,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
}
numbers = st.floats(-8, 8, width=32).map(lambda x: x + 0.0)  # exact zero has no sign
rows = st.integers(1, 3).flatmap(lambda n: st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=1, max_size=3))


def exact(values: list[list[float]]) -> list[list[Any]]:
    return [[Rational(*x.as_integer_ratio()) for x in row] for row in values]


def softmax_in(values: list[list[float]], kind: Any, algorithm: str) -> list[list[float]]:
    """The algorithms as loops over scalars of the type, exponentials and logarithms by mpmath."""
    form = FORMATS[np.dtype(kind).name]
    context = mpmath.MPContext()
    context.prec = 400

    def function(name: str, x: Any) -> Any:
        if not math.isfinite(float(x)):
            return kind(getattr(np, name)(float(x)))
        y = getattr(context, name)(float(x))
        return kind(form.of(Fraction(int(y.man), 1) * Fraction(2) ** int(y.exp)))

    out = []
    for row in values:
        z = [kind(x) for x in row]
        top = max(z)
        if algorithm == "p-cast" and form.precision < 24:
            single = np.float32
            powers = [single(np.exp(np.longdouble(single(single(x) - single(top))))) for x in z]
            total = powers[0]
            for p in powers[1:]:
                total = single(total + p)
            out.append([float(single(single(kind(p)) / total)) for p in powers])
            continue
        if algorithm in ("online", "lazy"):
            top, total = z[0], kind(1)
            for x in z[1:]:
                new = max(top, x)
                if algorithm == "lazy" and not float(kind(x - top)) > 8 * math.log(2):
                    new = top
                total = kind(kind(total * function("exp", kind(top - new))) + function("exp", kind(x - new)))
                top = new
            out.append([float(kind(function("exp", kind(x - top)) / total)) for x in z])
            continue
        shift = kind(0) if algorithm == "naive" else top
        powers = [function("exp", kind(x - shift)) for x in z]
        total = powers[0]
        for p in powers[1:]:
            total = kind(total + p)
        if algorithm == "division-free":
            lse = kind(top + function("log", total))
            out.append([float(function("exp", kind(x - lse))) for x in z])
        else:
            out.append([float(kind(p / total)) for p in powers])
    return out


@pytest.mark.slow
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@given(rows)
@settings(max_examples=100 if EVERY else 30)  # of each format by each algorithm
def test_softmax(algorithm: str, name: str, values: list[list[float]]) -> None:
    found = FloatNumbers(FORMATS[name], algorithm)
    weights = found.softmax(found.given(exact(values))).values
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(weights, softmax_in(values, TYPES[name], algorithm))


@pytest.mark.parametrize("name", TYPES)
@given(rows, rows)
def test_products_sums_and_quotients(name: str, a: list[list[float]], b: list[list[float]]) -> None:
    kind, found = TYPES[name], FloatNumbers(FORMATS[name])
    with np.errstate(all="ignore"):
        x, y = (np.array(m, dtype=np.float32).astype(kind) for m in (a, b))
        given_a, given_b = found.given(exact(a)), found.given(exact(b))
        if len(a[0]) == len(b):
            total = np.zeros((len(a), len(b[0])), kind)
            for i in range(len(a)):
                for j in range(len(b[0])):
                    total[i, j] = kind(x[i, 0] * y[0, j])
                    for k in range(1, len(b)):
                        total[i, j] = kind(total[i, j] + kind(x[i, k] * y[k, j]))
            np.testing.assert_array_equal(found.matmul(given_a, given_b).values, total.astype(np.float64))
        if x.shape == y.shape:
            np.testing.assert_array_equal(found.add(given_a, given_b).values, (x + y).astype(np.float64))
            column = found.given([row[:1] for row in exact(b)])
            np.testing.assert_array_equal(found.divide_rows(given_a, column).values, (x / y[:, :1]).astype(np.float64))


def test_accumulating_in_float32_keeps_what_bfloat16_drops() -> None:
    ones = [[Rational(1)] * 300]
    narrow = FloatNumbers(FORMATS["bfloat16"])
    wide = FloatNumbers(FORMATS["bfloat16"], accumulate=FORMATS["float32"])
    assert narrow.row_sum(narrow.given(ones)).values.item() == 256  # 256 + 1 rounds to 256
    assert wide.row_sum(wide.given(ones)).values.item() == 300
    product = wide.matmul(wide.given(ones), wide.transpose(wide.given(ones)))
    assert product.values.item() == 300


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda f: f.name)
def test_irrational_inputs_are_rounded_once(form: FloatFormat) -> None:
    found = FloatNumbers(form)
    for value in (sqrt(2), exp(-3), -sqrt(3) / 7, exp(1) * sqrt(5)):
        near = Fraction(str(value.evalf(60)))
        assert found.number(value) == form.of(near)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_masked_keys_take_no_part(algorithm: str) -> None:
    found = FloatNumbers(FORMATS["float8_e4m3fn"], algorithm)  # a format without infinity
    a = found.given([[S.NegativeInfinity, Rational(1), S.NegativeInfinity, Rational(1)]])
    alone = found.softmax(found.given([[Rational(1), Rational(1)]])).values[0, 0]
    assert alone == (0.46875 if algorithm == "division-free" else 0.5)  # 1 + ln 2 is rounded, and stays so
    assert found.softmax(a).values.tolist() == [[0.0, alone, 0.0, alone]]
    hidden = found.hide(found.given([[Rational(1), Rational(2)]]), lambda i, j: False)
    with pytest.raises(InputError, match="row 1"):
        found.softmax(hidden)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_extreme_scores_end(algorithm: str) -> None:
    huge = [[Rational(10) ** 300, -(Rational(10) ** 300), Rational(0)]]
    for form in FORMATS.values():
        found = FloatNumbers(form, algorithm)
        assert found.softmax(found.given(huge)).values.shape == (1, 3)
    double = FloatNumbers(FORMATS["float64"], "shifted")
    assert double.softmax(double.given(huge)).values.tolist() == [[1.0, 0.0, 0.0]]
