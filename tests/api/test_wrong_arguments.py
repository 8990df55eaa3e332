"""What cannot be used is refused in one line that says what would be right, whatever the function."""

import numpy as np
import pytest
from sympy import MatrixSymbol, Trace

from symattn import Attention, derive, differentiate, lower, measure_saturation
from symattn.errors import InputError

Q, K, V = (MatrixSymbol(name, rows, 1) for name, rows in (("Q", 1), ("K", 2), ("V", 2)))
A = Attention(Q, K, V)
VALUES = {Q: [[0]], K: [[5], [7]], V: [[2], [4]]}


def refused(error: type[Exception], ask, *given, **named) -> str:
    with pytest.raises(error) as caught:
        ask(*given, **named)
    (line,) = str(caught.value).splitlines()
    return line


@pytest.mark.parametrize("given", [3, None, "hand-calculation", [A], Trace(A), np.eye(2)], ids=lambda x: str(x)[:20])
def test_what_is_no_expression(given):
    for ask in (derive, lower):
        assert "Attention(Q, K, V)" in refused(InputError, ask, given)


@pytest.mark.parametrize("given", [3, "hand-calculation", A, derive(A, VALUES)["weights"]], ids=lambda x: str(x)[:20])
def test_what_is_no_derivation(given):
    for ask in (differentiate, measure_saturation):
        assert "derive(...)" in refused(InputError, ask, given)


@pytest.mark.parametrize("digits", [5.0, "5", 0, True, 10**9])
def test_what_is_no_number_of_digits(digits):
    d = derive(A, VALUES)
    for ask in (
        d["weights"].evaluate,
        d["weights"].to_latex,
        lambda n: d["scores"].proven_latex(1, 1, n),
        lambda n: d.to_text(digits=n),
    ):
        assert "digits" in refused(InputError, ask, digits)
    assert "digits" in refused(InputError, derive, A, VALUES, digits=digits)


def test_digits_of_numpy():
    assert derive(A, VALUES)["weights"].evaluate(np.int64(5))[0, 1] == 0.5


def test_an_option_that_there_is_not():
    d = derive(A)
    for ask in (lambda **x: derive(A, **x), d.to_text, d.to_latex, d.document):
        assert 'did you mean "title"' in refused(TypeError, ask, tittle="x")
        assert "tittle" in refused(TypeError, ask, tittle=None)


def test_values_without_names():
    for given in ([[1]], "Q", np.eye(2)):
        assert "by their symbols or names" in refused(InputError, derive, A, given)
