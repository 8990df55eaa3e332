"""No false statement is called proven, nor have its sides one normal form; true ones are proven, all but a few."""

from __future__ import annotations

import contextlib

import pytest

from symattn.api.proof import Proof
from symattn.checking.equality.decide import equal
from symattn.checking.equality.indices import Undecided
from symattn.checking.theorems import Link, Theorem, check
from symattn.checking.theorems.decision import decide_links
from tests.checking.equality.statements import FALSE, TRUE

pytestmark = pytest.mark.slow

# what no number is found for, and what the normal form does not see
TRIED = {
    "polynomial zero at 1..12 ": "zero at every size that is tried",
    "a root of negative numbers": "defined for positive ones alone, where it is true",
    "tanh by sigmoid": "of tanh nothing is known but that it is odd",
    "max(z,0) = (z+|z|)/2": "pieces",
    "rowmax shift": "of the largest nothing is known",
    "rowmax scale": "of the largest nothing is known",
    "sum positions": "sums over the numbers of indices",
}


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    monkeypatch.setattr(decide_links, "__defaults__", (60.0,))  # seconds, on a busy machine


def read(case):
    return case if isinstance(case[1], dict) else (case, {})


def status(case):
    (left, right), kinds = read(case)
    theorem = Theorem("yours", left, (Link(right, "stated"),), (), kinds)
    return Proof(theorem, check(theorem, 1)).status


@pytest.mark.parametrize("case", FALSE)
def test_what_is_false_is_refuted(case):
    assert status(FALSE[case]) == ("tried" if case in TRIED else "refuted")


@pytest.mark.parametrize("case", FALSE)
def test_its_sides_have_different_normal_forms(case):
    """Which is not seen otherwise, since small numbers are looked for first."""
    sides, kinds = read(FALSE[case])
    with contextlib.suppress(Undecided):
        assert not equal(*sides, kinds)


@pytest.mark.parametrize("case", TRUE)
def test_what_is_true_is_proven(case):
    assert status(TRUE[case]) == ("tried" if case in TRIED else "proven")
