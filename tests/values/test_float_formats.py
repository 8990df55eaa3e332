"""Casts are those of ml_dtypes and NumPy, bit for bit; rounding of exact numbers agrees with them, ties too."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symattn.values.decimals import Bounds
from symattn.values.floats.formats import FORMATS, FloatFormat

pytestmark = pytest.mark.slow

TYPES = {
    "float64": np.float64,
    "float32": np.float32,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
}
NARROW = ["float16", "bfloat16", "float8_e5m2", "float8_e4m3fn"]
single = st.floats(width=32)
double = st.floats()


def theirs(values: np.ndarray, name: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        return values.astype(TYPES[name]).astype(np.float64)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """The same numbers, zeros of the same sign; nan is nan."""
    numbers = ~np.isnan(a)
    return bool(
        np.array_equal(np.isnan(a), np.isnan(b))
        and np.array_equal(a[numbers], b[numbers])
        and np.array_equal(np.signbit(a[numbers]), np.signbit(b[numbers]))
    )


@pytest.mark.parametrize("name", TYPES)
def test_the_parameters_are_those_of_the_type(name: str) -> None:
    info, form = ml_dtypes.finfo(TYPES[name]), FORMATS[name]
    assert (info.bits, info.nmant + 1, info.minexp) == (form.bits, form.precision, form.lowest)
    assert float(info.max) == form.largest
    assert Fraction(float(info.smallest_subnormal)) == form.smallest
    assert form.infinite == math.isinf(float(TYPES[name](np.inf)))


@pytest.mark.parametrize("name", NARROW)
def test_every_pattern_is_decoded_and_stays(name: str) -> None:
    form = FORMATS[name]
    patterns = np.arange(1 << form.bits, dtype=np.uint16 if form.bits == 16 else np.uint8)
    with np.errstate(all="ignore"):  # signalling nan
        values = patterns.view(TYPES[name]).astype(np.float64)
    assert same(form.decode(patterns), values)
    finite = values[np.isfinite(values)]
    assert same(form.cast(finite), finite)


@pytest.mark.parametrize("name", NARROW)
def test_every_tie_and_its_neighbours(name: str) -> None:
    form = FORMATS[name]
    patterns = np.arange(1 << form.bits, dtype=np.uint16 if form.bits == 16 else np.uint8)
    values = form.decode(patterns)
    ordered = np.unique(values[np.isfinite(values)])
    ties = (ordered[:-1] + ordered[1:]) / 2  # exact: one bit more than the format has
    ties = np.concatenate([ties, [float(form.overflow), -float(form.overflow)]])
    near = np.concatenate([ties, np.nextafter(ties, np.inf), np.nextafter(ties, -np.inf)]).astype(np.float32)
    near = near.astype(np.float64)
    assert same(form.cast(near), theirs(near.astype(np.float32), name))
    assert all(_same(form.of(Fraction(x)), y) for x, y in zip(near.tolist(), form.cast(near).tolist(), strict=True))


def _same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or (a == b)


@pytest.mark.parametrize("name", TYPES)
@given(st.lists(single, min_size=1))
def test_casts_from_float32(name: str, values: list[float]) -> None:
    given = np.array(values, dtype=np.float32)
    assert same(FORMATS[name].cast(given.astype(np.float64)), theirs(given, name))


# ml_dtypes goes from float64 to bfloat16 by way of float32, which rounds twice: 1 + 2^−8 + 2^−40 becomes 1 there
@pytest.mark.parametrize("name", [name for name in TYPES if name != "bfloat16"])
@given(st.lists(double, min_size=1))
def test_casts_from_float64(name: str, values: list[float]) -> None:
    given = np.array(values)
    assert same(FORMATS[name].cast(given), theirs(given, name))


def test_bfloat16_from_float64_rounds_once() -> None:
    assert FORMATS["bfloat16"].cast(np.array([1 + 2.0**-8 + 2.0**-40])) == 1 + 2.0**-7


@pytest.mark.parametrize("name", TYPES)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_rational_number_is_rounded_as_the_array_is(name: str, x: float) -> None:
    assert _same(FORMATS[name].of(Fraction(x)), float(FORMATS[name].cast(np.array([x]))[0]))


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
@given(st.fractions(min_value=-2, max_value=2), st.integers(-60, 4))
def test_the_nearest_is_no_farther_than_its_neighbours(form: FloatFormat, x: Fraction, power: int) -> None:
    x *= Fraction(2) ** power
    found = Fraction(form.of(x))
    assert abs(found - x) <= form.ulp(float(found)) / 2
    for away in (-1, 1):
        neighbour = found + away * form.smallest
        if Fraction(form.of(neighbour)) == neighbour:
            assert abs(neighbour - x) >= abs(found - x)


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
def test_bounds_around_a_tie_are_undecided_and_either_side_decided(form: FloatFormat) -> None:
    p = form.precision
    tie, exponent = (1 << p + 9) + (1 << 9), -(p + 9)  # 1 + 2^−p, nine bits to spare
    one, above = 1.0, 1.0 + 2.0 ** (1 - p)
    assert form.nearest(Bounds(tie, tie, exponent)) == one  # half to even
    assert form.nearest(Bounds(tie, tie + 1, exponent)) is None
    assert form.nearest(Bounds(tie - 1, tie, exponent)) == one
    assert form.nearest(Bounds(tie + 256, tie + 257, exponent)) == above
    assert form.nearest(Bounds(-tie, -tie, exponent)) == -one


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
def test_numbers_beyond_all_bounds_cost_nothing(form: FloatFormat) -> None:
    assert form.nearest(Bounds(1, 3, -(10**12))) == 0
    huge = form.nearest(Bounds(1, 3, 10**12))
    assert huge is not None and (math.isinf(huge) if form.infinite else math.isnan(huge))
