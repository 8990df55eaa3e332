"""Attention by a state beside its form for all tokens at once, and what changes neither or one of them."""

import pytest
from sympy import MatrixSymbol, Rational, Symbol, symbols

from symattn import prove
from symattn.checking.theorems.decision import decide_links
from symattn.nodes import CausalMask, ChunkedState, DeltaRule, Retention, ScoreMod, StateSpaceDuality, Where

n, d, e = symbols("n d_k d_v", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", n, d), MatrixSymbol("V", n, e)
a, b = MatrixSymbol("a", n, 1), MatrixSymbol("b", n, 1)
z, i, j = symbols("z i j")
GAMMAS = (Rational(1, 2), Symbol("gamma", positive=True))


def at_once(gamma, power):
    return Where(ScoreMod(Q * K.T, z * gamma**power), CausalMask()) * V


@pytest.mark.parametrize("gamma", GAMMAS)
def test_retention_is_its_parallel_form(gamma):
    assert prove(Retention(Q, K, V, gamma), at_once(gamma, i - j)).status == "proven"
    assert prove(Retention(Q, K, V, gamma), at_once(gamma, j - i)).status == "refuted"


def test_the_engine_does_not_take_one_state_for_another():
    assert prove(Retention(Q, K, V, 1), Where(Q * K.T, CausalMask()) * V).status == "proven"
    assert prove(DeltaRule(Q, K, V, a), DeltaRule(Q, K, V, b)).status == "refuted"
    assert prove(StateSpaceDuality(Q, K, V, a), Retention(Q, K, V, Rational(1, 2))).status == "refuted"


@pytest.mark.slow
def test_chunks_are_tried_and_not_taken_for_proven(monkeypatch):
    """Their steps are others than the recurrence's; the theorems of chunks prove the formulas, not this program."""
    monkeypatch.setattr(decide_links, "__defaults__", (60.0,))  # seconds, on a busy machine
    chunks = ChunkedState(Retention(Q, K, V, Rational(1, 2)), 2)
    assert (
        prove(chunks, Retention(Q, K, V, Rational(1, 2)), seed=125).status == "tried"
    )  # whose first sizes are no good
    assert prove(chunks, Retention(Q, K, V, Rational(1, 3))).status == "refuted"
    assert prove(chunks, Where(Q * K.T, CausalMask()) * V).status == "refuted"
