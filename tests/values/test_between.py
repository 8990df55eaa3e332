"""A number between two decimals, as it is written."""

from decimal import Decimal

import pytest

from symattn.values.decimals import Between
from symattn.writing.writers.text_style import TextStyle


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ("1.8178e-15", "1.8179e-15", "[1.8178, 1.8179] × 10⁻¹⁵"),
        ("0.25", "0.26", "[0.25, 0.26]"),
        ("9.99e-9", "1.00e-8", "[9.99 × 10⁻⁹, 1.00 × 10⁻⁸]"),  # another power of ten at each end
    ],
)
def test_between(low: str, high: str, text: str) -> None:
    written = Between(Decimal(low), Decimal(high)).write(TextStyle())
    assert written.replace("·", "×").replace(" ", "") == text.replace(" ", "")
