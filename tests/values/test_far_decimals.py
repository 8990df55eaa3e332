"""Digits of numbers far from 1, against integer arithmetic in full: coarse powers of ten, wide bounds, cut digits."""

import random
from decimal import Decimal
from fractions import Fraction

import pytest

from symattn.values import decimals
from symattn.values.decimals import Bounds, cut_significant, nearest_significant

POWER_OF_TEN = decimals._power_of_ten


def in_full(m: int, exponent: int, digits: int, half: int = 1) -> Decimal:
    """m·2^exponent to so many digits, nearest (`half` of a unit added) or cut off."""
    above, below = abs(m) << max(exponent, 0), 1 << max(-exponent, 0)
    ten = len(str(above)) - len(str(below)) - digits - 1
    while above * 10 ** max(-ten, 0) >= 10**digits * below * 10 ** max(ten, 0):
        ten += 1
    above, below = above * 10 ** max(-ten, 0), below * 10 ** max(ten, 0)
    whole = (2 * above + half * below) // (2 * below)
    return Decimal(whole * (1 if m > 0 else -1)).scaleb(ten)


@pytest.mark.parametrize("power", [1, 7, 100, 333, 1000])
@pytest.mark.parametrize("bits", [4, 8, 30])
def test_powers_of_ten_are_enclosed(power: int, bits: int) -> None:
    low, high, exponent = POWER_OF_TEN(power, bits)
    assert low << exponent <= 10**power <= high << exponent
    assert low.bit_length() <= bits


@pytest.mark.parametrize("coarse", [8, 12, None])
def test_every_digit_is_that_of_both_ends(coarse: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if coarse is not None:  # so that enclosures of powers of ten are as wide as the bounds
        monkeypatch.setattr(decimals, "_power_of_ten", lambda power, bits: POWER_OF_TEN(power, coarse))
    r, known = random.Random(1), 0
    for _ in range(600):
        low = r.randrange(1 << 12, 1 << 13)
        high, exponent, digits = (
            low + r.choice([0, 1, 5, 40]),
            r.choice([-1, 1]) * r.randrange(100, 400),
            r.randint(1, 3),
        )
        sign = r.choice([1, -1])
        found = decimals._far(Bounds(*sorted((sign * low, sign * high)), exponent), digits)
        if found is not None:
            known += 1
            assert found == in_full(sign * low, exponent, digits) == in_full(sign * high, exponent, digits)
    assert known > 50


def test_bounds_that_disagree_have_no_digits() -> None:
    for exponent in (10**6, -(10**6)):
        assert nearest_significant(Bounds(1000, 1999, exponent), 1) is None
        assert nearest_significant(Bounds(-1999, -1000, exponent), 1) is None


def test_cut_digits_have_their_sign_and_agree() -> None:
    r, known = random.Random(2), 0
    for _ in range(400):
        low, exponent, digits = r.randrange(1 << 12, 1 << 13), r.randrange(-60, 60), r.randint(1, 3)
        high, sign = low + r.choice([0, 1, 5]), r.choice([1, -1])
        found = cut_significant(Bounds(*sorted((sign * low, sign * high)), exponent), digits)
        if found is not None:
            known += 1
            assert found == in_full(sign * low, exponent, digits, 0) == in_full(sign * high, exponent, digits, 0)
    assert known > 50
    assert cut_significant(Bounds(-3, -3, -1), 2) == Decimal("-1.5")
    assert Fraction(cut_significant(Bounds(199, 199, -1), 1) or 0) == 90  # 99.5, which would round to 100


def test_bounds_less_a_whole_number() -> None:
    assert Bounds(5, 9, 2).minus(3) == Bounds(17, 33, 0)  # 20 to 36
    assert Bounds(5, 9, -1).minus(3) == Bounds(-1, 3, -1)  # 2.5 to 4.5


def test_digits_are_cut_from_whole_numbers_of_any_length() -> None:
    long = 123456789012345678901234567890
    assert cut_significant(Bounds(long, long, 0), 25) == Decimal("1234567890123456789012345E5")
    assert cut_significant(Bounds(199, 199, -1), 2) == Decimal(99)
