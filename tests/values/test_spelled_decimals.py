"""How many digits a number is told by; each is a sum of powers of 2, so that its decimals are known."""

from decimal import Decimal

import pytest

from symattn.values.decimals import Bounds, Near, cut_significant, plain, readable


@pytest.mark.parametrize(
    ("numerator", "exponent", "shown"),
    [
        (21, -4, "1.31"),  # 1.3125
        (4, 0, "4"),
        (0, 0, "0"),
        (1, -10, "0.000977"),  # 0.0009765625, which would vanish
        (-1, -20, "-9.54E-7"),
        (1, 40, "1.10E+12"),  # 1,099,511,627,776
        (2**9 + 1, -9, "1.002"),  # 1.001953125, a place more beside 1
        (3 * 2**9 + 1, -9, "3.00"),
    ],
)
def test_digits_for_a_reader(numerator: int, exponent: int, shown: str) -> None:
    bounds = Bounds(numerator, numerator, exponent)
    cell = readable(lambda question, most=0: question(bounds))
    assert not isinstance(cell, Near) and cell.number == Decimal(shown)
    assert shown in ("4", "0") or str(cell.number) == shown


def test_a_number_by_its_distance_from_an_integer() -> None:
    bounds = Bounds(2**11 - 1, 2**11 - 1, -11)  # 1 − 0.00048828125
    near = readable(lambda question, most=0: question(bounds))
    assert near == Near(1, Decimal("-0.000488"))
    assert near.value() == Decimal("0.999512")
    assert str(Near(3, Decimal("9.54E-7")).value()) == "3.000000954"
    assert str(Near(-1, Decimal("1.82E-15")).value()) == "-0.99999999999999818"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("12", "12"),
        ("-0.0", "0.0"),
        ("0.00001234", "0.00001234"),
        ("0.000001234", "1.234e-06"),
        ("-7E-9", "-7e-09"),
        ("1.2E+2", "1.2e+02"),
        ("NaN", "nan"),
    ],
)
def test_decimals_for_a_program(number: str, text: str) -> None:
    assert plain(Decimal(number)) == text


def test_nothing_is_cut_off_zero() -> None:
    assert str(cut_significant(Bounds(0, 0, 0), 3)) == "0"
