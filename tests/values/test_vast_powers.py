"""Powers of too many digits are not written out: enclosures have their values."""

from __future__ import annotations

import math

import pytest
from sympy import E, Integer, Lambda, MatrixSymbol, Pow, Symbol, log, symbols

from symattn import Attention, Softmax, derive, prove
from symattn.errors import NotSupportedError
from symattn.nodes import Mapped
from symattn.values.exact.entries import makes_vast_power
from tests.processor_time import takes_at_most

n, m, d, e = symbols("n m d e", integer=True, positive=True)
Q, K, V, Z = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e), MatrixSymbol("Z", n, m)
z = Symbol("z")
KEYS, VALUES = [[1], [0], [2]], [[1], [2], [4]]


def test_scores_that_are_many_times_a_logarithm() -> None:
    """Weights 3^(10^8), 1 and 3^(2·10^8): all but 3^(-10^8) of them belongs to the last key."""
    with takes_at_most(10):
        found = derive(Attention(Q, K, V, scale=log(m)), {Q: [[10**8]], K: KEYS, V: VALUES})["output"]
        assert float(found.evaluate(20)[0, 0]) == 4
        with pytest.raises(NotSupportedError):
            assert found.exact


def test_few_times_a_logarithm_is_exact() -> None:
    """Scores 3, 0, 6 times log 3: (27·1 + 1·2 + 729·4)/757."""
    found = derive(Attention(Q, K, V, scale=log(m)), {Q: [[3]], K: KEYS, V: VALUES})["output"]
    assert found.exact[0, 0] * 757 == 27 + 2 + 729 * 4


@pytest.mark.parametrize("entry", [10**9, -(10**9)])
def test_a_function_that_is_a_vast_power(entry: int) -> None:
    with takes_at_most(10):
        found = derive(Mapped(Q, Lambda(z, 2**z)), {Q: [[entry]]})
        [[value]] = found["X_features"].evaluate(12).tolist()
    digits = str(value)
    assert int(digits[digits.index("e") + 1 :]) == math.floor(entry * math.log10(2))


def test_a_power_of_e_is_vast_by_its_exponent() -> None:
    power = Lambda(z, Pow(E, z * log(3), evaluate=False))
    assert [makes_vast_power(power, [Integer(k)]) for k in (2, 10**9)] == [False, True]


def test_a_score_that_is_a_vast_power() -> None:
    with takes_at_most(10):
        found = derive(Attention(Q, K, V, score_mod=2**z), {Q: [[10**9]], K: KEYS, V: VALUES})["output"]
        assert float(found.evaluate(10)[0, 0]) == 4


def test_a_statement_on_softmax_at_logarithms_ends() -> None:
    with takes_at_most(20):
        assert prove(Softmax(log(4) * Z), Softmax(2 * log(2) * Z)).status == "proven"
        assert prove(Softmax(log(4) * Z), Softmax(log(5) * Z)).status == "refuted"
