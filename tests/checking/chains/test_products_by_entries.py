"""A dot product written as the sum of its products: each number is one of them."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

VECTORS = "q = [1, 2, 0, -1], k₁ = [1, 0, 1, 1], k₂ = [0.5, 1, 2, 0.25]\n\n"


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("q · k₁ = 1 + 0 + 0 - 1 = 0", []),
        ("q · k₂ = 0.5 + 2 + 0 - 0.25 = 2.25", []),
        ("q · k₂ = 0.5 + 3 + 0 - 0.25 = 3.25", ["3", "3.25"]),
        ("q · k₂ = 0.5 + 2 + 0 - 0.25 = 2.35", ["2.35"]),
    ],
)
def test_each_term_is_the_product_of_two_entries(line: str, bad: list[str]) -> None:
    claims = judged(VECTORS + line)
    assert [number for *_, wrong in claims for number in wrong] == bad
    assert sum(len(printed) for _, printed, _ in claims) == 5


@pytest.mark.parametrize("line", ["q · k₁ = 1 - 1 = 0", "q · k₁ = 2 + 1 + 3 + 4 = 10"])
def test_other_sums_are_not_those_products(line: str) -> None:
    claims = judged(VECTORS + line)
    assert sum(len(printed) for _, printed, _ in claims) < 5


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("y = x W = [2+0+0, 0+2+3] = [2, 5]", []),
        ("y = x W = [2+0+0, 0+3+3] = [2, 6]", ["3", "6"]),
        ("y = x W = [2+0, 2+3] = [2, 5]", []),  # zeros left out: no term is held against another
    ],
)
def test_each_cell_is_a_sum_of_products(line: str, bad: list[str]) -> None:
    claims = judged(f"x = [1, 2, 1]\n\nW = [[2, 0], [0, 1], [0, 3]]\n\n{line}")
    assert [number for *_, wrong in claims for number in wrong] == bad
    assert sum(len(printed) for _, printed, _ in claims) == (2 if "2+0," in line else 8)
