"""An error that is called e, whose square is no exponential; worked out by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (r"$e = 0.62 - 1 = -0.38$ and $L = e^2 = (-0.38)^2 = 0.1444$", []),
        (r"The error is $e = 3$. $L = e^2 = 9$ and $L = \frac{1}{2} e^2 = 4.5$", []),
        (r"The error is $e = 3$. $L = e^2 = 8$", ["8"]),
        (r"$L = e^2 = (-0.38)^2 = 0.1444$", []),
        (r"$L = e^2 = (-0.38)^2 = 0.1544$", ["0.1544"]),
        (r"The noise is $e = 0.1$. $e^2 = 7.389$ and $\exp(2) = 7.389$", []),  # Euler's number all the same
        (r"The noise is $e = 0.1$. $\exp(2) = 0.01$", ["0.01"]),
        (r"The scores $e = [2.0, 0.5]$: $e^2 = 7.489$", ["7.489"]),
        (r"$e^2 = 2.718^2 = 7.389$", []),
        (r"$e^2 = 7.489$", ["7.489"]),
    ],
)
def test_the_square_of_an_error(text: str, wrong: list[str]) -> None:
    assert [number for *_, bad in judged(text) for number in bad] == wrong
