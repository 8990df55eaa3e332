"""Numbers that sizes, places and entries are held against: agreement below them says nothing."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import (
    Contains,
    Heaviside,
    Interval,
    KroneckerDelta,
    Lambda,
    MatrixSymbol,
    Min,
    Mod,
    Piecewise,
    exp,
    floor,
    oo,
    pi,
    sqrt,
    symbols,
)

from symattn import Attention, CausalMask, TopKMask, prove
from symattn.checking.theorems.thresholds import largest_threshold
from symattn.nodes import DistanceBuckets, Mapped, RelativeBias, Scaled

pytestmark = pytest.mark.slow

n, m, d, e = symbols("n m d e", integer=True, positive=True)
z, i, j = symbols("z i j")
Q, K, V, Z = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e), MatrixSymbol("Z", n, d)
TABLE = MatrixSymbol("t", 4, 1)


def attention(**options: Any) -> Any:
    return Attention(Q, K, V, **options)


def bias(*starts: int) -> Any:
    return RelativeBias(TABLE, n, m, DistanceBuckets(starts))


FAR = {
    1000: (attention(mask=TopKMask(1000)), attention()),
    101: (attention(mask=(CausalMask(), TopKMask(101))), attention(mask=CausalMask())),
    100: (attention(score_mod=z - floor(j / 100)), attention()),
    300: (attention(score_mod=z + Mod(j, 300)), attention(score_mod=z + j)),
    2000: (Mapped(Z, Lambda(z, Min(z, 2000))), Z),
    500: (Scaled(Z, Min(n, 500)), Scaled(Z, n)),
    149: (Mapped(Z, Lambda(z, Piecewise((z, z < exp(5)), (0, True)))), Z),  # e^5 = 148.4
    250: (Mapped(Z / 50, Lambda(z, Piecewise((z, z < 5), (0, True)))), Z / 50),
    102: (Mapped(Z, Lambda(z, z + Heaviside(z - 100))), Z),
    99: (attention(score_mod=z + KroneckerDelta(j, 99)), attention()),
    140: (Mapped(Z, Lambda(z, Piecewise((z, Contains(z, Interval(-70, 70))), (0, True)))), Z),
    50: (Scaled(Z, 1 + KroneckerDelta(n, 50)), Z),
}


@pytest.mark.parametrize("number", FAR)
def test_beyond_every_size_it_is_left_open_and_said(number: int) -> None:
    left, right = FAR[number]
    assert max(map(largest_threshold, (left, right))) == number
    proof = prove(left, right)
    assert proof.status == "undecided" and str(number) in proof.outcomes[0].reason.text("en")


NEAR = [
    (attention(mask=TopKMask(20)), attention(mask=TopKMask(21))),
    (bias(1, 2, 50), bias(1, 2, 60)),
    (attention(score_mod=Piecewise((z, j < 50), (2 * z, True))), attention()),
    (attention(mask=CausalMask(20)), attention(mask=CausalMask(21))),
    (Mapped(Z, Lambda(z, Min(z, 10))), Z),
    (Mapped(Z, Lambda(z, Piecewise((z, z < 3 * pi), (0, True)))), Z),
    (Mapped(Z, Lambda(z, Piecewise((z, z - 11 < sqrt(150)), (0, True)))), Z),
    (Scaled(Z, Piecewise((1, n < 7 * pi), (2, True))), Z),
]


@pytest.mark.parametrize(("left", "right"), NEAR)
def test_sizes_and_entries_go_beyond_what_is_no_larger_than_a_matrix_on_paper(left: Any, right: Any) -> None:
    assert prove(left, right).status == "refuted"


def test_what_is_equal_by_its_form_is_proven_whatever_the_number() -> None:
    mask = (CausalMask(), TopKMask(10**6))
    assert prove(attention(mask=mask), attention(mask=mask)).status == "proven"


def test_what_has_no_end_is_no_number() -> None:
    assert largest_threshold(Mapped(Z, Lambda(z, Piecewise((z, Contains(z, Interval(3, oo))), (0, True))))) == 3
