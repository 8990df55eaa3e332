"""Formats of 4 bits in blocks: what they hold, and from which gap on a weight vanishes, on both sides."""

import math

import ml_dtypes
import numpy as np
import pytest
from sympy import MatrixSymbol, Rational

from symattn import Softmax, derive, measure_saturation
from symattn.values.floats.arithmetic import RISE, FloatNumbers, Floats
from symattn.values.floats.block_formats import BLOCK_FORMATS, E2M1
from symattn.values.floats.formats import FORMATS

MX, NV = BLOCK_FORMATS["mxfp4"], BLOCK_FORMATS["nvfp4"]


def test_elements_are_those_of_ml_dtypes():
    x = np.linspace(-6, 6, 4001)
    np.testing.assert_array_equal(E2M1.cast(x), x.astype(ml_dtypes.float4_e2m1fn).astype(float))
    assert E2M1.cast(np.array([0.25, 0.2500001, 2.5, 5.0, 3.5])).tolist() == [0, 0.5, 2, 4, 4]


@pytest.mark.parametrize("largest", [1.0, 0.7, 0.5001, 3.3e-4, 0.999])
def test_gaps_at_which_a_number_vanishes_beside_the_largest(largest):
    scale = 2.0 ** (math.floor(math.log2(largest)) - 2)
    for form, times in ((MX, 4 * largest / scale), (NV, 24)):
        low, high = form.vanishing
        assert low <= times <= high
        for factor, kept in ((1 - 1e-9, True), (1 + 1e-9, False)):
            held = form.cast(np.array([largest, largest / times / factor]))
            assert (held[1] != 0) == kept


def test_blocks_end_where_the_format_says():
    for form in (MX, NV):
        row = np.full(form.size + 1, 0.001)
        row[0] = 1
        held = form.cast(row)
        assert not held[1 : form.size].any() and held[-1] == pytest.approx(0.001, rel=0.25)


def test_a_row_of_zeros_stays_so():
    assert not MX.cast(np.zeros(40)).any() and not NV.cast(np.zeros(40)).any()


def test_saturation_tells_blocks():
    S = MatrixSymbol("S", 1, 3)
    found = measure_saturation(derive(Softmax(S), {S: [[0, Rational(-317, 100), Rational(-319, 100)]]}))
    row = found.rows[0]
    assert row.blocks["nvfp4"].zeros == [3] and row.blocks["mxfp4"].zeros == []  # 0.923 is 7.38 scales: ln 29.5 = 3.38
    data = found.to_json()
    assert data["block_thresholds"] == {"mxfp4": ["2.77259", "3.46574"], "nvfp4": ["3.17805", "3.17805"]}
    assert data["rows"][0]["blocks"]["nvfp4"]["zeros"] == [3]


def softmax(form, algorithm, row):
    values = np.array([row])
    return FloatNumbers(FORMATS[form], algorithm).softmax(Floats(values, np.zeros(values.shape, bool))).values[0]


def test_lazy_maxima_stay_until_scores_are_far_above():
    """A score 5.5 above the first gives an exponential of 244, which float8_e4m3fn holds once but not twice."""
    assert softmax("float8_e4m3fn", "online", [0, 5.5, 5.5]).tolist() == [
        softmax("float8_e4m3fn", "shifted", [0, 5.5, 5.5])[0],
        0.5,
        0.5,
    ]
    assert np.isnan(softmax("float8_e4m3fn", "lazy", [0, 5.5, 5.5])).any()
    assert not np.isnan(softmax("float8_e4m3fn", "lazy", [0, 6.0, 6.0])).any() and 5.5 < RISE < 6
    for row in ([0, 3, 9.0, -2], [0, 1, 2, 3], [5, 1, 30, 2]):
        np.testing.assert_allclose(softmax("float32", "lazy", row), softmax("float64", "shifted", row), rtol=2e-6)


def test_exponentials_that_are_cast_vanish_at_half_the_smallest_number():
    """e4m3's smallest number is 2⁻⁹: exponentials up to 2⁻¹⁰ vanish, at a gap of 10 ln 2 = 6.93."""
    wide = 10 * math.log(2)
    assert (
        softmax("float8_e4m3fn", "p-cast", [0, -wide + 0.01])[1]
        > 0
        == softmax("float8_e4m3fn", "p-cast", [0, -wide - 0.01])[1]
    )
    assert softmax("float32", "p-cast", [0, -3.0]).tolist() == softmax("float32", "shifted", [0, -3.0]).tolist()
