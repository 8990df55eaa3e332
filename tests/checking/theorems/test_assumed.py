"""Letters have no values but such as they are assumed to be able to have."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Abs, Integer, MatrixSymbol, Rational, Symbol, ceiling, floor, sqrt, symbols

from symattn import prove
from symattn.checking.theorems.points import admits

n, d = symbols("n d", integer=True, positive=True)
Q = MatrixSymbol("Q", n, d)
BELOW, ODD = Symbol("k", integer=True, negative=True), Symbol("o", odd=True)
BETWEEN, PRIME = Symbol("q", rational=True, integer=False), Symbol("w", prime=True)
IMAGINARY, IRRATIONAL = Symbol("y", imaginary=True), Symbol("r", irrational=True)
WHOLE, EVEN = Symbol("p", integer=True), Symbol("e", even=True)

TRUE = [
    (sqrt(BELOW**2 + 2 * BELOW + 1), -BELOW - 1),
    (2 * floor(ODD / 2) + 1, ODD),
    (floor(BETWEEN), ceiling(BETWEEN) - 1),
    (Abs(IMAGINARY) ** 2, -(IMAGINARY**2)),
]
FALSE = [(Abs(WHOLE), WHOLE), (Abs(EVEN), EVEN), (2 * floor(PRIME / 2), PRIME), (floor(BETWEEN), BETWEEN)]


@pytest.mark.parametrize(("left", "right"), TRUE)
def test_what_is_true_of_all_that_is_assumed_is_not_refuted(left: Any, right: Any) -> None:
    assert prove(left * Q, right * Q).status in ("tried", "undecided")


@pytest.mark.parametrize(("left", "right"), FALSE)
def test_what_is_false_is_refuted_by_values_that_are_assumed(left: Any, right: Any) -> None:
    proof = prove(left * Q, right * Q)
    assert proof.status == "refuted"
    assert all(admits(letter, value) for letter, value in proof.outcomes[-1].sizes.items())


def test_no_numbers_are_put_in_for_what_is_none() -> None:
    proof = prove(floor(IRRATIONAL) * Q, IRRATIONAL * Q)
    assert (proof.status, proof.outcomes[-1].reason.key) == ("undecided", "unproven.no_point")


def test_numbers_are_held_against_every_assumption() -> None:
    assert [k for k in range(-3, 4) if admits(ODD, Integer(k))] == [-3, -1, 1, 3]
    assert [k for k in range(-3, 4) if admits(BELOW, Integer(k))] == [-3, -2, -1]
    assert admits(BETWEEN, Rational(1, 2)) and not admits(BETWEEN, Integer(2))
    assert not any(admits(x, Integer(k)) for x in (IMAGINARY, IRRATIONAL) for k in range(-3, 4))
