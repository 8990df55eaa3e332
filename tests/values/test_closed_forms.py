"""One set of questions for every closed form: what they answer agrees with the matrix that SymPy has."""

import mpmath
import pytest
from sympy import QQ, ImmutableDenseMatrix, MatrixSymbol, Rational, S, exp, sqrt

from symattn import Attention, derive
from symattn.errors import NotSupportedError
from symattn.nodes import Exponential, KeepMask
from symattn.values.exact.exponential_field import is_zero
from symattn.values.exact.exponential_fractions import Fractions
from symattn.values.exact.exponents import Exponents
from symattn.values.exact.forms import average_of
from symattn.values.exact.operations import ExactNumbers
from symattn.values.exact.signs import sign_of
from symattn.values.exact.surds import number

NUMBERS = ExactNumbers()
known = NUMBERS.given([[S(1), sqrt(2), S(0)], [S(-1), Rational(1, 2), S(3)]])
masked = NUMBERS.hide(known, lambda i, j: i == 0 or j == 0)
values = NUMBERS.given([[S(2), S(2)], [S(1), sqrt(3)], [S(5), S(2)]])
weights = NUMBERS.softmax(masked)
empty = NUMBERS.softmax(NUMBERS.fill_rows(NUMBERS.hide(known, lambda i, j: i == 1), [0], S.Zero))
output = NUMBERS.matmul(weights, values)
FORMS = {
    "surds": known,
    "surds, masked": masked,
    "exponentials": NUMBERS.exp(masked),
    "weights": weights,
    "weights of an empty row": NUMBERS.fill_rows(empty, [0], S.NaN),
    "zeros for an empty row": NUMBERS.fill_rows(empty, [0], S.Zero),
    "output": output,
    "sum": NUMBERS.add(output, NUMBERS.softmax(values.block(range(2), range(2)))),
    "side by side": NUMBERS.concat([output, weights]),
    "fractions": NUMBERS.times(weights, weights),
    "entries": NUMBERS.tanh(known),
    "entries, masked": NUMBERS.hide(NUMBERS.tanh(known), lambda i, j: j != 1),
    "entries, NaN": NUMBERS.fill_rows(NUMBERS.tanh(known), [1], S.NaN),
}


def test_there_is_one_of_each_form():
    names = {type(form).__name__ for form in FORMS.values()}
    assert names == {"SurdMatrix", "ExponentialRows", "RowSums", "Fractions", "Entries"}


@pytest.mark.parametrize("name", FORMS)
def test_what_a_form_says_of_an_entry_agrees_with_the_entry(name):
    form, closed = FORMS[name], []
    rows, columns = form.shape
    for i in range(rows):
        for j in range(columns):
            entry, surd = form.entry(i, j), form.closed(i, j)
            assert entry == form.to_sympy()[i, j] or entry is S.NaN
            assert ((i, j) in form.hidden) == (entry is S.NegativeInfinity)
            assert form.undefined(i, j) == (entry is S.NaN)
            assert surd is None or is_zero(surd.to_sympy() - entry)
            closed.append(surd is not None or entry in (S.NegativeInfinity, S.NaN))
            assert form.entry_is_closed(i, j) == closed[-1]
            if entry.is_rational:
                assert (surd is not None and surd.rational == entry) or form.may_be_rational(i, j)
    assert form.is_closed == all(closed)
    assert form.empty_rows() == [i for i in range(rows) if all((i, j) in form.hidden for j in range(columns))]


@pytest.mark.parametrize("name", FORMS)
def test_a_block_is_that_of_the_matrix(name):
    form = FORMS[name]
    part = form.block(range(1, 2), range(1, form.shape[1]))
    assert part.to_sympy() == ImmutableDenseMatrix(form.to_sympy()[1:2, 1:])


@pytest.mark.parametrize("name", FORMS)
def test_fractions_of_exponentials_are_the_same_numbers(name):
    form = FORMS[name]
    fractions = Fractions.of(form, NUMBERS.exponents)
    if fractions is None:
        assert form.hidden or name in ("weights of an empty row", "zeros for an empty row") or "entries" in name
        return
    for i in range(form.shape[0]):
        for j in range(form.shape[1]):
            assert is_zero(fractions.entry(i, j) - form.entry(i, j))


@pytest.mark.parametrize("name", FORMS)
def test_only_weights_and_outputs_are_averages(name):
    assert (average_of(FORMS[name]) is not None) == (name in ("weights", "output") or "empty" in name)


A, B = MatrixSymbol("A", 2, 2), MatrixSymbol("B", 2, 2)
NUMBERS_OF = {A: [[1, 2], [3, 4]], B: [[5, 6], [7, 1]]}


def test_a_sum_of_exponentials_has_no_denominators():
    derived = derive(Exponential(A) + Exponential(B), NUMBERS_OF)
    text = derived.to_text()
    assert "[ e¹ + e⁵  e² + e⁶ ]" in text
    assert derived["output"].exact[0, 0] == exp(1) + exp(5)


def test_minus_infinity_is_no_reason_to_repeat_a_matrix_as_decimals():
    masked = Attention(A, A, A, softcap=2, mask=KeepMask([[0, 1], [1, 1]]))
    text = derive(masked, {A: [[0, 0], [0, 0]]}).to_text()
    assert text.count("[ −∞") == 1


@pytest.mark.slow
def test_the_sign_of_nested_roots_that_nearly_cancel():
    x, y = sqrt(2), mpmath.mp.clone()
    y.dps = 200
    near = y.sqrt(2)
    for _ in range(6):  # the same parts again and again
        x, near = sqrt(x * (x + 1 / (x + 1)), evaluate=False), y.sqrt(near * (near + 1 / (near + 1)))
    digits = Rational(int(near * 10**60), 10**60)
    assert (sign_of(x - digits), sign_of(x - digits - Rational(1, 10**60))) == (1, -1)


def test_fractions_over_several_denominators_vanish_where_they_cancel():
    """1/(1 + e) − 1/(1 + e²) = (e² − e)/((1 + e)(1 + e²)), and 1/(1/(1 + e)) = 1 + e."""
    known = Exponents()
    one, e, square = ({(): {(known.number(number(n)), 1): QQ(1)}} for n in (0, 1, 2))
    minus = {(): {(0, 1): QQ(-1)}}
    a, b = (known.divide(one, known.add([one, x])) for x in (e, square))
    product = known.multiply(known.add([square, known.multiply(minus, e)]), known.multiply(a, b))
    difference = known.add([a, known.multiply(minus, b)])
    assert not known.vanishes(difference)
    assert known.vanishes(known.add([difference, known.multiply(minus, product)]))
    assert not known.vanishes(known.add([difference, product]))
    inverse = known.divide(one, a)
    assert known.vanishes(known.add([inverse, known.multiply(minus, known.add([one, e]))]))


def test_products_of_too_many_terms_are_refused():
    known = Exponents()
    long = {(): {(known.number(number(n)), 1): QQ(1) for n in range(300)}}
    with pytest.raises(NotSupportedError):
        known.multiply(long, long)
