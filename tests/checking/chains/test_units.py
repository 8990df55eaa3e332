"""Numbers in a unit: percents, and amounts of bytes with other prefixes than the numbers they are made of."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize(
    "text",
    [
        "6/40 · 100 = 15 %",
        "$\\frac25\\cdot100 = 40\\%$",
        "100 − 65 = 35 %",
        "share = 30/40 × 100 = 75%",
        "0.2 · 100 = 20 % = 0.2",
        "2/5 = 40 %",
        "30% + 25% = 55%",
        "$1/3 \\times 100\\% = 33.3\\%$",
        "3 GB / 6 MB = 500",
        "3 GiB / 6 MiB = 512",
        "$\\frac{20\\text{ GB}}{64\\text{ KiB}} \\approx 305{,}000$",  # 20 · 10⁹ / 65,536
        "3 GB + 256 MB = 3.25 GB",
        "48 GB / 3 = 16 GB",
        "48 GB / 3 = 16",
        "8 MB × 1000 = 8 GB",
    ],
)
def test_right_in_their_unit(text: str) -> None:
    assert [bad for *_, bad in judged(text)] and not any(bad for *_, bad in judged(text))


@pytest.mark.parametrize("text", ["6/40 · 100 = 16 %", "100 − 65 = 45 %", "2/5 = 45 %"])
def test_wrong_in_percent(text: str) -> None:
    assert [bad for *_, bad in judged(text)] == [[text.rpartition("= ")[2]]]


@pytest.mark.parametrize(
    "text",
    [
        "2/5 · 100 = 4000 %",
        "1.5 + 2.5 = 4 %",
        "3 GB / 6 MB = 0.5",
        "3 GB + 256 MB = 259 GB",
        "48 GB / 3 = 16 MB",
    ],
)
def test_units_that_do_not_fit_are_not_judged(text: str) -> None:
    assert not judged(text)


def test_a_name_given_in_percent_may_be_either() -> None:
    assert not [bad for *_, bad in judged("p = 30/40 · 100 = 75 %\n\np / 3 = 25\n\np · 20 = 15") if bad]
