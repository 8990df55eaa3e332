"""Error bounds hold in every format and by every algorithm, and are not far above the errors that there are."""

import numpy as np
import pytest
from sympy import Rational, S

from symattn.errors import NotSupportedError
from symattn.values.floats.arithmetic import ALGORITHMS, FloatNumbers, Floats
from symattn.values.floats.error_bounds import BoundNumbers, arithmetic_of, exactly, of_format
from symattn.values.floats.formats import FORMATS

NARROW = [name for name in FORMATS if name != "float64"]  # its functions are decided by enclosures, one by one


def shown(values):
    return Floats(values, np.zeros(values.shape, bool))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("keys", [1, 4, 33])
@pytest.mark.parametrize("size", [0.5, 6])
def test_softmax_and_its_product_with_values(name, algorithm, keys, size):
    form, rng = FORMATS[name], np.random.default_rng(keys)
    z = form.cast(rng.standard_normal((3 if name == "float64" else 300, keys)) * size)
    v = form.cast(rng.standard_normal((keys, 2)))
    floats, bounds = FloatNumbers(form, algorithm), BoundNumbers(of_format(form, algorithm))
    weights, held = floats.softmax(shown(z)), bounds.softmax(exactly(z))
    for made, bound in ((weights, held), (floats.matmul(weights, shown(v)), bounds.matmul(held, exactly(v)))):
        known = np.isfinite(bound.errors)
        assert (np.abs(made.values - bound.values) <= bound.errors)[known].all()
    if algorithm == "shifted" and form.precision >= 8:
        assert np.isfinite(held.errors).all()


@pytest.mark.parametrize("name", NARROW)
def test_products_in_wider_sums(name):
    form, rng = FORMATS[name], np.random.default_rng(2)
    a, b = form.cast(rng.standard_normal((40, 16))), form.cast(rng.standard_normal((16, 40)))
    for accumulate in (None, FORMATS["float32"]):
        made = FloatNumbers(form, accumulate=accumulate).matmul(shown(a), shown(b)).values
        bound = BoundNumbers(of_format(form, accumulate=accumulate)).matmul(exactly(a), exactly(b))
        assert (np.abs(made - bound.values) <= bound.errors).all()


def test_the_bound_of_float32_weights_is_within_thirty_times_the_error():
    form = FORMATS["float32"]
    z = form.cast(np.random.default_rng(3).standard_normal((500, 16)))
    wrong = np.abs(
        FloatNumbers(form).softmax(shown(z)).values - (held := BoundNumbers(of_format(form)).softmax(exactly(z))).values
    )
    ratio = held.errors[wrong > 0] / wrong[wrong > 0]
    assert ratio.min() > 1 and np.median(ratio) < 30


def test_what_may_overflow_has_no_bound():
    form = FORMATS["float16"]
    huge = exactly(np.array([[300.0]]))
    assert np.isinf(BoundNumbers(of_format(form)).matmul(huge, huge).errors).all()
    assert np.isinf(BoundNumbers(of_format(form, "naive")).softmax(exactly(np.array([[0.0, 12.0]]))).errors).all()


def test_the_worst_sum_in_any_order_is_within_the_bound():
    """Sums of 1 and many u, which vanish one after the other from the left, and not from the right."""
    u = 2.0**-24
    row, ones = np.array([[1.0, *[u] * 4000]]), np.ones((4001, 1))
    bound = float(BoundNumbers(arithmetic_of("float32")).matmul(exactly(row), exactly(ones)).errors[0, 0])
    lost = 4000 * u
    assert lost < bound < 1.1 * 4001 * u * (1 + lost) + 40 * 10 * u


def paired(form, shape, seed, least=None):
    """The same random numbers for both kinds of arithmetic, already a step away from what is exact."""
    values = form.cast(np.random.default_rng(seed).standard_normal(shape))
    values = values if least is None else form.cast(np.abs(values) + least)
    return shown(values), exactly(values)


OPERATIONS = {  # of a (6, 5), b (6, 5), a row, a positive column
    "sum": lambda x, a, b, row, column: x.add(a, b),
    "of three": lambda x, a, b, row, column: x.add(x.add(a, b), a),
    "scaled": lambda x, a, b, row, column: x.scale(a, Rational(1, 3)),
    "with a row": lambda x, a, b, row, column: x.add_row(a, row),
    "less a column": lambda x, a, b, row, column: x.subtract_column(a, column),
    "by entries": lambda x, a, b, row, column: x.times(a, x.times(a, b)),
    "divided": lambda x, a, b, row, column: x.divide_rows(x.times(a, b), column),
    "exponential": lambda x, a, b, row, column: x.exp(x.times(a, b)),
    "hyperbolic tangent": lambda x, a, b, row, column: x.tanh(x.add(a, b)),
    "row sums": lambda x, a, b, row, column: x.row_sum(x.times(a, b)),
    "row maxima": lambda x, a, b, row, column: x.row_max(x.times(a, b)),
    "by hand": lambda x, a, b, row, column: x.divide_rows(x.exp(a), x.row_sum(x.exp(a))),
    "side by side": lambda x, a, b, row, column: x.concat([x.times(a, b), x.transpose(x.transpose(a))]),
    "a block": lambda x, a, b, row, column: x.block(x.times(a, b), range(1, 4), range(2)),
    "filled": lambda x, a, b, row, column: x.fill_rows(x.times(a, b), [0, 2], S.Half),
}


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_stays_within_its_bound(name, operation):
    form = FORMATS[name]
    inputs = [paired(form, shape, seed) for seed, shape in enumerate([(6, 5), (6, 5), (1, 5)])]
    inputs.append(paired(form, (6, 1), 3, least=0.5))
    work = OPERATIONS[operation]
    made = work(FloatNumbers(form), *(floats for floats, _ in inputs))
    held = work(BoundNumbers(of_format(form)), *(bounded for _, bounded in inputs))
    assert made.values.shape == held.values.shape
    assert np.isfinite(held.errors).all()
    assert (np.abs(made.values - held.values) <= held.errors).all()


@pytest.mark.parametrize("operation", ["each", "keep_largest", "threshold"])
def test_what_an_error_may_turn_over_has_no_bound(operation):
    """Which numbers are the largest, or above a threshold, may change with a rounding: that is said."""
    numbers, a = BoundNumbers(of_format(FORMATS["float32"])), exactly(np.array([[1.0, 2.0]]))
    with pytest.raises(NotSupportedError):
        getattr(numbers, operation)(a, 1)
